//! One run: a measuring thread on each core, and the ordinary thread that waits for
//! them, tells how far they are, and looks at the kernel's counters.

use super::overhead::Overhead;
use super::witness::{Peak, Witness};
use super::{GREATEST, REMEMBERED, Schedule, WakeupCounts, WakeupTest};
use crate::timing::thread::{Placement, ThreadError, Timed, measure};
use crate::timing::{Part, RealTimer, TestRun, Timer};
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::MonotonicClock;
use std::sync::atomic::{AtomicI32, AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};

/// From the first thread's readiness to the first deadline: time for the others.
const LEAD: Nanos = Nanos::from_millis(20);

/// From one look at the kernel's counters to the next. A look keeps a core from others
/// for tens of microseconds, on a slow machine for hundreds, since a system call is not
/// interrupted where the kernel is not preemptible: ten a second would be one wake-up
/// in a hundred at 1 ms, just what p99 shows.
const BETWEEN_LOOKS: Nanos = Nanos::from_millis(250);

pub(super) struct Run {
    /// When the first deadline was, on CLOCK_MONOTONIC.
    pub origin: Nanos,
    /// One for each core, in the test's order.
    pub cores: Vec<(usize, WakeupCounts, Timed<Overhead>)>,
    pub witness: Option<Witness>,
}

/// What a measuring thread works with, made before it starts.
struct Seat {
    core: usize,
    counts: Mutex<WakeupCounts>,
    scratch: Mutex<WakeupCounts>,
    peak: Peak,
    thread: AtomicI32,
}

/// Measures once; `part` is what this run is of the whole test.
pub(super) fn run(
    test: &WakeupTest,
    held: bool,
    part: Part,
    course: &mut TestRun<'_>,
) -> Result<Run, ThreadError> {
    let seats: Vec<Seat> = test.cores.iter().map(|&core| Seat::new(core)).collect();
    let place = |seat: &Seat| Placement {
        quick_wakeups: held,
        ..Placement::any(test.scheduling).on(seat.core)
    };
    let placements: Vec<Placement> = seats.iter().map(place).collect();
    let duration = test.one_run(course.length);
    let origin = AtomicI64::new(0);
    let mut looks = Looks { seats: &seats, witness: None, next: Nanos::MIN };
    let interrupt = course.interrupt;
    let timed = measure(
        &placements,
        course,
        |course| {
            looks.look_now_and_then();
            tell(course, held, part.at(passed(&origin).0 as f64 / duration.0.max(1) as f64));
        },
        |index, _| seats[index].measure(test, index, duration, &origin, || !interrupt.requested()),
    )?;
    looks.look();
    let witness = looks.witness;
    let origin = Nanos(origin.into_inner());
    let cores = seats.into_iter().zip(timed).map(|(seat, timed)| seat.leave(timed)).collect();
    Ok(Run { origin, cores, witness })
}

impl Seat {
    fn new(core: usize) -> Seat {
        let counts = Mutex::new(WakeupCounts::new(GREATEST).remembering(REMEMBERED));
        let scratch = Mutex::new(WakeupCounts::new(GREATEST));
        Seat { core, counts, scratch, peak: Peak::default(), thread: AtomicI32::new(0) }
    }

    /// Real-time contract: the measuring thread. Its locks are its own and free; what
    /// follows is [`Schedule::run`]'s.
    fn measure(
        &self,
        test: &WakeupTest,
        index: usize,
        duration: Nanos,
        origin: &AtomicI64,
        asked_on: impl Fn() -> bool,
    ) -> Overhead {
        self.thread.store(rustix::thread::gettid().as_raw_nonzero().get(), Ordering::Relaxed);
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let go_on = |late, kept: bool| {
            if kept {
                self.peak.tell(late);
            }
            asked_on()
        };
        let overhead = Overhead::measure(&mut scratch, go_on);
        let first = begin(origin) + test.distance * index as i64;
        let schedule = Schedule { first, interval: test.interval, end: first + duration };
        schedule.from(RealTimer.now()).run(&mut RealTimer, &mut counts, go_on);
        overhead
    }

    fn leave(self, timed: Timed<Overhead>) -> (usize, WakeupCounts, Timed<Overhead>) {
        (self.core, self.counts.into_inner().unwrap_or_else(PoisonError::into_inner), timed)
    }

    /// The core, and the thread's name under /proc, where it runs already.
    fn in_proc(&self) -> Option<(usize, String)> {
        let thread = self.thread.load(Ordering::Relaxed);
        (thread != 0).then(|| (self.core, format!("self/task/{thread}")))
    }
}

/// The first deadline of the first core: set by the thread that is ready first.
fn begin(origin: &AtomicI64) -> Nanos {
    let mine = (RealTimer.now() + LEAD).0;
    match origin.compare_exchange(0, mine, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => Nanos(mine),
        Err(theirs) => Nanos(theirs),
    }
}

fn passed(origin: &AtomicI64) -> Nanos {
    match origin.load(Ordering::Relaxed) {
        0 => Nanos::ZERO,
        origin => MonotonicClock::raw() - Nanos(origin),
    }
}

fn tell(course: &mut TestRun<'_>, held: bool, done: f64) {
    let how = if held { "wake-up latency held at 0 us" } else { "wake-up latency as it is" };
    course.tell(&format!("wake-ups, {how}"), done);
}

/// The looks at the kernel's counters, on the caller's thread.
struct Looks<'a> {
    seats: &'a [Seat],
    witness: Option<Witness>,
    next: Nanos,
}

impl Looks<'_> {
    fn look_now_and_then(&mut self) {
        let now = MonotonicClock::raw();
        if now >= self.next {
            self.look();
            self.next = if self.witness.is_some() { now + BETWEEN_LOOKS } else { now };
        }
    }

    fn look(&mut self) {
        let threads: Vec<(usize, String)> = self.seats.iter().filter_map(Seat::in_proc).collect();
        if threads.len() < self.seats.len() {
            return; // some have not started
        }
        let now = MonotonicClock::raw;
        match &mut self.witness {
            Some(witness) => {
                witness.look(&threads, self.seats.iter().map(|s| (s.core, &s.peak)), now);
            }
            None => self.witness = Some(Witness::begin(GREATEST, now(), &threads)),
        }
    }
}
