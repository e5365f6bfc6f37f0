//! [`Trial`]: a checked trial in the form the engine runs. `chronotap-experiment`
//! builds it from a file; nothing here parses or checks.
//!
//! Parameters that a trigger may set are `Copy`, so that setting one in mid-trial
//! never allocates or frees. Lists stand in pools of the trial ([`Trial::notes`],
//! [`Trial::times`], [`Trial::tables`]) and are named by a [`Span`].

use chronotap_midi::{Channel, U7};
use chronotap_time::{Exact, Nanos};

/// Everything a trial does.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// The inputs taps come from; at least one.
    pub inputs: Vec<Input>,
    /// The outputs tones go to, by name; at least one.
    pub outputs: Vec<String>,
    /// Pacing streams, in file order.
    pub pacing: Vec<Pacing>,
    /// Feedback channels, in file order.
    pub feedback: Vec<Feedback>,
    /// Masking streams, in file order.
    pub masking: Vec<Masking>,
    /// Triggers, in file order.
    pub triggers: Vec<Trigger>,
    /// The texts that markers write, by index.
    pub markers: Vec<String>,
    /// Pool of note lists (sequences, random sets, the notes of steps).
    pub notes: Vec<U7>,
    /// Pool of time lists (delays, onsets).
    pub times: Vec<Nanos>,
    /// Pool of pitch tables: the note that sounds for each key.
    pub tables: Vec<[U7; 128]>,
}

/// A range of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Span {
    /// Index of the first element.
    pub start: u32,
    /// Number of elements.
    pub len: u32,
}

/// An input that participants tap on.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name in the file; `input` where the file names none.
    pub name: String,
    /// Taps closer than this to the last accepted tap are marked and give nothing; 0 is off.
    pub debounce: Nanos,
    /// Whether losing the input ends the trial.
    pub ends_when_closed: bool,
}

/// A number that may change linearly or exponentially with time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Varying {
    /// Value until `begin`.
    pub from: f64,
    /// Value from `begin + over` on.
    pub to: f64,
    /// When the change begins.
    pub begin: Nanos,
    /// How long it takes; 0 for a constant.
    pub over: Nanos,
    /// Equal ratios in equal times rather than equal differences.
    pub exponential: bool,
}

/// A tone's place and length. Notes and velocities may vary from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tone {
    /// MIDI channel.
    pub channel: Channel,
    /// Note number.
    pub note: U7,
    /// Velocity, 1..=127 once rounded.
    pub velocity: Varying,
    /// Time from onset to release; above 0.
    pub duration: Nanos,
}

/// A pacing stream.
#[derive(Clone, Debug)]
pub struct Pacing {
    /// Its name in the file.
    pub name: String,
    /// Index of the output.
    pub output: u16,
    /// Whether its tones sound; the beat count runs on either way.
    pub audible: bool,
    /// When beat 1 comes.
    pub start: Start,
    /// Time from one beat to the next.
    pub interval: Interval,
    /// Number of beats, steps and rests included; `None` is endless.
    pub beats: Option<u32>,
    /// What each step does, repeated; at least one step.
    pub pattern: Vec<Step>,
    /// The tone of a step.
    pub tone: Tone,
    /// Velocity of an accented step.
    pub accent_velocity: Varying,
    /// Note of an accented step, where it differs.
    pub accent_note: Option<U7>,
    /// Notes of step 1, 2, … (several make a chord), repeated; empty: `tone.note`.
    pub step_notes: Vec<Span>,
    /// Channel of step 1, 2, …, repeated; empty: `tone.channel`.
    pub step_channels: Vec<Channel>,
    /// Changes at listed or drawn beats.
    pub changes: Vec<Change>,
    /// Random displacement of the beats.
    pub jitter: Option<Jitter>,
    /// Sinusoidal tempo.
    pub sinusoid: Option<Sinusoid>,
    /// Onsets after the start, instead of an interval; ascending, in the pool of times.
    pub onsets: Option<Span>,
    /// Correction toward the taps of an input.
    pub adapt: Option<Adapt>,
}

/// When a stream begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At a time.
    At(Nanos),
    /// A delay after the n-th tap of an input.
    Tap {
        /// Index of the input.
        input: u16,
        /// Tap number, from 1.
        number: u32,
        /// Time from the tap's stamp to beat 1.
        delay: Nanos,
    },
    /// A delay after the last beat's interval of a finite stream has run out.
    After {
        /// Index of the stream.
        stream: u16,
        /// Time from there to beat 1.
        delay: Nanos,
    },
    /// When a trigger starts it.
    Trigger,
}

