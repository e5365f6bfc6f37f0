//! What the tests of the engine need, and of whatever stands above it: trials put together in
//! Rust, without a file ([`parts`]).

pub mod parts;
