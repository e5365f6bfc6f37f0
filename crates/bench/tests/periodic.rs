//! The periodic test on beats of which everything is known: what was put in must come
//! out, exactly or within the error that the figure states. No real time is asserted.

use crate::common::found;
use assert_no_alloc::assert_no_alloc;
use chronotap_bench::studies::periodic::{
    BeatGrid, Beats, Cure, InterruptSource, PeriodBeat, PeriodicError, PeriodicTest, Record,
    SourceError, ToggledLine, WARM_UP, deviations, lost, skipped,
};
use chronotap_bench::timing::{
    Histogram, Probe, Quantity, RealTimer, SampleSeries, Scheduling, Timer,
};
use chronotap_core::time::Nanos;
use proptest::prelude::*;
use std::cell::Cell;
use std::f64::consts::{FRAC_PI_2, TAU};
use std::io;

/// Normal numbers from a seed (xorshift, Box and Muller).
struct Normal(u64);

impl Normal {
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn next(&mut self, sd: f64) -> f64 {
        let radius = (-2.0 * self.uniform().max(1e-300).ln()).sqrt();
        sd * radius * (TAU * self.uniform()).cos()
    }
}

fn normal(seed: u64) -> Normal {
    let mut normal = Normal(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..20 {
        normal.uniform();
    }
    normal
}

/// Beats at a rate, each late by what `late_ns` says of its number.
fn beats(n: u64, step_ns: f64, mut late_ns: impl FnMut(u64) -> f64) -> Vec<PeriodBeat> {
    let at = |k: u64, late: f64| Nanos::round_from_f64(k as f64 * step_ns + late + 1e9);
    (0..n).map(|k| PeriodBeat { at: at(k, late_ns(k)), interrupts: 1, lost: 0 }).collect()
}

fn sd_ns(times: Vec<Nanos>) -> f64 {
    Histogram::of(times).sd_ns().unwrap()
}

#[test]
fn perfect_beats_have_no_deviation_no_lateness_and_one_frequency() {
    let beats = beats(1_024, 1e9 / 512.0, |_| 0.0);
    assert!(deviations(&beats, 512).iter().all(|deviation| *deviation == Nanos::ZERO));
    let grid = BeatGrid::fit(&beats).unwrap();
    assert!(grid.lateness(&beats).iter().all(|late| *late == Nanos::ZERO));
    assert!(grid.clock_offset_ppm(512).abs() < 1e-9);
    let toggles: Vec<Nanos> = beats.iter().map(|beat| beat.at).collect();
    let line = ToggledLine::of(&toggles, 256.0).unwrap();
    assert!(!line.resolved && (line.carrier_share - 1.0).abs() < 1e-9);
    assert_eq!(skipped(&beats), 0);
}

#[test]
fn whole_nanoseconds_are_found_as_the_offset_that_they_are() {
    let beats = beats(8_192, 122_070.0, |_| 0.0);
    let ppm = BeatGrid::fit(&beats).unwrap().clock_offset_ppm(8_192);
    assert!((ppm - 2.56).abs() < 0.001, "{ppm}");
}

#[test]
fn independent_lateness_doubles_the_variance_of_the_intervals() {
    let mut random = normal(3);
    let beats = beats(40_000, 1e9 / 1_024.0, |_| random.next(30_000.0));
    let intervals = sd_ns(deviations(&beats, 1_024));
    let lateness = sd_ns(BeatGrid::fit(&beats).unwrap().lateness(&beats));
    let ratio = (intervals / lateness).powi(2);
    assert!((ratio - 2.0).abs() < 0.06, "{ratio}");
    assert!((lateness / 30_000.0 - 1.0).abs() < 0.015, "{lateness}");
}

#[test]
fn stalls_are_found_to_the_nanosecond_and_do_not_bend_the_grid() {
    let late = |k: u64| if k % 97 == 50 { 3_000_000.0 } else { 0.0 };
    let beats = beats(2_000, 1e9 / 512.0, late);
    let grid = BeatGrid::fit(&beats).unwrap();
    assert!(grid.clock_offset_ppm(512).abs() < 1e-6);
    for (k, found) in grid.lateness(&beats).into_iter().enumerate() {
        assert!((found.0 - late(k as u64) as i64).abs() <= 1, "beat {k}: {found}");
    }
}

#[test]
fn a_stall_is_as_long_for_a_source_that_counts_what_it_skipped_as_for_one_that_is_late() {
    // 1,000 beats of 1 ms, and a stall of 100 ms: the source then counts 101 and is on time.
    let ms = Nanos::from_millis(1);
    let mut beats: Vec<PeriodBeat> = beats(1_000, 1e6, |_| 0.0);
    let late = beats.split_off(500);
    let after = late.into_iter().map(|beat| PeriodBeat { at: beat.at + ms * 100, ..beat });
    beats.extend(after);
    beats[500].interrupts = 101;
    let grid = BeatGrid::fit(&beats).unwrap();
    assert!(grid.lateness(&beats).iter().all(|late| *late == Nanos::ZERO));
    let all = grid.lateness_of_all(&beats);
    assert_eq!((all.n(), skipped(&beats)), (1_100, 100));
    assert_eq!((all.at_least(ms / 2), all.at_least(ms * 101 / 2)), (100, 50));
    let greatest = all.max().unwrap();
    assert!((greatest - ms * 100).abs() < Nanos(2), "{greatest}");
}

/// A line's width against the law of the phase that it was made with: intervals of SD
/// s at the rate f give (π/2) f³ s².
#[test]
fn a_wandering_phase_gives_the_width_of_its_law() {
    for (rate, sd_s, n, seed) in
        [(1_024.0, 100e-6, 8_192, 1), (1_024.0, 60e-6, 8_192, 2), (8_192.0, 5e-6, 16_384, 3)]
    {
        let mut random = normal(seed);
        let mut wander = 0.0;
        let beats = beats(n, 1e9 / rate, |_| {
            wander += random.next(sd_s * 1e9);
            wander
        });
        let grid = BeatGrid::fit(&beats).unwrap();
        let toggles: Vec<Nanos> = beats.iter().map(|beat| beat.at).collect();
        let line = ToggledLine::of(&toggles, 0.5e9 / grid.step_ns).unwrap();
        let truth = FRAC_PI_2 * rate.powi(3) * sd_s * sd_s;
        let off = (line.width_hz - truth).abs();
        assert!(line.resolved, "{rate} Hz: {} within {}", line.width_hz, line.resolution_hz);
        assert!(off < 2.0 * line.width_error_hz, "{rate} Hz: {} for {truth}", line.width_hz);
    }
}

#[test]
fn lateness_that_is_forgotten_leaves_the_line_narrow_and_takes_its_share_of_power() {
    let mut random = normal(9);
    let sd_s = 60e-6;
    let beats = beats(8_192, 1e9 / 1_024.0, |_| random.next(sd_s * 1e9));
    let toggles: Vec<Nanos> = beats.iter().map(|beat| beat.at).collect();
    let line = ToggledLine::of(&toggles, 512.0).unwrap();
    let share = (-(TAU * 512.0 * sd_s).powi(2)).exp();
    let floor = (share / 20.0).log10() * 10.0; // beneath the line, far below its share
    assert_eq!(line.curve.iter().filter(|(hz, db)| *hz == 0.0 && *db == 0.0).count(), 1);
    assert!(line.curve.iter().all(|(hz, db)| hz.abs() < 3.0 || *db < floor), "{:?}", line.curve);
    assert!(!line.resolved, "{} Hz", line.width_hz);
    assert!((line.carrier_share - share).abs() < 0.01, "{} for {share}", line.carrier_share);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn prop_the_clocks_offset_is_found_within_five_of_its_errors(
        ppm in -500.0f64..500.0, sd_us in 0.0f64..80.0, seed in 1u64.., n in 200u64..3_000
    ) {
        let mut random = normal(seed);
        let step_ns = 1e9 / 1_024.0 / (1.0 + ppm * 1e-6);
        let beats = beats(n, step_ns, |_| random.next(sd_us * 1e3));
        let grid = BeatGrid::fit(&beats).unwrap();
        let off = (grid.clock_offset_ppm(1_024) - ppm).abs();
        // A nanosecond over the whole record is what rounding may add.
        let rounding_ppm = 1e6 / (n as f64 * step_ns);
        prop_assert!(off <= 5.0 * grid.clock_offset_error_ppm() + rounding_ppm, "{off} ppm");
    }

    #[test]
    fn prop_skipped_beats_are_counted_and_change_neither_grid_nor_rate(
        skips in proptest::collection::vec(0u64..4, 20..300)
    ) {
        let step = 1_953_125; // 512 Hz
        let mut number = 0;
        let beats: Vec<PeriodBeat> = skips.iter().map(|skip| {
            number += 1 + skip;
            PeriodBeat { at: Nanos(number as i64 * step), interrupts: 1 + skip, lost: 0 }
        }).collect();
        let grid = BeatGrid::fit(&beats).unwrap();
        prop_assert!(grid.clock_offset_ppm(512).abs() < 1e-6);
        prop_assert!(grid.lateness(&beats).iter().all(|late| late.0 == 0));
        prop_assert_eq!(skipped(&beats), skips[1..].iter().sum::<u64>());
        let historic: Vec<i64> = deviations(&beats, 512).iter().map(|one| one.0).collect();
        let expected: Vec<i64> = skips[1..].iter().map(|skip| *skip as i64 * step).collect();
        prop_assert_eq!(historic, expected);
    }

    #[test]
    fn prop_the_deviations_add_up_to_the_whole_recording(
        steps in proptest::collection::vec(1i64..500_000, 3..200), power in 0u32..14
    ) {
        let rate = 1 << power;
        let mut at = 0;
        let beats: Vec<PeriodBeat> = steps.iter().map(|step| {
            at += step;
            PeriodBeat { at: Nanos(at), interrupts: 1, lost: 0 }
        }).collect();
        let sum: Nanos = deviations(&beats, rate).into_iter().sum();
        let n = beats.len() as i64 - 1;
        prop_assert_eq!(sum.0, at - steps[0] - n * 1_000_000_000 / i64::from(rate));
    }
}

/// A clock that stands until a beat moves it or it is read.
#[derive(Default)]
struct Time {
    now: Cell<i64>,
}

/// Each reading takes 20 ns, so that a spin ends.
impl Timer for &Time {
    fn now(&mut self) -> Nanos {
        self.now.set(self.now.get() + 20);
        Nanos(self.now.get())
    }

    fn sleep_until(&mut self, at: Nanos) {
        self.now.set(self.now.get().max(at.0));
    }
}

/// Interrupts every 1,953,125 ns, late as told; each that passes unseen is counted, but for
/// those that are lost, which neither come nor count.
struct Known<'a> {
    time: &'a Time,
    beat: i64,
    late_ns: fn(i64) -> i64,
    lost: &'a [i64],
}

