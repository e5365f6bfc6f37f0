//! What a rule is: what it waits for and what it then does.

use super::{Delay, Duration, Jitter, Pitch, Sinusoid, Tone, Varying, Velocity};
use chronotap_core::midi::{Channel, U7};
use chronotap_core::time::{Exact, Nanos};

/// A rule: when its condition first holds, its actions are done, in order.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name in the file, or `when-3` for the third.
    pub name: String,
    /// What it waits for.
    pub when: RuleCondition,
    /// What it then does.
    pub then: Vec<Do>,
    /// Whether it may act again, each time the condition comes to hold anew.
    pub repeats: bool,
}

/// What a rule waits for. Times, beats and taps hold from then on; a note
/// holds at the instant of its tap; a silence holds while it lasts.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleCondition {
    /// Time since the start of the trial.
    Time(Nanos),
    /// A beat of a stream, by number.
    Beat {
        /// Index of the stream.
        stream: u16,
        /// Beat number, from 1.
        number: u32,
    },
    /// The n-th accepted tap of an input.
    Tap {
        /// Index of the input.
        input: u16,
        /// Tap number, from 1.
        number: u32,
    },
    /// The n-th accepted tap of an input after a stream has ended.
    TapsAfter {
        /// Index of the stream.
        stream: u16,
        /// Index of the input.
        input: u16,
        /// How many taps, from 1.
        number: u32,
    },
    /// A tap on a certain key.
    Note {
        /// Index of the input; `None` is any.
        input: Option<u16>,
        /// Key number.
        note: U7,
    },
    /// No accepted tap on an input for so long.
    Silence {
        /// Index of the input.
        input: u16,
        /// How long.
        length: Nanos,
    },
    /// All of these hold.
    All(Vec<RuleCondition>),
    /// At least one of these holds.
    Any(Vec<RuleCondition>),
}

/// One action of a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Do {
    /// Sets a parameter of a pacing stream.
    Pacing(u16, SetPacing),
    /// Sets a parameter of a feedback channel.
    Feedback(u16, SetFeedback),
    /// Sets a parameter of a masking stream.
    Masking(u16, SetMasking),
    /// Sets the debounce of an input.
    Debounce(u16, Nanos),
    /// Lets a number change gradually from its value at that instant.
    Ramp(Ramp),
    /// Sounds a tone on an output.
    Play(u16, Tone),
    /// Writes marker `u16`.
    Mark(u16),
    /// Starts a pacing stream from its beat 1, at this instant.
    StartStream(u16),
    /// Stops a pacing stream; its sounding tones end as planned.
    StopStream(u16),
    /// Ends the trial.
    End,
}

impl Do {
    /// The output at which it sounds something of its own.
    pub const fn plays_at(&self) -> Option<u16> {
        match self {
            Do::Play(output, _) => Some(*output),
            Do::Pacing(..)
            | Do::Feedback(..)
            | Do::Masking(..)
            | Do::Debounce(..)
            | Do::Ramp(_)
            | Do::Mark(_)
            | Do::StartStream(_)
            | Do::StopStream(_)
            | Do::End => None,
        }
    }
}

/// A new value for a parameter of a pacing stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SetPacing {
    /// `audible`.
    Audible(bool),
    /// `interval` or `tempo`.
    Interval(Exact),
    /// `beats`.
    Beats(Option<u32>),
    /// `tone.channel`.
    Channel(Channel),
    /// `tone.note`.
    Note(U7),
    /// `tone.velocity`.
    Velocity(Varying),
    /// `tone.duration`.
    Duration(Nanos),
    /// `accent.velocity`.
    AccentVelocity(Varying),
    /// `accent.note`.
    AccentNote(U7),
    /// `jitter`.
    Jitter(Option<Jitter>),
    /// `sinusoid`.
    Sinusoid(Option<Sinusoid>),
    /// `adapt.phase`.
    AdaptPhase(Varying),
    /// `adapt.period`.
    AdaptPeriod(Varying),
    /// `adapt.at_most`.
    AdaptAtMost(Nanos),
}

/// A new value for a parameter of a feedback channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SetFeedback {
    /// `sounding`.
    Sounding(bool),
    /// `channel`.
    Channel(Option<Channel>),
    /// `pitch`.
    Pitch(Pitch),
    /// `velocity`.
    Velocity(Velocity),
    /// `delay`.
    Delay(Delay),
    /// `duration`.
    Duration(Duration),
    /// `from.notes`.
    Notes(U7, U7),
    /// `from.velocities`.
    Velocities(U7, U7),
}

/// A new value for a parameter of a masking stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SetMasking {
    /// `sounding`.
    Sounding(bool),
    /// `rate`.
    Rate(Varying),
    /// `channel`.
    Channel(Channel),
    /// `notes`.
    Notes(U7, U7),
    /// `velocity`.
    Velocity(Velocity),
    /// `duration`.
    Duration(Nanos),
}

/// A gradual change of one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ramp {
    /// Which number.
    pub of: Number,
    /// The value it reaches: nanoseconds, beats per minute, or a plain number.
    pub to: f64,
    /// The interval it reaches, exactly, where it is of a pacing interval or tempo; else 0.
    pub interval: Exact,
    /// How long it takes.
    pub over: Over,
    /// Equal ratios in equal times rather than equal differences.
    pub exponential: bool,
}

/// How long a ramp takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// This long.
    Time(Nanos),
    /// So many beats of the stream (pacing interval and tempo only).
    Beats(u32),
}

/// A number that a ramp may change; the index is the stream's or channel's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Pacing interval, in nanoseconds.
    PacingInterval(u16),
    /// Pacing tempo, in beats per minute.
    PacingTempo(u16),
    /// Velocity of a stream's tone.
    PacingVelocity(u16),
    /// Velocity of a stream's accent.
    AccentVelocity(u16),
    /// Phase correction alpha.
    AdaptPhase(u16),
    /// Period correction beta.
    AdaptPeriod(u16),
    /// Constant feedback delay, in nanoseconds.
    FeedbackDelay(u16),
    /// Feedback delay as a share of the last inter-tap interval.
    FeedbackFraction(u16),
    /// Fixed feedback velocity.
    FeedbackVelocity(u16),
    /// Scale of the feedback velocity.
    FeedbackScale(u16),
    /// Transposition, in semitones.
    FeedbackTranspose(u16),
    /// Masking tones a second.
    MaskingRate(u16),
}
