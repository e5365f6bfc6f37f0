//! ALSA raw MIDI, spoken to the kernel directly: no library is needed.

mod abi;
mod cards;
mod frames;
mod holder;
mod kind;
mod listing;
mod midi_port;
mod name;
mod port;

pub(crate) use abi::text;
pub use cards::midi_ports;
pub use holder::MidiHolder;
pub(crate) use kind::KIND;
pub use midi_port::{MidiCard, MidiPort, PortAddress, Usb};
pub use name::{AlsaName, AlsaNameError};
pub use port::{AlsaError, AlsaPort};