const STEP_NS: i64 = 1_953_125;

impl Beats for Known<'_> {
    fn wait(&mut self) -> io::Result<u64> {
        let comes = |beat: &i64| !self.lost.contains(beat);
        let due = (self.time.now.get() / STEP_NS).max(self.beat) + 1;
        let next = (due..).find(comes).unwrap();
        let count = (self.beat + 1..=next).filter(comes).count();
        self.beat = next;
        self.time.now.set(next * STEP_NS + (self.late_ns)(next));
        Ok(count as u64)
    }

    fn counts_all(&self) -> bool {
        self.lost.is_empty()
    }
}

fn recorded(n: usize, late_ns: fn(i64) -> i64, cure: Option<Cure>) -> Record {
    recorded_without(&[], n, late_ns, cure)
}

fn recorded_without(lost: &[i64], n: usize, late_ns: fn(i64) -> i64, cure: Option<Cure>) -> Record {
    let time = Time::default();
    let mut source = Known { time: &time, beat: 0, late_ns, lost };
    let mut record = Record::new(n);
    assert_no_alloc(|| record.run(&mut source, &mut &time, cure.as_ref(), || true)).unwrap();
    if cure.is_none() && !source.counts_all() {
        record.find_lost(Nanos(STEP_NS));
    }
    record
}

