#![forbid(unsafe_code)]
//! Sound, frame by frame. Pure signal processing: samples in, samples and figures out; no
//! device, no clock.
//!
//! A [`Process`] is what a card calls once in each period. [`tone`] makes tones and noise,
//! [`wav`] reads WAV files, and [`SoundFile`] and [`AtRate`] read sound files of any
//! length. [`meter`] measures how late sound comes back, [`onset`] where sounds begin, and
//! [`sensor`] where taps begin; [`repp`] hears them as another program does.
//! [`network`] is the load of the DSP tests. [`ltc`] is time code for cameras.

pub mod ltc;
pub mod meter;
pub mod network;
mod offline;
pub mod onset;
mod process;
mod rate;
pub mod repp;
pub mod sensor;
mod sound_file;
pub mod tone;
pub mod wav;

pub use offline::offline;
pub use process::{Period, Process, Unfit};
pub use rate::AtRate;
pub use sound_file::{SampleError, SoundFile, SoundForm, Taker};

/// Ends a test that allocates where it has promised not to.
#[cfg(test)]
#[global_allocator]
static TRAP: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;
