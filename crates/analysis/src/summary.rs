//! The summary of a trial: what was tapped, and how good the timing was. As data
//! for the data file, and as a block of text that explains its own numbers.

mod render;

use crate::asynchrony::{self, Asynchrony};
use crate::intervals::{self, Intervals};
use crate::lateness::{self, Lateness};
use crate::matching::{Matching, WINDOW, match_taps};
use crate::services::ServiceIntervals;
use crate::sound::SoundCard;
use crate::verdict::{Evidence, Verdict, verdict};
use crate::wing_kristofferson::{self, WingKristofferson};
use chronotap_time::Nanos;
use serde::Serialize;

/// Fewest intervals from which the summary estimates clock and motor variance.
/// Below 30 or so single trials scatter widely; average them over trials.
pub const LEVELS_INTERVALS: usize = 10;

/// What was observed in a trial.
#[derive(Clone, Debug, Default)]
pub struct Observed<'a> {
    /// The trial's title.
    pub title: &'a str,
    /// Why it ended.
    pub ending: &'a str,
    /// From its start to its end.
    pub length: Nanos,
    /// Onsets of each pacing stream's tones, ascending.
    pub pacing: Vec<Onsets<'a>>,
    /// Onsets of each input's accepted taps, ascending.
    pub taps: Vec<Onsets<'a>>,
    /// Achieved − deadline of every output that sounded, without the constant latency
    /// of its output.
    pub lateness: &'a [Nanos],
    /// The outputs with a constant latency, by name.
    pub latencies: Vec<(&'a str, Nanos)>,
    /// The time between engine services, where it ran in real time.
    pub services: Option<ServiceIntervals>,
    /// What the system counted for the engine's thread, where it ran in real time.
    pub system: Option<System>,
    /// The farthest that an output may be from its deadline.
    pub limit: Nanos,
    /// Events that the recorder's queue had no room for.
    pub dropped: u64,
    /// Messages that an output did not take.
    pub lost: u64,
    /// Periods that an audio server missed.
    pub xruns: u64,
    /// The sound cards, where the trial sounded on any.
    pub sound_cards: Vec<SoundCard>,
    /// Whether the watchdog had to stop the engine.
    pub watchdog: bool,
}

/// Onsets under the name of a stream or input.
#[derive(Clone, Debug, Default)]
pub struct Onsets<'a> {
    /// Its name in the trial file.
    pub name: &'a str,
    /// Ascending.
    pub onsets: Vec<Nanos>,
}

impl Onsets<'_> {
    /// No onsets yet.
    pub fn named(name: &str) -> Onsets<'_> {
        Onsets { name, onsets: Vec::new() }
    }
}

/// What the system counted for a thread during the trial.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct System {
    /// Page faults that needed the disk.
    pub major_faults: u64,
    /// Page faults that did not.
    pub minor_faults: u64,
    /// Times the thread slept.
    pub voluntary_switches: u64,
    /// Times the thread was made to wait for another.
    pub involuntary_switches: u64,
}

/// A trial in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The trial's title.
    pub title: String,
    /// Why it ended.
    pub ending: String,
    /// From its start to its end, in seconds.
    pub length_s: f64,
    /// The taps of each input.
    pub taps: Vec<Taps>,
    /// Each input against each pacing stream.
    pub synchronization: Vec<Synchronization>,
    /// Lateness of output; `None` where nothing sounded.
    pub lateness: Option<Lateness>,
    /// The constant latencies that were taken off it.
    pub latencies: Vec<Latency>,
    /// Periods that an audio server missed.
    pub xruns: u64,
    /// The sound cards' callbacks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sound_cards: Vec<SoundCard>,
    /// Time between engine services.
    pub services: Option<ServiceIntervals>,
    /// Faults and context switches.
    pub system: Option<System>,
    /// The verdict on the timing.
    pub verdict: Verdict,
}

/// The constant latency of an output: the period of its audio server.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Latency {
    /// The output's name.
    pub output: String,
    /// From each deadline to the time at which the message is to be played.
    pub latency_us: f64,
}

