//! [`QueueClock`]: the time of a queue of the sequencer on CLOCK_MONOTONIC.
//!
//! The kernel adds to a queue's time one whole tick whenever its timer comes, and between
//! two ticks what CLOCK_MONOTONIC has gone on since the last (`sound/core/seq/seq_timer.c`).
//! So what the timer was late at the last tick is missing in the queue's time until the
//! next. Between the same two ticks a stamp and a look at the queue lack the same. A stamp
//! from before the last tick lacks something else, which nobody can know afterwards: for
//! it, what the queue usually lacks is taken.
//!
//! Real-time contract: sorts [`RECENT`] numbers in place; no allocation, no system call.

use chronotap_core::time::Nanos;

/// How often a queue's time is set anew: as seldom as the kernel permits.
pub(super) const TICKS_PER_SECOND: u32 = 10;
const TICK: i64 = 1_000_000_000 / TICKS_PER_SECOND as i64;
/// Of so many looks the median is the usual.
const RECENT: usize = 9;

/// The time of the queue, and CLOCK_MONOTONIC in the same moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) queue: Nanos,
    pub(super) monotonic: Nanos, // raw
}

/// How far the queue is from CLOCK_MONOTONIC.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueueClock {
    apart: [Nanos; RECENT],
    looks: usize,
    narrowest: Nanos, // of the readings of the clock around a look
}

impl Default for QueueClock {
    fn default() -> QueueClock {
        QueueClock { apart: [Nanos::ZERO; RECENT], looks: 0, narrowest: Nanos::MAX }
    }
}

impl QueueClock {
    /// Takes a look into account.
    pub(super) fn seen(&mut self, look: Look) {
        self.apart[self.looks % RECENT] = look.monotonic - look.queue;
        self.looks += 1;
    }

    /// Whether the readings of the clock around a look are so far apart that something came between them.
    pub(super) fn is_wide(&mut self, apart: Nanos) -> bool {
        self.narrowest = self.narrowest.min(apart);
        apart > self.narrowest * 3 / 2
    }

    /// The raw CLOCK_MONOTONIC time of a stamp, by a look that was taken after it and
    /// that was the last one seen.
    pub(super) fn when(&self, stamp: Nanos, look: Look) -> Nanos {
        let same_tick = stamp.0.div_euclid(TICK) == look.queue.0.div_euclid(TICK);
        let apart = if same_tick { look.monotonic - look.queue } else { self.usual() };
        (stamp + apart).min(look.monotonic)
    }

    fn usual(&self) -> Nanos {
        let mut apart = self.apart;
        let apart = &mut apart[..self.looks.min(RECENT)];
        apart.sort_unstable();
        apart.get(apart.len() / 2).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BEGAN: i64 = 77_000_000_123; // of the queue, on CLOCK_MONOTONIC

    /// The queue at a time since it began, whose tick number `n` was late by `late(n)`.
    fn queue_at(time: i64, late: impl Fn(i64) -> i64) -> Nanos {
        let nominal = time / TICK;
        let tick = if time >= nominal * TICK + late(nominal) { nominal } else { nominal - 1 };
        Nanos(time - late(tick))
    }

    fn look_at(time: i64, late: impl Fn(i64) -> i64) -> Look {
        Look { queue: queue_at(time, late), monotonic: Nanos(BEGAN + time) }
    }

    fn after_looks(times: impl Iterator<Item = i64>, late: impl Fn(i64) -> i64) -> QueueClock {
        let mut clock = QueueClock::default();
        times.for_each(|time| clock.seen(look_at(time, &late)));
        clock
    }

    #[test]
    fn what_the_last_tick_was_late_is_not_in_a_stamp_after_it() {
        let late = |tick| if tick == 40 { 90_000 } else { 2_000 };
        let tapped = 40 * TICK + 95_000;
        let mut clock = after_looks((1..9).map(|n| n * TICK + 5_000_000), late);
        let look = look_at(tapped + 60_000, late);
        clock.seen(look);
        assert_eq!(clock.when(queue_at(tapped, late), look), Nanos(BEGAN + tapped));
    }

    #[test]
    fn a_late_tick_between_stamp_and_look_does_not_move_the_stamp() {
        let late = |tick| if tick == 40 { 30_000 } else { 2_000 };
        let tapped = 40 * TICK - 10_000;
        let mut clock = after_looks((1..9).map(|n| n * TICK + 5_000_000), late);
        let look = look_at(tapped + 60_000, late);
        clock.seen(look);
        assert_eq!(clock.when(queue_at(tapped, late), look), Nanos(BEGAN + tapped));
    }

    #[test]
    fn the_first_look_of_all_is_the_usual_one() {
        let look = look_at(3 * TICK + 10, |_| 7);
        let mut clock = QueueClock::default();
        clock.seen(look);
        assert_eq!(clock.when(Nanos(2 * TICK), look), Nanos(BEGAN + 2 * TICK + 7));
    }

    #[test]
    fn a_look_with_an_interrupt_in_it_is_wide() {
        let mut clock = QueueClock::default();
        let wide = [400, 450, 590, 2_600, 300, 451].map(|ns| clock.is_wide(Nanos(ns)));
        assert_eq!(wide, [false, false, false, true, false, true]);
    }

    #[test]
    fn a_stamp_is_never_after_the_look() {
        let look = Look { queue: Nanos(5_000), monotonic: Nanos(1_000_000) };
        assert_eq!(QueueClock::default().when(Nanos(5_001), look), Nanos(1_000_000));
    }

    proptest! {
        #[test]
        fn a_stamp_is_wrong_by_no_more_than_ticks_differ(
            lates in proptest::collection::vec(0_i64..200_000, 64),
            tapped in 10 * TICK..60 * TICK,
            after in 0_i64..3_000_000,
        ) {
            let late = |tick: i64| lates[tick as usize];
            let mut clock = after_looks((1..10).map(|n| n * TICK + 50_000_000), late);
            let look = look_at(tapped + after, late);
            clock.seen(look);
            let wrong = clock.when(queue_at(tapped, late), look) - Nanos(BEGAN + tapped);
            prop_assert!(wrong.0.abs() <= 200_000);
        }
    }
}
