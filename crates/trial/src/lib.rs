#![forbid(unsafe_code)]
//! What the real-time thread runs: the engine, its [`Ports`], and one [`Round`] after the other.
//!
//! A round is everything that a trial in real time and one in virtual time do alike, which is all
//! but waiting. Who waits is not here: `chronotap-rig` for the clock, `chronotap-simulate` for
//! nobody. Nor is any device; a port is what somebody opened.

mod ports;
mod round;
mod trial_end;

pub use ports::{Arrangement, MOST_PORTS, Ports, Reopen, TooManyPorts};
pub use round::Round;
pub use trial_end::TrialEnd;