/// 5 to 45 us late, and 4 ms at every hundredth beat.
fn late_ns(beat: i64) -> i64 {
    if beat % 100 == 99 { 4_000_000 } else { 5_000 + beat * 7_919 % 40_000 }
}

const CURE: Cure = Cure { step_ns: STEP_NS as f64, guard: Nanos::from_micros(60) };

#[test]
fn the_cure_puts_every_beat_within_its_guard_onto_the_exact_moment() {
    let record = recorded(500, |beat| late_ns(beat % 99), Some(CURE));
    let late = BeatGrid::fit(record.beats()).unwrap().lateness(record.beats());
    assert!(late.iter().all(|late| late.0 <= 40), "{:?}", late.iter().max());
    assert_eq!(record.past_guard, 0);
    assert!(record.spun >= Nanos::from_micros(15) * 500);
}

#[test]
fn a_beat_past_the_guard_is_acted_on_at_once_and_counted() {
    let record = recorded(500, late_ns, Some(CURE));
    let stalls = record.beats().iter().filter(|beat| beat.interrupts > 1).count();
    assert_eq!(record.past_guard, 5);
    assert_eq!((stalls, skipped(record.beats())), (5, 10));
}

#[test]
fn lost_interrupts_are_found_where_they_were_lost_and_do_not_bend_the_grid() {
    let record = recorded_without(&[100, 300, 301, 307], 500, |beat| late_ns(beat % 99), None);
    let beats = record.beats();
    let lost_before = |(n, beat): (usize, &PeriodBeat)| (beat.lost > 0).then_some((n, beat.lost));
    let found: Vec<_> = beats.iter().enumerate().filter_map(lost_before).collect();
    // Beat 17 is the first that is kept, and has the number 0.
    assert_eq!(found, [(83, 1), (282, 2), (287, 1)]);
    let grid = BeatGrid::fit(beats).unwrap();
    assert!(grid.lateness(beats).iter().all(|late| late.0 < 45_000));
    assert!(grid.clock_offset_ppm(512).abs() < 5.0 * grid.clock_offset_error_ppm());
}

