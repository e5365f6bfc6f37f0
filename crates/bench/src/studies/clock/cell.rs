//! One cell of the table: reads of the clock under one scheduling beside one load.
//!
//! A real-time thread that never sleeps would be throttled by the kernel, starve
//! others and be demoted by the watchdog after 4 s. So the runs are paused for half
//! as long as each took, which leaves a third of every second. Reading on without end
//! is meant to meet the throttling; there the thread sleeps once a second, for 100 us,
//! which the watchdog and the kernel's own limit count as a sign of life, and for
//! 50 ms where the kernel throttles nobody, so that others get their twentieth.

use super::{ClockGap, ClockSteps, read_clock, read_on};
use crate::studies::loads::Load;
use crate::timing::doubts::{self, Faults};
use crate::timing::{
    Part, Placement, Quantity, SampleSeries, Scheduling, TestFound, TestRun, Timer, measure, sd,
};
use chronotap_core::time::Nanos;
use chronotap_linux::machine::throttling;
use chronotap_linux::realtime::{Heartbeat, Interrupt, Usage};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The least pause between two runs.
const LEAST_PAUSE: Nanos = Nanos::from_millis(2);
/// How long it reads on between two sleeps.
const UNBROKEN: Nanos = Nanos::from_secs(1);
/// Reads by which the loop's own overhead is calibrated.
const CALIBRATION_READS: usize = 100_000;

/// How the clock is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// In so many runs.
    Runs(u64),
    /// Without end, for so long.
    On(Nanos),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) scheduling: Scheduling,
    pub(super) load: Load,
    pub(super) core: Option<usize>,
    pub(super) reading: Reading,
}

/// What a cell gives.
struct Reads {
    steps: ClockSteps,
    means_ns: Vec<f64>,
    faults: Faults,
    overhead_ns: f64,
}

