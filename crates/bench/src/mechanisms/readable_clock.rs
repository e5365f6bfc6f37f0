//! [`ReadableClock`]: the clocks that a Linux program can read, one beside the other, so that
//! their resolution and their cost can be measured. Chronotap's own is
//! [`ReadableClock::Monotonic`]; the wall clock among them is here to be compared only.
//!
//! The processor's counter is read directly where the kernel says that it runs at one
//! rate whatever the processor does; its rate is measured against CLOCK_MONOTONIC_RAW.

use chronotap_core::time::Nanos;
use rustix::time::{ClockId, Timespec, clock_getres, clock_gettime};

/// A clock that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReadableClock {
    /// CLOCK_MONOTONIC: slewed, never stepped; the clock of timers.
    Monotonic,
    /// CLOCK_MONOTONIC_RAW: not even slewed.
    MonotonicRaw,
    /// CLOCK_REALTIME: the wall clock, stepped and slewed.
    Realtime,
    /// CLOCK_MONOTONIC_COARSE: the last tick's time.
    MonotonicCoarse,
    /// CLOCK_REALTIME_COARSE: likewise.
    RealtimeCoarse,
    /// `gettimeofday`, in whole microseconds, as in 2001.
    GetTimeOfDay,
    /// CLOCK_MONOTONIC by a plain system call, to compare the others with.
    SystemCall,
    /// The processor's own counter.
    Counter,
}

/// A source that has been made ready.
///
/// Real-time contract of `read`: any thread; no allocation and no lock.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    source: ReadableClock,
    ns_per_count: f64, // of the processor's counter, else 1
}

impl ReadableClock {
    /// All, chronotap's own first.
    pub const ALL: [ReadableClock; 8] = [
        ReadableClock::Monotonic,
        ReadableClock::MonotonicRaw,
        ReadableClock::Realtime,
        ReadableClock::MonotonicCoarse,
        ReadableClock::RealtimeCoarse,
        ReadableClock::GetTimeOfDay,
        ReadableClock::Counter,
        ReadableClock::SystemCall,
    ];

    /// As in the condition `clock` of a series.
    pub const fn name(self) -> &'static str {
        match self {
            ReadableClock::Monotonic => "CLOCK_MONOTONIC",
            ReadableClock::MonotonicRaw => "CLOCK_MONOTONIC_RAW",
            ReadableClock::Realtime => "CLOCK_REALTIME",
            ReadableClock::MonotonicCoarse => "CLOCK_MONOTONIC_COARSE",
            ReadableClock::RealtimeCoarse => "CLOCK_REALTIME_COARSE",
            ReadableClock::GetTimeOfDay => "gettimeofday",
            ReadableClock::Counter => "processor's counter",
            ReadableClock::SystemCall => "CLOCK_MONOTONIC by system call",
        }
    }

    /// Makes it ready; the processor's counter is measured for 20 ms.
    ///
    /// # Errors
    /// Why it cannot be read here.
    pub fn open(self) -> Result<Reader, String> {
        let ns_per_count =
            if self == ReadableClock::Counter { counter::ns_per_count()? } else { 1.0 };
        Ok(Reader { source: self, ns_per_count })
    }

    fn id(self) -> ClockId {
        match self {
            ReadableClock::MonotonicRaw => ClockId::MonotonicRaw,
            ReadableClock::Realtime | ReadableClock::GetTimeOfDay => ClockId::Realtime,
            ReadableClock::MonotonicCoarse => ClockId::MonotonicCoarse,
            ReadableClock::RealtimeCoarse => ClockId::RealtimeCoarse,
            ReadableClock::Monotonic | ReadableClock::SystemCall | ReadableClock::Counter => {
                ClockId::Monotonic
            }
        }
    }
}

impl Reader {
    /// The time since this clock's own origin.
    #[inline]
    pub fn read(&self) -> Nanos {
        match self.source {
            // Exact to the nanosecond in the first hundred days after power-up.
            ReadableClock::Counter => Nanos((counter::read() as f64 * self.ns_per_count) as i64),
            ReadableClock::GetTimeOfDay => time_of_day(),
            ReadableClock::SystemCall => by_system_call(),
            source => nanos(clock_gettime(source.id())),
        }
    }

