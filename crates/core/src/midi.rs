//! MIDI 1.0 messages, byte streams and wire time. No I/O.
//!
//! Source of every byte value: MIDI 1.0 Detailed Specification, revision 4.2.

mod message;
mod parser;
mod sysex;
mod wire;
mod writer;

pub use message::{Channel, Message, U7};
pub use parser::{Parser, ParserCounts};
pub use sysex::{MOST_SYSEX_BYTES, SYSEX_PART_BYTES, SysexPart};
pub use wire::{BAUD, BITS_PER_BYTE, wire_time, wire_time_at};
pub use writer::StreamWriter;
