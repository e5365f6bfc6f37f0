//! What was observed in a trial: the beats that sounded, the taps that came, and what
//! the program and the system counted. The summary is worked out from it and from
//! nothing else, so that a recorded file gives the same summary as the trial did.

use crate::services::ServiceIntervals;
use crate::sound::SoundCard;
use crate::verdict::Changes;
use chronotap_core::midi::U7;
use chronotap_core::time::Nanos;
use serde::{Deserialize, Serialize};

/// What was observed in a trial.
#[derive(Clone, Debug, Default)]
pub struct Observed<'a> {
    /// The trial's title.
    pub title: &'a str,
    /// Why it ended.
    pub ending: &'a str,
    /// Whether it ended as its file has it, and was not interrupted or cut short.
    pub complete: bool,
    /// From its start to its end.
    pub length: Nanos,
    /// Each pacing stream, in file order.
    pub pacing: Vec<ObservedStream<'a>>,
    /// Each input, in file order.
    pub taps: Vec<ObservedInput<'a>>,
    /// Which input answers which stream.
    pub answers: Answers,
    /// Achieved − deadline of every output that sounded, without the constant latency
    /// of its output.
    pub lateness: &'a [Nanos],
    /// The outputs with a constant latency, by name.
    pub latencies: Vec<(&'a str, Nanos)>,
    /// The time between engine services, where it ran in real time.
    pub services: Option<ServiceIntervals>,
    /// What the system counted for the engine's thread, where it ran in real time.
    pub system: Option<SystemCounts>,
    /// The farthest that an output may be from its deadline.
    pub limit: Nanos,
    /// Events that the recorder's queue had no room for.
    pub dropped: u64,
    /// Messages that an output did not take.
    pub lost: u64,
    /// Tones that were not sent, because a stop of the program had left them too late.
    pub overdue: u64,
    /// Frames of music that had not been read when they were due.
    pub missing: u64,
    /// By how much the computer's wall clock was set since the last trial, or in this one.
    pub wall_clock_set: Nanos,
    /// Periods that an audio server missed.
    pub xruns: u64,
    /// What changed at an audio server or sequencer.
    pub changes: Changes,
    /// Codes for another recorder that the next one cut short.
    pub overwritten: u64,
    /// The sound cards, where the trial sounded on any.
    pub sound_cards: Vec<SoundCard>,
    /// Whether the watchdog had to stop the engine.
    pub watchdog: bool,
    /// How many times 330 ms nothing came from MIDI devices that had begun to say that they are there.
    pub sensing_missed: u64,
    /// Where the output of a card is looped to another channel of it: beats that came back, and all that
    /// might.
    pub looped: [u64; 2],
    /// Which doubts are looked for.
    pub revision: Revision,
}

/// A pacing stream and the beats of it that sounded.
#[derive(Clone, Debug, Default)]
pub struct ObservedStream<'a> {
    /// Its name in the trial file.
    pub name: &'a str,
    /// Which steps of its pattern are tones, repeated; all where it is empty.
    pub pattern: Vec<bool>,
    /// Whether its intervals follow the taps; tempo steps are not sought then.
    pub adaptive: bool,
    /// The beats that sounded, in order, and of a stream that is tapped to although it is silent
    /// ([`Answers::silent`]) those that did not, too. A chord is one beat.
    pub beats: Vec<Beat>,
}

/// A beat that sounded, or that taps are measured against although it did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beat {
    /// The event that was its first tone, or its silence.
    pub id: u64,
    /// Its number in the stream, from 1; a stream that is started again begins again.
    pub number: u32,
    /// The time asked for.
    pub deadline: Nanos,
    /// When it sounded; of one that did not, the time asked for.
    pub at: Nanos,
}

/// An input and what came from it.
#[derive(Clone, Debug, Default)]
pub struct ObservedInput<'a> {
    /// Its name in the trial file.
    pub name: &'a str,
    /// Its taps, ascending.
    pub taps: Vec<Tap>,
    /// What the trial file has it for.
    pub part: InputRole,
    /// The times at which its device was not there, in order.
    pub gone: Vec<Gone>,
    /// What a full buffer on the way from it lost: bytes of a device, or the number of
    /// times a queue ran over.
    pub overruns: u64,
    /// Keys of it that were released.
    pub releases: u64,
    /// Whether a tone of the trial lasts as long as its key.
    pub sustains: bool,
    /// Taps that were found only afterwards, in the sound that was kept; no other number has them.
    pub afterwards: u64,
}

