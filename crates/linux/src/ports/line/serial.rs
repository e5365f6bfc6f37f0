//! [`Serial`]: a serial line on which each code is a byte: a box at a USB port, or a UART.

use super::{LineCall, LineError, LineName};
use crate::ports::open::Terminal;
use crate::ports::outgoing::Outgoing;
use chronotap_engine::signal::PortError;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{Mode, OFlags};
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::termios::{
    ControlModes, OptionalActions, ioctl_tiocexcl, ioctl_tiocnxcl, tcgetattr, tcsetattr,
};

/// An open serial line.
pub(super) struct Serial {
    device: OwnedFd,
    outgoing: Outgoing,
    _terminal: Terminal, // its settings come back after the last byte
}

impl Serial {
    /// Opens the device without blocking, raw, and for this program alone.
    pub(super) fn open(name: &LineName) -> Result<Serial, LineError> {
        let failed = |call| move |errno| LineError::system(name, call, errno);
        let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let device =
            rustix::fs::open(&name.path, flags, Mode::empty()).map_err(failed(LineCall::Open))?;
        let terminal = set_up(&device, name.baud).map_err(failed(LineCall::Settings))?;
        ioctl_tiocexcl(&device).map_err(failed(LineCall::Claim))?;
        Ok(Serial { device, outgoing: Outgoing::new(), _terminal: terminal })
    }

    /// Real-time contract: does not block, at most two system calls.
    pub(super) fn put(&mut self, byte: u8, rest: bool) -> Result<(), PortError> {
        self.outgoing.send_bytes(&self.device, &[byte], rest)
    }

    pub(super) fn descriptor(&self) -> BorrowedFd<'_> {
        self.device.as_fd()
    }
}

impl Drop for Serial {
    fn drop(&mut self) {
        self.outgoing.last_chance(&self.device);
        let _ = ioctl_tiocnxcl(&self.device); // a device that is gone is nobody's
    }
}

/// Raw bytes of eight bits without parity, at this rate, whatever the other end's control lines say.
pub(crate) fn set_up(device: &OwnedFd, baud: u32) -> Result<Terminal, Errno> {
    let settings = tcgetattr(device)?;
    let mut raw = settings.clone();
    raw.make_raw();
    raw.set_speed(baud)?;
    raw.control_modes |= ControlModes::CLOCAL | ControlModes::CREAD;
    raw.control_modes &= !(ControlModes::CSTOPB | ControlModes::CRTSCTS | ControlModes::HUPCL);
    tcsetattr(device, OptionalActions::Now, &raw)?;
    let fd = fcntl_dupfd_cloexec(device, 0)?;
    Ok(Terminal { fd, settings })
}
