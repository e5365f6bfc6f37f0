//! What the tests of sound need, and of whatever stands above it: files to play ([`music`]).

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

pub mod music;
