//! The DSP test on a truth that was chosen: oracles whose border is known, machines whose
//! cycles cost a known time; and that its threads keep their contract.

use crate::common::{found, run};
use assert_no_alloc::assert_no_alloc;
use chronotap_audio::{Period, Process};
use chronotap_bench::studies::DspTest;
use chronotap_bench::studies::dsp::{
    CONFIRMATIONS, Computing, Cycles, DspReadings, DspTrack, Pace, Plugin, REFUTATIONS, Relay,
    RunEnd, SearchPhase, TrackLayout, WorkerOrder, border,
};
use chronotap_bench::timing::{
    Length, Probe, Quantity, RealTimer, Scheduling, Timer, usable_cores,
};
use chronotap_core::time::Nanos;
use chronotap_linux::cards::{Card, CardName, CardRequest, CardShape};
use proptest::prelude::*;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Clean up to `most`.
fn clean_up_to(most: u32) -> impl Fn(u32, SearchPhase) -> RunEnd {
    move |n, _| if n <= most { RunEnd::Clean } else { RunEnd::Xruns }
}

proptest! {
    #[test]
    fn the_border_of_a_machine_that_always_answers_alike_is_found_exactly(most in 0u32..5_000, limit in 1u32..5_000) {
        let mut confirmations = BTreeMap::new();
        let oracle = clean_up_to(most);
        let found = border(limit, |n, phase| {
            if phase == SearchPhase::Confirm {
                *confirmations.entry(n).or_insert(0) += 1;
            }
            oracle(n, phase)
        }).unwrap();
        prop_assert_eq!(found.instances, most.min(limit));
        prop_assert_eq!(found.at_limit, most >= limit);
        prop_assert!(found.confirmed && found.stray == 0);
        prop_assert_eq!(confirmations, BTreeMap::from([(found.instances, CONFIRMATIONS)]));
        // Doublings and bisections, those that fail twice, and the confirmation.
        let halvings = 2 * (32 - most.leading_zeros()) + 2;
        prop_assert!(found.runs <= REFUTATIONS * halvings + 1 + CONFIRMATIONS, "{found:?}");
    }

    #[test]
    fn no_run_has_more_than_twice_the_load_that_the_machine_bears(most in 1u32..5_000) {
        let oracle = clean_up_to(most);
        border(100_000, |n, phase| {
            assert!(n <= 2 * most, "{n} of {most}");
            oracle(n, phase)
        });
    }

    #[test]
    fn one_stall_of_each_number_does_not_move_the_border(most in 0u32..2_000, stalls in any::<u64>()) {
        let mut stalled = BTreeMap::new();
        let found = border(4_000, |n, _| {
            let first = stalled.insert(n, ()).is_none();
            let stall = first && (stalls >> (n % 64)) & 1 == 1;
            if stall || n > most { RunEnd::Xruns } else { RunEnd::Clean }
        }).unwrap();
        prop_assert_eq!(found.instances, most);
        prop_assert!(found.confirmed);
    }

    #[test]
    fn a_noisy_border_is_found_within_its_noise(from in 1u32..1_000, width in 1u32..60, mut seed in any::<u64>()) {
        let found = border(4_000, |n, _| {
            // Marsaglia's xorshift.
            seed = seed.max(1);
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let chance = (f64::from(n) - f64::from(from)) / f64::from(width);
            let draw = (seed >> 11) as f64 / (1u64 << 53) as f64;
            if draw < chance { RunEnd::Xruns } else { RunEnd::Clean }
        }).unwrap();
        prop_assert!((from..from + width).contains(&found.instances), "{found:?}");
        prop_assert!(found.confirmed);
    }

    #[test]
    fn what_is_interrupted_gives_the_largest_number_that_ran_clean(most in 2u32..500, after in 2u32..8) {
        let (oracle, mut runs, mut best) = (clean_up_to(most), 0, 0);
        let found = border(4_000, |n, phase| {
            runs += 1;
            if runs > after {
                return RunEnd::Interrupted;
            }
            let end = oracle(n, phase);
            if end == RunEnd::Clean {
                best = best.max(n);
            }
            end
        }).unwrap();
        prop_assert_eq!(found.instances, best);
        prop_assert!(!found.confirmed);
    }
}

