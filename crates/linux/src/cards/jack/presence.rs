//! [`Presence`]: whether a callback of ours is under way in the server's thread.
//!
//! libjack's `jack_deactivate` ends the client's thread with `pthread_cancel`, wherever it is
//! (`JackPosixThread` sets the type `PTHREAD_CANCEL_ASYNCHRONOUS`), once the server has waited
//! some periods in vain. In the midst of a callback that takes longer, the cancellation would
//! unwind through Rust's frames, which ends the process. So whoever leaves closes first: from
//! then on callbacks do nothing, and the one under way is waited for.

use crate::clocks::{MonotonicClock, sleep_until};
use chronotap_core::time::Nanos;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const INSIDE: u8 = 1;
const CLOSED: u8 = 2;

/// How long a callback is waited for. One that takes longer never ends.
const PATIENCE: Nanos = Nanos::from_secs(20);

/// Shared by the callback and by whoever leaves the server.
#[derive(Clone, Debug, Default)]
pub struct Presence(Arc<AtomicU8>);

impl Presence {
    /// Nobody is inside, and it is open.
    pub fn new() -> Presence {
        Presence::default()
    }

    /// Does a callback's work, unless it was closed.
    ///
    /// Real-time contract: two atomic operations besides the work; no lock, allocation or call.
    pub fn during(&self, work: impl FnOnce()) {
        let before = self.0.fetch_or(INSIDE, Ordering::Acquire);
        let _inside = Inside(&self.0); // says so too where the work panics
        if before & CLOSED == 0 {
            work();
        }
    }

    /// Lets no further callback work, and waits until none is at work. Blocks, for at most 20 s.
    pub fn close(&self) {
        self.0.fetch_or(CLOSED, Ordering::AcqRel);
        let end = MonotonicClock::raw() + PATIENCE;
        while self.0.load(Ordering::Acquire) & INSIDE != 0 && MonotonicClock::raw() < end {
            sleep_until(MonotonicClock::raw() + Nanos::from_millis(1));
        }
    }
}

struct Inside<'a>(&'a AtomicU8);

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.fetch_and(!INSIDE, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::sync::mpsc::channel;

    #[test]
    fn who_leaves_waits_for_the_callback_under_way_and_no_other_works() {
        let presence = Presence::new();
        let (done, callback) = (Arc::new(AtomicBool::new(false)), presence.clone());
        let (begun, wait) = channel();
        let noted = Arc::clone(&done);
        let thread = std::thread::spawn(move || {
            callback.during(|| {
                begun.send(()).unwrap();
                sleep_until(MonotonicClock::raw() + Nanos::from_millis(50));
                noted.store(true, Ordering::Release);
            });
        });
        wait.recv().unwrap();
        presence.close();
        assert!(done.load(Ordering::Acquire), "it left in the midst of a callback");
        presence.during(|| panic!("a callback worked after the closing"));
        thread.join().unwrap();
    }
}
