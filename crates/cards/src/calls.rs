//! [`Calls`]: the calls that a card has made, for whoever keeps them.
//!
//! The card's thread puts each call into a queue that was allocated beforehand; whoever
//! took the other end looks at it when it likes. Nobody need: then the queue is full after
//! a while, and what finds no room is counted.

use crate::shape::Shape;
use crate::stage::Callback;
use crate::watch::Watch;
use chronotap_time::Nanos;
use rtrb::Consumer;
use std::sync::Arc;

/// The calls of a card, oldest first. It outlives the card, so that nothing is left behind.
pub struct Calls {
    pub(crate) shape: Shape,
    pub(crate) watch: Arc<Watch>,
    pub(crate) told: Consumer<Callback>,
}

impl Calls {
    /// How the card runs.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Those since the last look.
    pub fn take(&mut self) -> impl Iterator<Item = Callback> + '_ {
        std::iter::from_fn(|| self.told.pop().ok())
    }

    /// How many wait to be taken.
    pub fn waiting(&self) -> usize {
        self.told.slots()
    }

    /// How many found the queue full and are missing.
    pub fn lost(&self) -> u64 {
        self.watch.untold()
    }

    /// Periods that the card missed since the trial's start.
    pub fn xruns(&self) -> u64 {
        self.watch.xruns_since_origin()
    }

    /// When the trial's clock started, raw CLOCK_MONOTONIC, once it has.
    pub fn origin(&self) -> Option<Nanos> {
        self.watch.origin()
    }
}