    /// The smallest step that the clock can show, as the system or its unit tells it,
    /// in nanoseconds.
    pub fn resolution_ns(&self) -> f64 {
        match self.source {
            ReadableClock::Counter => self.ns_per_count,
            ReadableClock::GetTimeOfDay => 1_000.0,
            source => nanos(clock_getres(source.id())).0 as f64,
        }
    }
}

const fn nanos(time: Timespec) -> Nanos {
    Nanos(time.tv_sec * 1_000_000_000 + time.tv_nsec)
}

fn time_of_day() -> Nanos {
    let mut now = libc::timeval { tv_sec: 0, tv_usec: 0 };
    // SAFETY: the call writes to the local only; no time zone is asked for.
    unsafe { libc::gettimeofday(&raw mut now, std::ptr::null_mut()) };
    // The C library's fields are as wide as the machine's words.
    #[allow(clippy::unnecessary_cast, reason = "not 64 bits wide everywhere")]
    Nanos(now.tv_sec as i64 * 1_000_000_000 + now.tv_usec as i64 * 1_000)
}

fn by_system_call() -> Nanos {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes to the local only.
    unsafe { libc::syscall(libc::SYS_clock_gettime, libc::CLOCK_MONOTONIC, &raw mut now) };
    #[allow(clippy::unnecessary_cast, reason = "not 64 bits wide everywhere")]
    Nanos(now.tv_sec as i64 * 1_000_000_000 + now.tv_nsec as i64)
}

/// The counter of x86 processors.
#[cfg(target_arch = "x86_64")]
mod counter {
    use super::{Nanos, ReadableClock};
    use chronotap_linux::clocks::{MonotonicClock, sleep_until};

    pub(super) fn read() -> u64 {
        // SAFETY: the instruction only reads a register; that programs may execute it
        // was seen when the rate was measured.
        unsafe { std::arch::x86_64::_rdtsc() }
    }

    /// Steady, by the kernel's word, or refused.
    pub(super) fn ns_per_count() -> Result<f64, String> {
        let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let flags = cpuinfo.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
        for flag in ["constant_tsc", "nonstop_tsc"] {
            if !flags.split(' ').any(|word| word == flag) {
                return Err(format!("the counter of this processor is not {flag}"));
            }
        }
        if !readable() {
            return Err("programs may not read the counter here (prctl PR_SET_TSC)".into());
        }
        let raw = ReadableClock::MonotonicRaw.open()?;
        let (count, time) = (read(), raw.read());
        sleep_until(MonotonicClock::raw() + Nanos::from_millis(20));
        let (count, time) = (read() - count, raw.read() - time);
        Ok(time.0 as f64 / count as f64)
    }

    fn readable() -> bool {
        let mut mode: libc::c_int = 0;
        // SAFETY: the call writes one number to the local.
        let returned = unsafe { libc::prctl(libc::PR_GET_TSC, &raw mut mode) };
        returned < 0 || mode == libc::PR_TSC_ENABLE
    }
}

/// Other processors' counters are read by the kernel alone, as CLOCK_MONOTONIC_RAW.
#[cfg(not(target_arch = "x86_64"))]
mod counter {
    pub(super) fn read() -> u64 {
        0
    }

    pub(super) fn ns_per_count() -> Result<f64, String> {
        Err("chronotap reads the counter of x86-64 processors only".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_clock_but_the_wall_clock_goes_back() {
        let steady = |source: &ReadableClock| {
            !matches!(
                source,
                ReadableClock::Realtime
                    | ReadableClock::RealtimeCoarse
                    | ReadableClock::GetTimeOfDay
            )
        };
        for source in ReadableClock::ALL.into_iter().filter(steady) {
            let Ok(reader) = source.open() else { continue };
            let mut last = reader.read();
            for _ in 0..1_000 {
                let now = reader.read();
                assert!(now >= last, "{}", source.name());
                last = now;
            }
        }
    }

    #[test]
    fn every_clock_tells_a_resolution_or_why_it_cannot_be_read() {
        for source in ReadableClock::ALL {
            match source.open() {
                Ok(reader) => assert!(reader.resolution_ns() > 0.0, "{}", source.name()),
                Err(why) => assert!(why.contains(' ')),
            }
        }
    }
}
