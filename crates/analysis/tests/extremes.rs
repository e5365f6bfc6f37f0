//! Every statistic and model on data at their limits: no tap, one tap, ties, noise of single
//! nanoseconds, an hour's offset, a million taps. Each gives a finite number or says why
//! not; none panics, and the cost stays in proportion (a million taps would not end else).

use chronotap_analysis::bootstrap::{Resampling, interval};
use chronotap_analysis::circular::{self, mixture::mixture, v_test::v_test};
use chronotap_analysis::cleaning::{CleaningRule, clean};
use chronotap_analysis::correction::{Baseline, Means, TapRun, of_trial, phase, phase_and_period};
use chronotap_analysis::described::Described;
use chronotap_analysis::fluctuation::fluctuation;
use chronotap_analysis::intervals::Placed;
use chronotap_analysis::matching::Grid;
use chronotap_analysis::metre::tapping;
use chronotap_analysis::observed::ObservedStream;
use chronotap_analysis::pairs::{following, together};
use chronotap_analysis::perturbation::{PacingPerturbation, PerturbationKind, USUAL, response};
use chronotap_analysis::series::Series;
use chronotap_analysis::statistics::{
    Answered, ClockAndMotor, Directions, Material, columns, described_intervals, tables,
};
use chronotap_analysis::tracking::tracking;
use chronotap_analysis::uncertainty::{AsynchronySpread, SpectralSpread};
use chronotap_analysis::wing_kristofferson::estimate_placed;
use chronotap_analysis::{autocorrelation, delayed_feedback, intervals, isolated, rhythm};
use chronotap_core::time::Nanos;
use chronotap_engine::random::Random;
use proptest::prelude::*;

/// Tap onsets by name, ascending.
fn taps(n: usize) -> Vec<(&'static str, Vec<Nanos>)> {
    let mut random = Random::named(14, "extremes");
    let every = |interval: i64| (0..n as i64).map(move |k| Nanos(interval * k));
    let noise = every(500_000_000).map(|at| at + Nanos(i64::from(random.between(0, 4)))).collect();
    let hour = every(500_000_000).map(|at| at + Nanos::from_secs(3_600)).collect();
    let drift = (0..n as i64).map(|k| Nanos(500_000_000 * k + 20_000 * k * k)).collect();
    vec![
        ("none", vec![]),
        ("one", vec![Nanos(5)]),
        ("two", vec![Nanos(5), Nanos(6)]),
        ("ties", vec![Nanos::from_secs(1); n]),
        ("even", every(500_000_000).collect()),
        ("a nanosecond apart", every(1).collect()),
        ("nanosecond noise", noise),
        ("an hour off", hour),
        ("drift", drift),
    ]
}

fn all_rules() -> Vec<CleaningRule> {
    let debounce = CleaningRule::Debounce(Nanos::from_millis(40));
    vec![
        debounce,
        CleaningRule::FirstTaps(4),
        CleaningRule::IntervalOutliers(3.0),
        CleaningRule::AsynchronyOutliers(3.0),
        CleaningRule::Slips,
    ]
}

/// Everything of one person against a metronome; the numbers that came out.
fn everything(taps: &[Nanos], beats: &[Nanos]) -> Vec<f64> {
    let between = intervals::between(taps);
    let ms: Vec<f64> = between.iter().map(|i| i.as_millis_f64()).collect();
    let grid = Grid::new(&ObservedStream::steady("beats", beats.iter().copied()), 1.0);
    let matching = grid.matched_optimally(taps);
    assert_eq!(matching.pairs.len() + matching.extra.len() + matching.unpaced.len(), taps.len());
    let asynchronies: Vec<Option<Nanos>> =
        taps.iter().zip(beats).map(|(t, b)| Some(*t - *b)).collect();
    let cleaned = clean(taps, &asynchronies, &all_rules());
    assert_eq!(cleaned.marks.len(), taps.len());
    let n = taps.len().min(beats.len());
    let run = TapRun { taps: taps[..n].to_vec(), partners: vec![beats[..n].to_vec()] };
    let correction = phase(std::slice::from_ref(&run), &Means::Pooled);
    let period = phase_and_period(&[run], Baseline::Estimated);
    let angles = circular::angles(
        &asynchronies.iter().flatten().copied().collect::<Vec<_>>(),
        Nanos::from_millis(500),
    );
    let perturbation = PacingPerturbation { kind: PerturbationKind::Step, beat: 4, size: Nanos(1) };
    let answer = response(&asynchronies, &perturbation, USUAL);
    let together = together(beats, taps);
    let follow = following(&Placed::all(between.clone()), &between);
    let track = tracking(&Placed::all(between.clone()), &Placed::all(between.clone()));
    let mut found: Vec<f64> = Vec::new();
    let described = Described::intervals(&Placed::all(between.clone()));
    for known in described_intervals() {
        let value = described.as_ref().and_then(|described| described.of(known));
        assert!(value.is_none_or(|value| known.range.holds(value)), "{known:?} {value:?}");
        found.extend(value);
    }
    found.extend((0..3).filter_map(|lag| autocorrelation::autocorrelation(&ms, lag)));
    found.extend(fluctuation(&ms).map(|f| f.exponent));
    found.extend(
        correction.iter().flat_map(|c| [c.alpha[0].value, c.alpha[0].low, c.timekeeper_sd_ms]),
    );
    found.extend(period.iter().flat_map(|c| [c.alpha[0].high, c.motor_sd_ms]));
    found.extend(circular::describe(&angles).map(|c| c.resultant));
    found.extend(v_test(&angles, 0.0).map(|v| v.p));
    found.extend(mixture(&angles).iter().flat_map(|m| [m.in_phase, m.concentration, m.gain]));
    found.extend(tapping(beats, taps).map(|t| t.circular.resultant));
    found.extend(answer.iter().flat_map(|r| r.shifts_ms.iter().flatten().copied()));
    found.extend(together.relative_distance);
    found.extend(follow.map(|f| f.together));
    found.extend(track.map(|t| t.index));
    found
}

