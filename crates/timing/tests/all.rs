//! The tests of this crate's public side, one program: each file is a capability.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod peers;
