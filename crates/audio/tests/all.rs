//! The tests of this crate's public side, one program: each file is a capability.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot be set up has failed; some print what they found"
)]

/// Traps allocation where a test forbids it, in that thread; elsewhere it does nothing.
#[global_allocator]
static TRAP: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;

mod delay_meter;
mod delay_network;
mod designer;
mod ltc;
mod onsets;
mod rare_wav_files;
mod sound_files;
mod taps_heard;
