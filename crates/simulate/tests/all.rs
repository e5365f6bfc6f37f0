//! The tests of this crate's public side, one program: each file is a capability.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot be set up has failed; some print what they found"
)]

mod adaptive;
mod choices;
mod codes;
mod doubted;
mod earlier_versions;
mod endings;
mod feedback;
mod felt_taps;
mod ftap;
mod heard_taps;
mod long_stops;
mod measured;
mod oracle;
mod pacing;
mod participants;
mod portable;
mod random_changes;
mod randomness;
mod recordings;
mod reproduction;
mod rules;
mod steps;
mod system_exclusive;
mod wire_timing;
