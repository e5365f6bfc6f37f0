//! [`ToneError`]: why a port that sounds could not be opened.

use chronotap_cards::CardError;
use chronotap_sounds::SoundsError;

/// Why a port that sounds could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum ToneError {
    /// The sound card; it says what cures it.
    #[error(transparent)]
    Card(#[from] CardError),
    /// The file of sounds; it says what cures it.
    #[error(transparent)]
    Sounds(#[from] SoundsError),
}