/// How long a search takes, in seconds of virtual time, where `n` instances have an xrun after
/// an exponential time, at a rate that rises tenfold over `width` of the border.
fn searching_s(most: f64, width: f64, drawn: &mut impl FnMut() -> f64) -> f64 {
    let mut took_s = 0.0;
    border(4_096, |n, phase| {
        let lasts_s = if phase == SearchPhase::Search { 0.2 } else { 1.0 };
        let rate = if n == 0 { 0.0 } else { 10f64.powf((f64::from(n) - most) / (width * most)) };
        let ran_s = (-drawn().ln() / rate).min(lasts_s);
        took_s += ran_s;
        if ran_s < lasts_s { RunEnd::Xruns } else { RunEnd::Clean }
    });
    took_s
}

#[test]
fn the_time_that_is_announced_is_the_time_that_searches_take() {
    let one = DspTest {
        periods: Some(vec![256]),
        tracks: Some(vec![1]),
        plugins: Some(vec![Plugin::Light]),
        searches: Some(1),
        cores: vec![0],
        ..DspTest::default()
    };
    let announced_s = one.duration(Length::Quick).as_secs_f64();
    let at_most_s = one.longest(Length::Quick).as_secs_f64();
    let mut state = 1u64;
    let mut drawn = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    };
    let mut searches = |width| {
        let one = |n| searching_s(f64::from(10 + n % 190) + 0.5, width, &mut drawn);
        let mut all: Vec<f64> = (0..2_000u32).map(one).collect();
        all.sort_by(f64::total_cmp);
        all
    };
    let quiet = searches(1e-6);
    assert!(quiet.iter().all(|s| (0.25..=1.0).contains(&(s / announced_s))), "{quiet:?}");
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    let noisy = mean(&searches(0.03));
    assert!((noisy / announced_s - 1.0).abs() < 0.15, "{noisy} s where {announced_s} s were said");
    let disturbed = searches(0.1);
    assert!(disturbed[1_800] <= at_most_s * 1.05, "{} s of {at_most_s} s", disturbed[1_800]);
}

#[test]
fn a_machine_that_misses_periods_with_nothing_to_compute_has_no_border() {
    assert_eq!(border(100, |_, _| RunEnd::Xruns), None);
    assert_eq!(border(100, |_, _| RunEnd::Interrupted), None);
}

/// A clock that stands until a sleep or the work moves it.
#[derive(Default)]
struct Still {
    now: Cell<i64>,
    late: i64, // of every wake-up
}

impl Timer for &Still {
    fn now(&mut self) -> Nanos {
        Nanos(self.now.get())
    }

    fn sleep_until(&mut self, at: Nanos) {
        self.now.set(self.now.get().max(at.0 + self.late));
    }
}

impl Still {
    fn work(&self, ns: i64) {
        self.now.set(self.now.get() + ns);
    }
}

/// One run of so many instances of known cost.
fn run_of(pace: Pace, late: i64, cost: i64) -> (RunEnd, Cycles) {
    let clock = Still { now: Cell::new(5), late };
    let mut cycles = Cycles::default();
    let end = pace.run(&mut &clock, 3_000, &mut cycles, || clock.work(cost), || true);
    (end, cycles)
}

#[test]
fn the_search_finds_what_fits_between_the_wake_up_and_the_next_deadline() {
    for frames in [16, 64, 512] {
        let pace = Pace { frames, rate_hz: 48_000 };
        let (late, fixed, each) = (20_000, 7_000, 3_300);
        let run = |n: u32, _| run_of(pace, late, fixed + each * i64::from(n)).0;
        let found = border(4_000, run).unwrap();
        let fits = (pace.period().0 - late - fixed) / each;
        assert_eq!(i64::from(found.instances), fits, "{frames} frames");
        assert!(found.confirmed);
    }
}

#[test]
fn the_load_and_the_lateness_are_those_of_the_cycles() {
    let pace = Pace { frames: 48, rate_hz: 48_000 };
    let (end, cycles) = run_of(pace, 20_000, 250_000);
    assert_eq!((end, cycles.xruns), (RunEnd::Clean, 0));
    assert_eq!((cycles.busy.n(), cycles.load(pace)), (3_000, Some(0.25)));
    assert_eq!(cycles.late.max(), Some(Nanos(20_000)));
    assert_eq!(Cycles::default().load(pace), None);
}

#[test]
fn a_cycle_may_last_until_the_next_deadline_and_not_a_nanosecond_longer() {
    let pace = Pace { frames: 48, rate_hz: 48_000 };
    assert_eq!(run_of(pace, 100_000, 900_000).0, RunEnd::Clean);
    let (end, cycles) = run_of(pace, 100_000, 900_001);
    assert_eq!((end, cycles.xruns, cycles.busy.n()), (RunEnd::Xruns, 1, 1));
}

