//! The loops that read the clock, and the steps between reads in numbers.
//!
//! [`read_clock`] stores all stamps and takes the differences afterwards, as the paper
//! does. [`read_on`] would need gigabytes for as many seconds as the paper's runs
//! took; it counts each step as it comes, which is then part of the loop.
//!
//! Real-time contract of both: the measuring thread; no allocation, lock or system
//! call but the clock's own, and no page fault once the memory has been touched.

use crate::timing::{Histogram, Timer};
use chronotap_core::time::Nanos;

/// Steps of this length and more are kept one by one.
const GAP: Nanos = Nanos::from_millis(1);
/// How many are kept.
const GAPS: usize = 4_096;
/// Reads between two looks at whether to end.
const STRETCH: usize = 1_024;

/// Fills `stamps` with the time, read again and again.
#[inline(never)]
pub fn read_clock(timer: &mut impl Timer, stamps: &mut [Nanos]) {
    for stamp in stamps {
        *stamp = timer.now();
    }
}

/// Reads the clock and counts each step until it shows `until` or `ended` says so,
/// which is asked every thousand reads or so.
#[inline(never)]
pub fn read_on(
    timer: &mut impl Timer,
    until: Nanos,
    steps: &mut ClockSteps,
    mut ended: impl FnMut() -> bool,
) {
    let mut last = timer.now();
    while last < until && !ended() {
        for _ in 0..STRETCH {
            let now = timer.now();
            steps.take(last, now);
            last = now;
        }
    }
}

/// A step of a millisecond or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockGap {
    /// The read before it.
    pub at: Nanos,
    /// How long it is.
    pub length: Nanos,
}

/// The steps from one read to the next.
#[derive(Clone, Debug)]
pub struct ClockSteps {
    /// All of them.
    pub histogram: Histogram,
    /// How many are longer than 10 us.
    pub above_10_us: u64,
    /// How many are longer than 1 ms.
    pub above_1_ms: u64,
    /// The first few thousand of at least 1 ms, in order.
    pub gaps: Vec<ClockGap>,
}

impl Default for ClockSteps {
    fn default() -> ClockSteps {
        ClockSteps::new()
    }
}

impl ClockSteps {
    /// None as yet. Allocates all that it will ever need, and touches it.
    pub fn new() -> ClockSteps {
        let mut gaps = vec![ClockGap { at: Nanos(1), length: Nanos(1) }; GAPS];
        gaps.clear();
        ClockSteps { histogram: Histogram::new(), above_10_us: 0, above_1_ms: 0, gaps }
    }

    /// Counts the steps of one run.
    pub fn take_all(&mut self, stamps: &[Nanos]) {
        for pair in stamps.windows(2) {
            self.take(pair[0], pair[1]);
        }
    }

    #[inline]
    fn take(&mut self, from: Nanos, to: Nanos) {
        let step = to - from;
        self.histogram.record(step);
        self.above_10_us += u64::from(step > Nanos::from_micros(10));
        self.above_1_ms += u64::from(step > Nanos::from_millis(1));
        if step >= GAP && self.gaps.len() < GAPS {
            self.gaps.push(ClockGap { at: from, length: step });
        }
    }

    /// Gaps of 40 to 60 ms that begin about a second after or before another: the
    /// kernel took the processor from a real-time thread for the last twentieth of
    /// each second, so that ordinary ones get some of it.
    pub fn throttled(&self) -> Vec<ClockGap> {
        let stop = |gap: &&ClockGap| (40..=60).contains(&(gap.length.0 / 1_000_000));
        let stops: Vec<ClockGap> = self.gaps.iter().filter(stop).copied().collect();
        let apart = |a: &ClockGap, b: &ClockGap| {
            (900..=1_100).contains(&((a.at - b.at).abs().0 / 1_000_000))
        };
        let paired = |gap: &&ClockGap| stops.iter().any(|other| apart(gap, other));
        stops.iter().filter(paired).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_gaps(gaps_ms: &[(i64, i64)]) -> ClockSteps {
        let mut steps = ClockSteps::new();
        for (at, length) in gaps_ms {
            let at = Nanos::from_millis(*at);
            steps.take(at, at + Nanos::from_millis(*length));
        }
        steps
    }

    #[test]
    fn throttling_is_known_by_its_length_and_its_second() {
        let steps = with_gaps(&[(950, 50), (1_400, 50), (1_950, 47), (2_300, 3), (2_948, 51)]);
        let at: Vec<i64> = steps.throttled().iter().map(|gap| gap.at.0 / 1_000_000).collect();
        assert_eq!(at, [950, 1_950, 2_948]);
    }

    #[test]
    fn a_single_stall_is_no_throttling() {
        assert!(with_gaps(&[(950, 50), (3_000, 50), (3_990, 200)]).throttled().is_empty());
    }

    #[test]
    fn limits_are_counted_exactly() {
        let mut steps = ClockSteps::new();
        steps.take_all(&[0, 10_000, 20_001, 1_020_001, 2_020_002].map(Nanos));
        assert_eq!((steps.above_10_us, steps.above_1_ms, steps.gaps.len()), (3, 1, 2));
    }
}
