//! [`NoiseTest`]: what takes time from a thread that wants all of it, as the kernel's osnoise and
//! hwlat tracers and oslat measure it.
//!
//! One thread on each core reads the clock again and again; a step that is longer than a limit is a
//! gap: time that interrupts, the kernel, other threads, the firmware or the host took. Background:
//! a real-time thread that never sleeps is stopped by the kernel for a twentieth of each second,
//! which would be the greatest gap of every machine. So each thread is busy for a share of each
//! second and sleeps for the rest. What the kernel counted on the core meanwhile stands beside the
//! gaps; the firmware's interruptions only where the processor counts them and this user may read
//! them ([`Smi`]). The kernel's own tracers know more where they are built in.
//!
//! Real-time contract of [`Busy::run`]: the measuring thread; no allocation, lock, log or panic, and
//! no system call but one sleep in each second and the clock where the kernel reads it.

mod smi;

use crate::timing::stop::{Stop, Tasks};
use crate::timing::wakeup::counters::{self, CoreEvent, Counters};
use crate::timing::{
    Histogram, Length, Placement, Probe, Quantity, RealTimer, SampleSeries, Scheduling, TestFound,
    TestRefusal, TestRun, ThreadError, Timed, Timer, doubts, measure, usable_cores,
};
use chronotap_core::time::Nanos;
use chronotap_linux::realtime::{Heartbeat, Interrupt};
use smi::Smi;
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};

/// From the beginning of one busy stretch to that of the next.
const TURN: Nanos = Nanos::from_secs(1);
/// Gaps that can be told from a read of the clock, and are not whole turns.
const GAPS: RangeInclusive<Nanos> = Nanos(200)..=Nanos::from_millis(100);
/// More would be stopped by the kernel at real-time priority, and leave others nothing.
const BUSY_PERCENT: RangeInclusive<u32> = 1..=90;

/// The test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoiseTest {
    /// Steps of the clock beyond this are gaps; by default 5 us.
    pub gap: Nanos,
    /// How much of each second a thread is busy, in percent; by default 80.
    pub busy_percent: u32,
    /// By default SCHED_FIFO 80: what remains is what no thread can keep off.
    pub scheduling: Scheduling,
    /// One thread each; by default all that may be used.
    pub cores: Vec<usize>,
    /// Ends the test at the first gap beyond this.
    pub stop_above: Option<Nanos>,
    /// How long; by default what the length says.
    pub duration: Option<Nanos>,
}

/// Why noise cannot be measured as was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoiseRefusal {
    /// A limit that is no gap.
    #[error("a gap is 0.2 us to 100 ms, not {} us", .0.as_micros_f64())]
    Gap(Nanos),
    /// Busy for so much of each second.
    #[error("a thread can be busy for 1 to 90 % of each second, not {0} %")]
    Busy(u32),
    /// This program may not run on that core.
    #[error("core {core} may not be used here; these may: {usable:?}")]
    Core {
        /// The one that was asked for.
        core: usize,
        /// Those that may be used.
        usable: Vec<usize>,
    },
}

impl Default for NoiseTest {
    fn default() -> NoiseTest {
        NoiseTest {
            gap: Nanos::from_micros(5),
            busy_percent: 80,
            scheduling: Scheduling::Fifo(80),
            cores: usable_cores(),
            stop_above: None,
            duration: None,
        }
    }
}

impl Probe for NoiseTest {
    fn name(&self) -> &'static str {
        "noise"
    }

    fn available(&self) -> Result<(), TestRefusal> {
        Ok(self.check()?)
    }

    fn duration(&self, length: Length) -> Nanos {
        self.duration.unwrap_or(Nanos::from_secs(length.pick(5, 60, 1_800)))
    }

    fn run(&self, course: &mut TestRun<'_>) -> TestFound {
        let mut found = TestFound::of(self.name());
        match self.check() {
            Err(why) => return TestFound::unavailable(self.name(), course.words_for(&why)),
            Ok(()) => {
                if let Err(why) = self.measure(course, &mut found) {
                    found.notes.push(course.words_for(&why));
                }
            }
        }
        found.interrupted = course.interrupted();
        found
    }
}

