//! What a pacing stream is: its beats, their tones, and how both change.

use super::{Choice, Occasions, Span, Spread, Tone, Varying};
use chronotap_core::midi::{Channel, U7};
use chronotap_core::time::{Exact, Nanos};

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
    /// The taps that the interval is taken from, where it is.
    pub own_tempo: Option<OwnTempo>,
    /// Number of beats, steps and rests included; `None` is endless.
    pub beats: Option<u32>,
    /// What each step does, repeated; at least one step.
    pub pattern: Vec<PatternStep>,
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
    /// How the list of onsets repeats, where it does.
    pub repeat: Option<Repeat>,
    /// How long the recording is that sounds from the start of the stream on, each beat's
    /// tone being the part of it from that beat to the next.
    pub audio: Option<Nanos>,
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
        delay: Delayed,
    },
    /// A delay after the last beat's interval of a finite stream has run out.
    After {
        /// Index of the stream.
        stream: u16,
        /// Time from there to beat 1.
        delay: Nanos,
    },
    /// When a rule starts it.
    Rule,
}

/// How long after a tap a stream begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delayed {
    /// So long.
    By(Nanos),
    /// One of its intervals.
    ByOneInterval,
}

/// Two taps of an input. The mean interval between them, over all the taps from one to the
/// other, is the interval of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnTempo {
    /// Index of the input.
    pub input: u16,
    /// Number of the first tap, from 1.
    pub first: u32,
    /// Number of the last, greater than the first.
    pub last: u32,
}

/// A list of onsets begins again, without end; how many beats that makes is
/// [`Pacing::beats`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// From one beginning of the list to the next; longer than the list.
    pub every: Exact,
}

/// The spacing of beats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Interval {
    /// An exact time.
    Exact(Exact),
    /// Changing with time, by equal differences of the interval.
    Ramp(Glide),
    /// Changing with time, by equal differences of the tempo.
    TempoRamp(Glide),
}

/// From one interval to another in some time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glide {
    /// Before it.
    pub from: Exact,
    /// After it.
    pub to: Exact,
    /// When it begins.
    pub begin: Nanos,
    /// How long it takes.
    pub over: Nanos,
    /// Equal ratios rather than equal differences.
    pub exponential: bool,
}

/// One step of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternStep {
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
    /// At least so many beats from any other change; 0: wherever it falls.
    pub apart: u32,
    /// The beat is counted and does not sound.
    pub mute: bool,
    /// Moves the beat and all later ones.
    pub phase_shift: Shift,
    /// Moves the beat alone.
    pub onset_shift: Shift,
    /// The interval from this beat on.
    pub interval: Option<Exact>,
    /// Added to the interval from this beat on.
    pub interval_step: Shift,
    /// Over how many beats the interval gets there; 1 is at once.
    pub over: u32,
    /// Equal ratios from beat to beat rather than equal differences.
    pub exponential: bool,
}

/// By how much a change moves something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    /// It moves nothing, and is no change.
    None,
    /// Always this; 0 is a change too.
    Fixed(Nanos),
    /// Chosen from a list in the pool of times.
    Chosen(Choice, Span),
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

/// The most inputs that a stream follows: an octet.
pub const MOST_LEADERS: usize = 8;

/// The inputs that a stream follows, each with its weight, above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leaders {
    all: [(u16, f64); MOST_LEADERS],
    count: usize,
}

impl Leaders {
    /// One input.
    pub const fn one(input: u16) -> Leaders {
        Leaders { all: [(input, 1.0); MOST_LEADERS], count: 1 }
    }

    /// These inputs with their weights; `None` where there are none, or too many.
    pub fn of(inputs: &[(u16, f64)]) -> Option<Leaders> {
        let mut leaders = Leaders::one(inputs.first()?.0);
        leaders.all.get_mut(..inputs.len())?.copy_from_slice(inputs);
        leaders.count = inputs.len();
        Some(leaders)
    }

    /// Each input with its weight.
    pub fn all(&self) -> &[(u16, f64)] {
        self.all.get(..self.count).unwrap_or(&self.all)
    }

    /// The place of an input among them.
    pub fn place(&self, input: u16) -> Option<usize> {
        self.all().iter().position(|(of, _)| *of == input)
    }
}

/// Adaptive pacing: rule 8 of the trial file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adapt {
    /// Whose taps count.
    pub leaders: Leaders,
    /// The share by which the next beat comes where the next tap is expected.
    pub anticipate: f64,
    /// The share of the last change of interval that is expected again.
    pub extrapolate: f64,
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
