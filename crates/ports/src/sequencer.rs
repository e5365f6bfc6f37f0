//! The ALSA sequencer, spoken to directly: no library is needed.

mod abi;
mod client;
mod event;
mod kind;
mod listing;
mod name;
mod port;

pub(crate) use kind::KIND;
pub use name::{PeerError, SequencerName};
pub use port::{SequencerError, SequencerPort};
