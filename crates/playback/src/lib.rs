#![forbid(unsafe_code)]
//! Recorded trials again, as they were: which of their tones, from when and how fast
//! ([`Excerpt`]); as a trial that plays them on any output ([`trial_of`]),
//! with its music ([`add_music`]); as a Standard MIDI
//! File ([`midi_file()`]).
//!
//! Everything comes from the times achieved in the events file. Nothing is decided anew and
//! nothing is drawn: whether the engine would decide the same again is what a replay checks.

mod excerpt;
mod midi_file;
mod music;
mod trial;

pub use excerpt::{Excerpt, Layer, Sounded};
pub use midi_file::{TICKS_PER_SECOND, midi_file};
pub use music::{Passage, add_music};
pub use trial::{MOST_TONES, TooManyTones, trial_of};
