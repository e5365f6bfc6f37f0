//! [`RealClock`]: what a session in real time asks of the system, answered by its clocks and by Ctrl-C.

use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{DayClock, MonotonicClock, sleep_until};
use chronotap_linux::realtime::Interrupt;
use chronotap_simulate::InRealTime;
use std::cell::Cell;

/// The clocks of a session, and who may interrupt it.
pub struct RealClock {
    interrupt: Interrupt,
    day: Cell<DayClock>, // as it stood when it was last looked at
}

impl RealClock {
    /// For a session that begins now.
    pub fn new(interrupt: Interrupt) -> RealClock {
        RealClock { interrupt, day: Cell::new(DayClock::now()) }
    }
}

impl InRealTime for RealClock {
    fn now(&self) -> Nanos {
        MonotonicClock::raw()
    }

    fn sleep_until(&self, at: Nanos) {
        sleep_until(at);
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.requested()
    }

    fn rearm(&self) {
        self.interrupt.rearm();
    }

    fn day_was_set_by(&self) -> Option<Nanos> {
        let mut day = self.day.get();
        let set = day.was_set_by();
        self.day.set(day);
        set
    }
}
