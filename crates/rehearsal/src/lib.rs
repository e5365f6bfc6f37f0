#![forbid(unsafe_code)]
//! Trials without devices: the [virtual wire](Wire) with a performer at its far end,
//! [virtual time](virtual_time), and [replay], with what it [proves](prove). All that a trial
//! in real time does beside waiting stands here too: [`Rig`] and [`Round`], the same for
//! every runner.
//!
//! Nothing here knows Linux, so that a trial can be rehearsed and replayed anywhere.

mod memory;
mod proof;
pub mod replay;
mod rig;
mod round;
pub mod virtual_time;
mod wire;

pub use memory::{MemoryPort, Tape};
pub use proof::{Proof, Sum, prove};
pub use rig::{Arrangement, MOST_PORTS, Reopen, Rig, TooManyPorts};
pub use round::Round;
pub use wire::{FarEnd, Wire};
