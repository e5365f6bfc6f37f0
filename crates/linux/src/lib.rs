//! The ways to Linux: its [`clocks`], what it grants to a thread ([`realtime`]), what this computer
//! is ([`machine`]), sound [`cards`], and the [`ports`] of MIDI, keys and tones. All `unsafe` of the
//! program is here, but for the mechanisms that the timing tests compare.

pub mod cards;
pub mod clocks;
pub mod machine;
pub mod ports;
pub mod realtime;

/// Ends a test that allocates where it has promised not to.
#[cfg(test)]
#[global_allocator]
static TRAP: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;
