//! [`Shared`]: what both ends of the queue, the writer thread and the recorder know in common.

use crate::losses::{Counted, Losses};
use chronotap_core::files::Refusal;
use chronotap_core::time::Nanos;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};

/// What sender, writer and recorder know in common.
///
/// `stopping` is set with `Release` and seen with `Acquire`, and the writer looks at it
/// before it empties the queue for the last time: so it then finds every entry that was
/// pushed before. `appended` likewise says of each entry it counts that its line was written
/// to the file. The count of the dropped, the flags of refusal and of fullness and the kind of a
/// refusal are read for themselves alone, and `synced` by threads that only compare it: they need
/// no order (`Relaxed`).
#[derive(Debug)]
pub(crate) struct Shared {
    /// Where the trial's clock counts from, raw CLOCK_MONOTONIC; `i64::MIN` before it
    /// starts.
    pub(crate) origin: AtomicI64,
    pub(crate) dropped: AtomicU64,
    /// What the ports have lost, as they counted when they were last asked.
    pub(crate) counted: Counted,
    pub(crate) stopping: AtomicBool,
    /// Whether no input is kept any more.
    pub(crate) full: AtomicBool,
    /// Entries that are wholly in the journal, and those that are on the disk.
    pub(crate) appended: AtomicUsize,
    pub(crate) synced: AtomicUsize,
    /// Whether the last attempt failed.
    pub(crate) refused_append: AtomicBool,
    pub(crate) refused_sync: AtomicBool,
    /// Whether the journal has lost its name, with its folder or alone.
    pub(crate) gone: AtomicBool,
    /// The kind of the last refusal, by its place in [`Refusal::ALL`].
    refusal: AtomicUsize,
    /// What the disk last said; never touched by the real-time thread.
    pub(crate) problem: Mutex<Option<String>>,
}

impl Default for Shared {
    fn default() -> Shared {
        Shared {
            origin: AtomicI64::new(i64::MIN),
            dropped: AtomicU64::new(0),
            counted: Counted::default(),
            stopping: AtomicBool::new(false),
            full: AtomicBool::new(false),
            appended: AtomicUsize::new(0),
            synced: AtomicUsize::new(0),
            refused_append: AtomicBool::new(false),
            refused_sync: AtomicBool::new(false),
            gone: AtomicBool::new(false),
            refusal: AtomicUsize::new(usize::MAX),
            problem: Mutex::new(None),
        }
    }
}

impl Shared {
    /// Where the trial's clock counts from, once it does.
    pub(crate) fn origin(&self) -> Option<Nanos> {
        Some(self.origin.load(Ordering::Acquire)).filter(|at| *at != i64::MIN).map(Nanos)
    }

    /// What was lost since the trial began, and what the disk refuses now.
    pub(crate) fn losses(&self) -> Losses {
        let disk = self.refusal();
        Losses { disk, ..self.counted.read(self.dropped.load(Ordering::Relaxed)) }
    }

    fn refusal(&self) -> Option<Refusal> {
        if self.gone.load(Ordering::Relaxed) {
            return Some(Refusal::Gone);
        }
        let place = self.refusal.load(Ordering::Relaxed);
        self.trouble().then(|| Refusal::ALL.get(place).copied()).flatten()
    }

    pub(crate) fn trouble(&self) -> bool {
        self.refused_append.load(Ordering::Relaxed) || self.refused_sync.load(Ordering::Relaxed)
    }

    /// Keeps what the disk said.
    pub(crate) fn keep_error(&self, error: &io::Error) {
        self.refusal.store(Refusal::of(error) as usize, Ordering::Relaxed);
        if let Ok(mut problem) = self.problem.lock() {
            *problem = Some(error.to_string());
        }
    }
}