#[test]
fn an_xrun_is_told_by_what_it_came_of() {
    let pace = Pace { frames: 48, rate_hz: 48_000 };
    let counts = |late, busy| {
        let (_, cycles) = run_of(pace, late, busy);
        (cycles.xruns, cycles.late_xruns, cycles.stalled_xruns)
    };
    assert_eq!(counts(0, 1_000_001), (1, 0, 0), "too much to compute");
    assert_eq!(counts(500_000, 600_000), (1, 1, 0), "begun too late");
    // The seventeenth cycle is the first that counts; the hundredth is stopped on its way.
    let clock = Cell::new(0i64);
    struct Turning<'a>(&'a Cell<i64>);
    impl Timer for Turning<'_> {
        fn now(&mut self) -> Nanos {
            Nanos(self.0.get())
        }
        fn sleep_until(&mut self, at: Nanos) {
            self.0.set(self.0.get().max(at.0));
        }
    }
    let (mut cycles, mut turn) = (Cycles::default(), 0);
    let work = || {
        turn += 1;
        clock.set(clock.get() + if turn == 100 { 1_300_000 } else { 600_000 });
    };
    let end = pace.run(&mut Turning(&clock), 1_000, &mut cycles, work, || true);
    assert_eq!((end, cycles.xruns, cycles.stalled_xruns), (RunEnd::Xruns, 1, 1));
}

#[test]
fn instances_in_series_hear_one_another_and_stay_within_full_scale() {
    let factory = Plugin::Light.load(64, 48_000).unwrap();
    let sound_of = |arrangement| {
        let mut track = DspTrack::new(factory.clone(), 64, arrangement);
        track.prepare(4).unwrap();
        for _ in 0..200 {
            track.cycle();
        }
        track.sound()[0].to_vec()
    };
    let (parallel, series) = (sound_of(TrackLayout::Parallel), sound_of(TrackLayout::Series));
    assert_ne!(parallel, series);
    assert!(series.iter().all(|sample| sample.is_finite() && sample.abs() < 16.0), "{series:?}");
}

#[test]
fn the_threads_do_not_allocate_in_a_cycle_of_any_plugin() {
    for plugin in Plugin::ALL {
        let relay = Relay::new(1);
        let factory = plugin.load(64, 48_000).unwrap();
        let track = || DspTrack::new(factory.clone(), 64, TrackLayout::Series);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut track = track();
                relay.follow(0, |order| match order {
                    WorkerOrder::Prepare(instances) => track.prepare(instances).unwrap(),
                    WorkerOrder::Cycle => assert_no_alloc(|| track.cycle()),
                    WorkerOrder::End => {}
                });
            });
            let mut track = track();
            relay.gather();
            relay.together(WorkerOrder::Prepare(3), || track.prepare(3).unwrap());
            let pace = Pace { frames: 64, rate_hz: 48_000 };
            let mut cycles = Cycles::default();
            let end = assert_no_alloc(|| {
                let work = || relay.together(WorkerOrder::Cycle, || track.cycle());
                pace.run(&mut RealTimer, 30, &mut cycles, work, || true)
            });
            assert!(end == RunEnd::Clean || cycles.xruns == 1);
            relay.together(WorkerOrder::End, || {});
        });
    }
}

#[test]
fn no_order_is_lost_or_done_twice_however_many_workers_there_are() {
    for workers in 0..4 {
        let relay = Relay::new(workers);
        let done: Vec<_> = (0..workers).map(|_| std::sync::atomic::AtomicU32::new(0)).collect();
        std::thread::scope(|scope| {
            for worker in 0..workers {
                let (relay, done) = (&relay, &done);
                let count = move |order| {
                    let step = if order == WorkerOrder::Prepare(7) { 7 } else { 1 };
                    done[worker].fetch_add(step, std::sync::atomic::Ordering::Relaxed);
                };
                scope.spawn(move || relay.follow(worker, count));
            }
            relay.gather();
            relay.together(WorkerOrder::Prepare(7), || {});
            for turn in 1..=500 {
                relay.together(WorkerOrder::Cycle, || {});
                let all = |done: &std::sync::atomic::AtomicU32| {
                    done.load(std::sync::atomic::Ordering::Relaxed) == 7 + turn
                };
                assert!(done.iter().all(all), "turn {turn}: {done:?}");
            }
            relay.together(WorkerOrder::End, || {});
        });
    }
}

