#![forbid(unsafe_code)]
//! Trials without devices: the [virtual wire](Wire) with a performer at its far end,
//! [virtual time](virtual_time), and [replay], with what it [proves](prove). [`VirtualRig`] runs
//! trial after trial on wires, [`VirtualTrials`] the same with their files. What runs the trials of a session is [`TrialRunner`]. What a trial in real time does too is in `chronotap-trial`.
//!
//! Nothing here depends on Linux, so a trial can be rehearsed and replayed anywhere.

mod ear;
mod meaning;
mod memory;
mod pad;
mod proof;
pub mod replay;
mod runs;
mod tapper;
mod virtual_rig;
pub mod virtual_time;
mod virtual_trials;
mod wire;
mod wires;

/// Whoever rehearses a session ends its trials as whoever runs it does.
pub use chronotap_trial::TrialEnd;
pub use ear::VirtualEar;
pub use memory::{MemoryPort, Tape};
pub use proof::{Proof, SummaryProof, prove};
pub use runs::{FinishedTrial, InRealTime, KeepData, NotRun, TrialRun, TrialRunner};
pub use tapper::{Tapper, TapperError};
pub use virtual_rig::{Computed, VirtualRig, compute};
pub use virtual_trials::VirtualTrials;
pub use wire::{FarEnd, Wire};
pub use wires::{PlacedPort, WireEndpoint, Wired, Wires, WiresError, wires_of_trial};
