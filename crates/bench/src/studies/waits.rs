//! [`WaitsTest`]: how a program can wait, how late each way ends, what it costs, and
//! whether others can use the processor meanwhile (Finney 2001, "Process Suspension").
//!
//! Every mechanism of Linux under ordinary scheduling with its timer slack of 50 us,
//! the same with the least slack, and SCHED_FIFO; pauses of 50 us to 20 ms. All waits
//! are single: the clock is read, the wait is asked for, the clock is read again. A
//! second, shorter round has a companion, an ordinary thread on the same processor
//! that computes whenever it may; what it gets is what the mechanism leaves to others.
//! Sleeping again and again on fixed deadlines is another test, `wakeup`.

mod cell;
mod companion;
mod round;
mod spans;

pub use companion::{Companion, Got};
pub use round::take_pauses;

use crate::mechanisms::{HeldSignals, Mechanism};
use crate::timing::{
    Length, Part, Placement, Probe, Scheduling, TestFound, TestRefusal, TestRun, Timed, doubts,
    measure, usable_cores,
};
use cell::Cell;
use chronotap_core::time::Nanos;
use chronotap_linux::realtime::Interrupt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const NAME: &str = "waits";

/// Every way to wait, one after the other.
#[derive(Clone, Debug)]
pub struct WaitsTest {
    /// The ways to wait.
    pub mechanisms: Vec<Mechanism>,
    /// The processor on which it waits.
    pub core: usize,
    /// The pauses to ask for; by default 50 us to 20 ms.
    pub pauses: Option<Vec<Nanos>>,
}

impl Default for WaitsTest {
    /// All mechanisms, on the last processor: the first one has most of the interrupts.
    fn default() -> WaitsTest {
        let core = usable_cores().last().copied().unwrap_or(0);
        WaitsTest { mechanisms: Mechanism::ALL.to_vec(), core, pauses: None }
    }
}

impl WaitsTest {
    /// Ordinary as it comes, ordinary with the least timer slack, and a trial's.
    fn placements(&self) -> [Placement; 3] {
        let ordinary = Placement::any(Scheduling::Ordinary).on(self.core);
        let least_slack = Placement { timer_slack_ns: Some(1), ..ordinary };
        [ordinary, least_slack, Placement::any(Scheduling::Fifo(80)).on(self.core)]
    }
}

/// A pause is too short or too long to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a pause is 1 us to 1 s, not {} us", .0.as_micros_f64())]
pub struct StrangePause(pub Nanos);

impl Probe for WaitsTest {
    fn name(&self) -> &'static str {
        NAME
    }

    /// A mechanism that cannot be used is named with the reason.
    fn available(&self) -> Result<(), TestRefusal> {
        let strange = self.pauses.iter().flatten().find(|pause| !spans::POSSIBLE.contains(pause));
        Ok(strange.map_or(Ok(()), |pause| Err(StrangePause(*pause)))?)
    }

    fn duration(&self, length: Length) -> Nanos {
        let spans = self.mechanisms.iter().map(|mechanism| self.spans(*mechanism, length));
        let one = spans.flatten().map(|span| round::expected(span, length)).sum::<Nanos>();
        // The guard of the hybrid, the threads, and the lateness of an ordinary one.
        (one + Nanos::from_secs(1)) * 3
    }

    fn run(&self, course: &mut TestRun<'_>) -> TestFound {
        let mut found = TestFound::of(NAME);
        // Threads made from here on inherit it, so that none is given the alarm.
        let _held = HeldSignals::alarm();
        let companion = match Companion::start(self.core) {
            Ok(companion) => Some(companion),
            Err(why) => {
                found.notes.push(format!("what is left to others is not measured: {why}"));
                None
            }
        };
        found.notes.extend(companion.as_ref().and_then(Companion::crowded));
        for (part, placement) in Part::of_each(&self.placements()) {
            self.measure(*placement, companion.as_ref(), part, course, &mut found);
        }
        found.interrupted = course.interrupted();
        found
    }
}

impl WaitsTest {
    /// All mechanisms on one thread, so that the test is not mostly starts of threads.
    fn measure(
        &self,
        placement: Placement,
        companion: Option<&Companion>,
        part: Part,
        course: &mut TestRun<'_>,
        found: &mut TestFound,
    ) {
        let cells = Mutex::new(self.cells(placement, course.length));
        let count = cells.lock().map_or(1, |cells| cells.len().max(1));
        let done = AtomicUsize::new(0);
        let what = format!("waits, {}", cell::name(placement));
        let tell = |course: &mut TestRun<'_>| {
            let share = done.load(Ordering::Relaxed) as f64 / count as f64;
            course.tell(&what, part.at(share));
        };
        let interrupt = course.interrupt;
        let timed = measure(&[placement], course, tell, |_, heart| {
            let _held = HeldSignals::all();
            let beat = || {
                heart.beat();
                done.fetch_add(1, Ordering::Relaxed);
            };
            take(&mut lock(&cells), companion, interrupt, beat)
        });
        match timed {
            Err(why) => found.notes.push(course.words_for(&why)),
            Ok(timed) => timed.iter().for_each(|one: &Timed<Vec<String>>| {
                doubts::of_thread(one, &what, found);
                one.value.iter().for_each(|refusal| doubts::note(found, refusal.clone()));
            }),
        }
        lock(&cells).drain(..).for_each(|cell| cell.report(found));
    }

    fn spans(&self, mechanism: Mechanism, length: Length) -> Vec<Nanos> {
        spans::of(mechanism, length, self.pauses.as_deref())
    }

    /// Everything that is written to is made here and touched, before the memory is
    /// locked.
    fn cells(&self, placement: Placement, length: Length) -> Vec<Cell> {
        let of = |mechanism: &Mechanism| {
            let mechanism = *mechanism;
            let spans = self.spans(mechanism, length).into_iter();
            spans.map(move |span| Cell::new(mechanism, placement, span, length))
        };
        self.mechanisms.iter().flat_map(of).collect()
    }
}

fn lock<T>(cells: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    cells.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// On the measuring thread: opens each mechanism, once for all its spans, and gives
/// the reasons of those that cannot be used.
fn take(
    cells: &mut [Cell],
    companion: Option<&Companion>,
    interrupt: Interrupt,
    beat: impl Fn(),
) -> Vec<String> {
    let mut refusals = Vec::new();
    for cells in cells.chunk_by_mut(|a, b| a.mechanism == b.mechanism) {
        let name = cells[0].mechanism.name();
        let mut wait = match cells[0].mechanism.open() {
            Ok(wait) => wait,
            Err(why) => {
                refusals.push(format!("{name} is not measured: {why}"));
                continue;
            }
        };
        for cell in cells {
            if interrupt.requested() {
                return refusals;
            }
            let taken = cell.take(wait.as_mut(), companion, interrupt);
            refusals.extend(taken.err().map(|why| format!("{name}: {why}")));
            beat();
        }
    }
    refusals
}
