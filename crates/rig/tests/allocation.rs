//! The loop of a trial in real time allocates nothing: a port counts what the
//! thread that serves it has allocated between its first write and its last.

mod common;

use chronotap_config::trial_files::performers::Tappers;
use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{Arrival, Port, PortCounts, PortError, Readiness, Written};
use chronotap_simulate::{FarEnd, Wire};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

thread_local! { static ALLOCATIONS: Cell<u64> = const { Cell::new(0) } }

struct Counting;

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// A wire that counts allocations and writes.
struct Watched {
    wire: Wire,
    first: Option<u64>,
    allocations: Arc<AtomicU64>,
    writes: Arc<AtomicU64>,
}

impl Port for Watched {
    fn readiness(&self) -> Readiness<'_> {
        self.wire.readiness()
    }

    fn read(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        self.wire.read(now, arrived)
    }

    fn write(&mut self, action: &Action, now: Nanos) -> Result<Written, PortError> {
        let count = ALLOCATIONS.with(Cell::get);
        let first = *self.first.get_or_insert(count);
        self.allocations.store(count - first, Relaxed);
        self.writes.fetch_add(1, Relaxed);
        self.wire.write(action, now)
    }

    fn counts(&self) -> PortCounts {
        PortCounts { overruns: self.writes.load(Relaxed), ..self.wire.counts() } // always more
    }
}

const TRIAL: &str = r#"
    [pacing.metronome]
    interval = "20 ms"
    start = "0 ms"
    [feedback.tone]
    delay = "30 ms"
    pitch = { random = [60, 62, 64] }
    [masking.noise]
    rate = "50 per s"
    notes = "C3..C5"
    [[when]]
    tap = 3
    ramp.feedback.tone.delay = { to = "10 ms", over = "200 ms" }
    play = { note = 90, duration = "20 ms" }
    mark = "here"
    [[when]]
    time = "1 s"
    end = true
"#;

#[test]
fn the_loop_of_a_trial_allocates_nothing() {
    let performer =
        Tappers::from_spec("tapper, interval = 100 ms, wait = 0.1 s", &["input".into()], 7);
    let far_end = FarEnd::Performer(Box::new(performer.expect("a participant")));
    let (allocations, writes) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let port = Watched {
        wire: Wire::new(None, far_end),
        first: None,
        allocations: Arc::clone(&allocations),
        writes: Arc::clone(&writes),
    };
    common::run(TRIAL, Box::new(port));
    assert!(writes.load(Relaxed) > 100, "{} writes", writes.load(Relaxed));
    assert_eq!(allocations.load(Relaxed), 0);
}