/// A time at which the device of an input was not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone {
    /// When it was lost.
    pub from: Nanos,
    /// When it was there again; `None` where it never was.
    pub to: Option<Nanos>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tap {
    /// The event.
    pub id: u64,
    pub onset: Nanos,
    /// Whether it came too soon after the last one to count.
    pub debounced: bool,
    /// The key that was pressed, where it is known.
    pub note: Option<U7>,
    /// Whether a perturbation altered a feedback tone of it.
    pub altered: bool,
    /// Whence its onset is, where it was heard and the sound was kept.
    pub source: Option<OnsetSource>,
    /// Its peak in that sound, in millionths of full scale, where it is found there.
    pub sound_peak_ppm: Option<u32>,
    /// How hard and how long it pressed, where a sensor felt it and its force was kept whole.
    pub force: Option<TapForce>,
}

/// How hard and how long a tap pressed on a sensor of force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TapForce {
    /// The greatest value within it, in the units of the sensor.
    pub peak: u32,
    /// From the onset to the first such value.
    pub rise: Nanos,
    /// From the onset to the release.
    pub dwell: Nanos,
}

/// Whence the onset of a tap is that was heard by an input whose sound was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OnsetSource {
    /// It was told while the trial ran; the sound around it is not whole.
    Live,
    /// The kept sound, read once more when the trial was over.
    Refined,
    /// It was told while the trial ran, and is not found in the sound, which is whole around it.
    Unconfirmed,
    /// It was not told while the trial ran, and is found in the sound.
    Afterwards,
}

impl OnsetSource {
    /// Every one with its word.
    pub const WORDS: [(OnsetSource, &'static str); 4] = [
        OnsetSource::Live.with_word(),
        OnsetSource::Refined.with_word(),
        OnsetSource::Unconfirmed.with_word(),
        OnsetSource::Afterwards.with_word(),
    ];

    /// Its word in files.
    pub const fn word(self) -> &'static str {
        match self {
            OnsetSource::Live => "live",
            OnsetSource::Refined => "refined",
            OnsetSource::Unconfirmed => "unconfirmed",
            OnsetSource::Afterwards => "afterwards",
        }
    }

    const fn with_word(self) -> (OnsetSource, &'static str) {
        (self, self.word())
    }
}

/// What a trial file has an input for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputRole {
    /// Nothing in the file depends on its taps.
    #[default]
    None,
    /// Something depends on taps of this or of another input.
    Any,
    /// Something depends on the taps of this very input.
    Own,
}

/// Which input answers which stream: what is measured against what.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answers {
    /// Pairs of an input and a stream, by their places; `None` is every input with
    /// every stream.
    pub pairs: Option<Vec<(usize, usize)>>,
    /// The inputs that the file itself names as answering a stream.
    pub named: Vec<usize>,
    /// Who answers what and by what this was decided, one sentence; empty where there was
    /// nothing to decide.
    pub because: String,
    /// The streams that are listened to and then reproduced.
    pub responses: Vec<StreamResponse>,
    /// The streams that are tapped to although they never sound, by their places.
    pub silent: Vec<usize>,
    /// By which rule taps are matched.
    pub rule: MatchingRule,
    /// Of each stream the share of the interval that a beat's window reaches to each side;
    /// [`WINDOW`] where it is `None` or missing.
    pub windows: Vec<Option<f64>>,
    /// The keys that are to be pressed on an input one after the other, again from the first after
    /// the last: inputs by their places.
    pub sequences: Vec<(usize, Vec<U7>)>,
}

/// Share of the local inter-onset interval that the window reaches to each side.
pub const WINDOW: f64 = 0.4;

/// By which rule taps are matched. A recorded trial says by which it was, so that what it holds of
/// each tap can be checked after the rule has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MatchingRule {
    /// The first tap in a beat's window answers it, and beats before the first tap of all are
    /// no misses.
    #[default]
    #[serde(rename = "first onset")]
    FirstOnset,
    /// Of all pairs of a beat and a tap the closest, then the closest of what is left; every
    /// beat without a tap is a miss. Trials that name no rule were recorded by this one.
    #[serde(rename = "closest first")]
    ClosestFirst,
    /// As [`MatchingRule::FirstOnset`], and a stream that is silent at first is measured only where it
    /// sounds, if a rule of the trial lets it sound or it is reproduced. Trials with such a stream
    /// name it; those by the rule above were measured where nobody heard anything, too.
    #[serde(rename = "first onset where heard")]
    FirstHeard,
}

