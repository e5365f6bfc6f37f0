//! [`LinePort`]: codes for another recorder, as bytes on a serial line or as the eight data lines of
//! a parallel port. It is an output and carries nothing else.
//!
//! The device is this program's alone while it is open. The line is put at rest when the port is
//! opened, when a trial ends, when the port is closed, and by a [`Keeper`] where the program dies.
//!
//! Real-time contract: one system call to a code on a parallel port, at most two on a serial line,
//! which does not block. What a serial device does not take at once is lost if it is a code, and
//! sent later if it puts the line at rest.

mod control;
mod edges;
mod error;
mod keeper;
mod kind;
mod name;
mod parallel;
mod pps;
mod pulses;
mod serial;

pub use edges::EdgePort;
pub use error::{LineCall, LineError};
pub(crate) use kind::{PARALLEL, PPS, SERIAL, TTL};
pub use name::{LineKind, LineName, LineNameError};
pub(crate) use pulses::{Edge, Pulses};
pub(crate) use serial::set_up;

use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{Arrival, Port, PortCounts, PortError, Readiness, Written};
use keeper::Keeper;
use parallel::Parallel;
use rustix::io::Errno;
use serial::Serial;

/// A line of codes, opened.
pub struct LinePort {
    device: Device,
    rest: Option<u8>, // what stands at rest; nothing is sent where the device rests by itself
    inverted: bool,
    standing: bool, // a code stands on the line
    counts: PortCounts,
    _keeper: Option<Keeper>, // dismissed behind the last byte, because it stands behind the device
}

enum Device {
    Serial(Box<Serial>),
    Parallel(Parallel),
}

impl LinePort {
    /// Opens the device, alone, and puts its line at rest.
    ///
    /// # Errors
    /// [`LineError`].
    pub fn open(name: &LineName) -> Result<LinePort, LineError> {
        let (device, put) = match name.kind {
            LineKind::Serial => {
                let serial = Serial::open(name)?;
                (Device::Serial(Box::new(serial)), keeper::Put::Write)
            }
            LineKind::Ttl | LineKind::Pps => {
                return Err(LineError::system(name, LineCall::Open, Errno::INVAL)); // inputs only
            }
            LineKind::Parallel => (Device::Parallel(Parallel::open(name)?), keeper::Put::DataLines),
        };
        let mut port = LinePort {
            device,
            rest: name.rest,
            inverted: name.inverted,
            standing: false,
            counts: PortCounts::default(),
            _keeper: None,
        };
        port.put_at_rest().map_err(|_| LineError::system(name, LineCall::Write, Errno::IO))?;
        if let Some(rest) = port.rest {
            let byte = port.on_line(rest);
            let kept = Keeper::of(port.device.descriptor(), (put, byte), &name.to_string());
            port._keeper =
                Some(kept.map_err(|errno| LineError::system(name, LineCall::Keeper, errno))?);
        }
        Ok(port)
    }

    fn on_line(&self, value: u8) -> u8 {
        if self.inverted { !value } else { value }
    }

    fn put_at_rest(&mut self) -> Result<(), PortError> {
        self.standing = false;
        match self.rest {
            Some(rest) => {
                let byte = self.on_line(rest);
                self.device.put(byte, true)
            }
            None => Ok(()),
        }
    }
}

impl Device {
    fn put(&mut self, byte: u8, rest: bool) -> Result<(), PortError> {
        match self {
            Device::Serial(serial) => serial.put(byte, rest),
            Device::Parallel(parallel) => parallel.put(byte),
        }
    }

    fn descriptor(&self) -> rustix::fd::BorrowedFd<'_> {
        match self {
            Device::Serial(serial) => serial.descriptor(),
            Device::Parallel(parallel) => parallel.descriptor(),
        }
    }
}

impl Port for LinePort {
    fn readiness(&self) -> Readiness<'_> {
        Readiness::Never
    }

    fn read(&mut self, _now: Nanos, _arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        Ok(())
    }

    fn write(&mut self, action: &Action, _now: Nanos) -> Result<Written, PortError> {
        let result = match action.code() {
            Some(0) => self.put_at_rest(),
            Some(code) => {
                self.standing = true;
                let byte = self.on_line(code as u8); // as many bits as its name says
                self.device.put(byte, false)
            }
            // Tones are refused before the trial.
            None => Err(PortError::System(Errno::INVAL.raw_os_error())),
        };
        self.counts.note_sent(&result);
        result.map(|()| Written::Now)
    }

    fn finish(&mut self) {
        if self.standing {
            let _ = self.put_at_rest(); // a device that is gone stands for nothing any more
        }
    }

    fn counts(&self) -> PortCounts {
        self.counts
    }
}

impl Drop for LinePort {
    fn drop(&mut self) {
        self.finish();
    }
}
