//! [`SequencerError`]: why a sequencer port could not be opened.

use super::client::DEVICE;
use super::name::{SequencerName, SequencerNameError};
use crate::ports::Permission;
use rustix::io::Errno;
use std::path::Path;

/// Why a sequencer port could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum SequencerError {
    /// The kernel has no sequencer.
    #[error("{name}: this kernel has no ALSA sequencer ({DEVICE})")]
    NoSequencer { name: SequencerName },
    /// The user may not open it.
    #[error("{name}: permission denied for {DEVICE}")]
    Denied {
        name: SequencerName,
        /// Who may.
        permission: Permission,
    },
    /// The name means no port, or several.
    #[error(transparent)]
    Peer(#[from] SequencerNameError),
    /// The port was there and could not be connected: its device is in use by another
    /// program, or it takes no more connections.
    #[error("{name} does not let itself be connected: {errno}")]
    Connection {
        name: SequencerName,
        /// What the system answered.
        errno: Errno,
    },
    /// The sequencer refused.
    #[error("{name}: {call}: {errno}")]
    System {
        name: SequencerName,
        /// What was asked.
        call: &'static str,
        /// What the system answered.
        errno: Errno,
    },
}

/// What the kernel means that refuses the sequencer.
pub(super) fn refusal(name: &SequencerName, errno: Errno) -> SequencerError {
    let name = name.clone();
    match errno {
        Errno::NOENT | Errno::NODEV | Errno::NXIO => SequencerError::NoSequencer { name },
        Errno::ACCESS | Errno::PERM => {
            SequencerError::Denied { name, permission: Permission::of(Path::new(DEVICE)) }
        }
        errno => SequencerError::System { name, call: "open", errno },
    }
}
