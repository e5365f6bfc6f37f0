#![forbid(unsafe_code)]
//! Trials without devices: the [virtual wire](Wire) with a performer at its far end,
//! [virtual time](virtual_time), and [replay], with what it [proves](prove). [`Ports`] and
//! [`Round`] are everything that a trial in real time does too, except waiting; every runner
//! shares them; [`VirtualRig`] runs trial after trial on wires.
//!
//! Nothing here depends on Linux, so a trial can be rehearsed and replayed anywhere.

mod meaning;
mod memory;
mod ports;
mod proof;
pub mod replay;
mod round;
mod tapper;
mod trial_end;
mod virtual_rig;
pub mod virtual_time;
mod wire;
mod wires;

pub use memory::{MemoryPort, Tape};
pub use ports::{Arrangement, MOST_PORTS, Ports, Reopen, TooManyPorts};
pub use proof::{Proof, Sum, prove};
pub use round::Round;
pub use tapper::{Tapper, TapperError};
pub use trial_end::TrialEnd;
pub use virtual_rig::{Computed, VirtualRig, compute};
pub use wire::{FarEnd, Wire};
pub use wires::{PlacedPort, WireEndpoint, Wired, Wires, WiresError, wires_of_trial};
