//! What the tests of the program need: a directory to run it in ([`program`]), somebody at its
//! terminal ([`seat`]), what its files must be ([`schemas`]), and a PipeWire server to run it
//! beside ([`pipewire`]).

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

pub mod pipewire;
pub mod program;
pub mod schemas;
pub mod seat;
