//! [`Schedule`]: the measuring loop itself: sleep until an absolute deadline, read the
//! clock, count how late it is.
//!
//! A late wake-up may have missed further deadlines. They are not slept for again,
//! which would give one stall as many correlated samples; they are skipped, counted,
//! and what a loop that kept them would have seen goes into a histogram of its own
//! ([`WakeupCounts`]). So periods that passed = samples taken + periods missed, always.
//! Clock and sleep are a [`Timer`], so that a test can choose them.
//!
//! Real-time contract of [`Schedule::run`]: the measuring thread; one sleep and one
//! clock read for each sample; no allocation, lock, disk, log or panic. After a stall
//! it counts the missed periods one by one, some nanoseconds for each, far less than
//! the period that each of them took.

use super::greatest::Greatest;
use crate::timing::{Histogram, Timer};
use chronotap_core::time::Nanos;

/// Deadlines at equal distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The first deadline.
    pub first: Nanos,
    /// From one to the next; at least 1 ns.
    pub interval: Nanos,
    /// Deadlines at or after this one are not slept for.
    pub end: Nanos,
}

/// What a thread counted.
#[derive(Clone, Debug)]
pub struct WakeupCounts {
    /// Lateness of the wake-ups.
    pub lateness: Histogram,
    /// Of the deadlines that passed while a wake-up was late: how late each would
    /// have been served.
    pub missed: Histogram,
    /// The latest wake-ups.
    pub greatest: Greatest,
    /// The first wake-ups in their order: when the thread ran again, and how late.
    pub beginning: Vec<(Nanos, Nanos)>,
}

impl WakeupCounts {
    /// Empty; keeps the `n` latest wake-ups. Allocates all that it will ever need.
    pub fn new(n: usize) -> WakeupCounts {
        let (lateness, missed, beginning) = (Histogram::new(), Histogram::new(), Vec::new());
        WakeupCounts { lateness, missed, greatest: Greatest::new(n), beginning }
    }

    /// With room for the first `n` wake-ups in their order. Its memory is written to
    /// once, so that no page of it is missing later.
    #[must_use]
    pub fn remembering(self, n: usize) -> WakeupCounts {
        let mut beginning = vec![(Nanos::MAX, Nanos::MAX); n];
        beginning.clear();
        WakeupCounts { beginning, ..self }
    }

    /// Counts a wake-up, and tells whether it is among the latest.
    fn take(&mut self, deadline: Nanos, late: Nanos) -> bool {
        self.lateness.record(late);
        if self.beginning.len() < self.beginning.capacity() {
            self.beginning.push((deadline + late, late)); // within its room
        }
        self.greatest.offer(deadline, late)
    }

    /// Lateness with the missed periods put in: one sample for every period.
    pub fn corrected(&self) -> Histogram {
        let mut all = self.lateness.clone();
        all.merge(&self.missed);
        all
    }

    /// Counts the periods that a wake-up missed, and gives how many.
    fn miss(&mut self, late: Nanos, interval: Nanos) -> i64 {
        let missed = (late.0 / interval.0).max(0);
        for period in 1..=missed {
            self.missed.record(late - interval * period);
        }
        missed
    }
}

impl Schedule {
    /// As many deadlines, beginning with the first after `now`: a thread that starts
    /// late has not woken up late.
    #[must_use]
    pub fn from(self, now: Nanos) -> Schedule {
        let interval = self.interval.0.max(1);
        let passed = ((now - self.first).0.div_euclid(interval) + 1).max(0);
        let later = Nanos(interval) * passed;
        Schedule { first: self.first + later, end: self.end + later, ..self }
    }

