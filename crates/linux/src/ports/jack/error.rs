//! [`JackError`]: why a JACK port could not be opened.

use super::name::JackName;

/// Why a JACK port could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum JackError {
    #[error("{name}: the JACK library (libjack.so.0) is not installed")]
    NoLibrary { name: JackName },
    /// No server answers this user.
    #[error("{name}: no JACK server is running for this user")]
    NoServer { name: JackName },
    /// No port of that name sends, or takes, MIDI.
    #[error("{name} is no port that {does} MIDI")]
    Unknown {
        name: JackName,
        /// `sends` or `takes`.
        does: &'static str,
        /// Those that do.
        present: Vec<String>,
    },
    /// The server refused. Its own log may say more.
    #[error("{name}: the server refused: {source}")]
    Refused { name: JackName, source: jack::Error },
    /// The server is there and begins no period. Its driver stands still.
    #[error("{name}: the server begins no period")]
    Silent { name: JackName },
    /// The system is out of descriptors.
    #[error("{name}: eventfd: {errno}")]
    System {
        name: JackName,
        /// What the system answered.
        errno: rustix::io::Errno,
    },
}
