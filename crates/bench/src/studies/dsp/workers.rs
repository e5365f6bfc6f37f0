//! [`Workers`]: the threads of the tracks beside the one that a card's own thread computes.
//!
//! Each stays on its core and first has the priority that was asked for, then, from its first
//! cycle on, the one that the card's thread turns out to have. So a worker is never
//! behind a thread that the card's thread itself would not be behind.
//!
//! Real-time contract of a worker's cycle: no allocation, no lock; one system call in its first
//! cycle, and the relay's.

use super::bench::{Bench, BenchError};
use super::{DspReadings, DspTrack, Factory, Relay, WorkerOrder};
use crate::plugins::PluginError;
use crate::timing::{Placement, ThreadError};
use chronotap_linux::realtime::ask;
use std::sync::{Arc, OnceLock};
use std::thread::{Builder, Scope};

/// Stacks are locked too, so they are small.
const STACK_BYTES: usize = 512 * 1024;

/// What the workers of one run share.
pub(super) struct Workers {
    pub relay: Arc<Relay>,
    /// What the card's thread shows; there before the first cycle.
    pub seen: OnceLock<Arc<DspReadings>>,
    refused: OnceLock<PluginError>,
}

/// Lets the workers go at its end, whatever happens before.
pub(super) struct Going<'a>(pub &'a Relay);

impl Drop for Going<'_> {
    fn drop(&mut self) {
        self.0.dismiss();
    }
}

impl Workers {
    /// For so many tracks, the first of which is the card's own thread's.
    pub fn of(tracks: usize) -> Workers {
        let relay = Arc::new(Relay::new(tracks.saturating_sub(1)));
        Workers { relay, seen: OnceLock::new(), refused: OnceLock::new() }
    }

    /// Starts them, and has them and the caller's own track prepare so many instances.
    pub fn prepare<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        bench: &'scope Bench,
        factory: &'scope Factory,
        own: &mut DspTrack,
        instances: u32,
    ) -> Result<(), BenchError> {
        for worker in 0..bench.cores.len().saturating_sub(1) {
            let builder = Builder::new().name("track".into()).stack_size(STACK_BYTES);
            let work = move || self.work(worker, bench, factory);
            builder.spawn_scoped(scope, work).map_err(ThreadError::from)?;
        }
        self.relay.gather();
        self.relay.together(WorkerOrder::Prepare(instances), || self.prepared(own, instances));
        match self.refused.get() {
            Some(error) => Err(error.clone().into()),
            None => Ok(()),
        }
    }

    fn work(&self, worker: usize, bench: &Bench, factory: &Factory) {
        let placement = Placement::any(bench.scheduling).on(bench.cores[worker + 1]);
        let _rights = ask(&placement.request());
        let mut track = DspTrack::new(factory.clone(), bench.pace.frames, bench.arrangement);
        let mut first = true;
        self.relay.follow(worker, |order| match order {
            WorkerOrder::Prepare(instances) => self.prepared(&mut track, instances),
            WorkerOrder::Cycle => {
                if std::mem::take(&mut first) {
                    self.seen.get().into_iter().for_each(|seen| seen.become_alike());
                }
                track.cycle();
            }
            WorkerOrder::End => {}
        });
    }

    fn prepared(&self, track: &mut DspTrack, instances: u32) {
        if let Err(error) = track.prepare(instances) {
            self.refused.get_or_init(|| error);
        }
    }
}
