//! The round trip on loops whose delay was chosen: on a virtual card, in recordings, and
//! as readings that were made up.

use crate::common::found;
use chronotap_audio::meter::{MeterDoubt, Reading, SineSum};
use chronotap_audio::{Period, Process};
use chronotap_bench::timing::roundtrip::{
    Calibration, CalibrationError, Disagreement, gather, listen,
};
use chronotap_bench::timing::{
    Histogram, Length, Quantity, Results, RoundtripTest, SampleSeries, TestFound,
};
use chronotap_core::time::Nanos;
use chronotap_linux::cards::{CardName, Loop};
use proptest::prelude::*;

const RATE_HZ: f64 = 48_000.0;

fn reading(frames: f64) -> Reading {
    Reading { frames, sd_frames: 1e-5, inverted: false, gain: 1.0, noise: 0.0, window_s: 0.1 }
}

#[test]
fn readings_that_agree_give_the_last_one() {
    let mut looks = vec![Err(MeterDoubt::TooShort), Err(MeterDoubt::Quiet(0.0))];
    looks.extend((0..8).map(|n| Ok(reading(128.0 + f64::from(n) * 1e-4))));
    let trip = gather(&looks).unwrap();
    assert_eq!((trip.frames.len(), trip.reading.frames), (8, 128.000_7));
    assert!((trip.sd_frames() - 2.449e-4).abs() < 1e-6);
}

#[test]
fn no_figure_is_given_on_doubt_or_disagreement() {
    let steady: Vec<_> = (0..8).map(|_| Ok(reading(128.0))).collect();
    let with = |last| gather(&[steady.clone(), vec![last]].concat()).unwrap_err();
    assert_eq!(with(Err(MeterDoubt::Clipped(3))), Disagreement::Doubt(MeterDoubt::Clipped(3)));
    assert!(matches!(with(Ok(reading(129.0))), Disagreement::Apart(apart) if apart == 1.0));
    // A drift of two clocks: each reading is near the last one, the first is not.
    let drift: Vec<_> = (0..20).map(|n| Ok(reading(128.0 + 0.001 * f64::from(n)))).collect();
    assert!(matches!(gather(&drift), Err(Disagreement::Apart(_))));
    assert_eq!(gather(&steady[..3]), Err(Disagreement::Few(3)));
    assert_eq!(gather(&[Err(MeterDoubt::Missed); 9]), Err(Disagreement::Doubt(MeterDoubt::Missed)));
    let missed_at_last =
        [Err(MeterDoubt::Quiet(0.0)), Err(MeterDoubt::Missed), Err(MeterDoubt::Missed)];
    assert_eq!(gather(&missed_at_last), Err(Disagreement::Doubt(MeterDoubt::Quiet(0.0))));
    assert_eq!(gather(&[]), Err(Disagreement::Doubt(MeterDoubt::TooShort)));
}

/// The tones after a delay in whole frames, weaker, with something of a noise.
fn recorded(delay: usize, seconds: f64, gain: f32, noise: f32) -> Vec<f32> {
    let mut sent = vec![0.0; (seconds * RATE_HZ) as usize];
    SineSum::new().render(&mut sent);
    let mut state = 1u32;
    let mut recording = vec![0.0; delay];
    recording.extend(sent);
    for sample in &mut recording {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *sample = *sample * gain + noise * ((state >> 8) as f32 / 8_388_608.0 - 1.0);
    }
    recording
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn a_recording_tells_its_delay(delay in 0usize..30_000, inverted in any::<bool>(), noise in 0.0f32..0.002) {
        let gain = if inverted { -0.5 } else { 0.5 };
        let trip = listen(&recorded(delay, 1.5, gain, noise), RATE_HZ).unwrap();
        prop_assert!((trip.reading.frames - delay as f64).abs() < 0.001, "{trip:?}");
        prop_assert_eq!(trip.reading.inverted, inverted);
    }
}

#[test]
fn silence_after_the_tones_and_a_silent_recording_are_told_apart() {
    let mut recording = recorded(700, 2.0, 0.5, 1e-5);
    recording.extend(vec![0.0; 48_000]);
    let trip = listen(&recording, RATE_HZ).unwrap();
    assert!((trip.reading.frames - 700.0).abs() < 0.001, "{trip:?}");
    assert!(matches!(
        listen(&vec![0.0; 96_000], RATE_HZ),
        Err(Disagreement::Doubt(MeterDoubt::Quiet(_)))
    ));
    let clipped =
        recorded(700, 2.0, 8.0, 0.0).iter().map(|x| x.clamp(-1.0, 1.0)).collect::<Vec<_>>();
    assert!(matches!(listen(&clipped, RATE_HZ), Err(Disagreement::Doubt(MeterDoubt::Clipped(_)))));
}

