//! Curves and couplings of simulated participants: responses to perturbations lag by lag, their
//! asymmetry, slowing by several delays, two people who adapt to each other, and reproductions
//! that are too long. The figures stand in docs/statistics.md.

use crate::simulated::{Tapper, ns, recover};
use chronotap_analysis::correction::{Means, TapRun, phase};
use chronotap_analysis::delayed_feedback::{FeedbackCondition, FeedbackTrial, effects};
use chronotap_analysis::perturbation::{
    PacingPerturbation, PerturbationKind, Response, ResponseWindow, curve, gain, response,
};
use chronotap_analysis::rhythm::reproduction;
use chronotap_core::time::Nanos;
use chronotap_engine::random::Random;

/// The response of a linear tapper to one perturbation of the pacing, at beat 10 of 24: an
/// interval that is longer, or one tone that is moved.
fn respond(random: &mut Random, kind: PerturbationKind, size: f64, alpha: f64) -> Response {
    let mut pacing = [600.0; 24];
    pacing[9] += size;
    if kind == PerturbationKind::OnsetShift {
        pacing[10] -= size;
    }
    let run = Tapper::with(alpha, 0.0).run(random, &pacing);
    let pairs = run.taps.iter().zip(&run.partners[0]);
    let asynchronies: Vec<Option<Nanos>> = pairs.map(|(tap, onset)| Some(*tap - *onset)).collect();
    let perturbation = PacingPerturbation { kind, beat: 10, size: ns(size) };
    response(&asynchronies, &perturbation, ResponseWindow { before: 8, after: 6 }).unwrap()
}

const SIZES: [f64; 6] = [-50.0, 40.0, -30.0, 50.0, -40.0, 30.0];

/// After a phase shift a tapper with the gain α has taken up 1 − (1 − α)^j of it at the jth
/// tap; of a tone that was moved and came back, α (1 − α)^(j − 1) is left.
#[test]
fn the_curve_of_responses_comes_back_at_every_lag() {
    let alpha = 0.4f64;
    for (kind, name) in [
        (PerturbationKind::PhaseShift, "phase shift"),
        (PerturbationKind::OnsetShift, "onset shift"),
    ] {
        for lag in 1..=4usize {
            let left = (1.0 - alpha).powi(lag as i32 - 1);
            let truth = match kind {
                PerturbationKind::OnsetShift => alpha * left,
                _ => 1.0 - (1.0 - alpha) * left,
            };
            let found = recover(&format!("curve, {name}, lag {lag}"), 600, truth, |random| {
                let size = |k: usize| SIZES[k % 6];
                let all: Vec<Response> =
                    (0..30).map(|k| respond(random, kind, size(k), alpha)).collect();
                curve(&all)[lag].clone().unwrap()
            });
            let held = (0.925..0.975).contains(&found.coverage);
            assert!((found.mean - truth).abs() < 0.02 && held, "{found:?}");
        }
    }
}

/// Somebody who takes up 0.5 of what comes later and 0.3 of what comes earlier.
#[test]
fn the_asymmetry_of_responses_comes_back() {
    let found = recover("asymmetry, 30 responses", 600, 0.2, |random| {
        let one = |k: usize| {
            let size = SIZES[k % 6];
            let alpha = if size > 0.0 { 0.5 } else { 0.3 };
            respond(random, PerturbationKind::PhaseShift, size, alpha)
        };
        gain(&(0..30).map(one).collect::<Vec<_>>()).unwrap().asymmetry.unwrap()
    });
    assert!((found.mean - 0.2).abs() < 0.02 && found.coverage > 0.93, "{found:?}");
}

/// Slowing that is greatest at 200 ms of delay (Finney 1997), eight trials of each delay, which
/// differ by 3 %.
#[test]
fn the_curve_of_slowing_over_delays_comes_back() {
    let curve = [(70, 3.0), (200, 9.0), (400, 5.0)];
    for (place, (delay, truth)) in curve.into_iter().enumerate() {
        let found = recover(&format!("slowing at {delay} ms"), 2_000, truth, |random| {
            let mut trial = |delay: i64, slowing: f64| {
                let mean = 500.0 * (1.0 + slowing / 100.0) * (0.03 * random.normal()).exp();
                let intervals =
                    (0..40).map(|_| ns(mean * (1.0 + 0.04 * random.normal()))).collect();
                let condition = FeedbackCondition {
                    delay: Nanos::from_millis(delay),
                    ..FeedbackCondition::default()
                };
                FeedbackTrial { condition, intervals, ..FeedbackTrial::default() }
            };
            let of_all = [(0, 0.0), curve[0], curve[1], curve[2]];
            let trials: Vec<FeedbackTrial> =
                (0..8).flat_map(|_| of_all.map(|(delay, by)| trial(delay, by))).collect();
            effects(&trials)[place + 1].slowing_percent.clone().unwrap()
        });
        assert!((found.mean - truth).abs() < 0.3 && found.coverage > 0.93, "{found:?}");
    }
}

/// Two people without a metronome: each corrects the last asynchrony to the other by a gain of
/// his own. Ten runs of 60 taps.
#[test]
fn the_coupling_of_two_people_comes_back_in_both_directions() {
    let gains = [0.4, 0.2];
    let run = |random: &mut Random| {
        let (mut inner, mut runs) = ([0.0; 2], [TapRun::default(), TapRun::default()]);
        runs.iter_mut().for_each(|run| run.partners.push(Vec::new()));
        for _ in 0..60 {
            let taps = inner.map(|at| at + 5.0 * random.normal());
            for who in 0..2 {
                runs[who].taps.push(ns(taps[who]));
                runs[who].partners[0].push(ns(taps[1 - who]));
                let apart = taps[who] - taps[1 - who];
                inner[who] += 500.0 - gains[who] * apart + 10.0 * random.normal();
            }
        }
        runs
    };
    for (who, truth) in gains.into_iter().enumerate() {
        let found = recover(&format!("coupling of person {}", who + 1), 600, truth, |random| {
            let runs: Vec<TapRun> = (0..10).map(|_| run(random)[who].clone()).collect();
            phase(&runs, &Means::Pooled).unwrap().alpha[0]
        });
        assert!((found.mean - truth).abs() < 0.06 && found.coverage > 0.92, "{found:?}");
    }
}

/// A rhythm of three intervals, of which the second becomes 20 ms too long and the whole 5 %
/// slower.
#[test]
fn errors_and_tempo_of_reproductions_come_back() {
    let asked = [300.0, 200.0, 500.0];
    let made = |random: &mut Random| {
        let one = |random: &mut Random| -> Vec<Nanos> {
            let errors = [0.0, 20.0, 0.0];
            let interval = |k: usize| ns(1.05 * (asked[k] + errors[k]) + 12.0 * random.normal());
            (0..3).map(interval).collect()
        };
        let all: Vec<Vec<Nanos>> = (0..12).map(|_| one(random)).collect();
        reproduction(&asked.map(ns), &all).unwrap()
    };
    let tempo = recover("tempo of reproductions", 600, 1.05 * 1.02, |r| made(r).tempo.unwrap());
    assert!((tempo.mean - 1.071).abs() < 0.002 && tempo.coverage > 0.92, "{tempo:?}");
    for (place, truth) in [15.0, 31.0, 25.0].into_iter().enumerate() {
        let found = recover(&format!("error of interval {}", place + 1), 600, truth, |random| {
            made(random).intervals[place].error_ms.clone().unwrap()
        });
        assert!((found.mean - truth).abs() < 0.5 && found.coverage > 0.92, "{found:?}");
    }
}
