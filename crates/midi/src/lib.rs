//! MIDI 1.0 messages, byte streams and wire time. No I/O.
//!
//! Source of every byte value: MIDI 1.0 Detailed Specification, revision 4.2.

mod message;

pub use message::{Channel, Message, U7};
