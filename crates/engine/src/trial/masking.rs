//! What a masking stream is.

use super::{Varying, Velocity};
use chronotap_core::midi::{Channel, U7};
use chronotap_core::time::Nanos;

/// A stream of random tones.
#[derive(Clone, Debug)]
pub struct Masking {
    /// Its name in the file.
    pub name: String,
    /// Index of the output.
    pub output: u16,
    /// Whether its tones sound; its draws run on either way.
    pub sounding: bool,
    /// When its first tone comes.
    pub start: Nanos,
    /// Tones a second.
    pub rate: Varying,
    /// Random (exponential) instead of equal spacing.
    pub irregular: bool,
    /// MIDI channel.
    pub channel: Channel,
    /// Lowest and highest note.
    pub notes: (U7, U7),
    /// How loud.
    pub velocity: Velocity,
    /// How long; above 0.
    pub duration: Nanos,
}
