//! [`Overhead`]: what the measuring loop itself costs, measured before each run on the
//! measuring thread, with the same code and no sleep.
//!
//! Each is the least of twenty batches, since a stall or an interrupt is no property
//! of the loop. One clock read is part of every lateness; the rest of the loop comes
//! after the clock was read and delays no sample but through its caches.

use super::{Schedule, WakeupCounts};
use crate::timing::{RealTimer, Timer};
use chronotap_core::time::Nanos;

/// Passes of one batch; twenty batches take about a millisecond.
const BATCH: i64 = 200;
const BATCHES: usize = 20;

/// Nanoseconds for one pass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overhead {
    /// Reading the clock once.
    pub clock_read_ns: f64,
    /// A whole pass: clock, histogram, the greatest, the question whether to go on.
    pub pass_ns: f64,
}

impl Overhead {
    /// Measures it; `scratch` takes the samples, and `go_on` is that of the run.
    ///
    /// Real-time contract: the measuring thread; about two milliseconds; no allocation.
    pub fn measure(
        scratch: &mut WakeupCounts,
        mut go_on: impl FnMut(Nanos, bool) -> bool,
    ) -> Overhead {
        let schedule =
            Schedule { first: Nanos(0), interval: Nanos(1_000_000), end: Nanos(1_000_000 * BATCH) };
        let pass_ns = least(|| {
            schedule.run(&mut Awake::default(), scratch, &mut go_on);
        });
        let clock_read_ns = least(|| {
            for _ in 0..BATCH {
                std::hint::black_box(RealTimer.now());
            }
        });
        Overhead { clock_read_ns, pass_ns }
    }
}

/// Reads the real clock, does not sleep, and is a little late, differently each time.
#[derive(Default)]
struct Awake {
    at: Nanos,
}

impl Timer for Awake {
    fn now(&mut self) -> Nanos {
        let real = std::hint::black_box(RealTimer.now());
        self.at + Nanos(10_000 + real.0 % 4_096)
    }

    fn sleep_until(&mut self, at: Nanos) {
        self.at = at;
    }
}

fn least(mut batch: impl FnMut()) -> f64 {
    let mut one = || {
        let begin = RealTimer.now();
        batch();
        (RealTimer.now() - begin).0
    };
    let least = (0..BATCHES).map(|_| one()).min().unwrap_or(0);
    least as f64 / BATCH as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_costs_more_than_the_clock_read_that_it_contains() {
        let overhead = Overhead::measure(&mut WakeupCounts::new(20), |_, _| true);
        assert!(overhead.clock_read_ns > 0.0);
        assert!(overhead.pass_ns > overhead.clock_read_ns, "{overhead:?}");
    }
}
