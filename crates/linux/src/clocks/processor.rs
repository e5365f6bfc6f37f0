//! Processor time: how long a thread has computed, asleep or awake. [`thread_cpu_time`]
//! tells the calling thread its own; a [`ProcessorClock`] lets one thread read
//! another's, in a system call of about a microsecond where a file of /proc takes
//! many.

use crate::clocks::clock::nanos;
use chronotap_core::time::Nanos;
use rustix::time::{ClockId, clock_gettime};

/// Processor time that the calling thread has used.
pub fn thread_cpu_time() -> Nanos {
    nanos(clock_gettime(ClockId::ThreadCPUTime))
}

/// The processor time of one thread, for any thread of the program to read.
#[derive(Clone, Copy, Debug)]
pub struct ProcessorClock(libc::clockid_t);

impl ProcessorClock {
    /// That of the calling thread.
    ///
    /// # Errors
    /// Where the system has no such clocks.
    pub fn of_this_thread() -> std::io::Result<ProcessorClock> {
        let mut id = 0;
        // SAFETY: the calling thread exists, and the call only writes to `id`.
        match unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &raw mut id) } {
            0 => Ok(ProcessorClock(id)),
            errno => Err(std::io::Error::from_raw_os_error(errno)),
        }
    }

    /// Processor time used until now; `None` once the thread has ended.
    pub fn now(&self) -> Option<Nanos> {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the call only writes to `time`; a thread that has ended is an error.
        let done = unsafe { libc::clock_gettime(self.0, &raw mut time) } == 0;
        done.then(|| Nanos(time.tv_sec * 1_000_000_000 + time.tv_nsec))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;

    #[test]
    fn another_threads_processor_time_is_its_own_and_ends_with_it() {
        let (tell, told) = sync_channel(0);
        let (go_on, wait) = sync_channel::<()>(0);
        let thread = std::thread::spawn(move || {
            while thread_cpu_time() < Nanos::from_millis(5) {
                std::hint::spin_loop();
            }
            tell.send(ProcessorClock::of_this_thread().unwrap()).unwrap();
            let _ = wait.recv();
        });
        let clock = told.recv().unwrap();
        assert!(clock.now().unwrap() >= Nanos::from_millis(5));
        go_on.send(()).unwrap();
        thread.join().unwrap();
        // The kernel takes the thread away a moment after others can know of its end.
        while clock.now().is_some() {
            std::thread::yield_now();
        }
    }
}
