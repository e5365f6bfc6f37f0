#![forbid(unsafe_code)]
//! Sound, frame by frame: how late it comes back ([`meter`]), and the load that the DSP
//! tests put on a machine ([`network`]).
//!
//! Pure signal processing: samples in, samples and figures out; no device, no clock.

pub mod meter;
pub mod network;
