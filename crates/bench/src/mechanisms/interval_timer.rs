//! [`IntervalTimer`]: a timer of the kernel that repeats by itself and is read as a
//! file (timerfd). It takes whole nanoseconds, so rates whose period is none are a
//! little off, as are those of /dev/rtc for the same reason.

use crate::mechanisms::DeviceError;
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::timespec;
use rustix::io::{Errno, read};
use rustix::time::{Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags};
use rustix::time::{timerfd_create, timerfd_settime};
use std::os::fd::OwnedFd;

/// A running interval timer on CLOCK_MONOTONIC. Dropping it stops it.
#[derive(Debug)]
pub struct IntervalTimer {
    file: OwnedFd,
}

impl IntervalTimer {
    /// Starts it; it expires every `interval`, above 0, for the first time after one.
    ///
    /// # Errors
    /// [`DeviceError`], where the system is out of descriptors.
    pub fn start(interval: Nanos) -> Result<IntervalTimer, DeviceError> {
        let failed = |errno: Errno| DeviceError::Timer { interval, errno };
        let file = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC);
        let file = file.map_err(failed)?;
        let spans = Itimerspec { it_interval: timespec(interval), it_value: timespec(interval) };
        timerfd_settime(&file, TimerfdTimerFlags::empty(), &spans).map_err(failed)?;
        Ok(IntervalTimer { file })
    }

    /// Waits for the next expiry, and gives how many there were since the last wait: 1
    /// where none was lost. A signal ends it with `EINTR`.
    ///
    /// Real-time contract: one system call, `read`; no allocation or lock.
    ///
    /// # Errors
    /// What the system says.
    pub fn wait(&self) -> Result<u64, Errno> {
        let mut count = [0; 8];
        read(&self.file, &mut count)?;
        Ok(u64::from_ne_bytes(count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_linux::clocks::{MonotonicClock, sleep_until};

    #[test]
    fn expiries_that_nobody_waited_for_are_counted() {
        let interval = Nanos::from_millis(1);
        let begin = MonotonicClock::raw();
        let timer = IntervalTimer::start(interval).unwrap();
        sleep_until(begin + interval * 10);
        let count = timer.wait().unwrap();
        let passed = MonotonicClock::raw() - begin;
        assert!(count >= 9 && interval * count as i64 <= passed, "{count} in {passed}");
    }
}
