#![forbid(unsafe_code)]
//! Devices opened once, and trial after trial on them: names to ports and what is told of a trial
//! ([`laboratory`]), the thread of real time ([`runner`]), and a running trial on the disk
//! ([`recorder`]).

pub mod laboratory;
pub mod recorder;
pub mod runner;
