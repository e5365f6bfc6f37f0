//! The callbacks of a sound card: each with its frame, when it was due, when it began and
//! when it ended.
//!
//! Background: a card with periods of 16 frames calls 3,000 times a second, too often for
//! a journal of text that is synced, and nobody waits for these rows while a trial runs.
//! Solution: the writer thread takes them from the card's queue and appends them to a
//! [`log`] of fixed records; when the trial is over, that becomes a compressed
//! [`table`] with its description. What a trial's summary says of them is their [`load`].

mod load;
mod log;
mod table;

pub use load::Load;
pub(crate) use log::Log;
pub(crate) use table::write_table;

use chronotap_cards::Calls;
use serde::{Deserialize, Serialize};

/// Version of the callbacks files; raised when a column or key changes its meaning.
pub const CALLBACKS_VERSION: u32 = 1;

/// A sound card that is to be recorded.
pub struct Sounding {
    /// The outputs of the trial that sound on it, by name.
    pub outputs: Vec<String>,
    /// Its calls.
    pub calls: Calls,
}

/// What is known of a card before it is heard.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Card {
    pub(crate) card: String,
    pub(crate) outputs: Vec<String>,
    pub(crate) rate_hz: u32,
    pub(crate) period_frames: u32,
    pub(crate) periods: u32,
    pub(crate) playback_latency_ns: i64,
}

impl Card {
    fn of(sounding: &Sounding) -> Card {
        let shape = sounding.calls.shape();
        Card {
            card: shape.card.clone(),
            outputs: sounding.outputs.clone(),
            rate_hz: shape.rate_hz,
            period_frames: shape.period_frames,
            periods: shape.periods,
            playback_latency_ns: shape.playback_latency().0,
        }
    }
}
