//! [`HeardSound`]: what an input hears that is a channel of a sound card, for whoever keeps it.

use chronotap_core::time::Nanos;

/// How much of what an input hears is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SoundKept {
    /// What is around each tap.
    #[default]
    Taps,
    /// From the beginning of a trial to its end.
    All,
    Nothing,
}

/// A part of what was heard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HeardPart {
    /// A period; frames are missing before it where its first one is not the next.
    Period {
        /// The card's number of its first frame.
        frame: u64,
        frames: u32,
        /// When that was at the converter, raw CLOCK_MONOTONIC.
        at: Nanos,
    },
    /// A tap.
    Tap {
        /// Where it began, by the card's numbers of frames.
        frame: f64,
        /// When, raw CLOCK_MONOTONIC.
        at: Nanos,
    },
}

/// The sound of an input, oldest first; read in a thread of ordinary priority.
pub trait HeardSound: Send {
    /// Frames a second.
    fn rate_hz(&self) -> u32;

    /// How much is to be kept.
    fn kept(&self) -> SoundKept;

    /// The next part; the sound of a period is appended to `samples`, full scale being 1.
    fn next(&mut self, samples: &mut Vec<f32>) -> Option<HeardPart>;

    /// Frames that found no room, since the card was opened.
    fn lost(&self) -> u64;

    /// Where the trial's clock counts from (raw CLOCK_MONOTONIC), once it has started.
    fn origin(&self) -> Option<Nanos>;
}
