//! [`InterruptSource`]: where periodic interrupts come from, and [`Beats`]: what a test needs of
//! it, so that beats of which everything is known can be put in its place.

use crate::mechanisms::{DeviceError, Hpet, IntervalTimer, Rtc};
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use std::io;
use std::path::Path;

/// Beats at a steady rate.
///
/// Real-time contract of `wait`: the thread that started them; it blocks, and neither
/// allocates nor locks.
pub trait Beats {
    /// Waits for the next beat, and gives how many there were since the last wait: 1
    /// where none was skipped.
    ///
    /// # Errors
    /// What the system answered; `Interrupted` where a signal came first.
    fn wait(&mut self) -> io::Result<u64>;

    /// Whether that count has every beat that was due. Else one may be lost before it is
    /// counted, and what comes later seems late by a whole period.
    fn counts_all(&self) -> bool {
        true
    }
}

/// Where periodic interrupts come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum InterruptSource {
    /// The real-time clock's device, as in 2006.
    Rtc,
    /// The event timer's device.
    Hpet,
    /// A timer that is read as a file and repeats by itself.
    Timerfd,
    /// Absolute sleeps; the program keeps the rate.
    ClockNanosleep,
}

impl InterruptSource {
    /// All, the historic one first.
    pub const ALL: [InterruptSource; 4] = [
        InterruptSource::Rtc,
        InterruptSource::Hpet,
        InterruptSource::Timerfd,
        InterruptSource::ClockNanosleep,
    ];

    /// As in the condition `source` of a series.
    pub const fn name(self) -> &'static str {
        match self {
            InterruptSource::Rtc => "/dev/rtc",
            InterruptSource::Hpet => "/dev/hpet",
            InterruptSource::Timerfd => "timerfd",
            InterruptSource::ClockNanosleep => "clock_nanosleep",
        }
    }

    /// Whether this machine has it.
    ///
    /// # Errors
    /// [`SourceError::NoRtc`] and [`SourceError::NoHpet`].
    pub fn available(self) -> Result<(), SourceError> {
        match self {
            InterruptSource::Rtc if Rtc::path().is_none() => Err(SourceError::NoRtc),
            InterruptSource::Hpet if !Path::new(Hpet::PATH).exists() => Err(SourceError::NoHpet),
            _ => Ok(()),
        }
    }

    /// Starts beats on the calling thread.
    ///
    /// # Errors
    /// [`SourceError::Device`].
    pub fn start(self, rate_hz: u32) -> Result<Box<dyn Beats>, SourceError> {
        let path = Rtc::path().unwrap_or_else(|| "/dev/rtc".into());
        Ok(match self {
            InterruptSource::Rtc => Box::new(Rtc::start(&path, rate_hz)?),
            InterruptSource::Hpet => Box::new(Hpet::start(rate_hz)?),
            InterruptSource::Timerfd => {
                Box::new(IntervalTimer::start(Nanos(nominal_ns(rate_hz, 1)))?)
            }
            InterruptSource::ClockNanosleep => Box::new(Sleeps::start(rate_hz)),
        })
    }
}

/// Why a source of interrupts cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The machine has no real-time clock, or its driver is not loaded.
    #[error("there is no /dev/rtc here")]
    NoRtc,
    /// No such timer, or a kernel without it.
    #[error("there is no /dev/hpet here")]
    NoHpet,
    /// The device refuses.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// When beat `n` of a perfect clock comes, in nanoseconds after beat 0, rounded down.
pub(super) const fn nominal_ns(rate_hz: u32, n: u64) -> i64 {
    (n as i128 * 1_000_000_000 / rate_hz as i128) as i64
}

impl Beats for Rtc {
    fn wait(&mut self) -> io::Result<u64> {
        Ok(Rtc::wait(self)?)
    }
}

impl Beats for Hpet {
    fn wait(&mut self) -> io::Result<u64> {
        Ok(Hpet::wait(self)?)
    }

    /// The driver counts the interrupts that it was called for; the device counts none.
    fn counts_all(&self) -> bool {
        false
    }
}

impl Beats for IntervalTimer {
    fn wait(&mut self) -> io::Result<u64> {
        Ok(IntervalTimer::wait(self)?)
    }
}

/// Absolute sleeps until the beats of a perfect clock; those that have passed are
/// skipped and counted.
struct Sleeps {
    rate_hz: u32,
    origin: Nanos,
    beat: u64,
}

impl Sleeps {
    fn start(rate_hz: u32) -> Sleeps {
        Sleeps { rate_hz, origin: MonotonicClock::raw(), beat: 0 }
    }
}

impl Beats for Sleeps {
    fn wait(&mut self) -> io::Result<u64> {
        let passed = (MonotonicClock::raw() - self.origin).0.max(0) as i128;
        let next = (passed * i128::from(self.rate_hz) / 1_000_000_000) as u64 + 1;
        let next = next.max(self.beat + 1);
        let count = next - self.beat;
        self.beat = next;
        sleep_until(self.origin + Nanos(nominal_ns(self.rate_hz, next)));
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beats_of_the_kernel_and_of_the_program_keep_their_rate() {
        for source in [InterruptSource::Timerfd, InterruptSource::ClockNanosleep] {
            let begin = MonotonicClock::raw();
            let mut beats = source.start(512).unwrap();
            let count: u64 = (0..10).map(|_| beats.wait().unwrap()).sum();
            let passed = MonotonicClock::raw() - begin;
            assert!(passed.0 >= nominal_ns(512, count), "{source:?}: {count} in {passed}");
        }
    }

    #[test]
    fn what_is_missing_is_named_and_does_not_start() {
        for source in InterruptSource::ALL {
            if let Err(why) = source.available() {
                let known = [
                    (InterruptSource::Rtc, SourceError::NoRtc),
                    (InterruptSource::Hpet, SourceError::NoHpet),
                ];
                let wanted = known.into_iter().find(|(of, _)| *of == source);
                assert_eq!(Some(format!("{why:?}")), wanted.map(|(_, why)| format!("{why:?}")));
                assert!(source.start(64).is_err());
            }
        }
    }
}
