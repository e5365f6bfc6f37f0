//! [`Calls`]: a record of each time that a sound card has called for sound.
//!
//! The card's thread puts each call into a queue that was allocated beforehand. The recorder
//! reads the other end when it has time. Where nothing reads it, as in a timing test, the queue
//! fills up, and calls that find no room are only counted.

use crate::cards::shape::CardShape;
use crate::cards::watch::CardWatch;
use chronotap_core::time::Nanos;
use chronotap_engine::signal::{Callback, Callbacks, RunningCard};
use rtrb::Consumer;
use std::sync::Arc;

/// The calls of a card, oldest first. They can still be read after the card was closed, so that
/// its last calls reach the file.
pub struct Calls {
    pub(crate) shape: CardShape,
    pub(crate) watch: Arc<CardWatch>,
    pub(crate) told: Consumer<Callback>,
}

impl Callbacks for Calls {
    fn card(&self) -> RunningCard {
        let (shape, period_frames) = (&self.shape, self.watch.period_frames() as u32);
        RunningCard {
            name: shape.card.clone(),
            rate_hz: shape.rate_hz,
            period_frames,
            periods: shape.periods,
            period: shape.length(period_frames),
            playback_latency: self.watch.playback(),
        }
    }

    fn next(&mut self) -> Option<Callback> {
        self.told.pop().ok()
    }

    fn waiting(&self) -> usize {
        self.told.slots()
    }

    fn lost(&self) -> u64 {
        self.watch.untold()
    }

    fn xruns(&self) -> u64 {
        self.watch.xruns_since_origin()
    }

    fn origin(&self) -> Option<Nanos> {
        self.watch.origin()
    }
}
