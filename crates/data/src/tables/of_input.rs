//! [`OfInput`]: what became of the taps of one input.

use chronotap_analysis::cleaning::Cleaned;
use chronotap_core::time::Nanos;

/// What became of the taps of one input: cleaned by itself, and against each stream that it
/// answers.
pub(crate) struct OfInput {
    pub input: usize,
    /// Of all accepted taps.
    pub onsets: Vec<Nanos>,
    /// The stretch of each.
    pub stretch: Vec<usize>,
    /// By itself, or where it answers a stream, against that: the stream and the taps.
    pub cleaned: Vec<(Option<usize>, Cleaned)>,
}
