//! The tests of this crate's public side, one program: each file is a capability.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot be set up has failed; some print what they found"
)]

#[macro_use]
mod common;

mod after_trials;
mod answers;
mod backed_up;
mod consent;
mod course;
mod declined;
mod excluded;
mod factors;
mod first_sessions;
mod given_answers;
mod groups;
mod groups_later;
mod languages;
mod observers;
mod people;
mod published;
mod repaired;
mod resume;
mod same_again;
mod staircases;
mod steps;
mod titles;
mod vanished;
mod verified;
mod visits;
mod withdrawn_midway;
