//! [`Entry`]: an action of the engine as it came out, ready for the queue.

use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{Played, Stamp};

/// One recorded event: what the engine decided and when it really happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Whether this is the first that is recorded of the action, or corrects it.
    pub what: What,
    /// The engine's decision, with the time asked for.
    pub action: Action,
    /// The time achieved. For an output: the clock after the write returned, or the
    /// port's own placement. For an arrival: its stamp. For a decision (rule,
    /// marker, end): when the runner carried it out. `None` where the output was
    /// lost or never sounded.
    pub achieved: Option<Nanos>,
    /// For arrivals: where the stamp was taken. For all else `None`.
    pub stamp: Option<Stamp>,
    /// For what sounded on a sound card: its first frame.
    pub frame: Option<u64>,
}

/// What an entry says of its action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Happened,
    /// An earlier entry with the same action was wrong about the time achieved and the
    /// frame; these take their place. See [`crate::record::settled()`].
    Corrected,
}

impl Entry {
    /// Corrects the entry of an output: when the audio server really played it, or `None`
    /// where it never did.
    pub fn correction(action: Action, played: Option<Played>) -> Entry {
        let (achieved, frame) = (played.map(|p| p.at), played.and_then(|p| p.frame));
        Entry { what: What::Corrected, action, achieved, stamp: None, frame }
    }

    /// Whether it corrects an earlier one.
    pub fn is_correction(&self) -> bool {
        self.what == What::Corrected
    }
}
