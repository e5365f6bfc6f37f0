//! The clock test, on a clock whose steps and stalls were chosen. It is a process of its own: where another test
//! starts a program meanwhile, the pages of this one are touched anew, and its faults would be counted here.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use assert_no_alloc::assert_no_alloc;
use chronotap_bench::studies::loads::Load;
use chronotap_bench::studies::{ClockSteps, ClockTest, read_clock, read_on};
use chronotap_bench::timing::{
    Length, Probe, RealTimer, SampleSeries, Statistics, TestFound, Timer,
};
use chronotap_core::time::Nanos;
use chronotap_linux::realtime::Usage;
use common::run;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// Traps allocation where a test forbids it, in that thread; elsewhere it does nothing.
#[global_allocator]
static TRAP: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;

/// A clock that goes on by these steps, in turn, at each read.
#[derive(Clone)]
struct Stepping {
    now: Nanos,
    steps_ns: Vec<i64>,
    turn: usize,
}

impl Stepping {
    fn by(steps_ns: Vec<i64>) -> Stepping {
        Stepping { now: Nanos::ZERO, steps_ns, turn: 0 }
    }
}

impl Timer for Stepping {
    fn now(&mut self) -> Nanos {
        self.now += Nanos(self.steps_ns[self.turn]);
        self.turn = (self.turn + 1) % self.steps_ns.len();
        self.now
    }

    fn sleep_until(&mut self, at: Nanos) {
        self.now = self.now.max(at);
    }
}

/// Reads of 20 to 29 ns and one stall of 40 us in a hundred.
fn jittery() -> Vec<i64> {
    let mut steps_ns: Vec<i64> = (0..99).map(|n| 20 + n % 10).collect();
    steps_ns.push(40_000);
    steps_ns
}

#[test]
fn known_steps_and_stalls_are_recovered_exactly() {
    let steps_ns = jittery();
    let sum: i64 = steps_ns.iter().sum();
    let mean = sum as f64 / 100.0;
    let squares: f64 = steps_ns.iter().map(|step| (*step as f64 - mean).powi(2)).sum();
    let mut stamps = vec![Nanos::ZERO; 10_001];
    read_clock(&mut Stepping::by(steps_ns), &mut stamps);
    let mut steps = ClockSteps::new();
    steps.take_all(&stamps);
    let found = Statistics::of(&steps.histogram);
    assert_eq!((found.n, found.min_ns, found.max_ns), (10_000, Some(20), Some(40_000)));
    assert_eq!(found.mean_ns, Some(mean));
    let sd = (squares * 100.0 / 9_999.0).sqrt();
    assert!((found.sd_ns.unwrap() - sd).abs() < 1e-9 * sd);
    assert_eq!((found.median_ns, found.p99_ns), (Some(24), Some(29)));
    // The bin that 40 us lies in begins at most a 1,024th below it.
    assert!((39_960..=40_000).contains(&found.p999_ns.unwrap()));
    assert_eq!((steps.above_10_us, steps.above_1_ms), (100, 0));
}

fn found(timer: Stepping, length: Length) -> TestFound {
    let test = ClockTest { loads: vec![Load::None], reads: 10_001, ..ClockTest::of(timer) };
    run(&test, length).0
}

fn variant<'a>(found: &'a TestFound, variant: &'a str) -> impl Iterator<Item = &'a SampleSeries> {
    let of = move |series: &&SampleSeries| series.condition("variant") == Some(variant);
    found.series.iter().filter(of)
}

#[test]
fn the_whole_test_finds_what_the_clock_was_made_to_do() {
    let found = found(Stepping::by(jittery()), Length::Quick);
    assert_eq!(variant(&found, "runs").count(), 3, "{:?}", found.notes);
    for series in variant(&found, "runs") {
        assert_eq!(series.statistics.n, 30_000, "three runs");
        assert_eq!(series.statistics.max_ns, Some(40_000));
        assert_eq!(series.statistics.mean_ns, Some(424.21));
        assert_eq!(series.figures["above_10_us"], 300.0);
        assert_eq!(series.figures["run_mean_least_ns"], 424.21);
        assert_eq!(series.figures["run_mean_greatest_ns"], 424.21);
        assert!(series.figures["run_mean_sd_ns"] < 1e-9);
    }
}

/// A clock on which each read takes as long as the last; its copies go on together.
#[derive(Clone)]
struct Together {
    read: Nanos,
    now: Arc<AtomicI64>,
}

impl Timer for Together {
    fn now(&mut self) -> Nanos {
        Nanos(self.now.fetch_add(self.read.0, Ordering::Relaxed)) + self.read
    }

    fn sleep_until(&mut self, at: Nanos) {
        self.now.fetch_max(at.0, Ordering::Relaxed);
    }
}

#[test]
fn the_duration_announced_is_kept_whatever_a_read_costs() {
    for (read_ns, length) in [
        (20, Length::Quick),
        (1_500, Length::Quick), // a clock that is read through the kernel
        (1_000, Length::Normal),
        (20_000, Length::Normal),
    ] {
        let timer = Together { read: Nanos(read_ns), now: Arc::default() };
        let now = Arc::clone(&timer.now);
        let test = ClockTest { loads: vec![Load::None], reads: 100_000, ..ClockTest::of(timer) };
        let announced = test.duration(length);
        let begin = now.load(Ordering::Relaxed);
        run(&test, length);
        let took = Nanos(now.load(Ordering::Relaxed) - begin);
        // Half a second is for what this clock does not count: the other clocks, the threads.
        let said = format!("{read_ns} ns a read, {length:?}: {announced} announced, {took} taken");
        assert!(
            announced >= took && announced < took * 11 / 10 + Nanos::from_millis(500),
            "{said}"
        );
    }
}

#[test]
fn a_stop_of_50_ms_each_second_is_called_throttling_in_a_real_time_thread_alone() {
    // 9,500 reads of 100 us, then 50 ms.
    let mut steps_ns = vec![100_000; 9_500];
    steps_ns.push(50_000_000);
    let found = found(Stepping::by(steps_ns), Length::Normal);
    for series in variant(&found, "continuous") {
        let stops = series.figures["throttle_gaps"];
        let realtime = series.condition("scheduling").unwrap().starts_with("SCHED_FIFO");
        assert_eq!(stops >= 2.0, realtime, "{series:?}");
    }
    let told = found.notes.iter().filter(|note| note.contains("50 to 50 ms"));
    assert!(told.count() >= 1, "{:?}", found.notes);
}

#[test]
fn the_loops_allocate_nothing_and_meet_no_fault() {
    let mut stamps = vec![Nanos(1); 20_000];
    let mut steps = ClockSteps::new();
    read_clock(&mut RealTimer, &mut stamps); // its code is in memory from here on
    steps.take_all(&stamps);
    let before = Usage::of_this_thread();
    assert_no_alloc(|| {
        read_clock(&mut RealTimer, &mut stamps);
        let end = stamps[stamps.len() - 1] + Nanos::from_millis(2);
        read_on(&mut RealTimer, end, &mut steps, || false);
    });
    let faults = Usage::of_this_thread() - before;
    assert_eq!((faults.minor_faults, faults.major_faults), (0, 0));
}

#[test]
fn reading_on_ends_when_it_is_told_to() {
    let mut steps = ClockSteps::new();
    let mut clock = Stepping::by(vec![10]);
    let mut looks = 0;
    let ended = || {
        looks += 1;
        looks > 2
    };
    read_on(&mut clock, Nanos::MAX, &mut steps, ended);
    assert_eq!(steps.histogram.n(), 2 * 1_024, "it looks every thousand reads or so");
}
