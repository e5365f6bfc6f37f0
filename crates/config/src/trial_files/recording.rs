//! [`SoundRecording`]: a sound file that a trial plays.

use chronotap_core::time::Nanos;
use std::path::PathBuf;

/// A sound file that a pacing stream plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoundRecording {
    /// Index of the stream.
    pub stream: u16,
    /// Where it lies.
    pub path: PathBuf,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// Where its beats are in the file, where not at the onsets of the stream.
    pub beats: Option<Vec<Nanos>>,
}
