//! The ALSA sequencer, spoken to directly: no library is needed.

mod abi;
mod client;
mod event;
mod listing;
mod name;
mod port;

pub(crate) use listing::sequencer_ports;
pub use name::{PeerError, SequencerName};
pub use port::{SequencerError, SequencerPort};