/// The spacing of beats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Interval {
    /// An exact time.
    Exact(Exact),
    /// Changing with time, in nanoseconds, to what then holds exactly.
    Ramp(Varying, Exact),
    /// Changing with time, in beats per minute, to an interval that then holds exactly.
    TempoRamp(Varying, Exact),
}

/// One step of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Counted, silent.
    Rest,
    /// The stream's tone.
    Tone,
    /// The stream's tone with its accent.
    Accent,
}

/// A change of a stream at certain beats.
#[derive(Clone, Debug)]
pub struct Change {
    /// At which beats.
    pub at: Occasions,
    /// Moves the beat and all later ones.
    pub phase_shift: Nanos,
    /// Moves the beat alone.
    pub onset_shift: Nanos,
    /// The interval from this beat on.
    pub interval: Option<Exact>,
    /// Added to the interval from this beat on; 0 for none.
    pub interval_step: Nanos,
    /// Over how many beats the interval gets there; 1 is at once.
    pub over: u32,
    /// Equal ratios from beat to beat rather than equal differences.
    pub exponential: bool,
}

/// Which beats or taps something happens to.
#[derive(Clone, Debug, PartialEq)]
pub enum Occasions {
    /// These numbers, ascending.
    Listed(Vec<u32>),
    /// After `after`, every `from` to `to` further ones, drawn afresh each time
    /// (always the same where they are equal).
    Every {
        /// Fewest, at least 1.
        from: u32,
        /// Most.
        to: u32,
        /// The count at which it begins.
        after: u32,
    },
    /// Each one after `after` with this probability.
    Chance {
        /// In 0..=1.
        probability: f64,
        /// The count at which it begins.
        after: u32,
    },
}

/// A distribution of times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spread {
    /// Every value equally likely.
    Uniform {
        /// Least.
        low: Nanos,
        /// Greatest.
        high: Nanos,
    },
    /// Normal, drawn again until within the bounds.
    Normal {
        /// Mean.
        mean: Nanos,
        /// Standard deviation.
        sd: Nanos,
        /// Least.
        low: Nanos,
        /// Greatest.
        high: Nanos,
    },
}

/// Random displacement of beats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jitter {
    /// How far.
    pub spread: Spread,
    /// Whether later beats move too (a random interval) or only the one (a random onset).
    pub accumulates: bool,
}

/// Interval k is the interval plus `amplitude · sin(2π k / beats)`, k from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sinusoid {
    /// Greatest deviation of an interval.
    pub amplitude: Nanos,
    /// Beats in one cycle.
    pub beats: f64,
}

/// Adaptive pacing: rule 8 of the trial file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adapt {
    /// Index of the input whose taps count.
    pub input: u16,
    /// Phase correction alpha.
    pub phase: Varying,
    /// Period correction beta.
    pub period: Varying,
    /// Bound of the phase correction; [`Nanos::MAX`] for none.
    pub at_most: Nanos,
    /// Least interval that period correction may reach.
    pub shortest: Nanos,
    /// Greatest interval that period correction may reach.
    pub longest: Nanos,
}

/// A feedback channel.
#[derive(Clone, Debug)]
pub struct Feedback {
    /// Its name in the file.
    pub name: String,
    /// Index of the output.
    pub output: u16,
    /// MIDI channel of its tones; `None` is the channel of the tap.
    pub channel: Option<Channel>,
    /// Whether taps sound; histories run on either way.
    pub sounding: bool,
    /// Which taps it hears.
    pub from: Filter,
    /// Which note sounds.
    pub pitch: Pitch,
    /// How loud.
    pub velocity: Velocity,
    /// How late.
    pub delay: Delay,
    /// How long.
    pub duration: Duration,
    /// Single taps that are treated otherwise; the first that applies wins.
    pub perturb: Vec<Perturb>,
}

/// Which taps pass to a feedback channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Index of the input; `None` is any.
    pub input: Option<u16>,
    /// MIDI channel; `None` is any.
    pub channel: Option<Channel>,
    /// Lowest and highest note.
    pub notes: (U7, U7),
    /// Lowest and highest velocity.
    pub velocities: (U7, U7),
}

/// The note that sounds for a tap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pitch {
    /// The key's own.
    AsPlayed,
    /// Always this one.
    Fixed(U7),
    /// So many semitones higher, kept in 0..=127.
    Transpose(Varying),
    /// Mirrored about a note, kept in 0..=127.
    Mirror(U7),
    /// By a table (index into [`Trial::tables`]).
    Table(u16),
    /// Drawn from a set in the pool of notes.
    Random(Span),
    /// The next of a sequence in the pool of notes, again from its beginning at its end.
    Sequence(Span),
    /// The key's of so many taps before; as played while there are fewer.
    Shift(u16),
}

