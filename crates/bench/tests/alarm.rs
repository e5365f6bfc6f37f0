//! The process's own alarm, in a program of one thread: among the threads of the
//! usual test program one would be given the signal, so there it is refused.

#![allow(clippy::unwrap_used, reason = "a test")]

use chronotap_bench::mechanisms::{HeldSignals, Mechanism};
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::MonotonicClock;

fn main() {
    assert!(Mechanism::Setitimer.open().is_err(), "this thread would be given the alarm");
    {
        let _held = HeldSignals::alarm();
        let mut alarm = Mechanism::Setitimer.open().unwrap();
        for span in [50, 1_000, 3_000].map(Nanos::from_micros) {
            let begin = MonotonicClock::raw();
            alarm.wait(begin, span).unwrap();
            assert!(MonotonicClock::raw() - begin >= span);
        }
    }
    // An alarm left over would end the program here.
    chronotap_linux::clocks::sleep_until(MonotonicClock::raw() + Nanos::from_millis(5));
}
