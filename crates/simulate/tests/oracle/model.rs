//! What a trial of the oracle holds: the keys of docs/trial-reference.md, as far as they are drawn.

use crate::oracle::exact::Exact;

#[derive(Clone, Debug, Default)]
pub struct Model {
    pub inputs: Vec<Input>,
    pub outputs: usize,
    pub pacing: Vec<Pacing>,
    pub feedback: Vec<Feedback>,
    pub masking: Vec<Masking>,
    pub when: Vec<When>,
    pub taps: Vec<Press>,
}

#[derive(Clone, Debug)]
pub struct Input {
    pub name: &'static str,
    pub debounce: i64,
}

/// A key press of the performer, in nanoseconds.
#[derive(Clone, Debug)]
pub struct Press {
    pub at: i64,
    pub hold: i64,
    pub note: u8,
    pub velocity: u8,
    pub channel: u8,
    pub input: usize,
}

#[derive(Clone, Debug)]
pub enum Pace {
    Interval(Exact),
    Tempo(Exact),
    Onsets(Vec<i64>, Option<(Exact, u32)>),
    FromTaps(u32, u32, usize),
}

#[derive(Clone, Debug)]
pub enum Start {
    At(i64),
    Tap { input: usize, tap: u32, delay: i64 },
    OneIntervalAfter { input: usize, tap: u32 },
    WhenStarted,
    After { stream: usize, delay: i64 },
}

#[derive(Clone, Debug)]
pub struct Pacing {
    pub name: &'static str,
    pub pace: Pace,
    pub start: Start,
    pub audible: bool,
    pub beats: Option<u32>,
    pub pattern: String,
    pub tone: Tone,
    pub accent: (u8, Option<u8>),
    pub notes: Vec<Vec<u8>>,
    pub channels: Vec<u8>,
    pub output: usize,
    /// Amplitude; the cycle has four beats, so that the sines are exact.
    pub sinusoid: Option<i64>,
    pub jitter: Option<(i64, i64)>,
    pub adapt: Option<Adapt>,
    pub changes: Vec<Change>,
    pub response: Option<(i64, i64)>,
}

impl Pacing {
    /// Whether chance decides where its beats come.
    pub fn is_moved_by_chance(&self) -> bool {
        let drawn = |size: &Option<Size>| !matches!(size, None | Some(Size::Fixed(_)));
        let change = |c: &Change| drawn(&c.phase) || drawn(&c.onset) || drawn(&c.step);
        self.jitter.is_some() || self.changes.iter().any(change)
    }

    /// How many beats a list of onsets has.
    pub fn listed(pace: &Pace) -> Option<u32> {
        match pace {
            Pace::Onsets(onsets, repeat) => {
                Some(onsets.len() as u32 * repeat.map_or(1, |(_, times)| times))
            }
            _ => None,
        }
    }