/// A virtual card with a cable; ordinary machines miss periods, so that a figure is
/// right wherever there is one, and a reason where there is none.
fn looped(delay_frames: u32, gain: f32) -> RoundtripTest {
    RoundtripTest {
        card: CardName::Virtual(Some(Loop { delay_frames, gain })),
        periods: Some(vec![512, 1_024]),
        duration: Some(Nanos::from_millis(1_500)),
        ..RoundtripTest::default()
    }
}

fn results(found: TestFound) -> Results {
    let mut results = Results::begin("chronotap", "here", "2026-11-21T00:00:00Z", Length::Quick);
    results.tests.push(found);
    results
}

#[test]
fn a_looped_card_gives_its_delay_and_a_calibration_is_subtracted() {
    let total = found(&looped(3_000, -0.5));
    for series in &total.series {
        assert_eq!(series.quantity, Quantity::AudioRoundTrip);
        assert!((series.figures["round_trip_frames"] - 3_000.0).abs() < 0.001, "{series:?}");
        assert!((series.figures["gain"] - 0.5).abs() < 1e-3);
        assert_eq!(series.figures["inverted"], 1.0);
    }
    assert_eq!(total.series.len() + disagreements(&total), 2, "{:?}", total.notes);
    let external = found(&looped(1_024, 1.0));
    let Ok(calibration) = Calibration::of(&results(external)) else { return };
    let own = found(&RoundtripTest { calibration: Some(calibration), ..looped(3_000, 0.5) });
    for series in own.series.iter().filter(|series| series.figures.contains_key("own_frames")) {
        assert!((series.figures["own_frames"] - 1_976.0).abs() < 0.001, "{series:?}");
        assert!((series.figures["round_trip_frames"] - 1_976.0).abs() < 0.001, "{series:?}");
        assert!((series.figures["whole_loop_frames"] - 3_000.0).abs() < 0.001, "{series:?}");
        let mean_frames = series.statistics.mean_ns.unwrap() * RATE_HZ / 1e9;
        assert!((mean_frames - 1_976.0).abs() < 0.1, "the table has it: {mean_frames}");
        let again = serde_json::to_string(&results(own.clone())).unwrap();
        assert_eq!(Results::parse(&again).unwrap().tests[0].series, own.series, "it stays so");
    }
}

/// 1,024 frames through an instrument of 200, as files had it before: in one figure only.
#[test]
fn a_file_whose_calibration_was_in_its_figures_only_is_read_less_it_everywhere() {
    let ns = |frames: f64| frames * 1e9 / RATE_HZ;
    let readings = [1_024.0, 1_024.0, 1_024.001].map(|frames| Nanos::round_from_f64(ns(frames)));
    let conditions = [("card", "virtual"), ("period_frames", "512"), ("rate_hz", "48000")];
    let old = SampleSeries::of(Quantity::AudioRoundTrip, &conditions, Histogram::of(readings))
        .with("round_trip_frames", 1_024.001)
        .with("round_trip_ns", ns(1_024.001))
        .with("calibration_ns", ns(200.0))
        .with("own_ns", ns(824.001))
        .with("own_frames", 824.001);
    let found =
        TestFound { test: "roundtrip".into(), series: vec![old.clone()], ..TestFound::default() };
    let text = serde_json::to_string(&results(found)).unwrap();
    let read = &Results::parse(&text).unwrap().tests[0].series[0];
    assert_eq!(read.figures["round_trip_frames"], 824.001);
    assert!((read.statistics.mean_ns.unwrap() - ns(824.000_333)).abs() < 1.0, "{read:?}");
    let sd = |series: &SampleSeries| series.statistics.sd_ns.unwrap();
    assert!((sd(read) - sd(&old)).abs() < 1e-3, "{} {}", sd(read), sd(&old));
    let median = read.statistics.median_ns.unwrap() as f64;
    assert!((median - ns(824.0)).abs() * 512.0 < ns(824.0), "{median}");
}

fn disagreements(found: &TestFound) -> usize {
    found.notes.iter().filter(|note| note.contains("no round trip")).count()
}

#[test]
fn a_card_without_a_cable_is_told_so() {
    let silent = RoundtripTest { card: CardName::Virtual(None), ..looped(0, 0.0) };
    let found = found(&silent);
    assert!(found.series.is_empty());
    assert!(
        found.notes.iter().any(|note| note.contains("the level is too low")),
        "{:?}",
        found.notes
    );
    let other = results(TestFound::default());
    assert_eq!(Calibration::of(&other), Err(CalibrationError::None));
}

