//! [`TrialEnd`]: asks one trial to end, and no other.
//!
//! Every trial has its own. Whoever was shown one trial and asks for its end a moment too late, while
//! its data are being saved, holds the request of a trial that is over: it does nothing to the next
//! trial, nor to a trial of another session in the same program. A signal is meant for the
//! whole program, and is [`crate::realtime::Interrupt`]'s.

use crate::realtime::last_words;
use rustix::event::{EventfdFlags, eventfd};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};

/// The request to end one trial; a copy is the same request.
#[derive(Clone, Debug, Default)]
pub struct TrialEnd(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: AtomicU8, // one word, so that a trial cannot be both over and asked to end
    wake: OnceLock<Wake>,
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
            wake.wake();
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

    /// A request wakes the thread that sleeps on this. To be called before that thread begins
    /// the trial, which looks for a request once before it sleeps.
    pub fn wakes(&self, wake: &Wake) {
        let _ = self.0.wake.set(wake.clone()); // a trial is run by one thread
    }
}

/// What a thread that runs trials sleeps on to learn of a request; the same for all its trials.
#[derive(Clone, Debug)]
pub struct Wake(Arc<OwnedFd>);

impl Wake {
    /// Makes one.
    ///
    /// # Errors
    /// Where the system is out of descriptors.
    pub fn new() -> io::Result<Wake> {
        let event = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?;
        Ok(Wake(Arc::new(event)))
    }

    /// Readable from a request on until it is [heard](Wake::hear); for `ppoll`.
    pub fn descriptor(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    /// No longer readable, or the thread would never sleep again. A request that came at the last
    /// moment of its trial may wake the thread in the next one, where it does nothing else.
    /// Real-time contract: one `read` that does not block.
    pub fn hear(&self) {
        let _ = rustix::io::read(&*self.0, &mut [0u8; 8]); // EAGAIN where nothing was asked
    }

    fn wake(&self) {
        last_words::write(self.0.as_raw_fd(), &1u64.to_ne_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::time::Timespec;

    fn readable(wake: &Wake) -> bool {
        let mut fds = [PollFd::from_borrowed_fd(wake.descriptor(), PollFlags::IN)];
        poll(&mut fds, Some(&Timespec::default())).unwrap() == 1
    }

    #[test]
    fn a_request_ends_its_own_trial_and_wakes_the_thread_once() {
        let wake = Wake::new().unwrap();
        let (this, next) = (TrialEnd::default(), TrialEnd::default());
        this.wakes(&wake);
        next.wakes(&wake);
        assert!(this.request() && this.request(), "twice is as good as once");
        assert!(this.is_requested() && !next.is_requested());
        assert!(readable(&wake));
        wake.hear();
        assert!(!readable(&wake));
    }

    #[test]
    fn a_request_for_a_trial_that_is_over_says_so_and_wakes_nobody() {
        let wake = Wake::new().unwrap();
        let end = TrialEnd::default();
        end.wakes(&wake);
        end.close();
        assert!(!end.request() && !end.is_requested());
        assert!(!readable(&wake));
    }
}
