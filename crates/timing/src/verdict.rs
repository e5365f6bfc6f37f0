//! [`judge`]: whether a machine is fit for a purpose, and why.
//!
//! Pure: results in, kinds and numbers out. The rules are those of docs/timing.md,
//! "The verdict"; the numbers in them stand here once. Only wake-ups are judged, and
//! messages where ports were tested: clock reads, ways of waiting and periodic
//! interrupts explain a machine, but a trial does not hang on them.

mod evidence;
mod purpose;

pub use evidence::WakeUps;
pub use purpose::{Purpose, PurposeError};

use crate::{Results, TestFound};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One late event in so many is too much for a tapping experiment: in trials of 120
/// events, one trial in eight would have one.
pub const TAPPING_UNFIT: f64 = 1.0 / 1_000.0;
/// At most one late event in so many is fit: one trial in eighty.
pub const TAPPING_FIT: f64 = 1.0 / 10_000.0;
/// Drop-outs a minute above which audio is unfit.
pub const AUDIO_UNFIT: f64 = 1.0;
/// What none in n samples leaves possible with 95 % confidence: 3 in n (the rule of
/// three; Hanley and Lippman-Hand, 1983).
pub const RULE_OF_THREE: f64 = 3.0;

/// How fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fitness {
    /// Nothing stands against it.
    Fit,
    /// It will do; what stands against it is said.
    Reservations,
    /// What was measured does not tell.
    Unknown,
    /// It will not do.
    Unfit,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TimingVerdict {
    /// What for.
    pub purpose: Purpose,
    /// How fit.
    pub fitness: Fitness,
    pub because: Because,
    /// What stands against it or is not known.
    pub reservations: Vec<Reservation>,
}

/// What a verdict rests on.
#[derive(Clone, Debug, PartialEq)]
pub enum Because {
    /// Wake-ups were not measured.
    NotMeasured,
    /// They were measured in the deadline class alone, which no trial has.
    OtherClass,
    /// These wake-ups.
    WakeUps(WakeUps),
    /// Ports that lost or changed messages.
    FaultyPorts {
        /// The pair, as named.
        ports: String,
        /// How many messages.
        faults: f64,
    },
}

/// What stands against a verdict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reservation {
    /// Too short a run.
    TooShort {
        /// Wake-ups that were measured.
        n: u64,
        /// They show only that a smaller share than this is late.
        bound: f64,
    },
    /// A virtual machine or a container, which its host can stall at any time.
    Guest,
    /// Not every real-time right was granted.
    RightsRefused,
    /// The wake-ups were interrupted.
    Interrupted,
    /// The machine was idle meanwhile.
    Idle,
}

/// Judges a machine by what was measured on it.
pub fn judge(results: &Results, purpose: Purpose) -> TimingVerdict {
    let mut verdict = match WakeUps::worst(results, purpose) {
        Some(wakeups) => by_wakeups(wakeups, purpose),
        None => without_wakeups(results, purpose),
    };
    if let Some(lossy) = results.tests.iter().find_map(faulty_ports) {
        verdict.fitness = Fitness::Unfit;
        verdict.because = lossy;
    }
    for reservation in reservations(results) {
        if verdict.fitness == Fitness::Fit {
            verdict.fitness = Fitness::Reservations;
        }
        verdict.reservations.push(reservation);
    }
    verdict
}

fn without_wakeups(results: &Results, purpose: Purpose) -> TimingVerdict {
    let is_measured = results.tests.iter().any(|found| found.test == evidence::TEST);
    let because = if is_measured { Because::OtherClass } else { Because::NotMeasured };
    TimingVerdict { purpose, fitness: Fitness::Unknown, because, reservations: Vec::new() }
}

fn by_wakeups(wakeups: WakeUps, purpose: Purpose) -> TimingVerdict {
    let (rate, bound) = (wakeups.rate(), RULE_OF_THREE / wakeups.n.max(1) as f64);
    let (fit, unfit) = purpose.limits();
    let fitness = match rate {
        rate if rate > unfit => Fitness::Unfit,
        rate if rate > fit || bound > fit => Fitness::Reservations,
        _ => Fitness::Fit,
    };
    let short = fitness == Fitness::Reservations && rate <= fit;
    let too_short = Reservation::TooShort { n: wakeups.n, bound };
    let reservations = short.then_some(too_short).into_iter().collect();
    TimingVerdict { purpose, fitness, because: Because::WakeUps(wakeups), reservations }
}

/// What of the circumstances stands against a verdict.
fn reservations(results: &Results) -> Vec<Reservation> {
    let wakeups = results.tests.iter().find(|found| found.test == evidence::TEST);
    let grant = wakeups.and_then(|found| found.grant.as_ref());
    let refused = grant.is_some_and(|grant| !grant.is_complete());
    let loads = wakeups.map(|found| loads(found)).unwrap_or_default();
    let guest = results.machine.as_ref().is_some_and(chronotap_machine::facts::Facts::is_guest);
    let interrupted = wakeups.is_some_and(|found| found.interrupted);
    let all = [
        (guest, Reservation::Guest),
        (refused, Reservation::RightsRefused),
        (interrupted, Reservation::Interrupted),
        (loads == ["none"], Reservation::Idle),
    ];
    all.into_iter().filter(|(holds, _)| *holds).map(|(_, reservation)| reservation).collect()
}

fn loads(found: &TestFound) -> Vec<&str> {
    let mut loads: Vec<&str> =
        found.series.iter().filter_map(|series| series.condition("load")).collect();
    loads.sort_unstable();
    loads.dedup();
    loads
}

/// The pair of ports that lost or changed messages, if there is one.
fn faulty_ports(found: &TestFound) -> Option<Because> {
    let faulty = |series: &&crate::SampleSeries| {
        series.figures.get(crate::FAULTS).is_some_and(|faults| *faults > 0.0)
    };
    let series = found.series.iter().find(faulty)?;
    let ports = series.condition("ports").unwrap_or("the ports").to_owned();
    let faults = series.figures.get(crate::FAULTS).copied().unwrap_or_default();
    Some(Because::FaultyPorts { ports, faults })
}

impl fmt::Display for Fitness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fitness::Fit => "fit",
            Fitness::Reservations => "fit with reservations",
            Fitness::Unknown => "not told",
            Fitness::Unfit => "unfit",
        })
    }
}

#[cfg(test)]
mod tests;