#[test]
fn in_a_card_s_callback_nothing_is_allocated() {
    let wanted = CardRequest { period_frames: Some(64), ..CardRequest::default() };
    let seen = Arc::new(Mutex::new(None));
    let kept = Arc::clone(&seen);
    let card = Card::open(&CardName::Virtual(None), &wanted, |shape, watch| {
        let factory = Plugin::Light.load(64, 48_000).unwrap();
        let mut track = DspTrack::new(factory, 64, TrackLayout::Series);
        track.prepare(2).unwrap();
        let seen = Arc::new(DspReadings::new(shape));
        *kept.lock().unwrap() = Some(Arc::clone(&seen));
        Box::new(Trapped(Computing::new(track, shape, watch, &seen)))
    });
    let seen = seen.lock().unwrap().take().unwrap();
    // A busy machine may miss a period before any counts; then it gives up, and that is seen.
    while seen.missed_before().is_none() && !seen.gave_up() {
        chronotap_linux::clocks::sleep_until(
            chronotap_linux::clocks::MonotonicClock::raw() + Nanos(1_000_000),
        );
    }
    assert!(seen.policy().is_some());
    drop(card.unwrap());
}

/// Two tracks: what the card's thread computes and what its worker does, call by call.
#[test]
fn a_card_s_callback_returns_when_its_workers_are_done_and_neither_allocates() {
    let relay = Arc::new(Relay::new(1));
    let done = AtomicU64::new(0);
    let factory = Plugin::Light.load(64, 48_000).unwrap();
    let track = || {
        let mut track = DspTrack::new(factory.clone(), 64, TrackLayout::Series);
        track.prepare(2).unwrap();
        track
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut track = track();
            relay.follow(0, |order| {
                if order == WorkerOrder::Cycle {
                    assert_no_alloc(|| track.cycle());
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        });
        relay.gather();
        let shape = CardShape { period_frames: 48_000, rate_hz: 48_000, ..CardShape::default() };
        let card =
            Card::open(&CardName::Virtual(None), &CardRequest::default(), |_, _| Box::new(()));
        let card = card.unwrap(); // for its watch
        let seen = Arc::new(DspReadings::new(&shape));
        let alone = Computing::new(track(), &shape, card.watch(), &seen);
        let mut computing = alone.beside(&relay, usable_cores()[0]);
        let mut period = Period { frame: 0, rate_hz: 48_000, inputs: &[], outputs: &mut [] };
        for call in 1..=16 {
            // None of these counts, so that periods which the card misses are not looked at.
            assert_no_alloc(|| computing.process(&mut period));
            assert_eq!(done.load(Ordering::Relaxed), call, "it did not wait");
        }
        assert!(!seen.gave_up() && !seen.unequal());
        relay.dismiss();
    });
}

/// Its worker never comes to an end while the card's buffer lasts: 2 frames, 42 us.
#[test]
fn a_callback_waits_for_a_worker_no_longer_than_its_buffer_and_never_again() {
    let relay = Arc::new(Relay::new(1));
    let stuck = AtomicBool::new(true);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            relay.follow(0, |order| {
                while order == WorkerOrder::Cycle && stuck.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
            });
        });
        relay.gather();
        let shape =
            CardShape { period_frames: 1, rate_hz: 48_000, periods: 2, ..CardShape::default() };
        let card =
            Card::open(&CardName::Virtual(None), &CardRequest::default(), |_, _| Box::new(()));
        let card = card.unwrap();
        let seen = Arc::new(DspReadings::new(&shape));
        let track = DspTrack::new(Plugin::Cpu.load(1, 48_000).unwrap(), 1, TrackLayout::Parallel);
        let alone = Computing::new(track, &shape, card.watch(), &seen);
        let mut computing = alone.beside(&relay, usable_cores()[0]);
        let mut period = Period { frame: 0, rate_hz: 48_000, inputs: &[], outputs: &mut [] };
        (0..3).for_each(|_| computing.process(&mut period));
        assert!(seen.gave_up() && seen.computed(0) && !seen.computed(1));
        stuck.store(false, Ordering::Relaxed);
        relay.dismiss();
    });
}

/// A process that ends the program where it allocates.
struct Trapped(Computing);

