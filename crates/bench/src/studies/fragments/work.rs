//! [`Work`]: computing that is always the same number of turns, calibrated once.

use crate::timing::Timer;
use chronotap_core::time::Nanos;
use std::hint::black_box;

/// Turns of one trial of the calibration, about a tenth of a millisecond.
const TRIAL: u64 = 50_000;
/// Trials; the quickest is the one that nothing disturbed.
const TRIALS: usize = 100;

/// So many turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    turns: u64,
}

impl Work {
    /// Does it. Real-time contract: no allocation, lock or system call.
    pub fn perform(&self) {
        turn(self.turns);
    }
}

/// The work that takes `span` where nothing disturbs it, on this thread as it now runs.
pub fn calibrate(timer: &mut impl Timer, span: Nanos) -> Work {
    let trial = |_| {
        let begin = timer.now();
        turn(TRIAL);
        timer.now() - begin
    };
    let least = (0..TRIALS).map(trial).min().unwrap_or_default().max(Nanos(1));
    Work { turns: (i128::from(span.0) * i128::from(TRIAL) / i128::from(least.0)) as u64 }
}

fn turn(turns: u64) {
    let mut sum = 1u64;
    for n in 0..turns {
        sum = black_box(sum.wrapping_mul(3).wrapping_add(n));
    }
}
