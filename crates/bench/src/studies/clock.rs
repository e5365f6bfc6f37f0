//! [`ClockTest`]: how fine the clock is and how long a program that only reads it is
//! kept from doing so (Finney 2001, Table 1).
//!
//! A million reads one after the other, ten times, under three ways of scheduling,
//! without load, beside three arithmetic loops, and beside three loops on every
//! processor, which on a machine with several is what three were on the one of 2001. Then, in
//! the longer tests, reading on without end for as long as the ten runs took then, since
//! today's are over in a fifth of a second, before anything can happen. What each
//! clock costs stands beside it, and the table of 2001 in [`finney_2001`](chronotap_timing::finney_2001). What the steps mean
//! for a trial is not here: a trial sleeps, see [`WaitsTest`](crate::studies::WaitsTest).

mod beside;
mod cell;
mod reading;
mod sources;

pub use reading::{ClockGap, ClockSteps, read_clock, read_on};

use crate::studies::loads::{Load, LoadLimits};
use crate::timing::{
    Length, Part, Probe, RealTimer, SampleSeries, Scheduling, TestFound, TestRefusal, TestRun,
    Timer, usable_cores,
};
use beside::Beside;
use cell::Cell;
use chronotap_core::time::Nanos;
use std::sync::Mutex;

const NAME: &str = "clock";
/// The three of the table, the priority being that of a trial.
const SCHEDULINGS: [Scheduling; 3] =
    [Scheduling::Ordinary, Scheduling::Nice(-20), Scheduling::Fifo(80)];
/// How long the ten runs took in 2001, reading at 1.25 us a time.
const AS_IN_2001: Nanos = Nanos::from_millis(12_500);
/// Until a load is at work, and gone again.
const LOAD_BEGINS: Nanos = Nanos::from_millis(200);
/// Throttling has a period of one second; this shows it.
const A_FEW_SECONDS: Nanos = Nanos::from_secs(3);

/// Reads of the clock, one after the other.
#[derive(Clone, Debug)]
pub struct ClockTest<T = RealTimer> {
    /// The clock that is read, and slept on between runs.
    pub timer: T,
    /// What else the machine has to do, in turn.
    pub loads: Vec<Load>,
    /// How they are done.
    pub limits: LoadLimits,
    /// Reads in a run.
    pub reads: usize,
    /// The processor on which the test contends with a load that is on each.
    pub core: usize,
}

impl Default for ClockTest {
    /// As in the paper, on this machine's clock; contending on the last processor.
    fn default() -> ClockTest {
        ClockTest::of(RealTimer)
    }
}

impl<T> ClockTest<T> {
    /// The same of another clock.
    pub fn of(timer: T) -> ClockTest<T> {
        let loads = vec![Load::None, Load::Arithmetic, Load::Contending];
        let core = usable_cores().last().copied().unwrap_or(0);
        ClockTest { timer, loads, limits: LoadLimits::default(), reads: 1_000_000, core }
    }
}

impl<T: Timer + Clone + Send + Sync> Probe for ClockTest<T> {
    fn name(&self) -> &'static str {
        NAME
    }

    /// Always: every Linux has the clock.
    fn available(&self) -> Result<(), TestRefusal> {
        Ok(())
    }

    fn duration(&self, length: Length) -> Nanos {
        let read_ns = read_ns(&mut self.timer.clone(), self.reads);
        let cells = self.cells(length);
        let loads = self.loads.iter().filter(|load| **load != Load::None).count();
        let of_cells = cells.iter().map(|cell| cell.expected(read_ns, self.reads)).sum::<Nanos>();
        sources::EXPECTED + LOAD_BEGINS * loads as i64 + of_cells
    }

    fn run(&self, course: &mut TestRun<'_>) -> TestFound {
        let mut found = TestFound::of(NAME);
        course.tell("what each clock costs", 0.0);
        sources::measure(course, &mut found);
        // Made once and touched, so that no reading meets a page fault.
        let stamps = Mutex::new(vec![Nanos(1); self.reads]);
        let cells = self.cells(course.length);
        let mut beside = Beside::default();
        for (part, cell) in Part::of_each(&cells) {
            if course.interrupted() {
                break;
            }
            if beside.is(cell.load, &self.limits, course.words, &mut found.notes) {
                cell.measure(&self.timer, &stamps, course, part, &mut found);
            }
        }
        beside.end(course.words, &mut found.notes);
        found.series.iter_mut().for_each(|series| self.tell_how(series));
        found.interrupted = course.interrupted();
        found
    }
}

impl<T> ClockTest<T> {
    /// All combinations, those of a load together.
    fn cells(&self, length: Length) -> Vec<Cell> {
        let runs = length.pick(3, 10, 10);
        let short = self.loads.iter().map(|load| (*load, cell::Reading::Runs(runs)));
        let on = continuous(length)
            .into_iter()
            .flat_map(|span| self.long_loads().map(move |load| (load, cell::Reading::On(span))));
        let mut kinds: Vec<(Load, cell::Reading)> = short.chain(on).collect();
        kinds.sort_by_key(|(load, _)| self.loads.iter().position(|other| other == load));
        let with = |(load, reading): (Load, cell::Reading)| {
            // Only a load that is on each processor lets a test stay on one.
            let core = (load == Load::Contending).then_some(self.core);
            SCHEDULINGS.map(|scheduling| Cell { scheduling, load, core, reading })
        };
        kinds.into_iter().flat_map(with).collect()
    }

    /// What of its load is not as usual.
    fn tell_how(&self, series: &mut SampleSeries) {
        let load = series.condition("load").and_then(|name| name.parse().ok());
        let told = load.map(|load| self.limits.conditions(load)).unwrap_or_default();
        series.conditions.extend(told.into_iter().map(|(name, value)| (name.to_owned(), value)));
    }

    /// The loads beside which it reads on: those that bind a single processor.
    fn long_loads(&self) -> impl Iterator<Item = Load> {
        self.loads.iter().copied().filter(|load| *load != Load::Arithmetic)
    }
}

/// What a read costs on this clock, with what is then made of it: by less than a hundredth of
/// what the test reads, since reads cost 20 ns on one machine and 1 us on another.
fn read_ns(timer: &mut impl Timer, reads: usize) -> f64 {
    let mut stamps = vec![Nanos(1); reads.clamp(2, 10_000)];
    let mut once = || {
        let begin = timer.now();
        read_clock(timer, &mut stamps);
        ClockSteps::new().take_all(&stamps);
        (timer.now() - begin).0 as f64 / stamps.len() as f64
    };
    (0..3).map(|_| once()).fold(f64::INFINITY, f64::min)
}

/// How long it reads on without end.
fn continuous(length: Length) -> Option<Nanos> {
    length.pick(None, Some(A_FEW_SECONDS), Some(AS_IN_2001))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_timing::finney_2001;

    #[test]
    fn the_rows_bear_the_names_of_our_series() {
        let schedulings = [Scheduling::Ordinary, Scheduling::Nice(-20), Scheduling::Fifo(80)];
        let names = schedulings.map(|scheduling| scheduling.to_string());
        for row in finney_2001() {
            assert!(names.iter().any(|name| name == row.scheduling), "{row:?}");
            assert!(Load::ALL.iter().any(|load| load.name() == row.load), "{row:?}");
        }
    }
}
