//! What the staircases of the ready-made studies find of simulated listeners whose thresholds are
//! known: bias, spread, and how often they find none. The tests assert the bias;
//! `cargo test -p chronotap-design --test all thresholds:: -- --nocapture` prints the table that
//! stands in the pages of the studies.
//!
//! A listener compares two intervals of which one is longer by x. A normal observer is right with
//! the probability of the standard normal distribution up to x / s, a logistic one with
//! 1 / (1 + exp(-x / s)): half where there is no difference (two-interval forced choice). The
//! threshold is the x of 70.7 % correct answers, which "2 down 1 up" seeks (Levitt 1971).

use chronotap_design::{
    Experiment, PARADIGMS, Staircase, StaircaseRule, StaircaseRun, Threshold, TrialAnswer, UpDown,
};
use chronotap_engine::random::Random;
use std::f64::consts::FRAC_1_SQRT_2;

const MS: f64 = 1e6;
const RUNS: u32 = 40_000;
/// Thresholds in ms.
const TRUE: [f64; 5] = [20.0, 30.0, 60.0, 90.0, 120.0];

/// A listener of this threshold: is the answer at this level correct?
type Listener = fn(&mut Random, level: f64, threshold: f64) -> bool;

const LISTENERS: [(&str, Listener); 2] = [("normal", normal), ("logistic", logistic)];

/// z of 70.7 %: a normal deviate is below this in so many cases.
const Z: f64 = 0.544_952;

fn normal(random: &mut Random, level: f64, threshold: f64) -> bool {
    let radius = (-2.0 * (1.0 - random.uniform()).ln()).sqrt();
    let deviate = radius * (std::f64::consts::TAU * random.uniform()).cos();
    deviate < Z * level / threshold
}

fn logistic(random: &mut Random, level: f64, threshold: f64) -> bool {
    let slope = (FRAC_1_SQRT_2 / (1.0 - FRAC_1_SQRT_2)).ln();
    random.uniform() < 1.0 / (1.0 + (-slope * level / threshold).exp())
}

/// Guesses below the threshold and is sure above it: half of the way from guessing to certainty
/// lies within a third of the threshold.
fn steep(random: &mut Random, level: f64, threshold: f64) -> bool {
    let known = 2.0 * FRAC_1_SQRT_2 - 1.0; // of the way, at the threshold
    let slope = 0.3 * threshold;
    let middle = threshold - slope * (known / (1.0 - known)).ln();
    random.uniform() < 0.5 + 0.5 / (1.0 + (-(level - middle) / slope).exp())
}

fn staircase(study: &str) -> Staircase {
    let paradigm = PARADIGMS.iter().find(|paradigm| paradigm.name == study).unwrap();
    let files = paradigm.files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let files: Vec<(String, String)> = files.collect();
    let experiment = Experiment::parse(paradigm.files[0].1, "study.toml", &files).unwrap();
    let [first, second] = &experiment.staircases[..] else { panic!("{study}: two staircases") };
    let alike = Staircase { name: first.name.clone(), path: first.path.clone(), ..second.clone() };
    assert_eq!(*first, Staircase { correct: first.correct, answer: first.answer.clone(), ..alike });
    first.clone()
}

/// One staircase with this listener: its threshold in ms, and its trials.
fn run(of: &Staircase, listener: Listener, threshold: f64, seed: u64) -> (Option<Threshold>, u32) {
    let mut random = Random::named(seed, "listener");
    let (mut run, mut trials) = (StaircaseRun::new(of), 0);
    while run.ended().is_none() {
        let correct = listener(&mut random, run.level() / MS, threshold);
        run.answer(if correct { TrialAnswer::Correct } else { TrialAnswer::Wrong });
        trials += 1;
    }
    (run.threshold().ok(), trials)
}

/// What many of them find.
struct Found {
    bias_percent: f64,
    sd_percent: f64,
    /// The standard error that is told, as a share of the true spread.
    told: f64,
    trials: f64,
    without_percent: f64,
}