/// The taps of an input.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Taps {
    /// The input's name.
    pub input: String,
    /// Accepted taps.
    pub taps: usize,
    /// All inter-tap intervals.
    pub intervals: Option<Intervals>,
    /// Those of which both taps lie outside all pacing.
    pub continuation: Option<Intervals>,
    /// Clock and motor variance of the continuation; `None` below
    /// [`LEVELS_INTERVALS`] intervals.
    pub wing_kristofferson: Option<WingKristofferson>,
}

/// The taps of an input against the beats of a pacing stream.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Synchronization {
    /// The input's name.
    pub input: String,
    /// The stream's name.
    pub pacing: String,
    /// Beats that sounded.
    pub beats: usize,
    /// Beats with a tap.
    pub matched: usize,
    /// Beats without a tap.
    pub missed: usize,
    /// Taps without a beat, while the stream was sounding.
    pub extra: usize,
    /// Taps before, between and after the stretches in which it was sounding.
    pub unpaced: usize,
    /// The asynchronies of the matched taps.
    pub asynchrony: Option<Asynchrony>,
}

impl Summary {
    /// Works out the numbers of a trial.
    pub fn of(observed: &Observed<'_>) -> Summary {
        let matchings: Vec<Vec<Matching>> = observed
            .taps
            .iter()
            .map(|taps| {
                let against = observed.pacing.iter();
                against.map(|pacing| match_taps(&pacing.onsets, &taps.onsets, WINDOW)).collect()
            })
            .collect();
        let lateness = lateness::describe(observed.lateness, observed.limit);
        let evidence = Evidence {
            lateness: lateness.as_ref(),
            limit: observed.limit,
            dropped: observed.dropped,
            lost: observed.lost,
            xruns: observed.xruns,
            watchdog: observed.watchdog,
        };
        Summary {
            title: observed.title.to_string(),
            ending: observed.ending.to_string(),
            length_s: observed.length.as_secs_f64(),
            taps: observed.taps.iter().zip(&matchings).map(|(t, m)| taps(t, m)).collect(),
            synchronization: synchronizations(observed, &matchings),
            verdict: verdict(evidence),
            lateness,
            latencies: observed.latencies.iter().map(|(name, at)| latency(name, *at)).collect(),
            xruns: observed.xruns,
            sound_cards: observed.sound_cards.clone(),
            services: observed.services,
            system: observed.system,
        }
    }
}

fn latency(output: &str, latency: Nanos) -> Latency {
    Latency { output: output.to_string(), latency_us: latency.as_micros_f64() }
}

fn taps(taps: &Onsets<'_>, matchings: &[Matching]) -> Taps {
    let onsets = &taps.onsets;
    let unpaced = |tap: usize| matchings.iter().all(|m| m.unpaced.binary_search(&tap).is_ok());
    let all = intervals::between(onsets);
    let mut alone = Vec::new();
    for (tap, interval) in all.iter().enumerate() {
        if unpaced(tap) && unpaced(tap + 1) {
            alone.push(*interval);
        }
    }
    Taps {
        input: taps.name.to_string(),
        taps: onsets.len(),
        intervals: intervals::describe(&all),
        continuation: intervals::describe(&alone),
        wing_kristofferson: wing_kristofferson::estimate(&alone)
            .filter(|levels| levels.n >= LEVELS_INTERVALS),
    }
}

fn synchronizations(observed: &Observed<'_>, matchings: &[Vec<Matching>]) -> Vec<Synchronization> {
    let mut found = Vec::new();
    for (taps, matchings) in observed.taps.iter().zip(matchings) {
        for (pacing, matching) in observed.pacing.iter().zip(matchings) {
            found.push(Synchronization {
                input: taps.name.to_string(),
                pacing: pacing.name.to_string(),
                beats: pacing.onsets.len(),
                matched: matching.pairs.len(),
                missed: matching.missed.len(),
                extra: matching.extra.len(),
                unpaced: matching.unpaced.len(),
                asynchrony: asynchrony::describe(&matching.asynchronies()),
            });
        }
    }
    found
}
