//! [`Callbacks`]: the calls that a sound card has made, for whoever keeps them. The sound
//! card's own half is in `chronotap-linux`.

use chronotap_core::time::Nanos;

/// The callbacks of a sound card, oldest first. They outlive the card, so that none is left
/// behind.
pub trait Callbacks: Send {
    /// The card, as it runs.
    fn card(&self) -> RunningCard;

    /// The next one that has not been taken.
    fn next(&mut self) -> Option<Callback>;

    /// How many wait to be taken.
    fn waiting(&self) -> usize;

    /// How many found the queue full and are missing.
    fn lost(&self) -> u64;

    /// Periods that the card missed since the trial's start.
    fn xruns(&self) -> u64;

    /// When the trial's clock started, raw CLOCK_MONOTONIC, once it has.
    fn origin(&self) -> Option<Nanos>;
}

/// A call of a sound card's process. Times are raw CLOCK_MONOTONIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Callback {
    /// The first frame of its period.
    pub frame: u64,
    /// How many frames it had.
    pub frames: u32,
    /// When the period began, by the card's own account.
    pub due: Nanos,
    /// When the process was called.
    pub began: Nanos,
    /// When it returned.
    pub ended: Nanos,
}

/// How a sound card runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunningCard {
    /// What it is, in words.
    pub name: String,
    /// Frames a second.
    pub rate_hz: u32,
    /// Frames of a period.
    pub period_frames: u32,
    /// Periods of the buffer.
    pub periods: u32,
    /// A period's length.
    pub period: Nanos,
    /// From the time at which a period is due to when its first frame is at the converter.
    pub playback_latency: Nanos,
}
