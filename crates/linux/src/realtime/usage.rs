//! [`Usage`]: what the kernel counted for the calling thread, taken before and
//! after a trial. A page fault in a real-time thread is a broken promise of the
//! memory lock; involuntary switches tell that something else took the processor.

use serde::{Deserialize, Serialize};
use std::ops::Sub;

/// Counts since the thread began, or between two readings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Pages that were in memory already and had to be mapped.
    pub minor_faults: i64,
    /// Pages that had to be fetched from disk.
    pub major_faults: i64,
    /// Times the thread gave the processor up, to sleep or wait.
    pub voluntary_switches: i64,
    /// Times the processor was taken from it.
    pub involuntary_switches: i64,
    /// Processor time in the program, in nanoseconds; on many kernels in steps of
    /// the tick, so that `crate::clocks::thread_cpu_time` is the better sum.
    pub user_ns: i64,
    /// Processor time in the kernel on its behalf, in nanoseconds; likewise.
    pub system_ns: i64,
}

impl Usage {
    /// The counts of the calling thread.
    pub fn of_this_thread() -> Usage {
        // SAFETY: an all-zero rusage is valid, and the call only writes to it.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage);
            usage
        };
        Usage {
            minor_faults: usage.ru_minflt,
            major_faults: usage.ru_majflt,
            voluntary_switches: usage.ru_nvcsw,
            involuntary_switches: usage.ru_nivcsw,
            user_ns: nanoseconds(usage.ru_utime),
            system_ns: nanoseconds(usage.ru_stime),
        }
    }
}

fn nanoseconds(time: libc::timeval) -> i64 {
    time.tv_sec * 1_000_000_000 + time.tv_usec * 1_000
}

impl Sub for Usage {
    type Output = Usage;
    fn sub(self, before: Usage) -> Usage {
        Usage {
            minor_faults: self.minor_faults - before.minor_faults,
            major_faults: self.major_faults - before.major_faults,
            voluntary_switches: self.voluntary_switches - before.voluntary_switches,
            involuntary_switches: self.involuntary_switches - before.involuntary_switches,
            user_ns: self.user_ns - before.user_ns,
            system_ns: self.system_ns - before.system_ns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_sleeps_gives_its_processor_up() {
        let before = Usage::of_this_thread();
        crate::clocks::sleep_until(
            crate::clocks::MonotonicClock::raw() + chronotap_core::time::Nanos(100_000),
        );
        assert!((Usage::of_this_thread() - before).voluntary_switches >= 1);
    }
}
