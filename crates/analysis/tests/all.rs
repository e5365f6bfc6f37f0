//! The tests of this crate's public side, one program: each file is a capability.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot be set up has failed; some print what they found"
)]

mod alignment;
mod anticipation;
mod correction;
mod coupling;
mod coverage;
mod coverage_of_pairs;
mod coverage_of_people;
mod documented;
mod extremes;
mod matching;
mod models;
mod oracles;
mod pooled_correction;
mod psychometric_coverage;
mod recovery;
mod recovery_of_curves;
mod simulated;
mod summary;
