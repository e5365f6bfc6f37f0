//! [`WakeUps`]: the wake-ups that a verdict rests on. All cores count together, each
//! load by itself, and the worst load decides. Where the wake-ups were measured with
//! several kinds of scheduling, the real-time ones count, since a trial asks for that.
//! A corrected histogram is taken before the raw one, because a stall of ten periods
//! makes ten events late.

use super::Purpose;
use crate::{Histogram, Quantity, Results, SampleSeries};
use std::collections::BTreeMap;

/// The test whose lateness is judged.
pub(super) const TEST: &str = "wakeup";

/// Wake-ups under one load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WakeUps {
    pub load: String,
    pub n: u64,
    /// How many of them were late by the purpose's limit or more.
    pub late: u64,
    /// The latest.
    pub max_ns: i64,
}

impl WakeUps {
    /// Those under the load that fares worst; `None` where none were measured.
    pub fn worst(results: &Results, purpose: Purpose) -> Option<WakeUps> {
        let all: Vec<&SampleSeries> = [Quantity::CorrectedLateness, Quantity::Lateness]
            .into_iter()
            .map(|quantity| of_wakeups(results, quantity))
            .find(|series| !series.is_empty())?;
        let some_realtime = all.iter().any(|series| series.is_real_time());
        let mut loads: BTreeMap<&str, Histogram> = BTreeMap::new();
        for series in all.iter().filter(|series| !some_realtime || series.is_real_time()) {
            let load = series.condition("load").unwrap_or("none");
            loads.entry(load).or_default().merge(&series.histogram);
        }
        let wakeups = loads.into_iter().filter_map(|(load, all)| WakeUps::of(load, &all, purpose));
        wakeups.max_by(|a, b| a.rate().total_cmp(&b.rate()).then(a.max_ns.cmp(&b.max_ns)))
    }

    fn of(load: &str, all: &Histogram, purpose: Purpose) -> Option<WakeUps> {
        Some(WakeUps {
            load: load.to_owned(),
            n: all.n(),
            late: all.at_least(purpose.limit()),
            max_ns: all.max()?.0,
        })
    }

    /// The share that was late.
    pub fn rate(&self) -> f64 {
        self.late as f64 / self.n.max(1) as f64
    }
}

fn of_wakeups(results: &Results, quantity: Quantity) -> Vec<&SampleSeries> {
    let of_test = results.series(quantity).filter(|(found, _)| found.test == TEST);
    let counts = |series: &&SampleSeries| series.statistics.n > 0 && !is_deadline(series);
    of_test.map(|(_, series)| series).filter(counts).collect()
}

/// No trial has that scheduling.
fn is_deadline(series: &SampleSeries) -> bool {
    series.condition("scheduling").is_some_and(|how| how.starts_with("SCHED_DEADLINE"))
}
