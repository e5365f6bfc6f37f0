//! Ports of a JACK or PipeWire-JACK server.
//!
//! JACK hands messages over once a period, each with the frame it belongs to. What
//! comes in is stamped by its frame; what goes out is placed one period after its
//! deadline, so that the delay is always the same; where the server missed that, the
//! port says when it was played instead. The library is loaded at run time: without
//! it everything else works.

mod client;
mod cycle;
mod error;
mod kind;
mod listing;
mod name;
mod outputs;
mod port;
mod shared;
mod transfer;

#[cfg(test)]
mod served;

pub use client::jack_period;
pub use error::JackError;
pub(crate) use kind::KIND;
pub use name::JackName;
pub use port::JackPort;
