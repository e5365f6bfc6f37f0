//! One run: a measuring thread on each core, and the ordinary thread that waits for
//! them, tells how far they are, and looks at the kernel's counters.

use super::overhead::Overhead;
use super::witness::{CounterLooks, Peak};
use super::{GREATEST, REMEMBERED, Schedule, WakeupCounts, WakeupTest};
use crate::timing::stop::{Stop, Tasks};
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
    pub witness: Option<CounterLooks>,
    /// What ended it before its time: a wake-up beyond the limit, in a sentence.
    pub stopped: Option<String>,
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
        core: test.is_pinned().then_some(seat.core),
        ..Placement::any(test.scheduling)
    };
    let placements: Vec<Placement> = seats.iter().map(place).collect();
    let duration = test.one_run(course.length);
    let origin = AtomicI64::new(0);
    let stop = test.stop_above.map(Stop::above);
    let mut looks = Looks::of(&seats, stop.as_ref());
    let interrupt = course.interrupt;
    let timed = measure(
        &placements,
        course,
        |course| {
            looks.look_now_and_then();
            tell(course, held, part.at(passed(&origin).0 as f64 / duration.0.max(1) as f64));
        },
        |index, _| {
            let stop = stop.as_ref();
            seats[index].measure(test, (index, stop), duration, &origin, || !interrupt.requested())
        },
    )?;
    looks.look();
    let origin = Nanos(origin.into_inner());
    let stopped = looks.stopped(origin, test.is_pinned());
    let witness = looks.witness;
    let cores = seats.into_iter().zip(timed).map(|(seat, timed)| seat.leave(timed)).collect();
    Ok(Run { origin, cores, witness, stopped })
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
        (index, stop): (usize, Option<&Stop>),
        duration: Nanos,
        origin: &AtomicI64,
        asked_on: impl Fn() -> bool,
    ) -> Overhead {
        self.thread.store(rustix::thread::gettid().as_raw_nonzero().get(), Ordering::Relaxed);
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let tell = |late, kept: bool| {
            if kept {
                self.peak.tell(late);
            }
            asked_on()
        };
        let overhead = Overhead::measure(&mut scratch, tell);
        let first = begin(origin) + test.distance * index as i64;
        let schedule = Schedule { first, interval: test.interval, end: first + duration };
        let ended =
            |late: Nanos| stop.is_some_and(|stop| stop.passed(index, RealTimer.now() - late, late));
        let go_on = |late, kept| tell(late, kept) && !ended(late);
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

/// The looks at the kernel's counters, on the caller's thread; and, where a late wake-up is to end
/// the run, at what runs.
struct Looks<'a> {
    seats: &'a [Seat],
    stop: Option<&'a Stop>,
    witness: Option<CounterLooks>,
    tasks: [Tasks; 2], // at the look before the last and at the last; until a wake-up ended the run
    complete: bool,
    next: Nanos,
}

impl<'a> Looks<'a> {
    fn of(seats: &'a [Seat], stop: Option<&'a Stop>) -> Looks<'a> {
        let before = stop.map(|_| Tasks::look()).unwrap_or_default();
        let tasks = [Tasks::default(), before];
        Looks { seats, stop, witness: None, tasks, complete: false, next: Nanos::MIN }
    }

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
        self.look_at_tasks();
        let now = MonotonicClock::raw;
        match &mut self.witness {
            Some(witness) => {
                witness.look(&threads, self.seats.iter().map(|s| (s.core, &s.peak)), now);
            }
            None => self.witness = Some(CounterLooks::begin(GREATEST, now(), &threads)),
        }
    }

    fn look_at_tasks(&mut self) {
        let Some(stop) = self.stop.filter(|_| !self.complete) else { return };
        self.complete = stop.first().is_some();
        self.tasks.swap(0, 1);
        self.tasks[1] = Tasks::look();
    }

    /// What ended the run before its time, with what ran there meanwhile.
    fn stopped(&self, origin: Nanos, pinned: bool) -> Option<String> {
        let (stop, first) = (self.stop?, self.stop?.first()?);
        let (core, late) = (self.seats[first.thread].core, first.sample);
        let us = late.as_micros_f64();
        if !pinned {
            let what = format!("thread {} woke up {us:.1} us late", first.thread);
            return Some(stop.sentence(&what, first.at - origin, &[]));
        }
        let counted = self.witness.as_ref().map(|all| all.counted(core, first.at, late));
        let mut meanwhile = self.tasks[1].ran_since(&self.tasks[0], core);
        meanwhile.extend(counted.into_iter().flatten());
        let what = format!("core {core} woke up {us:.1} us late");
        Some(stop.sentence(&what, first.at - origin, &meanwhile))
    }
}