impl Process for Trapped {
    fn process(&mut self, period: &mut Period<'_>) {
        assert_no_alloc(|| self.0.process(period));
    }
}

#[test]
fn a_run_in_a_card_says_in_which_and_what_limited_it() {
    let test = DspTest {
        card: Some(CardName::Virtual(None)),
        periods: Some(vec![512]),
        plugins: Some(vec![Plugin::Heavy]),
        duration: Some(Nanos::from_millis(100)),
        searches: Some(1),
        arrangement: TrackLayout::Series,
        ..DspTest::default()
    };
    let found = found(&test);
    assert_eq!(found.series.len(), 1, "{:?}", found.notes);
    let series = &found.series[0];
    assert_eq!(series.condition("card"), Some("virtual"));
    assert_eq!(series.condition("arrangement"), Some("series"));
    assert_eq!(series.figures["buffer_periods"], 2.0);
    let what = "512 frames, heavy in series in virtual";
    let row = found.notes.iter().find(|note| note.starts_with(what)).unwrap();
    // A machine that misses periods with nothing to compute has no border, and says so.
    let border = series.figures.contains_key("confirmed");
    let failed = border && series.figures["failed_runs"] > 0.0;
    assert_eq!(row.contains("limited by"), failed, "{row}");
}

#[test]
fn a_run_on_several_tracks_in_a_card_says_how_many() {
    let cores = DspTest::default().cores;
    let tracks = cores.len().min(2);
    let test = DspTest {
        card: Some(CardName::Virtual(None)),
        periods: Some(vec![1_024]),
        tracks: Some(vec![tracks]),
        plugins: Some(vec![Plugin::Heavy]),
        duration: Some(Nanos::from_millis(100)),
        searches: Some(1),
        ..DspTest::default()
    };
    let found = found(&test);
    assert_eq!(found.series.len(), 1, "{:?}", found.notes);
    assert_eq!(found.series[0].condition("tracks"), Some(tracks.to_string().as_str()));
    assert_eq!(found.series[0].condition("card"), Some("virtual"));
    let what = "1024 frames, heavy on 2 tracks in virtual";
    let named = found.notes.iter().any(|note| note.starts_with(what));
    assert!(named || tracks == 1, "{:?}", found.notes);
}

#[test]
fn tracks_beyond_the_number_of_cores_are_computed_and_said_to_share_them() {
    let test = DspTest {
        cores: DspTest::default().cores[..1].to_vec(),
        periods: Some(vec![1_024]),
        tracks: Some(vec![2]),
        plugins: Some(vec![Plugin::Light]),
        scheduling: Scheduling::Ordinary,
        duration: Some(Nanos::from_millis(100)),
        searches: Some(1),
        ..DspTest::default()
    };
    let found = found(&test);
    let series = &found.series[0];
    let told = ["tracks", "shared_cores"].map(|name| series.condition(name));
    assert_eq!(told, [Some("2"), Some("1")], "{:?}", found.notes);
    assert!(found.notes.iter().any(|note| note.contains("the tracks share 1 of")), "{found:?}");
}

#[test]
fn a_run_leaves_for_each_cell_its_border_and_its_load_or_says_why_not() {
    let test = DspTest {
        periods: Some(vec![512]),
        plugins: Some(vec![Plugin::Light]),
        scheduling: Scheduling::Ordinary,
        duration: Some(Nanos::from_millis(100)),
        searches: Some(2),
        ..DspTest::default()
    };
    let (found, done) = run(&test, Length::Quick);
    assert_eq!(found.series.len(), test.cores.len().min(2));
    for series in &found.series {
        assert_eq!(series.quantity, Quantity::DspCycle);
        assert_eq!(series.condition("plugin"), Some("light"));
        let Some(confirmed) = series.figures.get("confirmed") else {
            // The host may stall the very run that computes nothing.
            assert!(!found.notes.is_empty(), "no border and no reason");
            continue;
        };
        if *confirmed > 0.0 && series.figures["instances_per_track"] > 0.0 {
            // By the rule: none of these cycles was longer than a period.
            let longest_ns = series.statistics.max_ns.unwrap() as f64;
            assert!(longest_ns <= series.figures["nominal_period_ns"] + 1.0);
            assert!((0.0..=1.0).contains(&series.figures["dsp_load"]), "{series:?}");
        }
    }
    assert!(done.windows(2).all(|pair| pair[0] <= pair[1] + 1e-9), "{done:?}");
}
