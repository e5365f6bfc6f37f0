#![forbid(unsafe_code)]
//! The timing tests of the literature: clock reads (Finney 2001), waits, periodic
//! interrupts (Varoquaux 2006), instances of a load in a period (Vignati et al. 2022) and
//! fragments (Senoner); the loads of these studies, and the figures that they published.
//!
//! Each is a [`Probe`](crate::timing::Probe) like the tests of one's own machine and
//! ports, and its results have the same form. They explain a machine; the verdict on it
//! comes from the tests of [`crate::timing`], which does not know this module. The ways to
//! wait and to read a clock are in [`crate::mechanisms`].

mod clock;
pub mod dsp;
pub mod fragments;
pub mod loads;
pub mod periodic;
pub mod servo;
mod waits;

pub use chronotap_timing::{PUBLISHED, STUDIES, TableRow, about, finney_2001, published};
pub use clock::{ClockGap, ClockSteps, ClockTest, read_clock, read_on};
pub use dsp::DspTest;
pub use fragments::FragmentsTest;
pub use loads::Load;
pub use periodic::PeriodicTest;
pub use servo::{ServoRate, ServoTest};
pub use waits::{Companion, Got, StrangePause, WaitsTest, take_pauses};
