//! [`Entry`]: an action of the engine as it came out, ready for the queue.

use chronotap_engine::action::Action;
use chronotap_signal::{Played, Stamp};
use chronotap_time::Nanos;

/// One recorded event: what the engine decided and when it really happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The engine's decision, with the time asked for.
    pub action: Action,
    /// The time achieved. For an output: the clock after the write returned, or the
    /// port's own placement. For an arrival: its stamp. For a decision (trigger,
    /// marker, end): when the runner carried it out. `None` where the output was
    /// lost or never sounded.
    pub achieved: Option<Nanos>,
    /// For arrivals: where the stamp was taken. For outputs `None`, but in a correction.
    pub stamp: Option<Stamp>,
    /// For what sounded on a sound card: its first frame.
    pub frame: Option<u64>,
}

impl Entry {
    /// The second word on an output: when the audio server really played it, or `None`
    /// where it never did. See [`crate::settled()`].
    pub fn correction(action: Action, played: Option<Played>) -> Entry {
        let (achieved, frame) = (played.map(|p| p.at), played.and_then(|p| p.frame));
        Entry { action, achieved, stamp: Some(Stamp::AudioFrame), frame }
    }

    /// Whether it corrects an earlier one.
    pub fn is_correction(&self) -> bool {
        self.stamp.is_some() && self.action.is_output()
    }
}