/// What a thread measured.
#[derive(Default)]
struct Gaps {
    lengths: Histogram,
    taken: Nanos,
    watched: Nanos,
    reads: u64,
}

/// Busy for a share of each turn, until the end.
struct Busy {
    gap: Nanos,
    busy: Nanos,
    end: Nanos,
}

impl Busy {
    /// Calls `beat` at each turn; `ended` is asked after each turn and at each gap, with its
    /// beginning and its length.
    fn run(
        &self,
        timer: &mut impl Timer,
        gaps: &mut Gaps,
        beat: impl Fn(),
        ended: impl Fn(Nanos, Nanos) -> bool,
    ) {
        let mut turn = timer.now();
        while turn < self.end && !ended(turn, Nanos::ZERO) {
            beat();
            let begun = timer.now();
            let until = (turn + self.busy).min(self.end);
            let mut last = begun;
            while last < until {
                let now = timer.now();
                gaps.reads += 1;
                let step = now - last;
                if step > self.gap {
                    gaps.lengths.record(step);
                    gaps.taken += step;
                    if ended(last, step) {
                        gaps.watched += now - begun;
                        return;
                    }
                }
                last = now;
            }
            gaps.watched += last - begun;
            turn += TURN * ((last - turn).0 / TURN.0 + 1);
            timer.sleep_until(turn.min(self.end));
        }
    }
}

/// What was counted on the cores before and after.
struct Counted {
    counters: [Counters; 2],
    smi: Vec<Smi>,
}

impl NoiseTest {
    fn check(&self) -> Result<(), NoiseRefusal> {
        let usable = usable_cores();
        if !GAPS.contains(&self.gap) {
            return Err(NoiseRefusal::Gap(self.gap));
        }
        if !BUSY_PERCENT.contains(&self.busy_percent) {
            return Err(NoiseRefusal::Busy(self.busy_percent));
        }
        match self.cores.iter().find(|core| !usable.contains(core)) {
            Some(&core) => Err(NoiseRefusal::Core { core, usable }),
            None => Ok(()),
        }
    }

