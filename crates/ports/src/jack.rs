//! Ports of a JACK or PipeWire-JACK server.
//!
//! JACK hands messages over once a period, each with the frame it belongs to. What
//! comes in is stamped by its frame; what goes out is placed one period after it was
//! asked for, so that the delay is always the same. The library is loaded at run
//! time: without it everything else works.

mod cycle;
mod listing;
mod name;
mod port;

pub(crate) use listing::jack_ports;
pub use name::JackName;
pub use port::{JackError, JackPort, jack_period};
