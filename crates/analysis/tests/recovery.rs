//! Estimators against simulated data whose parameters are known: bias, error, and how often
//! the intervals hold the truth. The figures stand in docs/statistics.md. Correction has a file
//! of its own, and so have clock and motor variance (models.rs).

use crate::simulated::{Tapper, fractional, ns, plain, recover, von_mises};
use chronotap_analysis::bootstrap::{Resampling, interval};
use chronotap_analysis::circular::mixture::mixture;
use chronotap_analysis::delayed_feedback::{FeedbackCondition, FeedbackTrial, effects};
use chronotap_analysis::ensemble::ensemble;
use chronotap_analysis::fluctuation::fluctuation;
use chronotap_analysis::intervals::{self, Placed};
use chronotap_analysis::isolated;
use chronotap_analysis::pairs::{Coupling, following};
use chronotap_analysis::perturbation::{
    PacingPerturbation, PerturbationKind, Response, ResponseWindow, gain, relaxation, response,
};
use chronotap_analysis::rhythm::reproduction;
use chronotap_analysis::statistics::held;
use chronotap_analysis::tracking::tracking;
use chronotap_analysis::wing_kristofferson::{estimate, interval::with_interval};
use chronotap_core::time::Nanos;
use chronotap_engine::random::Random;
use std::f64::consts::PI;

/// An autoregressive series with mean 0 and SD 1.
fn dependent(random: &mut Random, n: usize, correlation: f64) -> Vec<f64> {
    let mut value = random.normal();
    let fresh = (1.0 - correlation * correlation).sqrt();
    let next = |_| {
        value = correlation * value + fresh * random.normal();
        value
    };
    (0..n).map(next).collect()
}

#[test]
fn moving_blocks_hold_the_mean_as_often_as_is_said() {
    for (n, correlation, least) in
        [(30, 0.0, 0.88), (30, 0.5, 0.75), (100, 0.5, 0.82), (400, 0.5, 0.87)]
    {
        let found =
            recover(&format!("mean of {n}, correlation {correlation}"), 400, 0.0, |random| {
                let values = dependent(random, n, correlation);
                let how = Resampling { runs: 400, ..Resampling::of(n, 1) };
                let mean =
                    |at: &[usize]| Some(at.iter().map(|k| values[*k]).sum::<f64>() / n as f64);
                interval(n, how, mean).unwrap()
            });
        assert!(found.mean.abs() < 0.06 && found.coverage > least, "{found:?}");
        let said = held("mean by moving blocks", n).unwrap();
        assert!(
            correlation == 0.0 || (found.coverage - said).abs() < 0.03,
            "{found:?}, not {said}"
        );
    }
}

/// Clock and motor variance of runs that lie within the model.
#[test]
fn clock_and_motor_variance_have_intervals_that_hold_them() {
    for (n, truth) in [(30, 100.0), (120, 100.0)] {
        for (which, truth) in [(0, 4.0 * truth), (1, truth)] {
            let found =
                recover(&format!("variance {which} of {n} intervals"), 100, truth, |random| {
                    loop {
                        let tapper =
                            Tapper { alpha: 0.0, beta: 0.0, timekeeper: 20.0, motor: 10.0 };
                        let taps = tapper.run(random, &vec![500.0; n]).taps;
                        let found = estimate(&intervals::between(&taps)).unwrap();
                        if let Ok(levels) = with_interval(&found, 1) {
                            return [levels.clock_ms2, levels.motor_ms2][which];
                        }
                    }
                });
            assert!(found.coverage > 0.8, "{found:?}");
        }
    }
}

/// Responses of a linear tapper to phase shifts of ± 10 to 50 ms.
fn responses(random: &mut Random, count: usize, alpha: f64) -> Vec<Response> {
    let one = |k: usize| {
        let size = [-50.0, 30.0, -10.0, 50.0, -30.0, 10.0][k % 6];
        let mut pacing = [600.0; 24];
        pacing[9] += size;
        let run = Tapper::with(alpha, 0.0).run(random, &pacing);
        let pairs = run.taps.iter().zip(&run.partners[0]);
        let asynchronies: Vec<Option<Nanos>> =
            pairs.map(|(tap, onset)| Some(*tap - *onset)).collect();
        let perturbation =
            PacingPerturbation { kind: PerturbationKind::PhaseShift, beat: 10, size: ns(size) };
        response(&asynchronies, &perturbation, ResponseWindow { before: 8, after: 8 }).unwrap()
    };
    (0..count).map(one).collect()
}

#[test]
fn the_gain_and_relaxation_of_responses_come_back() {
    for alpha in [0.3, 0.6] {
        let found = recover(&format!("gain {alpha}, 30 responses"), 600, alpha, |random| {
            gain(&responses(random, 30, alpha)).unwrap().overall
        });
        assert!((found.mean - alpha).abs() < 0.02 && found.coverage > 0.93, "{found:?}");
        let left = 1.0 - alpha;
        let found = recover(&format!("relaxation {left}, 30 responses"), 40, left, |random| {
            relaxation(&responses(random, 30, alpha), 1).unwrap().factor
        });
        assert!((found.mean - left).abs() < 0.05 && found.coverage > 0.8, "{found:?}");
        let said = held("relaxation", 30).unwrap();
        assert!((found.coverage - said).abs() < 0.1, "{found:?}, not {said}");
    }
}

