//! [`Losses`]: what a running trial has lost so far, and whether the disk refuses its data at the
//! moment, for sinks. An overrun of an input and
//! music that the disk did not give in time leave no entry behind, since what was lost is not
//! there; the ports count them, and the end of the trial says them. So that they are said at once
//! too, the real-time thread copies those counts here now and then, and the thread that tells the
//! sinks compares.

use chronotap_core::files::Refusal;
use std::sync::atomic::{AtomicU64, Ordering};

/// Inputs whose losses are told while the trial runs; of others they are said at its end.
const INPUTS: usize = 64;

/// What a trial has lost since it began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Overruns of each input, in the trial's order: a full buffer lost messages. Inputs behind
    /// the last one that lost anything are left out.
    pub overruns: Vec<u64>,
    /// Frames of music that were silent, because the disk did not give them in time.
    pub silent_frames: u64,
    /// Events that found the recorder's queue full.
    pub dropped: u64,
    /// Why the disk does not take the data at the moment. Nothing is lost by that yet: they are kept
    /// in memory.
    pub disk: Option<Refusal>,
}

/// The counts as one thread writes and another reads them. Each is read for itself alone, so
/// they need no order (`Relaxed`).
#[derive(Debug)]
pub(crate) struct Counted {
    overruns: [AtomicU64; INPUTS],
    silent_frames: AtomicU64,
}

impl Default for Counted {
    fn default() -> Counted {
        let overruns = [const { AtomicU64::new(0) }; INPUTS];
        Counted { overruns, silent_frames: AtomicU64::new(0) }
    }
}

impl Counted {
    pub(crate) fn overran(&self, input: u16, count: u64) {
        if let Some(of_input) = self.overruns.get(usize::from(input)) {
            of_input.store(count, Ordering::Relaxed);
        }
    }

    pub(crate) fn fell_silent(&self, frames: u64) {
        self.silent_frames.store(frames, Ordering::Relaxed);
    }

    /// All of it, with the events that were dropped.
    pub(crate) fn read(&self, dropped: u64) -> Losses {
        let of_each = self.overruns.iter().map(|count| count.load(Ordering::Relaxed));
        let mut overruns: Vec<u64> = of_each.collect();
        let used = overruns.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1);
        overruns.truncate(used);
        let silent_frames = self.silent_frames.load(Ordering::Relaxed);
        Losses { overruns, silent_frames, dropped, disk: None }
    }
}
