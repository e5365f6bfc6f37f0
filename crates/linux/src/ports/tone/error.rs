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
    /// The card begins no period, so that time code cannot be placed.
    #[error("{card}: the card does not begin to play, so that no time code can be placed")]
    NotRunning {
        /// The card in words.
        card: String,
    },
}
