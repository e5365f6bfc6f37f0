//! [`judge`]: whether a machine is fit for a purpose, in words.
//!
//! Pure: results in, a sentence or two out. The rules are those of docs/timing.md,
//! "The verdict"; the numbers in them stand here once. Only wake-ups are judged, and
//! messages where ports were tested: clock reads, ways of waiting and periodic
//! interrupts explain a machine, but a trial does not hang on them.

mod evidence;
mod purpose;

pub use evidence::WakeUps;
pub use purpose::{Purpose, PurposeError};

use crate::{Found, Results, spoken};
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

/// A verdict in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The purpose, in words.
    pub purpose: String,
    /// How fit.
    pub fitness: Fitness,
    /// What was found, in one sentence.
    pub because: String,
    /// What stands against it or is not known, a sentence each.
    pub reservations: Vec<String>,
}

/// Judges a machine by what was measured on it.
pub fn judge(results: &Results, purpose: Purpose) -> Verdict {
    let mut verdict = match WakeUps::worst(results, purpose) {
        Some(wakeups) => by_wakeups(&wakeups, purpose),
        None => without_wakeups(purpose),
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

fn without_wakeups(purpose: Purpose) -> Verdict {
    Verdict {
        purpose: purpose.to_string(),
        fitness: Fitness::Unknown,
        because: "wake-ups were not measured; `chronotap timing wakeup` does it".into(),
        reservations: Vec::new(),
    }
}

fn by_wakeups(wakeups: &WakeUps, purpose: Purpose) -> Verdict {
    let (rate, bound) = (wakeups.rate(), RULE_OF_THREE / wakeups.n.max(1) as f64);
    let (fit, unfit) = purpose.limits();
    let fitness = match rate {
        rate if rate > unfit => Fitness::Unfit,
        rate if rate > fit || bound > fit => Fitness::Reservations,
        _ => Fitness::Fit,
    };
    let mut reservations = Vec::new();
    if fitness == Fitness::Reservations && rate <= fit {
        reservations.push(format!(
            "too short a run: {} wake-ups show only that fewer than {} are late; try --full",
            wakeups.n,
            share(bound)
        ));
    }
    let because = wakeups.sentence(purpose);
    Verdict { purpose: purpose.to_string(), fitness, because, reservations }
}

/// What of the circumstances stands against a verdict.
fn reservations(results: &Results) -> Vec<String> {
    let wakeups = results.tests.iter().find(|found| found.test == evidence::TEST);
    let grant = wakeups.and_then(|found| found.grant.as_ref());
    let refused = grant.filter(|grant| !grant.is_complete());
    let loads = wakeups.map(|found| loads(found)).unwrap_or_default();
    let guest = results.machine.as_ref().is_some_and(chronotap_machine::Facts::is_guest);
    let all = [
        guest.then(|| {
            "this is a virtual machine or a container: its host can stall it at any time".into()
        }),
        refused.map(|_| {
            "not every real-time right was granted; `chronotap doctor` says what cures it".into()
        }),
        (wakeups.is_some_and(|found| found.interrupted))
            .then(|| "the wake-ups were interrupted".into()),
        (loads == ["none"]).then(|| {
            "wake-ups were measured on an idle machine; `--load contending` shows more".into()
        }),
    ];
    all.into_iter().flatten().collect()
}

fn loads(found: &Found) -> Vec<&str> {
    let mut loads: Vec<&str> =
        found.series.iter().filter_map(|series| series.condition("load")).collect();
    loads.sort_unstable();
    loads.dedup();
    loads
}

/// The pair of ports that lost or changed messages, if there is one.
fn faulty_ports(found: &Found) -> Option<String> {
    let faulty = |series: &&crate::Series| {
        series.figures.get(crate::FAULTS).is_some_and(|faults| *faults > 0.0)
    };
    let series = found.series.iter().find(faulty)?;
    let ports = series.condition("ports").unwrap_or("the ports");
    let faults = series.figures.get(crate::FAULTS).copied().unwrap_or_default();
    Some(format!("{faults:.0} messages through {ports} were lost, doubled or changed"))
}

/// A share as people say it: `1 in 2,000`.
pub(crate) fn share(rate: f64) -> String {
    match rate {
        rate if rate <= 0.0 => "none".into(),
        rate if rate >= 0.1 => format!("{:.0} %", rate * 100.0),
        rate => format!("1 in {}", thousands((1.0 / rate).round() as u64)),
    }
}

/// A whole number with a comma before every three digits.
pub(crate) fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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

impl WakeUps {
    fn sentence(&self, purpose: Purpose) -> String {
        let under =
            if self.load == "none" { String::new() } else { format!(" under {}", self.load) };
        let limit = spoken(purpose.limit().0 as f64);
        let greatest = spoken(self.max_ns as f64);
        let n = thousands(self.n);
        match self.late {
            0 => format!("none of {n} wake-ups{under} was {limit} late; the latest {greatest}"),
            late => format!(
                "{} of {n} wake-ups{under} ({}) were {limit} late or more; the latest {greatest}",
                thousands(late),
                share(self.rate())
            ),
        }
    }
}

#[cfg(test)]
mod tests;
