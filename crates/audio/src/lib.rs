#![forbid(unsafe_code)]
//! Sound, frame by frame: how late it comes back ([`meter`]).
//!
//! Pure signal processing: samples in, samples and figures out; no device, no clock.

pub mod meter;