    /// Serves every deadline until the end, or until `go_on` says no. `go_on` is asked
    /// after each wake-up, with its lateness and whether it is among the greatest.
    pub fn run(
        &self,
        timer: &mut impl Timer,
        counts: &mut WakeupCounts,
        mut go_on: impl FnMut(Nanos, bool) -> bool,
    ) {
        let interval = Nanos(self.interval.0.max(1));
        let mut deadline = self.first;
        while deadline < self.end {
            timer.sleep_until(deadline);
            let late = timer.now() - deadline;
            let kept = counts.take(deadline, late);
            let missed = counts.miss(late, interval);
            if !go_on(late, kept) {
                return;
            }
            deadline += interval * (missed + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Is late as told, wake-up by wake-up, then on time.
    struct Late<'a> {
        now: Nanos,
        late: std::slice::Iter<'a, i64>,
    }

    impl Timer for Late<'_> {
        fn now(&mut self) -> Nanos {
            self.now
        }
        fn sleep_until(&mut self, at: Nanos) {
            self.now = self.now.max(at + Nanos(self.late.next().copied().unwrap_or(0)));
        }
    }

    fn run(late: &[i64], periods: i64) -> WakeupCounts {
        let schedule = Schedule {
            first: Nanos(1_000),
            interval: Nanos(100),
            end: Nanos(1_000 + 100 * periods),
        };
        let mut counts = WakeupCounts::new(4);
        schedule.run(&mut Late { now: Nanos::ZERO, late: late.iter() }, &mut counts, |_, _| true);
        counts
    }

    fn times(histogram: &Histogram) -> Vec<i64> {
        let of = |bin: crate::timing::Bin| vec![bin.from_ns; bin.count as usize];
        histogram.bins().flat_map(of).collect()
    }

    #[test]
    fn a_stall_of_three_and_a_half_periods_is_one_sample_and_three_missed() {
        let counts = run(&[5, 350, 7], 7);
        assert_eq!(times(&counts.lateness), [0, 5, 7, 350]);
        assert_eq!(times(&counts.missed), [50, 150, 250]);
        assert_eq!(times(&counts.corrected()), [0, 5, 7, 50, 150, 250, 350]);
    }

    #[test]
    fn the_first_wake_ups_are_remembered_in_order_and_no_more() {
        let schedule = Schedule { first: Nanos(0), interval: Nanos(100), end: Nanos(500) };
        let mut counts = WakeupCounts::new(1).remembering(3);
        let late = [5, 210, 7, 8];
        let mut timer = Late { now: Nanos(-1), late: late.iter() };
        schedule.run(&mut timer, &mut counts, |_, _| true);
        let at = |at, late| (Nanos(at), Nanos(late));
        assert_eq!(counts.beginning, [at(5, 5), at(310, 210), at(407, 7)]);
    }

    #[test]
    fn a_wake_up_late_by_exactly_a_period_missed_it() {
        let counts = run(&[100], 3);
        assert_eq!((times(&counts.lateness), times(&counts.missed)), (vec![0, 100], vec![0]));
    }

    #[test]
    fn a_late_start_leaves_out_the_deadlines_that_have_passed() {
        let schedule = Schedule { first: Nanos(1_000), interval: Nanos(100), end: Nanos(2_000) };
        let first = |now| schedule.from(Nanos(now)).first.0;
        assert_eq!(
            (first(0), first(999), first(1_000), first(1_250)),
            (1_000, 1_000, 1_100, 1_300)
        );
    }

    #[test]
    fn who_asks_it_to_end_is_obeyed_after_the_sample() {
        let schedule = Schedule { first: Nanos(0), interval: Nanos(100), end: Nanos::MAX };
        let mut counts = WakeupCounts::new(1);
        let mut left = 3;
        let mut timer = Late { now: Nanos::ZERO, late: [].iter() };
        schedule.run(&mut timer, &mut counts, |_, _| {
            left -= 1;
            left > 0
        });
        assert_eq!(counts.lateness.n(), 3);
    }

    proptest! {
        #[test]
        fn every_period_that_passed_is_a_sample_or_missed(late in prop::collection::vec(0i64..1_000, 0..40), periods in 1i64..100) {
            let counts = run(&late, periods);
            let (taken, missed) = (counts.lateness.n(), counts.missed.n());
            // A stall at the end reaches beyond it; all else is within.
            let beyond = (taken + missed) as i64 - periods;
            let last = late.get(taken as usize - 1).copied().unwrap_or(0);
            prop_assert!((0..=last / 100).contains(&beyond), "{taken} + {missed} of {periods}");
            prop_assert_eq!(counts.corrected().n(), taken + missed);
            prop_assert!(counts.missed.min().is_none_or(|least| least >= Nanos::ZERO));
        }

        #[test]
        fn the_missed_are_those_that_a_loop_which_keeps_every_deadline_sees(stall in 0i64..100_000) {
            // It wakes at once for each deadline that has passed, at the stall's end.
            let seen = Histogram::of((0..=stall / 100).map(|k| Nanos(stall - 100 * k)));
            prop_assert!(run(&[stall], 1).corrected() == seen);
        }
    }
}
