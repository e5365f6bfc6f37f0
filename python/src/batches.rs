//! [`in_batches`]: work on many trials, spread over the processors, with the results in the
//! order of the trials; [`watched`]: any long work. Both end soon after Ctrl-C. What the work does is
//! not known here.

use pyo3::prelude::*;
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

/// How often it is asked whether somebody pressed Ctrl-C.
const EVERY: Duration = Duration::from_millis(50);

/// Calls `work` for ranges of at most `size` of `count` trials, on all processors and without the
/// interpreter, and gives what it gave in the order of the ranges. After an error no further range is
/// begun; the first error, in the order of the ranges, of those that were begun is given.
///
/// # Errors
/// `KeyboardInterrupt`.
pub fn in_batches<T: Send, E: Send>(
    py: Python<'_>,
    count: usize,
    size: usize,
    work: impl Fn(Range<usize>) -> Result<T, E> + Sync,
) -> PyResult<Result<Vec<T>, E>> {
    let batches = count.div_ceil(size);
    if batches <= 1 {
        // Asking how many processors there are takes longer than many a statistic.
        return Ok(py.detach(|| (0..batches).map(|_| work(0..count)).collect()));
    }
    let stop = AtomicBool::new(false);
    let all = || on_all_processors(batches, &stop, |n| work(n * size..count.min((n + 1) * size)));
    watched(py, &stop, all)
}

fn on_all_processors<T: Send, E: Send>(
    batches: usize,
    stop: &AtomicBool,
    work: impl Fn(usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(batches);
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(batches));
    let worker = || loop {
        let batch = next.fetch_add(1, Relaxed); // a count on its own needs no order
        if batch >= batches || stop.load(Relaxed) {
            return;
        }
        let result = work(batch);
        stop.fetch_or(result.is_err(), Relaxed);
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

/// Does some work without the interpreter, on a thread of its own, while this one looks for Ctrl-C: then
/// `stop` is set, and the work is to end soon.
///
/// # Errors
/// `KeyboardInterrupt`.
pub fn watched<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let (over, is_over) = mpsc::channel::<()>();
            let worker = scope.spawn(move || {
                let _over = over; // dropped with the end, also that by a panic
                work()
            });
            let mut interrupted = Ok(());
            while is_over.recv_timeout(EVERY) == Err(mpsc::RecvTimeoutError::Timeout) {
                if interrupted.is_ok() {
                    interrupted = Python::attach(|py| py.check_signals());
                    stop.fetch_or(interrupted.is_err(), Relaxed);
                }
            }
            let done = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            interrupted.map(|()| done)
        })
    })
}
