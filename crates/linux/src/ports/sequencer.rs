//! The ALSA sequencer, spoken to directly: no library is needed.

mod abi;
mod client;
mod error;
mod event;
mod kind;
mod links;
mod listing;
mod name;
mod port;
mod queue;

pub use error::SequencerError;
pub(crate) use kind::KIND;
pub use name::{SequencerName, SequencerNameError};
pub use port::SequencerPort;
