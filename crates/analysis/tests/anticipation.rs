//! Does ADAM find the parameters of simulated tappers, and under which pacing? A timekeeper of 10 ms and
//! motor delays of 5 ms. docs/statistics.md has the figures.
//!
//! `cargo test -p chronotap-analysis --test all anticipation:: -- --ignored --nocapture` prints its table.

use crate::simulated::{ns, recover};
use chronotap_analysis::correction::TapRun;
use chronotap_analysis::correction::adam::{Adam, adam};
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::statistics::held;
use chronotap_engine::random::Random;
use chronotap_testkit::left_to_all;

/// Intervals of the pacing in ms, by their number.
type Pacing = fn(usize, &mut Random) -> f64;

const PACINGS: [(&str, Pacing); 7] = [
    ("sine of 9 beats, 15 ms noise", |k, random| swing(80.0, 0.7, k) + 15.0 * random.normal()),
    ("sine of 9 beats", |k, _| swing(80.0, 0.7, k)),
    ("sine of 21 beats, 15 ms noise", |k, random| swing(80.0, 0.3, k) + 15.0 * random.normal()),
    ("sine of 21 beats", |k, _| swing(80.0, 0.3, k)),
    ("two sines", |k, _| swing(50.0, 0.3, k) + swing(50.0, 0.83, k) - 500.0),
    ("steps of 80 ms, 8 beats each", |k, _| 500.0 + [40.0, -40.0][k / 8 % 2]),
    ("30 ms noise", |_, random| 500.0 + 30.0 * random.normal()),
];

/// α, β, γ and m.
const PEOPLE: [[f64; 4]; 4] =
    [[0.4, 0.1, 0.3, 0.7], [0.4, 0.1, 0.0, 0.7], [0.4, 0.0, 0.15, 1.0], [0.2, 0.05, 0.6, 0.4]];

const NAMES: [&str; 6] =
    ["adam alpha", "adam beta", "adam gamma", "adam prediction", "adam timekeeper", "adam motor"];
/// Of the timekeeper and of the motor delays, in ms.
const NOISE: [f64; 2] = [10.0, 5.0];

fn swing(depth: f64, speed: f64, k: usize) -> f64 {
    500.0 + depth * (speed * k as f64).sin()
}

fn run(random: &mut Random, pacing: Pacing, parameters: [f64; 4], taps: usize) -> TapRun {
    let [alpha, beta, gamma, prediction] = parameters;
    let (mut inner, mut onset, mut period) = (0.0, 0.0, 500.0);
    let (mut last, mut before) = (500.0, 500.0);
    let mut run = TapRun { taps: Vec::new(), partners: vec![Vec::new()] };
    for k in 0..taps {
        let tap = inner + NOISE[1] * random.normal();
        run.taps.push(ns(tap));
        run.partners[0].push(ns(onset));
        let asynchrony = tap - onset;
        period -= beta * asynchrony;
        let adapted = inner + period - alpha * asynchrony;
        let expected = onset + last + prediction * (last - before);
        inner = adapted - gamma * (adapted - expected) + NOISE[0] * random.normal();
        let next = pacing(k, random);
        onset += next;
        (before, last) = (last, next);
    }
    run
}

fn estimates(found: &Adam) -> [Option<Estimate>; 6] {
    let Adam { alpha, beta, gamma, prediction, timekeeper, motor, .. } = *found;
    [Some(alpha), Some(beta), Some(gamma), prediction.ok(), Some(timekeeper), Some(motor)]
}

/// Of the intervals that were given, the share that held the truth, and how many were given; and the median.
fn of(found: &[Adam], place: usize, truth: f64) -> (f64, usize, f64) {
    let mut given: Vec<Estimate> =
        found.iter().filter_map(|found| estimates(found)[place]).collect();
    given.sort_by(|a, b| a.value.total_cmp(&b.value));
    let held = given.iter().filter(|estimate| estimate.holds(truth)).count();
    let median = given.get(given.len() / 2).map_or(f64::NAN, |estimate| estimate.value);
    (held as f64 / given.len() as f64, given.len(), median)
}

