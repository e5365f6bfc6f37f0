//! [`ToneError`]: why a port that sounds could not be opened.

use crate::cards::CardError;
use chronotap_config::sounds::SoundsError;

/// Why a port that sounds could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum ToneError {
    /// The sound card refuses.
    #[error(transparent)]
    Card(#[from] CardError),
    /// The file of sounds cannot be used.
    #[error(transparent)]
    Sounds(#[from] SoundsError),
}
