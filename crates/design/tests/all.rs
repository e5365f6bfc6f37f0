//! The tests of this crate's public side, one program: each file is a capability.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot be set up has failed; some print what they found"
)]

mod assignment;
mod conditions;
mod delay_study;
mod doubts;
mod exclusions;
mod forms;
mod groups;
mod kit;
mod manual;
mod orders;
mod paradigms;
mod stretches;
mod thresholds;
mod translations;
mod words;
