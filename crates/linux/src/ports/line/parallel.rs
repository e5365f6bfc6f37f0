//! [`Parallel`]: the eight data lines of a parallel port, by the kernel's driver `ppdev`.

use super::{LineCall, LineError, LineName};
use chronotap_engine::signal::PortError;
use rustix::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

// linux/ppdev.h
const PPCLAIM: libc::c_ulong = 0x708b;
const PPRELEASE: libc::c_ulong = 0x708c;
const PPEXCL: libc::c_ulong = 0x708f;
const PPDATADIR: libc::c_ulong = 0x4004_7090;
/// Sets the data lines.
pub(super) const PPWDATA: libc::c_ulong = 0x4001_7086;

/// An open and claimed parallel port.
pub(super) struct Parallel {
    device: OwnedFd,
}

impl Parallel {
    /// Opens the port, claims it for this program alone, and makes its data lines outputs.
    pub(super) fn open(name: &LineName) -> Result<Parallel, LineError> {
        let failed = |call| move |errno| LineError::system(name, call, errno);
        let flags = OFlags::RDWR | OFlags::CLOEXEC;
        let device =
            rustix::fs::open(&name.path, flags, Mode::empty()).map_err(failed(LineCall::Open))?;
        for request in [PPEXCL, PPCLAIM] {
            plain(&device, request).map_err(failed(LineCall::Claim))?;
        }
        let outwards: libc::c_int = 0;
        // SAFETY: PPDATADIR reads one int, which lives for the call.
        let answer = unsafe { libc::ioctl(device.as_raw_fd(), PPDATADIR, &raw const outwards) };
        result(answer).map_err(failed(LineCall::Settings))?;
        Ok(Parallel { device })
    }

    /// Real-time contract: one system call.
    pub(super) fn put(&mut self, byte: u8) -> Result<(), PortError> {
        // SAFETY: PPWDATA reads one byte, which lives for the call.
        let answer = unsafe { libc::ioctl(self.device.as_raw_fd(), PPWDATA, &raw const byte) };
        result(answer).map_err(crate::ports::outgoing::failure)
    }

    pub(super) fn descriptor(&self) -> BorrowedFd<'_> {
        self.device.as_fd()
    }
}

impl Drop for Parallel {
    fn drop(&mut self) {
        let _ = plain(&self.device, PPRELEASE); // the kernel does it too where this fails
    }
}

fn plain(device: &OwnedFd, request: libc::c_ulong) -> Result<(), Errno> {
    // SAFETY: these requests take no argument.
    result(unsafe { libc::ioctl(device.as_raw_fd(), request) })
}

fn result(answer: libc::c_int) -> Result<(), Errno> {
    if answer < 0 {
        let errno = std::io::Error::last_os_error().raw_os_error();
        return Err(errno.map_or(Errno::IO, Errno::from_raw_os_error));
    }
    Ok(())
}
