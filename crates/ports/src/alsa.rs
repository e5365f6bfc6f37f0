//! ALSA raw MIDI, spoken to the kernel directly: no library is needed.

mod abi;
mod cards;
mod frames;
mod holder;
mod kind;
mod listing;
mod name;
mod port;

pub(crate) use abi::text;
pub use cards::{Card, MidiPort, Usb, midi_ports};
pub(crate) use kind::KIND;
pub use name::{AlsaName, NameError, Place};
pub use port::{AlsaError, AlsaPort};
