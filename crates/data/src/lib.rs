#![forbid(unsafe_code)]
//! What is written of a trial and how it is read again ([`record`]); tidy tables of datasets
//! ([`tables`]), for other programs ([`exchange`]); recorded trials played once more
//! ([`playback`]); and beside the recording of another device ([`alignment`]). No device, no clock of the system.

pub mod alignment;
pub mod exchange;
pub mod playback;
pub mod record;
pub mod shares;
pub mod tables;
