//! The wake-up test on a truth that was chosen: a clock whose jitter and stalls are
//! known, so that every figure has one right value. And that its loop keeps its
//! contract.

use crate::common::{found, run};
use assert_no_alloc::assert_no_alloc;
use chronotap_bench::timing::wakeup::{Schedule, WakeupCounts};
use chronotap_bench::timing::{
    Histogram, IdleStates, Length, Quantity, RealTimer, Scheduling, Statistics, Timer, WakeupTest,
};
use chronotap_core::time::Nanos;

const INTERVAL: i64 = 1_000_000;

/// A timer whose every wake-up is late by a known amount, and which stands still
/// during known stalls: whoever would wake up in one wakes up at its end.
struct LateTimer {
    now: i64,
    jitter: Box<dyn Fn(u64) -> i64>, // of the n-th wake-up
    stalls: Vec<(i64, i64)>,         // from, to
    wakeups: u64,
}

impl LateTimer {
    fn new(jitter: impl Fn(u64) -> i64 + 'static, stalls: &[(i64, i64)]) -> LateTimer {
        LateTimer { now: 0, jitter: Box::new(jitter), stalls: stalls.to_vec(), wakeups: 0 }
    }

    /// Deadlines each millisecond, from 1 ms on.
    fn measured(mut self, seconds: i64) -> WakeupCounts {
        let schedule = Schedule {
            first: Nanos(INTERVAL),
            interval: Nanos(INTERVAL),
            end: Nanos(INTERVAL + seconds * 1_000_000_000),
        };
        let mut counts = WakeupCounts::new(5);
        schedule.run(&mut self, &mut counts, |_, _| true);
        counts
    }
}

impl Timer for LateTimer {
    fn now(&mut self) -> Nanos {
        Nanos(self.now)
    }

    fn sleep_until(&mut self, at: Nanos) {
        let wake = at.0 + (self.jitter)(self.wakeups);
        self.wakeups += 1;
        let stall = self.stalls.iter().find(|(from, to)| (*from..*to).contains(&wake));
        self.now = self.now.max(stall.map_or(wake, |(_, to)| *to));
    }
}

/// A scrambled but known order of 0..period, each once in `period` wake-ups.
fn scrambled(n: u64, period: u64) -> i64 {
    (n * 7_919 % period) as i64 // 7919 is prime, so every rest comes once
}

#[test]
fn a_uniform_jitter_is_recovered_with_all_its_statistics() {
    let counts = LateTimer::new(|n| 20_000 + 10 * scrambled(n, 1_000), &[]).measured(10);
    let found = Statistics::of(&counts.lateness);
    // 10,000 samples: 20,000, 20,010 ... 29,990, ten times each.
    assert_eq!((found.n, found.min_ns, found.max_ns), (10_000, Some(20_000), Some(29_990)));
    assert_eq!(found.mean_ns, Some(24_995.0));
    let sd = 10.0 * ((1_000.0f64.powi(2) - 1.0) / 12.0 * 10_000.0 / 9_999.0).sqrt();
    assert!((found.sd_ns.unwrap() - sd).abs() < 1e-6, "{found:?}");
    for (quantile, exact) in [
        (found.median_ns, 24_990),
        (found.p90_ns, 28_990),
        (found.p99_ns, 29_890),
        (found.p999_ns, 29_980),
    ] {
        let error = exact - quantile.unwrap();
        assert!((0..=exact / 1_024).contains(&error), "{quantile:?} for {exact}");
    }
    assert_eq!((counts.missed.n(), counts.corrected()), (0, counts.lateness.clone()));
}

#[test]
fn a_jitter_below_two_microseconds_is_recovered_exactly() {
    let counts = LateTimer::new(|n| scrambled(n, 1_000), &[]).measured(1);
    let every_value_once = Histogram::of((0..1_000).map(Nanos));
    assert!(counts.lateness == every_value_once);
}

#[test]
fn stalls_are_found_where_they_were_with_the_periods_that_they_cost() {
    // The deadline of 100 ms is served at 103.4 ms, that of 500 ms at 500.6 ms; and a
    // stall between two deadlines is nobody's.
    let stalls =
        [(99_500_000, 103_400_000), (500_000_000, 500_600_000), (700_100_000, 700_900_000)];
    let counts = LateTimer::new(|_| 0, &stalls).measured(1);
    let greatest = counts.greatest.sorted();
    assert_eq!(greatest[0], (Nanos(100_000_000), Nanos(3_400_000)));
    assert_eq!(greatest[1], (Nanos(500_000_000), Nanos(600_000)));
    assert_eq!(greatest[2].1, Nanos::ZERO);
    assert_eq!((counts.lateness.n(), counts.missed.n()), (997, 3));
}