/// Every cell of the table for so many runs of so many taps: no fit fails, and a prediction that cannot
/// be told is not given. Returns where the least that an interval holds is not what is said of it.
fn table(times: usize, (runs, taps): (usize, usize)) -> Vec<String> {
    println!("{runs} runs of {taps}");
    let mut least = [1.0f64; 6];
    for (name, pacing) in PACINGS {
        for truth in PEOPLE {
            let mut random = Random::named(3, name);
            let mut fit = || {
                let all = (0..runs).map(|_| run(&mut random, pacing, truth, taps));
                adam(&all.collect::<Vec<TapRun>>())
            };
            let found: Vec<Adam> = (0..times).map(|_| fit().unwrap()).collect();
            print!("| {name} | {truth:?} |");
            let truths: Vec<f64> = truth.into_iter().chain(NOISE).collect();
            for place in 0..6 {
                let (share, given, median) = of(&found, place, truths[place]);
                print!(" {median:.2}, {share:.2} ({given}) |");
                // Without anticipation there is no prediction to hold.
                if given * 5 >= times && (place != 3 || truth[2] > 0.0) {
                    least[place] = least[place].min(share);
                }
            }
            println!();
            let (_, predictions, _) = of(&found, 3, truth[3]);
            let most = if truth[2] == 0.0 { 0.15 } else { 1.0 };
            assert!(predictions as f64 <= most * times as f64, "{name} {truth:?}: {predictions}");
            assert!(name != "sine of 21 beats" || predictions * 5 < times, "{name}: {predictions}");
        }
    }
    println!("least: {least:.2?}");
    let differs = |(name, least): (&str, f64)| {
        let said = held(name, runs * (taps - 3)).unwrap();
        let error = 3.0 * (said * (1.0 - said) / times as f64).sqrt();
        ((least - said).abs() > error).then(|| format!("{runs} runs: {name} {least}, not {said}"))
    };
    NAMES.into_iter().zip(least).filter_map(differs).collect()
}

#[test]
fn what_is_said_of_adam_holds_under_every_pacing() {
    if left_to_all() {
        return;
    }
    assert_eq!(table(30, (10, 60)), Vec::<String>::new());
}

#[test]
#[ignore = "simulates for minutes"]
fn the_table_of_the_manual() {
    let sizes = [(5, 30), (10, 60), (20, 60)];
    let differing: Vec<String> = sizes.into_iter().flat_map(|size| table(300, size)).collect();
    assert_eq!(differing, Vec::<String>::new());
}

/// Where anticipation decides little, and the tempo swings with steps of its own.
#[test]
fn adaptation_and_anticipation_come_back_where_the_tempo_swings() {
    if left_to_all() {
        return;
    }
    for truth in [[0.4, 0.1, 0.3, 0.7], [0.2, 0.05, 0.2, 0.4]] {
        for (place, name) in NAMES.into_iter().enumerate().take(4) {
            let name = name.trim_start_matches("adam ");
            let what = format!("ADAM {name} {}, 10 runs of 60", truth[place]);
            let found = recover(&what, 200, truth[place], |random| found(random, truth, place));
            assert!((found.mean - truth[place]).abs() < 0.08, "{what}: {found:?}");
            assert!(found.coverage > 0.88, "{what}: {found:?}");
        }
    }
}

/// Where anticipation decides most of an interval, the parameters do not come back.
#[test]
fn where_anticipation_decides_most_neither_phase_nor_period_correction_comes_back() {
    let truth = [0.2, 0.05, 0.6, 0.4];
    for (place, name, least) in [(0, "alpha", 0.88), (1, "beta", 0.35)] {
        let what = format!("ADAM {name} {}, gamma 0.6, 10 runs of 60", truth[place]);
        let found = recover(&what, 200, truth[place], |random| found(random, truth, place));
        assert!((found.mean - truth[place]).abs() > 0.05, "{what}: {found:?}");
        assert!((least..0.95).contains(&found.coverage), "{what}: {found:?}");
    }
}

/// What the first ten runs that give it give of a parameter.
fn found(random: &mut Random, truth: [f64; 4], place: usize) -> Estimate {
    loop {
        let all = (0..10).map(|_| run(random, PACINGS[0].1, truth, 60));
        let found = adam(&all.collect::<Vec<TapRun>>()).unwrap();
        if let Some(estimate) = estimates(&found)[place] {
            return estimate;
        }
    }
}