impl Cell {
    /// Measures it, and adds what it found.
    pub(super) fn measure<T: Timer + Clone + Send + Sync>(
        &self,
        timer: &T,
        stamps: &Mutex<Vec<Nanos>>,
        course: &mut TestRun<'_>,
        part: Part,
        found: &mut TestFound,
    ) {
        let what = self.to_string();
        let interrupt = course.interrupt;
        let done = AtomicU64::new(0);
        let tell = |course: &mut TestRun<'_>| {
            course.tell(&what, part.at(done.load(Ordering::Relaxed) as f64 / self.whole()));
        };
        let placement = Placement { core: self.core, ..Placement::any(self.scheduling) };
        let timed = measure(&[placement], course, tell, |_, heart| {
            let mut stamps = stamps.lock().unwrap_or_else(PoisonError::into_inner);
            let thread = Thread { heart, interrupt, done: &done };
            self.read(&mut timer.clone(), &mut stamps, &thread)
        });
        match timed {
            Err(why) => found.notes.push(course.words_for(&why)),
            Ok(timed) => timed.into_iter().for_each(|one| {
                doubts::of_thread(&one, &what, found);
                found.notes.extend(self.doubts(&what, &one.value));
                found.series.extend(self.series(one.value));
            }),
        }
    }

    /// About how long it takes where a read costs so much: the runs, half as long again for the
    /// pauses between them.
    pub(super) fn expected(&self, read_ns: f64, reads: usize) -> Nanos {
        let run = Nanos::round_from_f64(read_ns * reads as f64 * self.slowed());
        match self.reading {
            Reading::Runs(runs) => (run + (run / 2).max(LEAST_PAUSE)) * runs as i64,
            Reading::On(span) => span,
        }
    }

    /// How many times slower it reads beside its load. On a processor with three loops an
    /// ordinary thread has a fourth of it; loops that have other processors to go to leave it
    /// half at the least. A favoured thread has it to itself.
    fn slowed(&self) -> f64 {
        match (self.scheduling, self.load) {
            (Scheduling::Ordinary, Load::Contending) => 4.0,
            (Scheduling::Ordinary, Load::Arithmetic) => 2.0,
            _ => 1.0,
        }
    }

    /// What `done` counts to.
    fn whole(&self) -> f64 {
        match self.reading {
            Reading::Runs(runs) => runs as f64,
            Reading::On(span) => span.0 as f64,
        }
    }

    /// On the measuring thread.
    fn read(&self, timer: &mut impl Timer, stamps: &mut [Nanos], thread: &Thread<'_>) -> Reads {
        let mut reads = Reads::new(overhead_ns(timer, stamps));
        match self.reading {
            Reading::Runs(runs) => reads.take_runs(timer, stamps, runs, thread),
            Reading::On(span) => reads.take_on(timer, span, thread),
        }
        reads
    }

    /// None where it was interrupted before the first read.
    fn series(&self, reads: Reads) -> Option<SampleSeries> {
        let (scheduling, core) = (self.scheduling.to_string(), self.core.map(|n| n.to_string()));
        let variant = match self.reading {
            Reading::Runs(_) => "runs",
            Reading::On(_) => "continuous",
        };
        let conditions = [
            ("clock", "CLOCK_MONOTONIC"),
            ("scheduling", scheduling.as_str()),
            ("load", self.load.name()),
            ("core", core.as_deref().unwrap_or("any")),
            ("variant", variant),
        ];
        let throttled = self.throttled(&reads).len();
        let Reads { steps, means_ns, faults, overhead_ns } = reads;
        let mut series = SampleSeries::of(Quantity::ClockStep, &conditions, steps.histogram)
            .with("above_10_us", steps.above_10_us as f64)
            .with("above_1_ms", steps.above_1_ms as f64)
            .with("throttle_gaps", throttled as f64)
            .with("overhead_ns", overhead_ns);
        series.figures.extend(faults.figures());
        series.figures.extend(of_runs(&means_ns));
        (series.statistics.n > 0).then_some(series)
    }

    /// Only real-time threads are throttled; others are stopped by others.
    fn throttled(&self, reads: &Reads) -> Vec<ClockGap> {
        match self.scheduling {
            Scheduling::Fifo(_) => reads.steps.throttled(),
            _ => Vec::new(),
        }
    }

    fn doubts(&self, what: &str, reads: &Reads) -> Vec<String> {
        let stops = self.throttled(reads);
        let lengths = || stops.iter().map(|gap| gap.length.as_millis_f64());
        let least = lengths().fold(f64::INFINITY, f64::min);
        let most = lengths().fold(0.0, f64::max);
        let stopped = format!(
            "{what}: {} stops of {least:.0} to {most:.0} ms, one a second: the kernel's real-time \
             throttling or fair server takes the processor from a thread that never sleeps; no \
             property of the clock, and not met by a trial",
            stops.len()
        );
        let stopped = (!stops.is_empty()).then_some(stopped);
        stopped.into_iter().chain(reads.faults.note(what)).collect()
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "clock reads, {}, load {}", self.scheduling, self.load)?;
        match self.reading {
            Reading::Runs(_) => Ok(()),
            Reading::On(_) => f.write_str(", without end"),
        }
    }
}

/// What the measuring thread looks at between its loops.
struct Thread<'a> {
    heart: &'a Heartbeat,
    interrupt: Interrupt,
    done: &'a AtomicU64,
}

impl Reads {
    fn new(overhead_ns: f64) -> Reads {
        let faults = Faults::default();
        Reads { steps: ClockSteps::new(), means_ns: Vec::new(), faults, overhead_ns }
    }

    fn take_runs(
        &mut self,
        timer: &mut impl Timer,
        stamps: &mut [Nanos],
        runs: u64,
        thread: &Thread<'_>,
    ) {
        for _ in 0..runs {
            if thread.interrupt.requested() {
                return;
            }
            let begin = timer.now();
            let before = Usage::of_this_thread();
            read_clock(timer, stamps);
            self.faults.add(Usage::of_this_thread() - before);
            self.steps.take_all(stamps);
            self.means_ns.extend(mean_step_ns(stamps));
            thread.heart.beat();
            thread.done.fetch_add(1, Ordering::Relaxed);
            let now = timer.now();
            timer.sleep_until(now + ((now - begin) / 2).max(LEAST_PAUSE));
        }
    }

