//! Recorded trials, played again as they were.
//!
//! An [`Excerpt`] says which of their tones, from when and how fast. [`trial_of`] makes a trial
//! that plays them on any output, [`add_music`] adds its music, and [`midi_file()`] makes a
//! Standard MIDI File.
//!
//! Everything comes from the times achieved in the events file. Nothing is decided again and
//! nothing is random: whether the engine would decide the same again is what a replay checks.

mod excerpt;
mod midi_file;
mod music;
mod trial;

pub use excerpt::{Excerpt, Layer, OffRange, Sounded};
pub use midi_file::{TICKS_PER_SECOND, midi_file};
pub use music::{Passage, add_music};
pub use trial::{MOST_TONES, TooManyTones, trial_of};