#[test]
fn the_corrected_histogram_is_that_of_a_loop_which_slept_for_every_deadline() {
    let counts = LateTimer::new(|_| 0, &[(99_500_000, 103_400_000)]).measured(1);
    let late = |k: i64| if (100..=103).contains(&k) { 103_400_000 - k * INTERVAL } else { 0 };
    assert!(counts.corrected() == Histogram::of((1..=1_000).map(late).map(Nanos)));
    let mean = counts.corrected().mean_ns().unwrap();
    assert_eq!(mean, (3_400_000 + 2_400_000 + 1_400_000 + 400_000) as f64 / 1_000.0);
    assert_eq!(counts.lateness.mean_ns().unwrap(), 3_400_000.0 / 997.0);
}

#[test]
fn the_loop_does_not_allocate_whatever_it_meets() {
    let stalls = [(10_000_000, 210_000_000)];
    let mut timer = LateTimer::new(|n| scrambled(n, 100_000), &stalls);
    let mut counts = WakeupCounts::new(20);
    let schedule =
        Schedule { first: Nanos(0), interval: Nanos(INTERVAL), end: Nanos(2_000_000_000) };
    assert_no_alloc(|| schedule.run(&mut timer, &mut counts, |_, _| true));
    assert_eq!(counts.missed.n(), 200);
    let now = RealTimer.now();
    let schedule = Schedule { first: now, interval: Nanos(100_000), end: now + Nanos(2_000_000) };
    assert_no_alloc(|| schedule.run(&mut RealTimer, &mut counts, |_, _| true));
}

#[test]
fn a_run_leaves_for_each_core_both_histograms_and_what_vouches_for_them() {
    let test = WakeupTest {
        duration: Some(Nanos::from_millis(300)),
        scheduling: Scheduling::Ordinary,
        idle_states: IdleStates::Left,
        ..WakeupTest::default()
    };
    let (found, done) = run(&test, Length::Quick);
    assert_eq!(found.series.len(), 2 * test.cores.len());
    assert!(done.windows(2).all(|pair| pair[0] <= pair[1]), "{done:?}");
    for pair in found.series.chunks(2) {
        let [raw, corrected] = pair else { panic!("in pairs") };
        assert_eq!(
            (raw.quantity, corrected.quantity),
            (Quantity::Lateness, Quantity::CorrectedLateness)
        );
        let missed = raw.figures["missed_periods"] as u64;
        assert!(raw.statistics.n + missed >= 300, "every period is a sample or missed");
        assert_eq!(corrected.statistics.n, raw.statistics.n + missed);
        assert_eq!(raw.condition("scheduling"), Some("ordinary"));
        assert_eq!(raw.condition("wakeup_latency"), Some("as it is"));
        assert!(raw.figures["overhead_ns"] > raw.figures["clock_read_ns"]);
        assert_eq!(Some(raw.worst[0].value_ns), raw.statistics.max_ns);
        assert!(raw.worst.is_sorted_by(|a, b| a.value_ns >= b.value_ns));
    }
}

#[test]
fn a_test_that_cannot_run_says_why() {
    let found = found(&WakeupTest { cores: vec![9_999], ..WakeupTest::default() });
    assert!(found.unavailable.unwrap().contains("core 9999"));
}

fn short() -> WakeupTest {
    let (idle_states, duration) = (IdleStates::Left, Some(Nanos::from_millis(900)));
    WakeupTest { idle_states, duration, ..WakeupTest::default() }
}

#[test]
fn a_wake_up_later_than_the_limit_ends_the_run_and_is_told_with_what_ran_there() {
    // No thread wakes up within a nanosecond.
    let found = found(&WakeupTest { stop_above: Some(Nanos(1)), ..short() });
    let stopped = found.notes.iter().find(|note| note.starts_with("stopped: core ")).unwrap();
    assert!(stopped.contains(" us late, more than 0.001 us, "), "{stopped}");
    assert!(found.series.iter().all(|one| one.condition("stop_above_us") == Some("0.001")));
    assert!(found.series.iter().all(|one| one.statistics.n < 100), "it did not go on");
}

#[test]
fn deadline_scheduling_is_measured_on_threads_or_told_to_be_refused() {
    use chronotap_linux::realtime::DeadlineTime;
    let tenth = DeadlineTime::of(Nanos::from_micros(100), Nanos::from_millis(1));
    let found = found(&WakeupTest { scheduling: Scheduling::Deadline(tenth), ..short() });
    let series = &found.series[0];
    assert_eq!((series.condition("thread"), series.condition("core")), (Some("0"), None));
    let had = series.condition("scheduling").unwrap();
    let grant = found.grant.as_ref().unwrap();
    let item = grant.items.iter().find(|item| item.what == "deadline scheduling").unwrap();
    assert_eq!(had.starts_with("SCHED_DEADLINE 100 us in 1000 us"), item.granted, "{had}");
    assert_eq!(had.starts_with("ordinary"), !item.granted, "{had}");
    assert!(found.notes.contains(&item.sentence()), "{:?}", found.notes);
}
