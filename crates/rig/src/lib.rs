#![forbid(unsafe_code)]
//! Devices opened once, and trial after trial on them: names to ports and what is told of a trial
//! ([`laboratory`]), and the thread of real time ([`runner`]). The [`recorder`] keeps a running trial on the disk.

pub mod laboratory;
pub mod runner;

pub use chronotap_recorder as recorder;
