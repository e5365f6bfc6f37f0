#![forbid(unsafe_code)]
//! Sound, frame by frame: what a card calls once a period ([`Process`]), how late sound
//! comes back ([`meter`]), and the load that the DSP tests put on a machine ([`network`]).
//!
//! Pure signal processing: samples in, samples and figures out; no device, no clock.

pub mod meter;
pub mod network;
mod process;

pub use process::{Period, Process};
