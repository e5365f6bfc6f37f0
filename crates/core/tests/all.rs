//! The tests of this crate's public side, one program: each file is a capability.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that cannot be set up has failed; some print what they found"
)]

mod byte_streams;
mod sensor_clock;
mod sensor_line;
mod sensor_sketches;
