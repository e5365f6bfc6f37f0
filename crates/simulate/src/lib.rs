#![forbid(unsafe_code)]
//! Trials without devices: the [virtual wire](Wire) with a performer at its far end,
//! [virtual time](virtual_time), and [replay], with what it [proves](prove). [`Ports`] and
//! [`Round`] are everything that a trial in real time does too, except waiting; every runner
//! shares them.
//!
//! Nothing here depends on Linux, so a trial can be rehearsed and replayed anywhere.

mod meaning;
mod memory;
mod ports;
mod proof;
pub mod replay;
mod round;
pub mod virtual_time;
mod wire;

pub use memory::{MemoryPort, Tape};
pub use ports::{Arrangement, MOST_PORTS, Ports, Reopen, TooManyPorts};
pub use proof::{Proof, Sum, prove};
pub use round::Round;
pub use wire::{FarEnd, Wire};
