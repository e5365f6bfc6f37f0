//! What stands in the foot of a data file: the trial in numbers, and what its runner
//! counted.

use chronotap_analysis::observed::{Answers, System};
use chronotap_analysis::services::ServiceIntervals;
use chronotap_analysis::summary::Summary;
use chronotap_experiment::TrialFile;
use chronotap_realtime::{Usage, WatchdogReport};
use chronotap_record::Footer;
use chronotap_runner::real_time::Outcome;
use chronotap_signal::PortCounts;
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
    lost_in_engine: u64,
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
    pub(crate) fn of(outcome: &'a Outcome) -> Ran<'a> {
        let origin_utc = chronotap_clocks::utc_text(chronotap_clocks::utc(outcome.origin));
        Ran {
            clock: ClockStart { origin_ns: outcome.origin.0, origin_utc },
            ports: &outcome.ports,
            lost_in_engine: outcome.lost,
            cpu_ns: outcome.cpu.0,
            spun_ns: outcome.spun.0,
            spins_refused: outcome.spins_refused,
            usage: &outcome.usage,
            watchdog: &outcome.watchdog,
        }
    }
}

/// Which input answers which stream, as the trial file has it.
pub(crate) fn answers(file: &TrialFile) -> Answers {
    let place = |(input, stream): &(u16, u16)| (usize::from(*input), usize::from(*stream));
    Answers {
        pairs: Some(file.answers.pairs.iter().map(place).collect()),
        named: file.answers.named.iter().copied().map(usize::from).collect(),
        because: file.answers.because.clone(),
    }
}

pub(crate) fn services(outcome: &Outcome) -> Option<ServiceIntervals> {
    let intervals = outcome.services.checked_sub(1).filter(|n| *n > 0)?;
    Some(ServiceIntervals {
        n: outcome.services,
        mean_us: outcome.ended.as_micros_f64() / intervals as f64,
        max_us: outcome.longest_between_services.as_micros_f64(),
    })
}

pub(crate) fn system(outcome: &Outcome) -> System {
    let count = |n: i64| u64::try_from(n).unwrap_or(0);
    System {
        major_faults: count(outcome.usage.major_faults),
        minor_faults: count(outcome.usage.minor_faults),
        voluntary_switches: count(outcome.usage.voluntary_switches),
        involuntary_switches: count(outcome.usage.involuntary_switches),
    }
}
