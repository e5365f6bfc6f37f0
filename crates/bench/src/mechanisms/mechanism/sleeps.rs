//! Calls that only sleep, and chronotap's own sleep with a spin at its end.
//!
//! A sleep that a signal cut short goes on with what was left of it, as a program
//! would do it.

use super::{Wait, units};
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{Guard, MonotonicClock, SpinBudget, sleep_until, timespec};
use rustix::io::Errno;
use rustix::thread::{ClockId, NanosleepRelativeResult as Slept};
use rustix::thread::{clock_nanosleep_relative, nanosleep};
use rustix::time::Timespec;
use std::io;

pub(super) struct Nanosleep;

impl Wait for Nanosleep {
    fn wait(&mut self, _begin: Nanos, span: Nanos) -> io::Result<()> {
        until_over(span, nanosleep)
    }
}

pub(super) struct Relative;

impl Wait for Relative {
    fn wait(&mut self, _begin: Nanos, span: Nanos) -> io::Result<()> {
        until_over(span, |span| clock_nanosleep_relative(ClockId::Monotonic, span))
    }
}

fn until_over(span: Nanos, sleep: impl Fn(&Timespec) -> Slept) -> io::Result<()> {
    let mut left = timespec(span);
    loop {
        match sleep(&left) {
            Slept::Ok => return Ok(()),
            Slept::Interrupted(rest) => left = rest,
            Slept::Err(errno) => return Err(errno.into()),
        }
    }
}

pub(super) struct Absolute;

impl Wait for Absolute {
    fn wait(&mut self, begin: Nanos, span: Nanos) -> io::Result<()> {
        sleep_until(begin + span);
        Ok(())
    }
}

pub(super) struct Usleep;

impl Wait for Usleep {
    fn wait(&mut self, begin: Nanos, span: Nanos) -> io::Result<()> {
        let us = units(span, Nanos::from_micros(1)) as libc::useconds_t;
        // SAFETY: the call touches no memory of ours.
        let done = super::done(unsafe { libc::usleep(us) });
        match done {
            // It does not tell what is left.
            Err(error) if error.raw_os_error() == Some(Errno::INTR.raw_os_error()) => {
                let left = begin + span - MonotonicClock::raw();
                if left > Nanos::ZERO { self.wait(begin + span - left, left) } else { Ok(()) }
            }
            done => done,
        }
    }
}

/// The waits of a trial. The guard is measured on the thread that opens it.
pub(super) struct Hybrid {
    clock: MonotonicClock,
    guard: Guard,
    spins: SpinBudget,
}

impl Hybrid {
    pub(super) fn open() -> Hybrid {
        let clock = MonotonicClock::since(Nanos::ZERO);
        Hybrid { clock, guard: Guard::calibrate(), spins: SpinBudget::new() }
    }
}

impl Wait for Hybrid {
    fn wait(&mut self, begin: Nanos, span: Nanos) -> io::Result<()> {
        self.clock.wait_until(begin + span, &mut self.guard, &mut self.spins);
        Ok(())
    }

    /// Measures the guard anew, and forgets what was spun.
    fn set(&mut self, _span: Nanos) -> io::Result<()> {
        *self = Hybrid::open();
        Ok(())
    }

    fn figures(&self) -> Vec<(&'static str, f64)> {
        vec![
            ("guard_ns", self.guard.span().0 as f64),
            ("spun_ns", self.spins.spun().0 as f64),
            ("spins_refused", self.spins.refused() as f64),
        ]
    }
}