#[test]
fn after_a_missed_period_nothing_is_read_until_its_gap_has_come_back() {
    const DELAY: usize = 9_600; // 0.2 s
    let (mut talker, mut listener) = chronotap_bench::timing::roundtrip::pair(RATE_HZ);
    let mut cable = std::collections::VecDeque::from(vec![0.0f32; DELAY]);
    let mut looks = Vec::new();
    for n in 0..180u64 {
        let input: Vec<f32> = cable.drain(..480).collect();
        let mut output = [0.0f32; 480];
        talker.process(&mut Period {
            frame: n * 480,
            rate_hz: 48_000,
            inputs: &[&input],
            outputs: &mut [&mut output],
        });
        // In the 100th period the card plays nothing.
        cable.extend(if n == 100 { [0.0; 480] } else { output });
        looks.push(listener.look(u64::from(n >= 100)));
    }
    let before = gather(&looks[..100]).unwrap();
    assert!((before.reading.frames - DELAY as f64).abs() < 0.001, "{before:?}");
    // The gap is back after 20 periods; a window takes another 10 or 11.
    assert_eq!(looks[100], Err(MeterDoubt::Missed));
    assert!(looks[101..130].iter().all(Result::is_err));
    let after = gather(&looks).unwrap();
    assert!((after.reading.frames - DELAY as f64).abs() < 1e-4, "{after:?}");
    assert!(after.reading.noise < 1e-6 && (after.reading.gain - 1.0).abs() < 1e-4, "{after:?}");
}

#[test]
fn a_missed_period_ends_a_stretch_of_readings_and_not_the_measuring() {
    let stretch =
        |frames: f64| vec![Ok(reading(frames)), Ok(reading(frames)), Err(MeterDoubt::Missed)];
    let same = gather(&[stretch(128.0), stretch(128.0), stretch(128.0)].concat()).unwrap();
    assert_eq!((same.frames.len(), same.reading.frames), (6, 128.0));
    let other = gather(&[stretch(128.0), stretch(128.0), stretch(192.0)].concat());
    assert!(matches!(other, Err(Disagreement::Apart(apart)) if apart == 64.0));
    // What is doubtful for another reason still hides what was before.
    let clipped = [stretch(128.0), vec![Err(MeterDoubt::Clipped(1))], stretch(128.0)].concat();
    assert_eq!(gather(&clipped), Err(Disagreement::Few(2)));
}

/// A loop of 1,024 frames whose card misses a period every 0.35 s, 2 s long.
#[test]
fn a_card_that_keeps_missing_periods_has_a_round_trip_all_the_same() {
    let (mut talker, mut listener) = chronotap_bench::timing::roundtrip::pair(RATE_HZ);
    let mut cable = std::collections::VecDeque::from(vec![0.0f32; 1_024]);
    let (mut looks, mut missed) = (Vec::new(), 0);
    for n in 1..=6_000u64 {
        let input: Vec<f32> = cable.drain(..16).collect();
        let mut output = [0.0f32; 16];
        talker.process(&mut Period {
            frame: n * 16,
            rate_hz: 48_000,
            inputs: &[&input],
            outputs: &mut [&mut output],
        });
        let misses = n % 1_050 == 0;
        cable.extend(if misses { [0.0; 16] } else { output });
        missed += u64::from(misses);
        match n {
            _ if n % 300 == 0 => looks.push(listener.look(missed)),
            _ if n % 75 == 0 => listener.heed(missed),
            _ => {}
        }
    }
    let doubts = looks[1..].iter().filter(|look| look.is_err()).count();
    assert!(missed == 5 && doubts >= 5 && looks[15..].iter().any(Result::is_err), "{looks:?}");
    let trip = gather(&looks).unwrap();
    assert!((trip.reading.frames - 1_024.0).abs() < 0.001, "{trip:?}");
}

#[test]
fn the_card_s_thread_does_not_allocate() {
    let (mut talker, _listener) = chronotap_bench::timing::roundtrip::pair(RATE_HZ);
    let (input, mut output) = ([0.1f32; 64], [0.0f32; 64]);
    assert_no_alloc::assert_no_alloc(|| {
        for n in 0..10_000u64 {
            let inputs: [&[f32]; 1] = [&input];
            let mut outputs: [&mut [f32]; 1] = [&mut output];
            talker.process(&mut Period {
                frame: n * 64,
                rate_hz: 48_000,
                inputs: &inputs,
                outputs: &mut outputs,
            });
        }
    });
}
