//! What stands in the foot of a data file: the trial in numbers, and what its runner
//! counted.

use crate::runner::real_time::TrialOutcome;
use chronotap_analysis::observed::SystemCounts;
use chronotap_analysis::services::ServiceIntervals;
use chronotap_analysis::summary::Summary;
use chronotap_data::record::{Circumstances, Footer};
use chronotap_engine::signal::PortCounts;
use chronotap_linux::realtime::{Usage, WatchdogReport};
use serde::Serialize;

/// The foot of a data file.
pub(crate) fn footer(summary: &Summary, ran: &impl Serialize) -> Footer {
    #[derive(Serialize)]
    struct All<'a, R> {
        #[serde(flatten)]
        summary: &'a Summary,
        #[serde(flatten)]
        ran: &'a R,
    }
    // Maps with keys that are not strings, the one thing that fails, stand in neither.
    let summary = serde_json::to_value(All { summary, ran }).unwrap_or_default();
    Footer { summary, ..Footer::default() }
}

/// What a trial in virtual time counted.
#[derive(Serialize)]
pub(crate) struct Rehearsed<'a> {
    pub(crate) ports: &'a [PortCounts],
    pub(crate) lost_in_engine: u64,
}

/// What a trial in real time counted.
#[derive(Serialize)]
pub(crate) struct Ran<'a> {
    clock: ClockStart,
    ports: &'a [PortCounts],
    overruns: &'a [u64],
    lost_in_engine: u64,
    overdue: u64,
    /// By how much the wall clock was set since the last trial of the rig ended.
    #[serde(skip_serializing_if = "is_zero")]
    wall_clock_set_ns: i64,
    cpu_ns: i64,
    spun_ns: i64,
    spins_refused: u64,
    usage: &'a Usage,
    watchdog: &'a WatchdogReport,
}

/// When the trial's clock started: on CLOCK_MONOTONIC, and in UTC.
#[derive(Serialize)]
struct ClockStart {
    origin_ns: i64,
    origin_utc: String,
}

impl<'a> Ran<'a> {
    /// `seen` has what the ports' inputs lost, and whether the wall clock was set.
    pub(crate) fn of(outcome: &'a TrialOutcome, seen: &'a Circumstances) -> Ran<'a> {
        let origin_utc =
            chronotap_core::time::utc_text(chronotap_linux::clocks::utc(outcome.origin));
        Ran {
            clock: ClockStart { origin_ns: outcome.origin.0, origin_utc },
            ports: &outcome.ports,
            overruns: &seen.overruns,
            wall_clock_set_ns: seen.wall_clock_set.0,
            lost_in_engine: outcome.lost,
            overdue: outcome.overdue,
            cpu_ns: outcome.cpu.0,
            spun_ns: outcome.spun.0,
            spins_refused: outcome.spins_refused,
            usage: &outcome.usage,
            watchdog: &outcome.watchdog,
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde gives a reference
fn is_zero(ns: &i64) -> bool {
    *ns == 0
}

pub(crate) fn services(outcome: &TrialOutcome) -> Option<ServiceIntervals> {
    let intervals = outcome.services.checked_sub(1).filter(|n| *n > 0)?;
    Some(ServiceIntervals {
        n: outcome.services,
        mean_us: outcome.ended.as_micros_f64() / intervals as f64,
        max_us: outcome.longest_between_services.as_micros_f64(),
        over_1_ms: outcome.over_1_ms,
    })
}

pub(crate) fn system(outcome: &TrialOutcome) -> SystemCounts {
    let count = |n: i64| u64::try_from(n).unwrap_or(0);
    SystemCounts {
        major_faults: count(outcome.usage.major_faults),
        minor_faults: count(outcome.usage.minor_faults),
        voluntary_switches: count(outcome.usage.voluntary_switches),
        involuntary_switches: count(outcome.usage.involuntary_switches),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_config::trial_files::TrialFile;
    use chronotap_data::record::summarize;

    #[test]
    fn every_count_of_a_port_is_in_the_foot_and_in_the_manual() {
        // Without `..`: a count that is new does not compile until it stands here.
        let counts = PortCounts {
            received: 1,
            sent: 2,
            lost: 3,
            invalid_bytes: 4,
            sysex_bytes: 5,
            sysex_beyond: 6,
            realtime_bytes: 7,
            sensing_missed: 17,
            system_common: 8,
            early: 9,
            unused: 10,
            xruns: 11,
            clipped: 12,
            silenced: 13,
            missing: 14,
            overruns: 15,
            reopened: 16,
        };
        let file = TrialFile::parse("[[when]]\ntime = \"1 s\"\nend = true\n", "t.toml").unwrap();
        let summary = summarize("t", &file.trial, &[], &Circumstances::default());
        let foot = footer(&summary, &Rehearsed { ports: &[counts], lost_in_engine: 0 });
        let written = foot.summary["ports"][0].as_object().unwrap();
        let values: Vec<u64> = written.values().filter_map(serde_json::Value::as_u64).collect();
        let due = (1..=7).chain([17]).chain(8..=16);
        assert_eq!(values, Vec::from_iter(due));
        let manual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/events-files.md");
        let manual = std::fs::read_to_string(manual).unwrap();
        let missing = written.keys().find(|name| !manual.contains(&format!("`{name}`")));
        assert_eq!(missing, None, "is not described");
    }
}