    /// How many beats the stream has, where that is known.
    pub fn beats_at_most(&self) -> Option<u32> {
        Pacing::listed(&self.pace).into_iter().chain(self.beats).min()
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Tone {
    pub channel: u8,
    pub note: u8,
    pub velocity: u8,
    pub duration: i64,
}

#[derive(Clone, Debug)]
pub struct Adapt {
    pub to: Vec<usize>,
    pub weights: Vec<i64>,
    pub phase: Exact,
    pub period: Exact,
    pub at_most: Option<i64>,
    pub within: Option<(i64, i64)>,
    pub anticipate: Exact,
    pub extrapolate: Exact,
}

/// At which beats, or taps.
#[derive(Clone, Debug)]
pub enum Occasion {
    At(Vec<u32>),
    Every(u32),
    Percent(i64),
}

#[derive(Clone, Debug)]
pub enum Size {
    Fixed(i64),
    Random(Vec<i64>),
    Shuffled(Vec<i64>),
    Once(Vec<i64>),
}

impl Size {
    /// Each size becomes one that is not negative.
    pub fn lengthen(&mut self) {
        match self {
            Size::Fixed(by) => *by = by.abs(),
            Size::Random(list) | Size::Shuffled(list) | Size::Once(list) => {
                list.iter_mut().for_each(|by| *by = by.abs());
            }
        }
    }
}

#[derive(Clone, Debug)]
pub struct Change {
    pub when: Occasion,
    pub after: u32,
    pub apart: u32,
    pub mute: bool,
    pub phase: Option<Size>,
    pub onset: Option<Size>,
    pub interval: Option<Exact>,
    pub step: Option<Size>,
    pub over: u32,
}

#[derive(Clone, Debug)]
pub struct Feedback {
    pub name: &'static str,
    pub from: From,
    pub output: usize,
    pub channel: Option<u8>,
    pub sounding: bool,
    pub pitch: Pitch,
    pub velocity: Velocity,
    pub delay: Delay,
    pub duration: Option<i64>,
    pub perturb: Vec<Perturb>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct From {
    pub input: Option<usize>,
    pub channel: Option<u8>,
    pub notes: Option<(u8, u8)>,
    pub velocities: Option<(u8, u8)>,
}

#[derive(Clone, Debug)]
pub enum Pitch {
    AsPlayed,
    Fixed(u8),
    Transpose(i64),
    Mirror(u8),
    Table(Vec<(u8, u8)>),
    Sequence(Vec<u8>),
    Shift(usize),
    Random(Vec<u8>),
    Shuffled(Vec<u8>),
    Once(Vec<u8>),
}

#[derive(Clone, Debug)]
pub enum Velocity {
    AsPlayed,
    Fixed(u8),
    /// In hundredths.
    Scale(i64),
    Random(u8, u8),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Delay {
    Fixed(i64),
    List(Vec<i64>),
    /// In hundredths.
    Fraction(i64),
    Uniform(i64, i64),
    Random(Vec<i64>),
    Shuffled(Vec<i64>),
    Once(Vec<i64>),
}

#[derive(Clone, Debug)]
pub struct Perturb {
    pub when: Occasion,
    pub after: u32,
    pub apart: u32,
    pub mute: bool,
    pub delay: Option<Delay>,
    pub pitch: Option<Pitch>,
    pub velocity: Option<Velocity>,
    pub duration: Option<i64>,
}

#[derive(Clone, Debug)]
pub struct Masking {
    pub name: &'static str,
    /// Tones a minute.
    pub rate: i64,
    pub start: i64,
    pub notes: (u8, u8),
    pub velocity: Velocity,
    pub duration: i64,
    pub channel: u8,
    pub sounding: bool,
    pub output: usize,
}

#[derive(Clone, Debug)]
pub struct When {
    pub all: Vec<Condition>,
    /// One of these, besides; empty: not asked for.
    pub any: Vec<Condition>,
    pub repeat: bool,
    pub acts: Vec<Act>,
}

#[derive(Clone, Debug)]
pub enum Condition {
    Time(i64),
    Beat(usize, u32),
    Tap(usize, u32),
    TapsAfter(usize, u32, usize),
    Note(Option<usize>, u8),
    Silence(usize, i64),
}

#[derive(Clone, Debug)]
pub enum Act {
    Audible(usize, bool),
    Interval(usize, Exact),
    Tempo(usize, Exact),
    /// To an interval over beats, over a time; to a tempo likewise.
    RampInterval(usize, Exact, Over),
    RampTempo(usize, Exact, Over),
    ToneNote(usize, u8),
    ToneVelocity(usize, u8),
    AccentVelocity(usize, u8),
    AccentNote(usize, u8),
    Phase(usize, Exact),
    Sounding(usize, bool),
    Delay(usize, Delay),
    RampDelay(usize, i64, i64),
    Pitch(usize, Pitch),
    Velocity(usize, Velocity),
    Duration(usize, Option<i64>),
    Channel(usize, Option<u8>),
    From(usize, u8, u8),
    Debounce(usize, i64),
    MaskingSounding(usize, bool),
    MaskingNote(usize, u8),
    Mark(String),
    Play(Tone, usize),
    Start(usize),
    Stop(usize),
    End,
}

impl Act {
    /// The stream whose interval it lets change gradually.
    pub fn ramps(&self) -> Option<usize> {
        match self {
            Act::RampInterval(stream, ..) | Act::RampTempo(stream, ..) => Some(*stream),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Over {
    Beats(u32),
    Time(i64),
}
