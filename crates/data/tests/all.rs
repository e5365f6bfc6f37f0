//! The tests of this crate's public side, one program: each file is a capability.
//! Beside it stand those that need a process of their own (`Cargo.toml` says why).

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot be set up has failed; some print what they found"
)]

mod again;
mod dataset;
mod events_files;
mod ftap_files;
mod music;
mod sound_recordings;
mod stored_journals;
mod taps_files;
mod taps_of_repp;
