//! [`in_order`]: work on many items on all processors, with the results taken in the order of the
//! items, while the work goes on, so that they need not all be in memory.
//!
//! Whoever has done a batch puts it down, and takes what is next in order if nobody else does so
//! at that moment. Nobody waits, unless so many batches lie there that memory would fill up.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// So many batches may lie there before somebody waits for them to be taken.
const MANY: usize = 32;

/// Calls `work` for ranges of at most `size` of `count` items, on all processors, and `take` for
/// what it gave, in the order of the ranges. Where `take` says false, no range is begun any more.
pub(crate) fn in_order<T: Send>(
    count: usize,
    size: usize,
    work: impl Fn(Range<usize>) -> T + Sync,
    take: impl FnMut(T) -> bool + Send,
) {
    let line = Line {
        waiting: Mutex::new(BTreeMap::new()),
        taker: Mutex::new(Taker { next: 0, take }),
        stopped: AtomicBool::new(false),
    };
    let batches = count.div_ceil(size);
    let next = AtomicUsize::new(0);
    let worker = || loop {
        let batch = next.fetch_add(1, Relaxed); // a count on its own needs no order
        if batch >= batches || line.stopped.load(Relaxed) {
            return;
        }
        line.put(batch, work(batch * size..count.min((batch + 1) * size)));
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(batches);
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(worker);
        }
        worker();
    });
}

/// The batches that are done, and who takes them.
struct Line<T, F> {
    waiting: Mutex<BTreeMap<usize, T>>,
    taker: Mutex<Taker<F>>,
    stopped: AtomicBool,
}

struct Taker<F> {
    next: usize,
    take: F,
}

impl<T, F: FnMut(T) -> bool> Line<T, F> {
    fn put(&self, batch: usize, done: T) {
        let many = {
            let mut waiting = self.waiting();
            waiting.insert(batch, done);
            waiting.len() > MANY
        };
        loop {
            let Some(mut taker) = self.taker(many) else { return };
            while let Some(done) = self.next(taker.next) {
                taker.next += 1;
                if !(taker.take)(done) {
                    self.stopped.store(true, Relaxed);
                }
            }
            let next = taker.next;
            drop(taker);
            // What was put down between the last look and here, nobody else has taken.
            if !self.waiting().contains_key(&next) {
                return;
            }
        }
    }

    fn waiting(&self) -> MutexGuard<'_, BTreeMap<usize, T>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self, batch: usize) -> Option<T> {
        self.waiting().remove(&batch)
    }

    /// `None` where somebody else takes at this moment, unless that is to be waited for.
    fn taker(&self, wait: bool) -> Option<MutexGuard<'_, Taker<F>>> {
        if wait {
            return Some(self.taker.lock().unwrap_or_else(PoisonError::into_inner));
        }
        match self.taker.try_lock() {
            Ok(taker) => Some(taker),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_taken_once_and_in_order() {
        let mut taken = Vec::new();
        in_order(
            1_000,
            3,
            |range| range.collect::<Vec<_>>(),
            |part| {
                taken.extend(part);
                true
            },
        );
        assert_eq!(taken, (0..1_000).collect::<Vec<_>>());
        in_order(0, 3, |_| panic!("there is nothing to do"), |(): ()| true);
    }

    #[test]
    fn who_says_no_is_asked_for_little_more() {
        let done = AtomicUsize::new(0);
        in_order(1_000_000, 1, |_| done.fetch_add(1, Relaxed), |_| false);
        assert!(done.load(Relaxed) < 1_000_000, "{done:?}");
    }
}
