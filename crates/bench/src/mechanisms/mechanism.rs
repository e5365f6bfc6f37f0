//! [`Mechanism`]: the ways in which a Linux program can wait for a time, one beside
//! the other, so that they can be measured (Finney 2001: "Process Suspension").
//!
//! Each is used as a program would use it, once per wait, and as exactly as its call
//! allows: a call that takes whole milliseconds is given the next greater number. What
//! chronotap itself waits with is [`Mechanism::Hybrid`], the others are here to be
//! compared. The real-time clock and the HPET tick at rates of their own
//! ([`Mechanism::ticks`]); their devices are in other files.

mod alarms;
mod devices;
mod polls;
mod signals;
mod sleeps;

pub use signals::HeldSignals;

use chronotap_core::time::Nanos;
use chronotap_linux::clocks::timespec;
use rustix::time::Timespec;
use std::io;

/// A way to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mechanism {
    /// `setitimer` and its signal.
    Setitimer,
    /// `nanosleep`.
    Nanosleep,
    /// `usleep` of the C library.
    Usleep,
    /// `clock_nanosleep` for a span.
    ClockNanosleepRelative,
    /// `clock_nanosleep` until a time.
    ClockNanosleepAbsolute,
    /// A POSIX timer and its signal.
    PosixTimer,
    /// A timer that is read as a file.
    Timerfd,
    /// The timeout of `poll`, in milliseconds.
    Poll,
    /// The timeout of `ppoll`, in nanoseconds.
    Ppoll,
    /// The timeout of `epoll_wait`, in milliseconds.
    EpollWait,
    /// The timeout of `epoll_pwait2`, in nanoseconds.
    EpollPwait2,
    /// The timeout of `select`, in microseconds.
    Select,
    /// The real-time clock's periodic interrupt.
    Rtc,
    /// The high-precision event timer's periodic interrupt.
    Hpet,
    /// Chronotap's own: an absolute sleep, then a bounded spin.
    Hybrid,
}

/// A way to wait that has been made ready on the calling thread.
///
/// Real-time contract of `wait`: the thread that opened it; no allocation and no lock;
/// it blocks, that is what it is for.
pub trait Wait {
    /// Waits until `span`, which is above zero, has passed since `begin`, the time of
    /// CLOCK_MONOTONIC that was just read. Of a mechanism that ticks, the next tick.
    ///
    /// # Errors
    /// What the system answered.
    fn wait(&mut self, begin: Nanos, span: Nanos) -> io::Result<()>;

    /// Gets ready for waits of this length; not part of a wait.
    ///
    /// # Errors
    /// Where it cannot wait so long or so shortly.
    fn set(&mut self, _span: Nanos) -> io::Result<()> {
        Ok(())
    }

