//! What opening a timer's device may meet: the real-time clock and the event timer refuse
//! for the same reasons.

use chronotap_core::time::Nanos;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::time::Timespec;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// A timer's device cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceError {
    /// The system refuses.
    Refused {
        path: PathBuf,
        /// The call that failed.
        call: &'static str,
        /// What the system answered.
        errno: Errno,
        /// The rate that was asked for.
        rate_hz: u32,
        /// The file with the greatest rate that is free to all.
        limit: &'static str,
        /// The greatest that may be written into it.
        greatest_limit: u32,
    },
    /// It was opened and interrupts nobody.
    Silent {
        path: PathBuf,
        /// The rate that was asked for.
        rate_hz: u32,
    },
    /// The system makes no interval timer: it is out of descriptors.
    Timer {
        /// From one expiry to the next.
        interval: Nanos,
        /// What the system answered.
        errno: Errno,
    },
}

impl std::error::Error for DeviceError {}

impl std::fmt::Display for DeviceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DeviceError::Refused { path, call, errno, .. } => {
                write!(f, "{}: {call}: {errno}", path.display())
            }
            DeviceError::Silent { path, rate_hz } => {
                let path = path.display();
                write!(f, "{path}: no interrupt came within a second at {rate_hz} Hz")
            }
            DeviceError::Timer { interval, errno } => {
                write!(f, "timerfd every {} ns: {errno}", interval.0)
            }
        }
    }
}

/// What is asked of a device.
pub(crate) struct DeviceRequest<'a> {
    pub path: &'a Path,
    pub rate_hz: u32,
    /// The file with the greatest rate that is free to all.
    pub limit: &'static str,
    /// The greatest that may be written into it.
    pub greatest_limit: u32,
}

pub(crate) fn open(wanted: &DeviceRequest<'_>) -> Result<OwnedFd, DeviceError> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    rustix::fs::open(wanted.path, flags, Mode::empty())
        .map_err(|errno| wanted.refused("open", errno))
}

impl DeviceRequest<'_> {
    /// Waits for the device's first interrupt, at most a second.
    pub(crate) fn await_first(&self, file: &OwnedFd) -> Result<(), DeviceError> {
        let mut fds = [PollFd::new(file, PollFlags::IN)];
        let ready = poll(&mut fds, Some(&Timespec { tv_sec: 1, tv_nsec: 0 }));
        if ready.is_ok_and(|ready| ready > 0) { Ok(()) } else { Err(self.silent()) }
    }

    pub(crate) fn refused(&self, call: &'static str, errno: Errno) -> DeviceError {
        let DeviceRequest { rate_hz, limit, greatest_limit, .. } = *self;
        let path = self.path.to_owned();
        DeviceError::Refused { path, call, errno, rate_hz, limit, greatest_limit }
    }

    fn silent(&self) -> DeviceError {
        DeviceError::Silent { path: self.path.to_owned(), rate_hz: self.rate_hz }
    }
}