/// The worked table: mean exponents within 0.05, their SD within a third.
#[test]
fn the_exponent_of_fractional_noise_comes_back() {
    let table = [(128, 0.5, 0.114), (128, 0.9, 0.165), (256, 0.7, 0.088), (512, 0.5, 0.058)];
    for (n, hurst, sd) in table {
        let found = recover(&format!("exponent {hurst}, {n} values"), 150, hurst, |random| {
            plain(fluctuation(&fractional(random, n, hurst)).unwrap().exponent)
        });
        assert!((found.mean - hurst).abs() < 0.05, "{found:?}");
        assert!((found.sd / sd - 1.0).abs() < 0.34, "{found:?}, not {sd}");
    }
}

#[test]
fn the_shares_of_phase_and_anti_phase_come_back() {
    for (n, share, concentration) in [(40, 0.7, 4.0), (100, 0.7, 4.0), (100, 0.5, 8.0)] {
        let fit = |random: &mut Random| {
            let angle = |_| {
                let mode = if random.uniform() < share { -0.3 } else { PI - 0.3 };
                mode + von_mises(random, concentration)
            };
            mixture(&(0..n).map(angle).collect::<Vec<f64>>()).unwrap()
        };
        let name = format!("{n} taps, {share} in phase, concentration {concentration}");
        let found = recover(&name, 300, share, |r| plain(fit(r).in_phase));
        assert!((found.mean - share).abs() < 0.015, "{found:?}");
        let found =
            recover(&format!("direction of {name}"), 300, -0.3, |r| plain(fit(r).direction_rad));
        assert!((found.mean + 0.3).abs() < 0.02, "{found:?}");
    }
}

/// Twice the log likelihood ratio goes beyond 3.84 in no more than 5 % of samples of one mode.
#[test]
fn one_mode_seldom_passes_for_two() {
    let mut random = Random::named(14, "one mode");
    let gain = |_| {
        let angles: Vec<f64> = (0..50).map(|_| von_mises(&mut random, 2.0)).collect();
        mixture(&angles).unwrap().gain
    };
    let beyond = (0..400).map(gain).filter(|gain| *gain > 3.84).count();
    assert!(beyond <= 24, "{beyond} of 400");
}

/// Six trials without delay and six with one that slows by 8 %; trials differ by 3 %.
#[test]
fn slowing_under_delay_comes_back_with_its_interval() {
    let found = recover("slowing, 6 and 6 trials", 1_000, 8.0, |random| {
        let mut trial = |delay: i64, mean: f64| {
            let mean = mean * (0.03 * random.normal()).exp();
            let intervals = (0..40).map(|_| ns(mean * (1.0 + 0.04 * random.normal()))).collect();
            let condition = FeedbackCondition {
                delay: Nanos::from_millis(delay),
                ..FeedbackCondition::default()
            };
            FeedbackTrial { condition, intervals, ..FeedbackTrial::default() }
        };
        let trials: Vec<FeedbackTrial> =
            (0..6).flat_map(|_| [trial(0, 500.0), trial(200, 540.0)]).collect();
        effects(&trials)[1].slowing_percent.clone().unwrap()
    });
    assert!((found.mean - 8.0).abs() < 0.3 && (0.93..0.975).contains(&found.coverage), "{found:?}");
}

/// Twenty altered tones among 300 taps lengthen the interval they begin by 12 ms.
#[test]
fn the_response_to_an_isolated_alteration_comes_back() {
    for (lag, truth) in [(0, 12.0), (1, -4.0), (2, 0.0)] {
        let found = recover(&format!("altered tone, lag {lag}"), 1_000, truth, |random| {
            let altered: Vec<usize> =
                (0..20).map(|k| 8 + 14 * k + random.between(0, 5) as usize).collect();
            let matches: Vec<u32> = (0..300).map(|k| k % 4).collect();
            let interval = |k: usize| {
                let at = |lag: usize| k >= lag && altered.contains(&(k - lag));
                let change = if at(0) { 12.0 } else { 0.0 } - if at(1) { 4.0 } else { 0.0 };
                ns(300.0 + 20.0 * (k % 4) as f64 + change + 15.0 * random.normal())
            };
            let intervals: Vec<Nanos> = (0..300).map(interval).collect();
            let found = isolated::responses(&intervals, &matches, &altered, 2).unwrap();
            found[lag].difference_ms.clone().unwrap()
        });
        assert!((found.mean - truth).abs() < 0.4 && found.coverage > 0.92, "{found:?}");
    }
}

