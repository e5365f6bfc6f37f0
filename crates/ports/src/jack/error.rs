//! [`JackError`]: why a JACK port could not be opened, and what cures it.

use super::name::JackName;

/// Why a JACK port could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum JackError {
    /// No library. Install it, or use another kind of port.
    #[error(
        "{name}: the JACK library (libjack.so.0) is not installed; install it (`sudo apt-get install libjack-jackd2-0` or `pipewire-jack`), or use an alsa: or seq: port"
    )]
    NoLibrary {
        /// As given.
        name: JackName,
    },
    /// No server answers. Start one as the same user.
    #[error(
        "{name}: no JACK server is running for this user; start one (`jackd -d alsa`), or run this program by `pw-jack`"
    )]
    NoServer {
        /// As given.
        name: JackName,
    },
    /// No port of that name sends, or takes, MIDI. Use one of those named.
    #[error("{name} is no port that {does} MIDI; present: {present}")]
    Unknown {
        /// As given.
        name: JackName,
        /// `sends` or `takes`.
        does: &'static str,
        /// Those that do.
        present: String,
    },
    /// The server refused. Its own log may say more.
    #[error("{name}: the server refused: {source}; is it still running?")]
    Refused {
        /// As given.
        name: JackName,
        /// What it said.
        source: jack::Error,
    },
    /// The server is there and begins no period. Its driver stands still: start it anew.
    #[error("{name}: the server begins no period; start it anew (its own log may say why)")]
    Silent {
        /// As given.
        name: JackName,
    },
    /// The system is out of descriptors. Ending other programs cures it.
    #[error("{name}: eventfd: {errno}")]
    System {
        /// As given.
        name: JackName,
        /// What the system answered.
        errno: rustix::io::Errno,
    },
}