/// The velocity that sounds for a tap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Velocity {
    /// The tap's own.
    AsPlayed,
    /// Always this one.
    Fixed(Varying),
    /// The tap's own times this, kept in 1..=127.
    Scale(Varying),
    /// Drawn from low..=high.
    Random(U7, U7),
}

/// The time from a tap's stamp to its tone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Delay {
    /// In nanoseconds.
    Constant(Varying),
    /// Drawn.
    Random(Spread),
    /// The next of a list in the pool of times, again from its beginning at its end.
    List(Span),
    /// This share of the channel's last inter-tap interval; 0 before there is one.
    Fraction(Varying),
}

/// How long a tone lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duration {
    /// As long as the key is held.
    AsPlayed,
    /// This long, from the onset's deadline.
    Fixed(Nanos),
}

/// Single taps of a channel that are treated otherwise. The counts are of the
/// taps that pass the channel's filter.
#[derive(Clone, Debug)]
pub struct Perturb {
    /// Which taps.
    pub at: Occasions,
    /// No tone at all.
    pub mute: bool,
    /// Instead of the channel's.
    pub pitch: Option<Pitch>,
    /// Instead of the channel's.
    pub velocity: Option<Velocity>,
    /// Instead of the channel's.
    pub delay: Option<Delay>,
    /// Instead of the channel's.
    pub duration: Option<Duration>,
}

/// A stream of random tones.
#[derive(Clone, Debug)]
pub struct Masking {
    /// Its name in the file.
    pub name: String,
    /// Index of the output.
    pub output: u16,
    /// Whether its tones sound; its draws run on either way.
    pub sounding: bool,
    /// When its first tone comes.
    pub start: Nanos,
    /// Tones a second.
    pub rate: Varying,
    /// Random (exponential) instead of equal spacing.
    pub irregular: bool,
    /// MIDI channel.
    pub channel: Channel,
    /// Lowest and highest note.
    pub notes: (U7, U7),
    /// How loud.
    pub velocity: Velocity,
    /// How long; above 0.
    pub duration: Nanos,
}

/// A trigger: when its condition first holds, its actions are done, in order.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// Its name in the file, or `when-3` for the third.
    pub name: String,
    /// What it waits for.
    pub when: Condition,
    /// What it then does.
    pub then: Vec<Do>,
    /// Whether it may act again, each time the condition comes to hold anew.
    pub repeats: bool,
}

/// What a trigger waits for. Times, beats and taps hold from then on; a note
/// holds at the instant of its tap; a silence holds while it lasts.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
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
    All(Vec<Condition>),
    /// At least one of these holds.
    Any(Vec<Condition>),
}

/// One action of a trigger.
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

impl Varying {
    /// A value that does not change.
    pub const fn constant(value: f64) -> Varying {
        Varying {
            from: value,
            to: value,
            begin: Nanos::ZERO,
            over: Nanos::ZERO,
            exponential: false,
        }
    }

    /// Whether the change is over at an instant.
    pub fn is_over(&self, instant: Nanos) -> bool {
        instant >= self.begin.saturating_add(self.over)
    }

    /// The value at an instant: `from + (to − from)·x`, or `from·(to/from)^x`
    /// where exponential, with x = (at − begin)/over kept in 0..=1.
    pub fn at(&self, instant: Nanos) -> f64 {
        if self.is_over(instant) {
            return self.to;
        }
        let x = ((instant - self.begin).0 as f64 / self.over.0 as f64).max(0.0);
        if self.exponential {
            return self.from * libm::pow(self.to / self.from, x);
        }
        self.from + (self.to - self.from) * x
    }
}

impl Span {
    /// The elements of `pool` that this names.
    pub fn of<T>(self, pool: &[T]) -> &[T] {
        pool.get(self.start as usize..(self.start + self.len) as usize).unwrap_or(&[])
    }
}

impl Filter {
    /// Lets every tap pass.
    pub const ANY: Filter = Filter {
        input: None,
        channel: None,
        notes: (U7::ZERO, U7::MAX),
        velocities: (U7::ZERO, U7::MAX),
    };
}

/// A new span at the end of a pool.
pub fn pool<T: Copy>(pool: &mut Vec<T>, values: &[T]) -> Span {
    let span = Span { start: pool.len() as u32, len: values.len() as u32 };
    pool.extend_from_slice(values);
    span
}
