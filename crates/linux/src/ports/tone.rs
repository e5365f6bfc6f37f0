//! Ports that sound: a trial's notes become tones of a sound card.
//!
//! A note-on begins a sound at the frame that is a constant latency after its deadline,
//! and its note-off ends it. A code for another recorder changes further channels at that frame. A channel may carry time code. Which note sounds how is read by `chronotap_config::sounds`.

mod error;
mod feeder;
mod kind;
mod listing;
mod name;
mod player;
mod port;
mod pulses;
mod stage;
mod track;

#[cfg(test)]
mod served;

pub use error::ToneError;
pub(crate) use kind::KIND;
pub use listing::tone_port;
pub use name::{ToneName, ToneNameError};
pub use port::TonePort;
pub use stage::free_bytes;
