//! A round of waits: the loop that measures, and how many turns it gets.
//!
//! Real-time contract of [`take_pauses`]: the measuring thread; no allocation, no lock,
//! and no system call but the clock's and the wait's own.

use crate::mechanisms::Wait;
use crate::timing::{Length, Timer};
use chronotap_core::time::Nanos;
use std::io;

/// Waits for `span` as often as `pauses` is long and notes how long each pause was,
/// from the call to its return. Gives how many were taken before `ended` said so.
///
/// # Errors
/// What the system answered to a wait.
#[inline(never)]
pub fn take_pauses(
    timer: &mut impl Timer,
    wait: &mut dyn Wait,
    span: Nanos,
    pauses: &mut [Nanos],
    mut ended: impl FnMut() -> bool,
) -> io::Result<usize> {
    for (n, pause) in pauses.iter_mut().enumerate() {
        if ended() {
            return Ok(n);
        }
        let begin = timer.now();
        wait.wait(begin, span)?;
        *pause = timer.now() - begin;
    }
    Ok(pauses.len())
}

/// How many pauses of this length there are in a round.
pub(super) fn turns(span: Nanos, length: Length) -> usize {
    // A pause is some 50 us longer than asked for.
    let real = span + Nanos::from_micros(50);
    let (least, most) = length.pick((5, 200), (10, 1_000), (40, 10_000));
    (budget(length).0 / real.0).clamp(least, most) as usize
}

/// About how long a round may take.
fn budget(length: Length) -> Nanos {
    Nanos::from_millis(length.pick(40, 120, 800))
}

/// How many of them are repeated with the companion.
pub(super) fn turns_beside(turns: usize) -> usize {
    (turns / 3).max(2)
}

/// About how long both rounds take.
pub(super) fn expected(span: Nanos, length: Length) -> Nanos {
    let turns = turns(span, length);
    (span + Nanos::from_micros(50)) * (turns + turns_beside(turns)) as i64
}