    fn measure(&self, course: &mut TestRun<'_>, found: &mut TestFound) -> Result<(), ThreadError> {
        let place = |core: &usize| Placement::any(self.scheduling).on(*core);
        let placements: Vec<Placement> = self.cores.iter().map(place).collect();
        let seats: Vec<Mutex<Gaps>> = self.cores.iter().map(|_| Mutex::default()).collect();
        let stop = self.stop_above.map(Stop::above);
        let tasks = stop.as_ref().map(|_| Tasks::look()).unwrap_or_default();
        let smi: Vec<Smi> = self.cores.iter().map(|core| Smi::of(*core)).collect();
        let before = counters::look(&[]);
        let begun = RealTimer.now();
        let (duration, interrupt) = (self.duration(course.length), course.interrupt);
        let tell = |course: &mut TestRun<'_>| {
            let passed = (RealTimer.now() - begun).0 as f64;
            course.tell("gaps of a busy loop", passed / duration.0.max(1) as f64);
        };
        let timed = measure(&placements, course, tell, |index, heart| {
            let mut gaps = seats[index].lock().unwrap_or_else(PoisonError::into_inner);
            self.watch(&mut gaps, begun + duration, (index, stop.as_ref()), (heart, interrupt));
        })?;
        let counted = Counted { counters: [before, counters::look(&[])], smi };
        found
            .notes
            .extend(stop.as_ref().and_then(|stop| self.stopped(stop, begun, &tasks, &counted)));
        let gaps = seats.into_iter().map(|seat| seat.into_inner().unwrap_or_default());
        for ((core, timed), gaps) in self.cores.iter().zip(timed).zip(gaps) {
            self.add(*core, &timed, &gaps, &counted, found);
        }
        Ok(())
    }

    /// On the measuring thread.
    fn watch(
        &self,
        gaps: &mut Gaps,
        end: Nanos,
        (index, stop): (usize, Option<&Stop>),
        (heart, interrupt): (&Heartbeat, Interrupt),
    ) {
        let busy = Nanos(TURN.0 / 100 * i64::from(self.busy_percent));
        let busy = Busy { gap: self.gap, busy, end };
        busy.run(
            &mut RealTimer,
            gaps,
            || heart.beat(),
            |at, length| {
                stop.is_some_and(|stop| stop.passed(index, at, length)) || interrupt.requested()
            },
        );
    }

    /// What ended the test before its time.
    fn stopped(
        &self,
        stop: &Stop,
        begun: Nanos,
        before: &Tasks,
        counted: &Counted,
    ) -> Option<String> {
        let first = stop.first()?;
        let core = self.cores[first.thread];
        let mut meanwhile = Tasks::look().ran_since(before, core);
        let all = counted.of(core);
        meanwhile.extend(all.iter().map(|(event, n)| format!("{event}: {}", event.amount(*n))));
        meanwhile.truncate(10);
        let what = format!("a gap of {:.1} us on core {core}", first.sample.as_micros_f64());
        Some(stop.sentence(&what, first.at - begun, &meanwhile))
    }

    fn add(
        &self,
        core: usize,
        timed: &Timed<()>,
        gaps: &Gaps,
        counted: &Counted,
        found: &mut TestFound,
    ) {
        doubts::of_thread(timed, &format!("core {core}"), found);
        let share = gaps.taken.0 as f64 / gaps.watched.0.max(1) as f64;
        let sum = |wanted: fn(&CoreEvent) -> bool| {
            let all = counted.of(core);
            all.iter().filter(|(event, _)| wanted(event)).map(|(_, n)| *n as f64).sum::<f64>()
        };
        let mut series = SampleSeries::of(Quantity::Gap, &[], gaps.lengths.clone())
            .with("noise_share", share)
            .with("watched_ns", gaps.watched.0 as f64)
            .with("clock_reads", gaps.reads as f64)
            .with("interrupts", sum(|event| matches!(event, CoreEvent::Interrupt(_))))
            .with("softirqs", sum(|event| matches!(event, CoreEvent::Softirq(_))))
            .with("stolen_ns", sum(|event| *event == CoreEvent::Stolen))
            .with("involuntary_switches", timed.usage.involuntary_switches as f64);
        series.conditions.extend(self.conditions(core, timed));
        let smi = counted.smi.iter().find(|one| one.core == core);
        match smi.map(Smi::since) {
            Some(Ok(count)) => series = series.with("smi", count as f64),
            Some(Err(why)) => doubts::note(found, why),
            None => {}
        }
        doubts::note(found, said(core, &series, share));
        found.series.push(series);
    }

    fn conditions(&self, core: usize, timed: &Timed<()>) -> Vec<(String, String)> {
        let realtime = timed.policy.is_some_and(|policy| policy.is_realtime());
        let scheduling = match self.scheduling {
            Scheduling::Fifo(_) if !realtime => Scheduling::Ordinary,
            asked => asked,
        };
        let stop = self.stop_above.map(|gap| ("stop_above_us", gap.as_micros_f64().to_string()));
        let told = [
            ("core", core.to_string()),
            ("scheduling", scheduling.to_string()),
            ("gap_us", self.gap.as_micros_f64().to_string()),
            ("busy_percent", self.busy_percent.to_string()),
        ];
        let told = told.into_iter().chain(stop);
        told.map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

impl Counted {
    /// What was counted on a core, the most frequent first.
    fn of(&self, core: usize) -> Vec<(CoreEvent, u64)> {
        let [before, after] = &self.counters;
        let of_core = after.iter().filter(|((of, _), _)| *of == core);
        let since = of_core.map(|(key, now)| {
            (key.1.clone(), now.saturating_sub(before.get(key).copied().unwrap_or(0)))
        });
        let mut all: Vec<(CoreEvent, u64)> = since.filter(|(_, n)| *n > 0).collect();
        all.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        all
    }
}

fn said(core: usize, series: &SampleSeries, share: f64) -> String {
    let greatest = match series.statistics.max_ns {
        Some(ns) => format!("the greatest {:.1} us", ns as f64 / 1e3),
        None => "none".into(),
    };
    let n = series.statistics.n;
    format!("core {core}: {:.4} % of its time was taken, by {n} gaps, {greatest}", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Moves by 100 ns with each read; reads that are named take longer.
    struct Steps {
        now: Nanos,
        reads: u64,
        longer: Vec<(u64, Nanos)>,
    }

    impl Timer for Steps {
        fn now(&mut self) -> Nanos {
            self.reads += 1;
            let longer = self.longer.iter().find(|(read, _)| *read == self.reads);
            self.now += longer.map_or(Nanos(100), |(_, step)| *step);
            self.now
        }
        fn sleep_until(&mut self, at: Nanos) {
            self.now = self.now.max(at);
        }
    }

    fn us(n: i64) -> Nanos {
        Nanos::from_micros(n)
    }

    fn watched(longer: &[(u64, Nanos)], above: Nanos) -> (Gaps, u64) {
        let mut timer = Steps { now: Nanos::ZERO, reads: 0, longer: longer.to_vec() };
        let (mut gaps, beats) = (Gaps::default(), Cell::new(0));
        let busy = Busy { gap: us(5), busy: us(1_000), end: Nanos::from_millis(2_001) };
        busy.run(&mut timer, &mut gaps, || beats.set(beats.get() + 1), |_, gap| gap > above);
        (gaps, beats.get())
    }

    #[test]
    fn steps_beyond_the_limit_are_gaps_and_their_sum_is_what_was_taken() {
        let (gaps, turns) = watched(&[(10, us(5)), (20, us(6)), (30, us(44))], Nanos::MAX);
        assert_eq!((gaps.lengths.n(), gaps.taken, turns), (2, us(50), 3));
        let share = gaps.taken.0 as f64 / gaps.watched.0 as f64;
        assert!((share - 50.0 / 3_000.0).abs() < 1e-4, "{share}");
        assert_eq!(gaps.lengths.max(), Some(us(44)));
    }

    #[test]
    fn sleeping_is_no_gap() {
        let (gaps, turns) = watched(&[], Nanos::MAX);
        assert_eq!((gaps.lengths.n(), gaps.taken, turns), (0, Nanos::ZERO, 3));
        assert!(gaps.reads > 29_000, "{}", gaps.reads);
    }

    #[test]
    fn a_gap_beyond_what_was_asked_ends_it_and_is_counted() {
        let (gaps, turns) = watched(&[(10, us(6)), (20, us(90)), (30, us(99))], us(50));
        assert_eq!((gaps.lengths.n(), gaps.taken, turns), (2, us(96), 1));
    }

    #[test]
    fn what_cannot_be_measured_is_refused_with_what_can() {
        let why = |test: NoiseTest| test.check().unwrap_err();
        let usual = NoiseTest::default;
        assert_eq!(why(NoiseTest { gap: Nanos(50), ..usual() }), NoiseRefusal::Gap(Nanos(50)));
        assert_eq!(why(NoiseTest { busy_percent: 95, ..usual() }), NoiseRefusal::Busy(95));
        let absent = why(NoiseTest { cores: vec![1_000], ..usual() });
        assert!(matches!(absent, NoiseRefusal::Core { core: 1_000, .. }), "{absent:?}");
        assert_eq!(usual().check(), Ok(()));
    }
}
