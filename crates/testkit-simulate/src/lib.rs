//! What tests need that run trials in virtual time: a trial from its text to its rows
//! ([`trial`]), who taps ([`performers`]), and times as tests state them ([`times`]).

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

pub mod performers;
pub mod song;
pub mod times;
pub mod trial;