#[test]
fn stalls_are_not_taken_for_lost_interrupts() {
    for cure in [None, Some(CURE)] {
        let record = recorded_without(&[100_000], 500, late_ns, cure);
        assert!(record.beats().iter().all(|beat| beat.lost == 0), "{cure:?}");
    }
}

#[test]
fn the_cure_is_back_on_its_moments_at_the_fourth_beat_after_a_lost_interrupt() {
    let record = recorded_without(&[100, 300], 500, |beat| late_ns(beat % 99), Some(CURE));
    let late = BeatGrid::fit(record.beats()).unwrap().lateness(record.beats());
    let missed = late.iter().filter(|late| late.0 > 40).count();
    assert_eq!((lost(record.beats()), record.past_guard, missed), (2, 6, 6));
}

#[test]
fn the_recording_is_bounded_in_beats_whether_seen_or_skipped() {
    let record = recorded(300, |beat| if beat % 2 == 0 { 10 * STEP_NS } else { 0 }, None);
    let interrupts: u64 = record.beats().iter().map(|beat| beat.interrupts).sum();
    assert!(interrupts <= 300 + WARM_UP && record.beats().len() < 100, "{interrupts}");
}

#[test]
fn the_loop_allocates_nothing_on_a_real_timer_either() {
    let mut source = InterruptSource::Timerfd.start(2_048).unwrap();
    let mut record = Record::new(2_000); // a second, so that a stall does not skip all of it
    let cure = Cure { step_ns: 488_281.0, guard: Nanos::from_micros(20) };
    assert_no_alloc(|| record.run(source.as_mut(), &mut RealTimer, Some(&cure), || true)).unwrap();
    assert!(!record.beats().is_empty());
}

#[test]
fn a_run_leaves_the_historic_series_and_the_lateness_with_and_without_the_cure() {
    let found = found(&PeriodicTest {
        sources: vec![InterruptSource::ClockNanosleep],
        rates_hz: Some(vec![512]),
        scheduling: Scheduling::Ordinary,
        duration: Some(Nanos::from_secs(1)),
        ..PeriodicTest::default()
    });
    let of = |quantity, cure| {
        let mut series = found.series.iter();
        let wanted =
            |one: &&SampleSeries| one.quantity == quantity && one.condition("cure") == Some(cure);
        series.find(wanted).unwrap_or_else(|| panic!("{quantity:?} {cure}: {found:#?}"))
    };
    for cure in ["off", "on"] {
        let historic = of(Quantity::IntervalDeviation, cure);
        assert_eq!(historic.figures["period_ns"], 1_953_125.0);
        assert_eq!(historic.condition("rate_hz"), Some("512"));
        let lateness = of(Quantity::Lateness, cure);
        assert_eq!(lateness.statistics.min_ns, Some(0));
        let skipped = lateness.figures["skipped_beats"] as u64; // each is late too
        assert_eq!(lateness.statistics.n, historic.statistics.n + 1 + skipped);
        assert_eq!(lateness.figures.contains_key("guard_ns"), cure == "on");
    }
}

#[test]
fn a_source_that_is_missing_is_said_and_a_rate_out_of_range_refused() {
    let test = PeriodicTest { rates_hz: Some(vec![10_000]), ..PeriodicTest::default() };
    let refused = test.available().unwrap_err();
    assert!(matches!(refused.downcast_ref(), Some(PeriodicError::Rate(10_000))), "{refused}");
    let rtc = PeriodicTest { sources: vec![InterruptSource::Rtc], ..PeriodicTest::default() };
    if let Err(why) = InterruptSource::Rtc.available() {
        assert_eq!(found(&rtc).unavailable, Some(why.to_string()));
        assert!(matches!(why, SourceError::NoRtc), "{why}");
    }
}
