//! [`Pulses`]: where pulses on a line come from, and what is told of them.

use chronotap_core::time::Nanos;
use chronotap_engine::signal::Stamp;
use rustix::io::Errno;

/// The line changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    /// Raw CLOCK_MONOTONIC.
    pub at: Nanos,
    /// Who says so.
    pub stamp: Stamp,
    pub high: bool,
}

/// Where pulses come from.
pub(crate) trait Pulses: Send + 'static {
    /// Waits until the line changes, and tells the edges. Blocks. `false`: there were more than it can tell.
    ///
    /// # Errors
    /// INTR where a signal ended the wait; all others mean that the device is gone.
    fn wait(&mut self, told: &mut dyn FnMut(Edge)) -> Result<bool, Errno>;
}

pub(super) fn result(answer: libc::c_int) -> Result<(), Errno> {
    if answer < 0 {
        let errno = std::io::Error::last_os_error().raw_os_error();
        return Err(errno.map_or(Errno::IO, Errno::from_raw_os_error));
    }
    Ok(())
}
