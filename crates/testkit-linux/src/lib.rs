//! What the tests of ports and cards need, and of whatever stands above them: a terminal to hold
//! the far end of ([`terminal`]), and a JACK server ([`jack`]).

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

pub mod jack;
pub mod terminal;
