//! [`Pace`]: the virtual card. A cycle of work at each absolute deadline, a period
//! apart, as a sound card's interrupts would come; and [`Cycles`], what they took.
//!
//! A cycle is an xrun where it ends after the next one was due, late wake-up and all:
//! with two periods of buffer that is when a card has nothing left to play. The first
//! xrun ends a run. Not here: what is computed.
//!
//! Real-time contract of [`Pace::run`]: the measuring thread; no allocation, no lock,
//! and no system call but the clock's and the sleep.

use super::RunEnd;
use crate::timing::{Histogram, Timer};
use chronotap_core::time::Nanos;

/// Cycles whose figures are not kept: caches and predictors are cold.
const WARM_UP: u64 = 16;
/// A cycle that takes so many times as long as usual was stopped on its way.
const STALL: f64 = 1.5;
/// From the call to the first deadline: the longest that a thread sleeps at first.
const LEAD_PERIODS: u64 = 2;

/// How often the card wants sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Frames of a period.
    pub frames: u32,
    /// Frames a second.
    pub rate_hz: u32,
}

/// What the cycles of a run took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cycles {
    /// From the start of a cycle's work to its end.
    pub busy: Histogram,
    /// From the deadline to the start.
    pub late: Histogram,
    /// Cycles that ended after the next was due.
    pub xruns: u64,
    /// Those of them that would have been in time had they begun in time.
    pub late_xruns: u64,
    /// Those that took far longer than the other cycles of their run, as where the thread
    /// was stopped meanwhile.
    pub stalled_xruns: u64,
}

impl Pace {
    /// The whole nanoseconds from the first deadline to the `n`-th.
    pub fn after(self, n: u64) -> Nanos {
        let frames = u128::from(n) * u128::from(self.frames);
        Nanos((frames * 1_000_000_000 / u128::from(self.rate_hz)) as i64)
    }

    /// A period, to the nanosecond below.
    pub fn period(self) -> Nanos {
        self.after(1)
    }

    /// Whole periods in a time, at least one.
    pub fn periods_in(self, span: Nanos) -> u64 {
        (span.0 / self.period().0.max(1)).max(1) as u64
    }

    /// Works once a period, so often, until the first xrun or until told otherwise.
    pub fn run(
        self,
        timer: &mut impl Timer,
        count: u64,
        cycles: &mut Cycles,
        mut work: impl FnMut(),
        mut asked_on: impl FnMut() -> bool,
    ) -> RunEnd {
        let origin = timer.now() + self.after(LEAD_PERIODS);
        for n in 0..WARM_UP + count {
            if !asked_on() {
                return RunEnd::Interrupted;
            }
            let due = origin + self.after(n);
            timer.sleep_until(due);
            let begin = timer.now();
            work();
            let end = timer.now();
            if n < WARM_UP {
                continue;
            }
            let usual = cycles.busy.mean_ns();
            cycles.busy.record(end - begin);
            cycles.late.record(begin - due);
            if end > origin + self.after(n + 1) {
                cycles.count_xrun(end - begin, self.period(), usual);
                return RunEnd::Xruns;
            }
        }
        RunEnd::Clean
    }
}

impl Cycles {
    /// `usual` is the mean of the cycles before this one.
    pub(super) fn count_xrun(&mut self, busy: Nanos, period: Nanos, usual: Option<f64>) {
        self.xruns += 1;
        if busy <= period {
            self.late_xruns += 1;
        } else if usual.is_some_and(|usual| busy.0 as f64 > STALL * usual) {
            self.stalled_xruns += 1;
        }
    }

    /// Adds those of another run of the same load.
    pub fn add(&mut self, other: &Cycles) {
        self.busy.merge(&other.busy);
        self.late.merge(&other.late);
        self.xruns += other.xruns;
        self.late_xruns += other.late_xruns;
        self.stalled_xruns += other.stalled_xruns;
    }

    /// The mean share of a period that is spent computing; `None` without a cycle.
    pub fn load(&self, pace: Pace) -> Option<f64> {
        self.busy
            .mean_ns()
            .map(|mean| mean / (1e9 * f64::from(pace.frames) / f64::from(pace.rate_hz)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_do_not_drift_though_a_period_is_no_whole_nanosecond() {
        let pace = Pace { frames: 16, rate_hz: 48_000 };
        assert_eq!(pace.period(), Nanos(333_333));
        assert_eq!(pace.after(3 * 1_000_000), Nanos::from_secs(1_000));
        assert_eq!(pace.periods_in(Nanos::from_secs(1)), 3_000);
        assert_eq!(pace.periods_in(Nanos(1)), 1);
    }
}
