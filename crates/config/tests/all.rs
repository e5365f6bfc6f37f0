//! The tests of this crate's public side, one program: each file is a capability.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot be set up has failed; some print what they found"
)]

/// Traps allocation where a test forbids it, in that thread; elsewhere it does nothing.
#[global_allocator]
static TRAP: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;

mod explanations;
mod hed_tags;
mod import;
mod mistakes;
mod performer_allocation;
mod scripted_performers;
mod several_outputs;
mod simulated_participants;
mod trial_files;
mod what_people_do;
