//! The summary of a trial: what was tapped, whether the data can be used, and how good the
//! timing was. As data for the data file, and as a block of text that explains its own
//! numbers. [`crate::statistics`] gives each number a name of its own.

pub mod account;
pub mod estimates;
mod parts;
mod render;
mod values;

use crate::account::Account;
use crate::lateness::{self, Lateness};
use crate::matching::MatchingRule;
use crate::observed::{Observed, SystemCounts};
use crate::reproduction::Reproduction;
use crate::services::ServiceIntervals;
use crate::sound::SoundCard;
use crate::usable::{Usability, usability};
use crate::verdict::{Evidence, Verdict, verdict};
use chronotap_core::time::Nanos;
pub use parts::{PacingSpan, Synchronization, SynchronizationIn, Taps, TapsIn};
use serde::Serialize;

/// Fewest intervals from which the summary estimates clock and motor variance.
/// Below 30 or so single trials scatter widely; average them over trials.
pub const LEVELS_INTERVALS: usize = 10;

/// A trial in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The trial's title.
    pub title: String,
    /// Why it ended.
    pub ending: String,
    /// From its start to its end, in seconds.
    pub length_s: f64,
    /// From one change of pacing to the next.
    pub stretches: Vec<PacingSpan>,
    /// The taps of each input.
    pub taps: Vec<Taps>,
    /// Each input against each pacing stream that it answers.
    pub synchronization: Vec<Synchronization>,
    /// By which rule taps were matched to beats.
    #[serde(skip_serializing_if = "MatchingRule::is_unnamed")]
    pub matching: MatchingRule,
    /// Each input that reproduces a stream it listened to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reproduction: Vec<Reproduction>,
    /// By what it was decided which input answers which stream; `None` where there was
    /// nothing to decide.
    pub answered_by: Option<String>,
    /// Whether the data can be used.
    pub data: Usability,
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
    pub system: Option<SystemCounts>,
    /// The verdict on the timing.
    pub verdict: Verdict,
    /// Whether every beat came back on the channel to which a card's output is looped, so that each asynchrony
    /// is a number of frames of one clock; `None` where no output is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_clock: Option<bool>,
}

/// The constant latency of an output: the period of its audio server.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Latency {
    /// The output's name.
    pub output: String,
    /// From each deadline to the time at which the message is to be played.
    pub latency_us: f64,
}

impl Summary {
    /// Works out the numbers of a trial.
    pub fn of(observed: &Observed<'_>) -> Summary {
        let account = Account::of(observed);
        let lateness = lateness::describe(observed.lateness, observed.limit);
        let evidence = Evidence {
            lateness: lateness.as_ref(),
            limit: observed.limit,
            dropped: observed.dropped,
            lost: observed.lost,
            overdue: observed.overdue,
            missing: observed.missing,
            wall_clock_set: observed.wall_clock_set,
            xruns: observed.xruns,
            changes: observed.changes,
            overwritten: observed.overwritten,
            watchdog: observed.watchdog,
        };
        Summary {
            title: observed.title.to_string(),
            ending: observed.ending.to_string(),
            length_s: observed.length.as_secs_f64(),
            stretches: parts::spans(observed, &account),
            taps: parts::taps(observed, &account),
            synchronization: parts::synchronizations(observed, &account),
            matching: observed.answers.rule,
            reproduction: parts::reproductions(observed, &account),
            answered_by: Some(observed.answers.because.clone()).filter(|why| !why.is_empty()),
            data: usability(observed),
            verdict: verdict(evidence),
            lateness,
            latencies: observed.latencies.iter().map(|(name, at)| latency(name, *at)).collect(),
            xruns: observed.xruns,
            sound_cards: observed.sound_cards.clone(),
            services: observed.services,
            system: observed.system,
            one_clock: (observed.looped[1] > 0).then(|| observed.looped[0] == observed.looped[1]),
        }
    }

    /// Whether nothing speaks against the timing and the data can be used.
    pub fn is_sound(&self) -> bool {
        !self.verdict.failed() && self.data.usable
    }
}

fn latency(output: &str, latency: Nanos) -> Latency {
    Latency { output: output.to_string(), latency_us: latency.as_micros_f64() }
}
