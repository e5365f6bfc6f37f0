//! [`Stage`]: what a port that sounds is given before a trial: the recordings that its pacing
//! streams play.

use chronotap_core::time::Nanos;
use std::error::Error;
use std::path::Path;

/// A sound file that a pacing stream plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StagedSound<'a> {
    /// Index of the stream.
    pub stream: u16,
    pub path: &'a Path,
    /// SHA-256 of its bytes, in hexadecimal: a file that has changed is not played.
    pub sha256: &'a str,
    /// Its beats, since its beginning.
    pub beats: &'a [Nanos],
}

/// Takes the recordings of a trial.
pub trait Stage: Send {
    /// From the next trial on these are played. They are read, checked and brought to the
    /// card's rate here, in a thread of ordinary priority; that takes its time.
    ///
    /// # Errors
    /// Which file cannot be played, why, and what to do.
    fn set(&mut self, recordings: &[StagedSound<'_>]) -> Result<(), Box<dyn Error + Send + Sync>>;
}