impl MatchingRule {
    /// That of trials that name none.
    pub fn unnamed() -> MatchingRule {
        MatchingRule::ClosestFirst
    }

    /// Whether a trial by this rule names none.
    pub fn is_unnamed(&self) -> bool {
        *self == MatchingRule::unnamed()
    }

    pub fn word(self) -> &'static str {
        match self {
            MatchingRule::FirstOnset => "first onset",
            MatchingRule::ClosestFirst => "closest first",
            MatchingRule::FirstHeard => "first onset where heard",
        }
    }
}

/// When taps reproduce a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamResponse {
    /// The stream, by its place.
    pub stream: usize,
    /// From the last beat to the first tap that counts.
    pub after: Nanos,
    /// From the last beat to the last tap that counts; `None` until the stream sounds again
    /// or the trial ends.
    pub within: Option<Nanos>,
    /// How many beats are listened to before one responds; `None` is all.
    pub beats: Option<u32>,
}

impl Answers {
    /// Whether an input is measured against a stream.
    pub fn has(&self, input: usize, stream: usize) -> bool {
        self.pairs.as_ref().is_none_or(|pairs| pairs.contains(&(input, stream)))
    }

    /// The share of the interval that the windows of this stream's beats reach to each side.
    pub fn window(&self, stream: usize) -> f64 {
        self.windows.get(stream).copied().flatten().unwrap_or(WINDOW)
    }

    /// When taps reproduce this stream, where they do.
    pub fn response(&self, stream: usize) -> Option<&StreamResponse> {
        self.responses.iter().find(|response| response.stream == stream)
    }
}

impl<'a> ObservedStream<'a> {
    /// A stream in which every step is a tone, from the onsets of its beats.
    pub fn steady(name: &'a str, onsets: impl IntoIterator<Item = Nanos>) -> ObservedStream<'a> {
        let beat = |(number, at)| Beat { id: 0, number, deadline: at, at };
        let beats = (1..).zip(onsets).map(beat).collect();
        ObservedStream { name, beats, ..ObservedStream::default() }
    }
}

impl<'a> ObservedInput<'a> {
    /// An input of which every tap counts.
    pub fn tapped(name: &'a str, onsets: impl IntoIterator<Item = Nanos>) -> ObservedInput<'a> {
        let tap = |onset| Tap { onset, ..Tap::default() };
        ObservedInput {
            name,
            taps: onsets.into_iter().map(tap).collect(),
            ..ObservedInput::default()
        }
    }

    /// The onsets of the taps that count.
    pub fn accepted(&self) -> Vec<Nanos> {
        self.taps.iter().filter(|tap| !tap.debounced).map(|tap| tap.onset).collect()
    }
}

impl ObservedInput<'_> {
    /// Onset and peak of the taps that count and are found in the sound that was kept.
    pub(crate) fn peaks(&self) -> Vec<(Nanos, u32)> {
        let counts = self.taps.iter().filter(|tap| !tap.debounced);
        counts.filter_map(|tap| Some((tap.onset, tap.sound_peak_ppm?))).collect()
    }
}

/// Which doubts are looked for. A recording says which, so that its summary can be worked out again by what
/// its program knew ([decision 16](../../../../docs/decisions/0016-doubts-have-a-revision.md)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Revision(pub u32);

impl Revision {
    /// That of recordings which do not say any.
    pub const FIRST: Revision = Revision(0);
    /// That of this program; raised with each doubt that is added. From 1 on a missed tap parts intervals.
    pub const NOW: Revision = Revision(1);

    #[allow(clippy::trivially_copy_pass_by_ref)] // serde gives a reference
    pub(crate) fn is_first(&self) -> bool {
        *self == Revision::FIRST
    }
}

impl Default for Revision {
    fn default() -> Revision {
        Revision::NOW
    }
}

/// What the system counted for a thread during the trial.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemCounts {
    /// Page faults that needed the disk.
    pub major_faults: u64,
    /// Page faults that did not.
    pub minor_faults: u64,
    /// Times the thread slept.
    pub voluntary_switches: u64,
    /// Times the thread was made to wait for another.
    pub involuntary_switches: u64,
}
