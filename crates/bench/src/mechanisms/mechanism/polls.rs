//! Calls that wait for a file or a time, whichever is first, with no file that could
//! come first; and the timer that is a file.

use super::{Wait, c_timespec, c_timeval, done, units};
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::timespec;
use rustix::event::epoll::{self, CreateFlags};
use rustix::time::{Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags};
use rustix::time::{timerfd_create, timerfd_settime};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

/// Where the system has no more descriptors to give.
const CURE: &str = "end other programs, or raise `ulimit -n`";

/// Milliseconds, rounded up.
fn ms(span: Nanos) -> libc::c_int {
    units(span, Nanos::from_millis(1)).min(libc::c_int::MAX.into()) as libc::c_int
}

pub(super) struct Poll;

impl Wait for Poll {
    fn wait(&mut self, _begin: Nanos, span: Nanos) -> io::Result<()> {
        // SAFETY: no descriptors, so that the null pointer is never followed.
        done(unsafe { libc::poll(std::ptr::null_mut(), 0, ms(span)) })
    }
}

pub(super) struct Ppoll;

impl Wait for Ppoll {
    fn wait(&mut self, _begin: Nanos, span: Nanos) -> io::Result<()> {
        let span = c_timespec(span);
        // SAFETY: no descriptors and no mask, so that neither null pointer is
        // followed; the timeout outlives the call, which only reads it.
        done(unsafe { libc::ppoll(std::ptr::null_mut(), 0, &raw const span, std::ptr::null()) })
    }
}

pub(super) struct Select;

impl Wait for Select {
    fn wait(&mut self, _begin: Nanos, span: Nanos) -> io::Result<()> {
        let none = std::ptr::null_mut();
        let mut span = c_timeval(span);
        // SAFETY: no descriptors, so that the null sets are never followed; the
        // timeout outlives the call, which may write what is left to it.
        done(unsafe { libc::select(0, none, none, none, &raw mut span) })
    }
}

/// An epoll instance without a file in it.
fn empty_epoll() -> Result<OwnedFd, String> {
    epoll::create(CreateFlags::CLOEXEC).map_err(|errno| format!("epoll_create1: {errno}; {CURE}"))
}

pub(super) struct EpollWait {
    epoll: OwnedFd,
}

impl EpollWait {
    pub(super) fn open() -> Result<EpollWait, String> {
        empty_epoll().map(|epoll| EpollWait { epoll })
    }
}

impl Wait for EpollWait {
    fn wait(&mut self, _begin: Nanos, span: Nanos) -> io::Result<()> {
        let mut event = libc::epoll_event { events: 0, u64: 0 };
        // SAFETY: room for the one event that the call is told of; a live descriptor.
        done(unsafe { libc::epoll_wait(self.epoll.as_raw_fd(), &raw mut event, 1, ms(span)) })
    }
}

/// Called directly, since older C libraries lack it.
pub(super) struct EpollPwait2 {
    epoll: OwnedFd,
}

impl EpollPwait2 {
    pub(super) fn open() -> Result<EpollPwait2, String> {
        let mut opened = EpollPwait2 { epoll: empty_epoll()? };
        let tried = opened.wait(Nanos::ZERO, Nanos(1));
        tried.map(|()| opened).map_err(|error| format!("epoll_pwait2: {error}; Linux 5.11 has it"))
    }
}

impl Wait for EpollPwait2 {
    fn wait(&mut self, _begin: Nanos, span: Nanos) -> io::Result<()> {
        let mut event = libc::epoll_event { events: 0, u64: 0 };
        // The kernel's own form of a time: two 64-bit numbers on every machine.
        let span = timespec(span);
        let span = [span.tv_sec, span.tv_nsec];
        // SAFETY: room for the one event that the call is told of, a live descriptor,
        // a timeout that outlives the call, and no mask.
        let returned = unsafe {
            libc::syscall(
                libc::SYS_epoll_pwait2,
                self.epoll.as_raw_fd(),
                &raw mut event,
                1,
                &raw const span,
                std::ptr::null::<libc::sigset_t>(),
                0usize,
            )
        };
        done(returned as libc::c_int)
    }
}

/// One shot for each wait.
pub(super) struct Timerfd {
    timer: OwnedFd,
}

impl Timerfd {
    pub(super) fn open() -> Result<Timerfd, String> {
        let timer = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC);
        let timer = timer.map_err(|errno| format!("timerfd_create: {errno}; {CURE}"))?;
        Ok(Timerfd { timer })
    }
}

impl Wait for Timerfd {
    fn wait(&mut self, _begin: Nanos, span: Nanos) -> io::Result<()> {
        let once = Itimerspec { it_interval: timespec(Nanos::ZERO), it_value: timespec(span) };
        timerfd_settime(&self.timer, TimerfdTimerFlags::empty(), &once)?;
        let mut expirations = [0u8; 8];
        rustix::io::read(&self.timer, &mut expirations)?;
        Ok(())
    }
}
