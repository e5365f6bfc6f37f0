//! MIDI in and out: character devices, the virtual wire, memory.

mod performer;
mod port;

pub use performer::{Heard, Performer, Sent};
pub use port::{Arrival, Port, PortCounts, PortError, Readiness, Stamp, Written};
