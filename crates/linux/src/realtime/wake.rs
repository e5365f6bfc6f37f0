//! [`Wake`]: what a thread that runs trials sleeps on, so that a request to end a trial wakes it.

use crate::realtime::last_words;
use rustix::event::{EventfdFlags, eventfd};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

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

    /// Readable from a request on until it is [cleared](Wake::clear); for `ppoll`.
    pub fn descriptor(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    /// No longer readable, or the thread would never sleep again. A request that came at the last
    /// moment of its trial may wake the thread in the next one, where it does nothing else.
    /// Real-time contract: one `read` that does not block.
    pub fn clear(&self) {
        let _ = rustix::io::read(&*self.0, &mut [0u8; 8]); // EAGAIN where nothing was asked
    }

    /// Makes it readable. Real-time contract: one `write` that does not block.
    pub fn wake(&self) {
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
    fn it_is_readable_from_a_request_on_until_it_is_heard() {
        let wake = Wake::new().unwrap();
        assert!(!readable(&wake));
        wake.wake();
        wake.wake();
        assert!(readable(&wake), "twice is as good as once");
        wake.clear();
        assert!(!readable(&wake));
    }
}