fn found(of: &Staircase, listener: Listener, threshold: f64) -> Found {
    let all: Vec<_> = (0..RUNS).map(|seed| run(of, listener, threshold, seed.into())).collect();
    let of_all = f64::from(RUNS);
    let with: Vec<&Threshold> = all.iter().filter_map(|(found, _)| found.as_ref()).collect();
    let n = with.len() as f64;
    let mean = with.iter().map(|found| found.mean / MS).sum::<f64>() / n;
    let squares: f64 = with.iter().map(|found| (found.mean / MS - mean).powi(2)).sum();
    let errors: f64 = with.iter().filter_map(|found| Some((found.se? / MS).powi(2))).sum();
    Found {
        bias_percent: 100.0 * (mean / threshold - 1.0),
        sd_percent: 100.0 * (squares / n).sqrt() / threshold,
        told: (errors / squares).sqrt(),
        trials: all.iter().map(|(_, trials)| f64::from(*trials)).sum::<f64>() / of_all,
        without_percent: 100.0 * (1.0 - n / of_all),
    }
}

fn assert_unbiased(study: &str) {
    let staircase = staircase(study);
    println!("{study}: {RUNS} staircases each");
    for (name, listener) in LISTENERS {
        for threshold in TRUE {
            let of = found(&staircase, listener, threshold);
            let (bias, sd, trials) = (of.bias_percent, of.sd_percent, of.trials);
            println!(
                "{name} {threshold} ms: bias {bias:+.1} %, SD {sd:.0} %, SE told {:.2} of it, \
                 {trials:.0} trials, none in {:.1} %",
                of.told, of.without_percent
            );
            assert!(bias.abs() < 3.0, "{study}, {name}, {threshold} ms: {bias} %");
            assert!(sd < 45.0 && trials < 50.0 && of.without_percent < 3.0);
        }
    }
}

#[test]
fn anisochrony_detection_finds_thresholds_without_bias() {
    assert_unbiased("anisochrony-detection");
}

#[test]
fn duration_discrimination_finds_thresholds_without_bias() {
    assert_unbiased("duration-discrimination");
}

/// The manual says so: factors of this size are no good for curves as steep as that.
#[test]
fn the_threshold_of_a_steep_curve_comes_out_too_low() {
    let staircase = staircase("duration-discrimination");
    for threshold in TRUE {
        let bias = found(&staircase, steep, threshold).bias_percent;
        println!("steep {threshold} ms: bias {bias:+.1} %");
        assert!((-12.0..-9.0).contains(&bias), "{threshold} ms: {bias} %");
    }
}

/// With steps up three times those down the level of 75 % is found (Kaernbach 1991) as long as a step is small against
/// the curve: of an observer whose answers go from 2 % to 98 % over 80 ms (an SD of 20 ms around 60 ms, no guessing)
/// steps of 4 and 12 ms find 76 %, factors of 1.3 and 2.2 find 87 %. The manual says so.
#[test]
fn weighted_steps_find_three_quarters_unless_they_are_large() {
    let aimed = |steps: (f64, bool)| {
        let of = weighted(steps);
        let all = (0..4_000).filter_map(|seed| Some(run(&of, yes_or_no, 60.0, seed).0?.mean / MS));
        let all: Vec<f64> = all.collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        let right =
            (0..20_000).map(|seed| yes_or_no(&mut Random::named(seed, "share"), mean, 60.0));
        let share = right.filter(|right| *right).count() as f64 / 20_000.0;
        println!("{steps:?}: {mean:.1} ms, {share:.3}");
        share
    };
    let (small, large) = (aimed((4.0 * MS, false)), aimed((1.3, true)));
    assert!((small - 0.75).abs() < 0.035, "{small}");
    assert!((0.83..0.91).contains(&large), "{large}");
}

fn yes_or_no(random: &mut Random, level: f64, middle: f64) -> bool {
    middle + 20.0 * random.normal() < level
}

fn weighted((size, factors): (f64, bool)) -> Staircase {
    let of = staircase("anisochrony-detection");
    let rule = UpDown { down: 1, up: 1, sizes: vec![size], factors, weight: 3.0 };
    let (start, between) = (60.0 * MS, (MS, 200.0 * MS));
    Staircase { rule: StaircaseRule::UpDown(rule), start, between, at_most: 400, ..of }
}