#[test]
fn extreme_taps_give_finite_numbers_or_reasons() {
    for n in [3, 12, 40, 300] {
        for (name, taps) in taps(n) {
            for (of, beats) in self::taps(n) {
                let found = everything(&taps, &beats);
                assert!(found.iter().all(|x| x.is_finite()), "{name} against {of}, {n}: {found:?}");
            }
        }
    }
}

#[test]
fn extreme_trials_give_finite_numbers_or_reasons() {
    for (name, taps) in taps(40) {
        let between = intervals::between(&taps);
        let trial =
            delayed_feedback::FeedbackTrial { intervals: between.clone(), ..Default::default() };
        for effect in delayed_feedback::effects(&vec![trial; 3]) {
            assert!(effect.interval_ms.iter().all(|e| e.value.is_finite()), "{name}");
            assert!(effect.slowing_percent.iter().all(|e| e.value == 0.0), "{name}");
        }
        let matches = vec![0; between.len()];
        let found = isolated::responses(&between, &matches, &[0, 30, 39, 500], 2).unwrap();
        assert!(found.iter().flat_map(|at| at.difference_ms.iter()).all(|e| e.value.is_finite()));
        let found = rhythm::reproduction(&between, &[between.clone(), vec![]]);
        assert!(found.iter().flat_map(|r| r.tempo.iter()).all(|t| t.value.is_finite()), "{name}");
    }
}

#[test]
fn a_million_taps_are_no_trouble() {
    let mut random = Random::named(14, "a million");
    let n = 1_000_000;
    let beats: Vec<Nanos> = (0..n).map(|k| Nanos(500_000_000 * k)).collect();
    let taps: Vec<Nanos> =
        beats.iter().map(|b| *b + Nanos::round_from_f64(2e7 * random.normal())).collect();
    let found = everything(&taps, &beats);
    assert!(found.len() > 20 && found.iter().all(|x| x.is_finite()), "{found:?}");
    let how = Resampling { runs: 20, ..Resampling::of(taps.len(), 1) };
    let mean =
        |at: &[usize]| Some(at.iter().map(|k| taps[*k].0 as f64).sum::<f64>() / at.len() as f64);
    assert!(interval(taps.len(), how, mean).unwrap().standard_error.is_finite());
}

/// Taps about half a second apart, whatever becomes of the tempo: SDs of each interval and of the tempo's steps, and
/// by how much each interval is longer than the last, in ms.
fn wandering(n: usize, [varies, wanders, slows]: [f64; 3], seed: u64) -> Vec<Nanos> {
    let mut random = Random::named(seed, "wandering");
    let (mut at, mut period) = (0.0, 500.0);
    let tap = |_| {
        period += slows + wanders * random.normal();
        at += (period + varies * random.normal()).max(1.0);
        Nanos::round_from_f64(at * 1e6)
    };
    (0..n).map(tap).collect()
}

proptest! {
    /// A value that lies outside of the interval beside it says two things at once: clock and motor variance of
    /// a tempo that wanders did.
    #[test]
    fn prop_an_estimate_lies_within_its_interval(
        n in 11..80_usize,
        varies in 0.0..60.0_f64,
        wanders in 0.0..30.0_f64,
        slows in -4.0..10.0_f64,
        seed: u64,
    ) {
        let taps = wandering(n, [varies, wanders, slows], seed);
        let beats: Vec<Nanos> = (0..n as i64).map(|k| Nanos::from_millis(500 * (k + 1))).collect();
        let asynchronies: Vec<Nanos> = taps.iter().zip(&beats).map(|(tap, at)| *tap - *at).collect();
        let angles = circular::angles(&asynchronies, Nanos::from_millis(500));
        let between = Placed::all(intervals::between(&taps));
        let asynchronies = Placed::all(asynchronies);
        let (between_taps, to_beats) = (Series::of(&between), Series::of(&asynchronies));
        let spread = SpectralSpread::of(&between_taps, "intervals").ok();
        let sure = AsynchronySpread::of(&to_beats).ok();
        let levels = estimate_placed(&between).map(|found| ClockAndMotor::of(found, Some(&between)));
        let run = TapRun { taps: taps.clone(), partners: vec![beats] };
        let material = Material {
            intervals: Some((&between_taps, spread.as_ref())),
            levels,
            beats: Some(Answered { beats: n, matched: n - n / 7, ..Answered::default() }),
            asynchronies: Some((&to_beats, sure.as_ref())),
            directions: Some(Directions::of(&angles)),
            correction: of_trial(&[run]).ok(),
            ..Material::default()
        };
        for one in tables().iter().chain(columns()) {
            let found = material.measure(one);
            let Some((value, estimate)) = found.value.zip(found.estimate) else { continue };
            let apart = (value - estimate.value).abs();
            prop_assert!(apart <= 1e-9 * value.abs().max(1.0), "{:?}: {} {:?}", one, value, estimate);
            prop_assert!(estimate.holds(estimate.value), "{:?}: {:?}", one, estimate);
        }
    }
}
