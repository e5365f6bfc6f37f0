//! [`TrialEnd`]: asks one trial to end, and no other.
//!
//! Every trial has its own. Whoever was shown one trial and asks for its end a moment too late, while
//! its data are being saved, holds the request of a trial that is over: it does nothing to the next
//! trial, nor to a trial of another session in the same program. A signal is meant for the
//! whole program, and is `Interrupt`'s of `chronotap-linux`.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};

/// The request to end one trial; a copy is the same request.
#[derive(Clone, Debug, Default)]
pub struct TrialEnd(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: AtomicU8, // one word, so that a trial cannot be both over and asked to end
    wake: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("state", &self.state).finish_non_exhaustive()
    }
}

const GOES_ON: u8 = 0; // or has not begun
const ASKED: u8 = 1;
const OVER: u8 = 2;

impl TrialEnd {
    /// Asks the trial to end. `false` where it is over already: then nothing happens.
    pub fn request(&self) -> bool {
        let (asked, shared) = ((Ordering::AcqRel, Ordering::Acquire), &self.0);
        let before = shared.state.compare_exchange(GOES_ON, ASKED, asked.0, asked.1);
        if let (Ok(_), Some(wake)) = (before, shared.wake.get()) {
            wake();
        }
        before != Err(OVER)
    }

    /// Whether it is asked to end. One atomic load.
    pub fn is_requested(&self) -> bool {
        self.0.state.load(Ordering::Acquire) == ASKED
    }

    /// The trial is over: whatever is asked from now on comes too late. One atomic store.
    pub fn close(&self) {
        self.0.state.store(OVER, Ordering::Release);
    }

    /// A request calls this, which wakes the thread that runs the trial. To be said before that
    /// thread begins the trial, which looks for a request once before it sleeps.
    pub fn wakes(&self, wake: impl Fn() + Send + Sync + 'static) {
        let _ = self.0.wake.set(Box::new(wake)); // a trial is run by one thread
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    /// An end that counts how often it woke somebody.
    fn counted() -> (TrialEnd, Arc<AtomicU32>) {
        let (end, woken) = (TrialEnd::default(), Arc::new(AtomicU32::new(0)));
        let count = Arc::clone(&woken);
        end.wakes(move || {
            count.fetch_add(1, Ordering::Relaxed);
        });
        (end, woken)
    }

    #[test]
    fn a_request_ends_its_own_trial_and_wakes_the_thread_once() {
        let ((this, woken), (next, woken_next)) = (counted(), counted());
        assert!(this.request() && this.request(), "twice is as good as once");
        assert!(this.is_requested() && !next.is_requested());
        assert_eq!([woken, woken_next].map(|woken| woken.load(Ordering::Relaxed)), [1, 0]);
    }

    #[test]
    fn a_request_for_a_trial_that_is_over_says_so_and_wakes_nobody() {
        let (end, woken) = counted();
        end.close();
        assert!(!end.request() && !end.is_requested());
        assert_eq!(woken.load(Ordering::Relaxed), 0);
    }
}
