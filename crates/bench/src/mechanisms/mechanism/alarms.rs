//! Timers that send a signal, for which the thread waits. The signal is held, so that
//! `sigwait` takes it and no handler runs.
//!
//! The alarm of `setitimer` is the process's: the kernel gives it to any thread that
//! does not hold it, and to no other. So it is refused where such a thread stands. A
//! POSIX timer's signal goes to the one thread that made it.

use super::signals::{all_hold_the_alarm, drain, only};
use super::{Wait, c_timespec, c_timeval, done};
use chronotap_core::time::Nanos;
use std::io;

/// Waits for one of these signals, which must be held.
fn take(set: &libc::sigset_t) -> io::Result<()> {
    let mut signal = 0;
    // SAFETY: the set and the number outlive the call.
    let errno = unsafe { libc::sigwait(set, &raw mut signal) };
    if errno == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(errno)) }
}

/// One shot of ITIMER_REAL for each wait.
pub(super) struct Setitimer {
    alarm: libc::sigset_t,
}

impl Setitimer {
    pub(super) fn open() -> Result<Setitimer, String> {
        if !all_hold_the_alarm() {
            return Err("another thread of this program would be given SIGALRM, which ends the \
                        program; run the test in a program of its own"
                .into());
        }
        if in_use() {
            return Err("the process's timer is in use already; end what set it".into());
        }
        Ok(Setitimer { alarm: only(libc::SIGALRM) })
    }
}

impl Wait for Setitimer {
    fn wait(&mut self, _begin: Nanos, span: Nanos) -> io::Result<()> {
        arm(span)?;
        take(&self.alarm)
    }
}

impl Drop for Setitimer {
    fn drop(&mut self) {
        // Nothing is refused that only stops the timer.
        let _ = arm(Nanos::ZERO);
        drain(&self.alarm);
    }
}

/// Zero disarms it.
fn arm(span: Nanos) -> io::Result<()> {
    let once = libc::itimerval { it_interval: c_timeval(Nanos::ZERO), it_value: c_timeval(span) };
    // SAFETY: the value outlives the call; the former one is not asked for.
    done(unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const once, std::ptr::null_mut()) })
}

fn in_use() -> bool {
    // SAFETY: all zeros is a valid value, and the call writes to nothing else.
    let now = unsafe {
        let mut now: libc::itimerval = std::mem::zeroed();
        libc::getitimer(libc::ITIMER_REAL, &raw mut now);
        now
    };
    now.it_value.tv_sec != 0 || now.it_value.tv_usec != 0
}

/// One shot for each wait, on CLOCK_MONOTONIC.
pub(super) struct PosixTimer {
    timer: libc::timer_t,
    signal: libc::sigset_t,
}

impl PosixTimer {
    pub(super) fn open() -> Result<PosixTimer, String> {
        let signal = libc::SIGRTMIN();
        // SAFETY: all zeros is a valid event; its fields are set before it is used. The
        // thread named is the calling one, and the timer is deleted when dropped.
        let (returned, timer) = unsafe {
            let mut event: libc::sigevent = std::mem::zeroed();
            event.sigev_notify = libc::SIGEV_THREAD_ID;
            event.sigev_signo = signal;
            event.sigev_notify_thread_id = libc::syscall(libc::SYS_gettid) as libc::c_int;
            let mut timer: libc::timer_t = std::mem::zeroed();
            let returned =
                libc::timer_create(libc::CLOCK_MONOTONIC, &raw mut event, &raw mut timer);
            (returned, timer)
        };
        let cure = "raise the limit on pending signals, `ulimit -i`";
        done(returned).map_err(|error| format!("timer_create: {error}; {cure}"))?;
        Ok(PosixTimer { timer, signal: only(signal) })
    }
}

impl Wait for PosixTimer {
    fn wait(&mut self, _begin: Nanos, span: Nanos) -> io::Result<()> {
        let none = c_timespec(Nanos::ZERO);
        let once = libc::itimerspec { it_interval: none, it_value: c_timespec(span) };
        // SAFETY: a live timer; the value outlives the call.
        done(unsafe { libc::timer_settime(self.timer, 0, &raw const once, std::ptr::null_mut()) })?;
        take(&self.signal)
    }
}

impl Drop for PosixTimer {
    fn drop(&mut self) {
        // SAFETY: the timer is alive until here and used no more.
        unsafe { libc::timer_delete(self.timer) };
        drain(&self.signal);
    }
}
