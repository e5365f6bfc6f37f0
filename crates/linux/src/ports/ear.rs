//! An input that hears taps: a channel of a sound card with a contact, a force sensor or a microphone
//! on it.
//!
//! [`EarName`] says which card and channel, and how it listens. The card's thread hears ([`hearer`]),
//! and the trial's thread takes the taps ([`EarPort`]). How a tap is found is `chronotap_audio::sensor`;
//! the virtual card, on which a performer taps, is in `chronotap-simulate`.

mod hearer;
mod kind;
mod listing;
mod name;
mod port;
#[cfg(test)]
mod served;

pub(crate) use kind::KIND;
pub use name::{EarName, EarNameError};
pub use port::{EarError, EarPort};
