#![forbid(unsafe_code)]
//! Sound, frame by frame: what a card calls once a period ([`Process`]), tones and noise
//! ([`tone`]), the numbers of WAV files ([`wav`]), how late sound comes back ([`meter`]), where sounds begin ([`onset`]), sound
//! files of any length ([`SoundFile`], [`AtRate`]), and the
//! load that the DSP tests put on a machine ([`network`]).
//!
//! Pure signal processing: samples in, samples and figures out; no device, no clock.

mod long_wav;
pub mod meter;
pub mod network;
mod offline;
pub mod onset;
mod process;
mod rate;
mod sound_file;
pub mod tone;
pub mod wav;

pub use offline::offline;
pub use process::{Period, Process, Unfit};
pub use rate::AtRate;
pub use sound_file::{Form, SoundFile, Taker};

/// Ends a test that allocates where it has promised not to.
#[cfg(test)]
#[global_allocator]
static TRAP: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;
