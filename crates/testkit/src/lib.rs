//! What the tests of every floor share: the word for a test that is passed over, a disk that
//! fails, and the memory that a test takes. Tests of a floor that need more find it in the crate of that floor, `testkit-engine`,
//! `-audio`, `-data`, `-simulate`, `-linux` or `-cli`. None of these is built with a crate of
//! this workspace that its floor is not built with: whoever tests the engine builds no terminal
//! (`crates/simulate/tests/portable.rs` looks). Other crates name them among their
//! `dev-dependencies` only, and none is ever published.
//! Not in them: what only one program of tests needs, which stands in its crate's `tests/`.
//!
//! A unit test of a crate on which one of these depends must not pass its own types to the
//! functions there. Cargo builds such a crate twice, and for the compiler the types of the
//! two builds differ. Tests in `tests/` are free of this.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[cfg(test)]
mod arrows;
#[cfg(test)]
mod names;
mod passed_over;
#[cfg(test)]
mod promises;
#[cfg(test)]
mod recipes;

pub mod disk;
pub mod memory;

pub use passed_over::{left_to_all, pass_over};