/// Pairs of 80 intervals in which the second takes up 0.5 of what the first has done, and in
/// which neither does.
#[test]
fn leaders_are_found_and_seldom_invented() {
    let mut random = Random::named(14, "leaders");
    let mut found = |gain: f64| {
        let first: Vec<f64> = (0..81).map(|_| 20.0 * random.normal()).collect();
        let second: Vec<Nanos> =
            (1..81).map(|k| ns(500.0 + gain * first[k - 1] + 15.0 * random.normal())).collect();
        let first: Vec<Nanos> = first[1..].iter().map(|x| ns(500.0 + x)).collect();
        following(&Placed::all(first), &second).unwrap().coupling
    };
    let leads = (0..300).filter(|_| found(0.5) == Coupling::FirstLeads).count();
    let none = (0..300).filter(|_| found(0.0) == Coupling::None).count();
    assert!(leads > 280 && none > 275, "{leads} {none} of 300");
}

/// Two people who each correct the same share of their asynchrony, and two who do not but become
/// faster together; 60 taps each.
#[test]
fn of_equal_partners_none_leads_and_a_shared_drift_is_no_coupling() {
    let mut random = Random::named(14, "partners");
    let mut found = |gain: f64, drift: f64| {
        let (mut at, mut taps) = ([0.0, 0.0], [Vec::new(), Vec::new()]);
        for k in 0..61 {
            let motor = [4.0 * random.normal(), 4.0 * random.normal()];
            let apart = at[0] + motor[0] - at[1] - motor[1];
            taps[0].push(at[0] + motor[0]);
            taps[1].push(at[1] + motor[1]);
            let period = 500.0 - drift * f64::from(k);
            at[0] += period + 12.0 * random.normal() - gain * apart;
            at[1] += period + 12.0 * random.normal() + gain * apart;
        }
        let between = |taps: &Vec<f64>| taps.windows(2).map(|pair| ns(pair[1] - pair[0])).collect();
        let [first, second]: [Vec<Nanos>; 2] = [between(&taps[0]), between(&taps[1])];
        following(&Placed::all(first), &second).unwrap().coupling
    };
    let leads = |coupling| matches!(coupling, Coupling::FirstLeads | Coupling::SecondLeads);
    let named = (0..2_000).filter(|_| leads(found(0.4, 0.0))).count();
    assert!(named < 160, "a leader among equals in {named} of 2,000");
    let mutual = (0..2_000).filter(|_| found(0.0, 0.8) == Coupling::Mutual).count();
    assert!(mutual < 160, "coupled by a drift in {mutual} of 2,000");
}

/// Ratios of 0.36 that drift by 0.3 of their way to 1:2.
#[test]
fn categorical_drift_comes_back_with_its_interval() {
    let asked = [ns(360.0), ns(640.0)];
    let found = recover("drift, 12 reproductions", 1_000, 0.3, |random| {
        let share = 0.36 + 0.3 * (1.0 / 3.0 - 0.36);
        let one = |_| {
            let share = share + 0.01 * random.normal();
            let length = 1_000.0 + 30.0 * random.normal();
            vec![ns(share * length), ns((1.0 - share) * length)]
        };
        let produced: Vec<Vec<Nanos>> = (0..12).map(one).collect();
        let found = reproduction(&asked, &produced).unwrap();
        found.intervals[0].drift.clone().unwrap().unwrap()
    });
    assert!((found.mean - 0.3).abs() < 0.02 && found.coverage > 0.93, "{found:?}");
}

/// A tapper who predicts by a share of 0.7 and follows by the rest.
#[test]
fn prediction_and_tracking_come_back() {
    let found = recover("prediction less tracking", 300, 0.4, |random| {
        let tempo = |k: f64| 500.0 + 80.0 * (2.0 * PI * k / 12.0).sin();
        let pacing: Vec<Nanos> = (0..60).map(|k| ns(tempo(f64::from(k)))).collect();
        let tap = |k: i32| 0.7 * tempo(f64::from(k)) + 0.3 * tempo(f64::from(k - 1));
        let taps: Vec<Nanos> = (0..60).map(|k| ns(tap(k) + 5.0 * random.normal())).collect();
        let found = tracking(&Placed::all(taps), &Placed::all(pacing)).unwrap();
        plain(found.r0_less_own.unwrap() - found.r1_less_own.unwrap())
    });
    assert!((found.mean - 0.4).abs() < 0.06, "{found:?}");
}

/// Members whose leads and spread are known, with noise that follows from moment to moment.
#[test]
fn leads_and_spread_of_a_group_come_back() {
    for n in [40usize, 200] {
        let beats: Vec<Nanos> = (0..n).map(|k| ns(500.0 * k as f64)).collect();
        let members = |random: &mut Random| -> Vec<Vec<Nanos>> {
            [-20.0, 0.0, 20.0]
                .map(|lead| {
                    let noise = dependent(random, n, 0.3);
                    let tap = |(k, noise): (usize, f64)| ns(500.0 * k as f64 + lead + 10.0 * noise);
                    noise.into_iter().enumerate().map(tap).collect()
                })
                .to_vec()
        };
        let found = recover(&format!("lead of a member, {n} moments"), 300, -20.0, |random| {
            ensemble(&beats, &members(random), 1).unwrap().leads_ms[0]
        });
        assert!((found.mean + 20.0).abs() < 0.5 && found.coverage > 0.8, "{found:?}");
    }
}
