//! The callbacks of a sound card: each with its frame, when it was due, when it began and
//! when it ended.
//!
//! Background: a card with periods of 16 frames calls 3,000 times a second, too often for
//! a journal of text that is synced, and nobody waits for these rows while a trial runs.
//! Solution: the writer thread takes them from the card's queue and appends them to a
//! [`log`] of fixed records; when the trial is over, that becomes a compressed
//! [`table`] with its description. What a trial's summary says of them is their
//! [`Load`](chronotap_data::record::CallbackLoad).

mod log;
mod records;
mod table;

pub(crate) use log::{BegunLog, Log};
pub(crate) use table::write_table;

use chronotap_engine::signal::Callbacks;
use serde::{Deserialize, Serialize};

/// Version of the callbacks files; raised when a column or key changes its meaning.
pub const CALLBACKS_VERSION: u32 = 1;

/// A sound card that is to be recorded.
pub struct RecordedCard {
    /// The outputs of the trial that sound on it, by name.
    pub outputs: Vec<String>,
    pub calls: Box<dyn Callbacks>,
}

/// What is known of a card before it sounds.
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
    fn of(recorded: &RecordedCard) -> Card {
        let running = recorded.calls.card();
        Card {
            card: running.name,
            outputs: recorded.outputs.clone(),
            rate_hz: running.rate_hz,
            period_frames: running.period_frames,
            periods: running.periods,
            playback_latency_ns: running.playback_latency.0,
        }
    }
}
