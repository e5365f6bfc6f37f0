//! The tests of this crate's public side, one program: each file is a capability.
//! Beside it stand those that need a process of their own (`Cargo.toml` says why).

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot be set up has failed; some print what they found"
)]

/// Traps allocation where a test forbids it, in that thread; elsewhere it does nothing.
#[global_allocator]
static TRAP: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;

mod a_toy_kind;
mod checks;
mod common;
mod documented_kinds;
mod facts;
mod lines;
mod no_allocation;
mod raw_streams;
mod sensors;
mod signatures;
mod steps;
