#![forbid(unsafe_code)]
//! What this machine is, what it lacks for good timing, and what cures that.
//!
//! [`Facts`] are read from /proc and /sys and kept with every measurement. Nothing
//! here prints, and reading changes nothing.

mod facts;
mod root;

pub use facts::*;
pub use root::Root;
