//! [`Turn`]: what leader and workers know of the turn under way, as atomics; who waits, and
//! how, is the relay's.
//!
//! An order is stored before the generation moves (`Release`) and read after it was seen to
//! move (`Acquire`), so a worker never follows the order of the turn before. Each worker's
//! work lies before it counts itself off (`AcqRel`), so the leader who sees nobody pending
//! (`Acquire`) sees the work of all. `tests/relay_model.rs` compiles this very file against
//! the atomics of `loom`, and tries the interleavings.
//!
//! Real-time contract: wait-free; no allocation, lock, system call, log or panic.

use super::Ordering::{AcqRel, Acquire, Relaxed, Release};
use super::{AtomicU32, AtomicU64};

/// The turn under way.
#[derive(Debug, Default)]
pub(super) struct Turn {
    order: AtomicU32,
    generation: AtomicU64,
    pending: AtomicU32,
}

impl Turn {
    /// The leader gives an order to so many workers; not before all have finished the last.
    pub(super) fn give(&self, order: u32, workers: u32) {
        self.pending.store(workers, Relaxed);
        self.order.store(order, Relaxed);
        self.generation.fetch_add(1, Release);
    }

    /// The order that follows the turns a worker has `seen`; `None` while there is none.
    pub(super) fn order_after(&self, seen: u64) -> Option<u32> {
        (self.generation.load(Acquire) != seen).then(|| self.order.load(Relaxed))
    }

    /// A worker has done its part. Whether it was the last of them.
    pub(super) fn finish(&self) -> bool {
        self.pending.fetch_sub(1, AcqRel) == 1
    }

    /// How many workers have not done their part as yet.
    pub(super) fn pending(&self) -> u32 {
        self.pending.load(Acquire)
    }

    /// Where that number stands, for a leader who sleeps until it changes.
    #[allow(dead_code, reason = "in the model of loom a leader parks")]
    pub(super) const fn word(&self) -> &AtomicU32 {
        &self.pending
    }
}
