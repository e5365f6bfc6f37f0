//! [`in_batches`]: work on many trials, spread over the processors, with the results in the
//! order of the trials. What the trials do is not known here.

use std::num::NonZero;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Calls `work` for ranges of at most `size` of `count` trials, on all processors, and gives
/// what it gave in the order of the ranges. After an error no further range is begun.
///
/// # Errors
/// The first error, in the order of the ranges, of those that were begun.
pub fn in_batches<T: Send, E: Send>(
    count: usize,
    size: usize,
    work: impl Fn(Range<usize>) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let batches = count.div_ceil(size);
    if batches <= 1 {
        // Asking how many processors there are takes longer than many a statistic.
        return (0..batches).map(|_| work(0..count)).collect();
    }
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(batches);
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let done = Mutex::new(Vec::with_capacity(batches));
    let worker = || loop {
        let batch = next.fetch_add(1, Relaxed); // a count on its own needs no order
        if batch >= batches || failed.load(Relaxed) {
            return;
        }
        let result = work(batch * size..count.min((batch + 1) * size));
        failed.fetch_or(result.is_err(), Relaxed);
        done.lock().unwrap_or_else(PoisonError::into_inner).push((batch, result));
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(worker);
        }
        worker();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(batch, _)| *batch);
    done.into_iter().map(|(_, result)| result).collect()
}
