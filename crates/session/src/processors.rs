//! [`on_all`]: work on all processors; on one alone, and where there are no threads, as in a page of a browser,
//! the same work one after the other.

use std::num::NonZero;

/// Calls `work` once on each processor, at most so many times, and waits for all of them. One of the calls is
/// made by the caller itself.
pub fn on_all(most: usize, work: impl Fn() + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(most);
    if threads < 2 {
        return work();
    }
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(&work)));
        work();
    });
}
