//! [`terminal`]: a pseudo-terminal, which to a port is like any other serial device. The test
//! holds its far end.

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::os::fd::OwnedFd;
use std::path::PathBuf;

/// A new terminal: its far end, and the path under which a port opens it. It is not changed,
/// so it begins in line mode.
pub fn terminal() -> (OwnedFd, PathBuf) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let far_end = openpt(flags).unwrap();
    grantpt(&far_end).unwrap();
    unlockpt(&far_end).unwrap();
    let path = ptsname(&far_end, Vec::new()).unwrap().into_string().unwrap();
    (far_end, path.into())
}
