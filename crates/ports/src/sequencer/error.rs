//! [`SequencerError`]: why a sequencer port could not be opened.

use super::client::DEVICE;
use super::name::{PeerError, SequencerName};
use crate::open::permission_cure;
use rustix::io::Errno;
use std::path::Path;

/// Why a sequencer port could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum SequencerError {
    /// The kernel has no sequencer. Load it.
    #[error(
        "{name}: this kernel has no ALSA sequencer ({DEVICE}); load it (`sudo modprobe snd-seq`), or use an alsa: port"
    )]
    NoSequencer {
        /// As given.
        name: SequencerName,
    },
    /// The user may not open it. Join the group that may.
    #[error("{name}: permission denied for {DEVICE}; {cure}")]
    Denied {
        /// As given.
        name: SequencerName,
        /// Which group may, and how to join it.
        cure: String,
    },
    /// The name means no port, or several.
    #[error(transparent)]
    Peer(#[from] PeerError),
    /// The port was there and could not be connected: its device is in use by another
    /// program, or it takes no more connections. Close that program.
    #[error(
        "{name} does not let itself be connected: {errno}; is its device in use by another program?"
    )]
    Connection {
        /// As given.
        name: SequencerName,
        /// What the system answered.
        errno: Errno,
    },
    /// The sequencer refused. Nothing is known to cure it but another kind of port.
    #[error("{name}: {call}: {errno}; use an alsa: or raw: port")]
    System {
        /// As given.
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
            SequencerError::Denied { name, cure: permission_cure(Path::new(DEVICE)) }
        }
        errno => SequencerError::System { name, call: "open", errno },
    }
}