    /// Counts of its own, by name with the unit at the end.
    fn figures(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

impl Mechanism {
    /// All, Finney's first.
    pub const ALL: [Mechanism; 15] = [
        Mechanism::Setitimer,
        Mechanism::Nanosleep,
        Mechanism::Usleep,
        Mechanism::Rtc,
        Mechanism::Hpet,
        Mechanism::ClockNanosleepRelative,
        Mechanism::ClockNanosleepAbsolute,
        Mechanism::PosixTimer,
        Mechanism::Timerfd,
        Mechanism::Poll,
        Mechanism::Ppoll,
        Mechanism::EpollWait,
        Mechanism::EpollPwait2,
        Mechanism::Select,
        Mechanism::Hybrid,
    ];

    /// As in the condition `mechanism` of a series.
    pub const fn name(self) -> &'static str {
        match self {
            Mechanism::Setitimer => "setitimer",
            Mechanism::Nanosleep => "nanosleep",
            Mechanism::Usleep => "usleep",
            Mechanism::ClockNanosleepRelative => "clock_nanosleep relative",
            Mechanism::ClockNanosleepAbsolute => "clock_nanosleep absolute",
            Mechanism::PosixTimer => "POSIX timer",
            Mechanism::Timerfd => "timerfd",
            Mechanism::Poll => "poll",
            Mechanism::Ppoll => "ppoll",
            Mechanism::EpollWait => "epoll_wait",
            Mechanism::EpollPwait2 => "epoll_pwait2",
            Mechanism::Select => "select",
            Mechanism::Rtc => "/dev/rtc",
            Mechanism::Hpet => "/dev/hpet",
            Mechanism::Hybrid => "sleep and spin",
        }
    }

    /// Makes it ready on the calling thread, whose signals must be held
    /// ([`HeldSignals::all`]) where it waits for one. Allocates.
    ///
    /// # Errors
    /// Why it cannot be used here, and what would cure it.
    pub fn open(self) -> Result<Box<dyn Wait>, String> {
        match self {
            Mechanism::Setitimer => boxed(alarms::Setitimer::open()),
            Mechanism::PosixTimer => boxed(alarms::PosixTimer::open()),
            Mechanism::Timerfd => boxed(polls::Timerfd::open()),
            Mechanism::Nanosleep => Ok(Box::new(sleeps::Nanosleep)),
            Mechanism::Usleep => Ok(Box::new(sleeps::Usleep)),
            Mechanism::ClockNanosleepRelative => Ok(Box::new(sleeps::Relative)),
            Mechanism::ClockNanosleepAbsolute => Ok(Box::new(sleeps::Absolute)),
            Mechanism::Hybrid => Ok(Box::new(sleeps::Hybrid::open())),
            Mechanism::Poll => Ok(Box::new(polls::Poll)),
            Mechanism::Ppoll => Ok(Box::new(polls::Ppoll)),
            Mechanism::Select => Ok(Box::new(polls::Select)),
            Mechanism::EpollWait => boxed(polls::EpollWait::open()),
            Mechanism::EpollPwait2 => boxed(polls::EpollPwait2::open()),
            Mechanism::Rtc => boxed(devices::Rtc::open()),
            Mechanism::Hpet => boxed(devices::EventTimer::open()),
        }
    }

    /// Whether it ticks at rates of its own, so that a wait ends with the next tick and
    /// begins anywhere between two.
    pub const fn ticks(self) -> bool {
        matches!(self, Mechanism::Rtc | Mechanism::Hpet)
    }

    /// The least span that its call can be asked for; greater ones are multiples of it.
    pub const fn unit(self) -> Nanos {
        match self {
            Mechanism::Poll | Mechanism::EpollWait => Nanos::from_millis(1),
            Mechanism::Setitimer | Mechanism::Usleep | Mechanism::Select => Nanos::from_micros(1),
            _ => Nanos(1),
        }
    }
}

fn boxed<W: Wait + 'static>(opened: Result<W, String>) -> Result<Box<dyn Wait>, String> {
    opened.map(|wait| Box::new(wait) as Box<dyn Wait>)
}

/// How many whole units a span is, rounded up, so that no wait ends before its time.
fn units(span: Nanos, unit: Nanos) -> i64 {
    (span.0.max(0) as u64).div_ceil(unit.0 as u64) as i64
}

/// What the C library calls a time; its fields are as wide as the machine's words.
fn c_timespec(span: Nanos) -> libc::timespec {
    let Timespec { tv_sec, tv_nsec } = timespec(span);
    libc::timespec { tv_sec: tv_sec as _, tv_nsec: tv_nsec as _ }
}

/// The same in microseconds, rounded up.
fn c_timeval(span: Nanos) -> libc::timeval {
    let us = units(span, Nanos::from_micros(1));
    libc::timeval { tv_sec: (us / 1_000_000) as _, tv_usec: (us % 1_000_000) as _ }
}

/// What a call of the C library returned: -1 is an error that errno tells.
fn done(returned: libc::c_int) -> io::Result<()> {
    if returned < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_linux::clocks::MonotonicClock;

    const SPANS: [Nanos; 4] =
        [Nanos(1), Nanos::from_micros(50), Nanos::from_micros(1_700), Nanos::from_millis(3)];

    /// On a thread of its own, since the signals of the test's are left alone.
    fn pauses(mechanism: Mechanism) -> Option<Vec<(Nanos, Nanos)>> {
        let work = move || {
            let _held = HeldSignals::all();
            let mut wait = mechanism.open().ok()?;
            let pause = |span| {
                let begin = MonotonicClock::raw();
                wait.wait(begin, span).unwrap();
                (span, MonotonicClock::raw() - begin)
            };
            Some(SPANS.map(pause).to_vec())
        };
        std::thread::spawn(work).join().unwrap()
    }

    #[test]
    fn no_wait_ends_before_its_time() {
        for mechanism in Mechanism::ALL.into_iter().filter(|mechanism| !mechanism.ticks()) {
            for (span, pause) in pauses(mechanism).unwrap_or_default() {
                assert!(pause >= span, "{}: {pause} for {span}", mechanism.name());
            }
        }
    }

    #[test]
    fn whatever_cannot_be_used_says_why() {
        for mechanism in Mechanism::ALL {
            if let Err(why) = mechanism.open() {
                assert!(why.contains(' '), "{}: {why}", mechanism.name());
            }
        }
    }

    #[test]
    fn spans_are_rounded_up_to_what_the_call_takes() {
        assert_eq!(units(Nanos(1), Mechanism::Poll.unit()), 1);
        assert_eq!(units(Nanos::from_millis(2), Mechanism::Poll.unit()), 2);
        assert_eq!(units(Nanos(2_000_001), Mechanism::Poll.unit()), 3);
    }
}
