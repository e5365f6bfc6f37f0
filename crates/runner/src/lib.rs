#![forbid(unsafe_code)]
//! The three runners of the one engine.
//!
//! [`real_time`]: a SCHED_FIFO thread on real ports. [`virtual_time`]: the same
//! ports' virtual relatives, as fast as the machine can. [`replay`]: a recorded
//! trial's inputs, which must give the recorded actions. All three call the engine
//! through the same [`Round`].

pub mod real_time;
pub mod replay;
mod replug;
mod rig;
mod round;
pub mod virtual_time;

pub use replug::Reopen;
pub use rig::{Rig, TooManyPorts};
pub use round::Round;

/// Ends a test that allocates where it has promised not to.
#[cfg(test)]
#[global_allocator]
static TRAP: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;
