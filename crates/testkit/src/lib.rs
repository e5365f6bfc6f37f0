//! What the tests of several crates share: trials to run, performers, and the far ends of
//! ports. Other crates name it among their `dev-dependencies` only, and it is never published.
//! Not in it: what only one crate's tests need, which stands in that crate's `tests/`.
//!
//! A unit test of a crate on which this one depends must not pass its own types to the
//! functions here. Cargo builds such a crate twice, and for the compiler the types of the
//! two builds differ. Tests in `tests/` are free of this.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod passed_over;
#[cfg(test)]
mod promises;

pub mod disk;
pub mod music;
pub mod parts;
pub mod performers;
pub mod schemas;
pub mod times;
pub mod tiny;
pub mod trial;

#[cfg(target_os = "linux")]
pub mod jack;
#[cfg(target_os = "linux")]
pub mod pipewire;
#[cfg(target_os = "linux")]
pub mod program;
#[cfg(target_os = "linux")]
pub mod seat;
#[cfg(target_os = "linux")]
pub mod terminal;

pub use passed_over::pass_over;
