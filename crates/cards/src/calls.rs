//! [`Calls`]: the calls that a card has made, for whoever keeps them.
//!
//! The card's thread puts each call into a queue that was allocated beforehand; whoever
//! took the other end looks at it when it likes. Nobody need: then the queue is full after
//! a while, and what finds no room is counted.

use crate::shape::Shape;
use crate::watch::Watch;
use chronotap_signal::{Callback, Callbacks, RunningCard};
use chronotap_time::Nanos;
use rtrb::Consumer;
use std::sync::Arc;

/// The calls of a card, oldest first. It outlives the card, so that nothing is left behind.
pub struct Calls {
    pub(crate) shape: Shape,
    pub(crate) watch: Arc<Watch>,
    pub(crate) told: Consumer<Callback>,
}

impl Callbacks for Calls {
    fn card(&self) -> RunningCard {
        let shape = &self.shape;
        RunningCard {
            name: shape.card.clone(),
            rate_hz: shape.rate_hz,
            period_frames: shape.period_frames,
            periods: shape.periods,
            period: shape.period(),
            playback_latency: shape.playback_latency(),
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