    fn take_on(&mut self, timer: &mut impl Timer, span: Nanos, thread: &Thread<'_>) {
        let sleep = if throttles() { Nanos::from_micros(100) } else { Nanos::from_millis(50) };
        let begin = timer.now();
        let mut now = begin;
        while now < begin + span && !thread.interrupt.requested() {
            let until = (now + UNBROKEN).min(begin + span);
            let before = Usage::of_this_thread();
            read_on(timer, until, &mut self.steps, || thread.interrupt.requested());
            self.faults.add(Usage::of_this_thread() - before);
            thread.heart.beat();
            now = timer.now();
            timer.sleep_until(now + sleep);
            thread.done.store((now - begin).0.unsigned_abs(), Ordering::Relaxed);
        }
    }
}

/// Whether the kernel keeps a part of each second for ordinary threads.
fn throttles() -> bool {
    throttling().is_some_and(|limits| limits.runtime_us >= 0)
}

fn mean_step_ns(stamps: &[Nanos]) -> Option<f64> {
    let (first, last) = (stamps.first()?, stamps.last()?);
    (stamps.len() > 1).then(|| (*last - *first).0 as f64 / (stamps.len() - 1) as f64)
}

/// How far the runs agree.
fn of_runs(means_ns: &[f64]) -> Vec<(String, f64)> {
    if means_ns.is_empty() {
        return Vec::new();
    }
    let mut figures = vec![
        ("runs".to_owned(), means_ns.len() as f64),
        ("run_mean_least_ns".to_owned(), means_ns.iter().copied().fold(f64::INFINITY, f64::min)),
        ("run_mean_greatest_ns".to_owned(), means_ns.iter().copied().fold(0.0, f64::max)),
    ];
    if means_ns.len() > 1 {
        figures.push(("run_mean_sd_ns".to_owned(), sd(means_ns)));
    }
    figures
}

/// What a turn of the loop takes beside the clock's read, measured by putting a count
/// in the clock's place.
fn overhead_ns(timer: &mut impl Timer, stamps: &mut [Nanos]) -> f64 {
    let reads = CALIBRATION_READS.min(stamps.len());
    let stamps = &mut stamps[..reads];
    let begin = timer.now();
    read_clock(&mut Count(0), stamps);
    let span = timer.now() - begin;
    std::hint::black_box(&stamps);
    span.0 as f64 / reads.max(1) as f64
}

/// A clock that takes no time to read.
struct Count(i64);

impl Timer for Count {
    fn now(&mut self) -> Nanos {
        self.0 = std::hint::black_box(self.0) + 1;
        Nanos(self.0)
    }

    fn sleep_until(&mut self, _at: Nanos) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beside_loops_an_ordinary_thread_is_expected_to_take_longer_and_a_favoured_one_not() {
        let reading = Reading::Runs(2);
        let cell = |scheduling, load| Cell { scheduling, load, core: None, reading };
        let ms =
            |scheduling, load| cell(scheduling, load).expected(100.0, 1_000_000).as_millis_f64();
        // Two runs of 100 ms and two pauses of 50 ms.
        assert_eq!(ms(Scheduling::Ordinary, Load::None), 300.0);
        assert_eq!(ms(Scheduling::Ordinary, Load::Contending), 4.0 * 300.0);
        assert_eq!(ms(Scheduling::Fifo(80), Load::Contending), 300.0);
        let on = Cell {
            reading: Reading::On(Nanos::from_secs(3)),
            ..cell(Scheduling::Ordinary, Load::None)
        };
        assert_eq!(on.expected(100.0, 1_000_000), Nanos::from_secs(3));
    }
}
