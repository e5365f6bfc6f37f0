//! Phase and period correction of simulated tappers: what comes back, with what bias and
//! error, and how often the intervals hold the truth. The figures stand in
//! docs/statistics.md.

use crate::simulated::{Recovered, Tapper, ns, recover};
use chronotap_analysis::correction::{Baseline, Means, TapRun, phase, phase_and_period};
use chronotap_core::time::Nanos;
use chronotap_engine::random::Random;

const RUNS: usize = 600;

/// Runs to an even metronome of 500 ms.
fn even(random: &mut Random, alpha: f64, taps: usize, runs: usize) -> Vec<TapRun> {
    (0..runs).map(|_| Tapper::with(alpha, 0.0).run(random, &vec![500.0; taps])).collect()
}

fn known() -> Means {
    Means::Known(Nanos::from_millis(500), vec![Nanos::ZERO])
}

/// The bias of short runs is that of the published method: the trial's own mean drives α up,
/// means known beforehand do not.
#[test]
fn the_published_bias_of_short_runs_comes_back() {
    let table = [
        (30, 0.1, 0.252, 0.147),
        (30, 0.5, 0.625, 0.515),
        (30, 0.9, 1.02, 0.90),
        (60, 0.5, 0.561, 0.501),
        (120, 0.5, 0.539, 0.507),
    ];
    for (taps, alpha, own, true_means) in table {
        let of = |what: &str, means: &Means| {
            let name = format!("alpha, {taps} taps, {what}");
            recover(&name, RUNS, alpha, |r| {
                phase(&even(r, alpha, taps, 1), means).unwrap().alpha[0]
            })
        };
        let (mean_of_run, mean_known) =
            (of("own mean", &Means::OfEachRun), of("known mean", &known()));
        assert!((mean_of_run.mean - own).abs() < 0.035, "{taps} {alpha}: {mean_of_run:?}");
        assert!((mean_known.mean - true_means).abs() < 0.035, "{taps} {alpha}: {mean_known:?}");
    }
}

/// Ten runs of 30 taps to an even metronome together: at small α little bias is left, and the
/// intervals hold the truth. At α = 0.7, where asynchronies hardly follow from each other,
/// α and the motor delays are told apart so badly that the bounds push α up.
#[test]
fn ten_runs_together_give_alpha_back_with_its_interval() {
    for (alpha, bias) in [(0.3, 0.05), (0.5, 0.07), (0.7, 0.14)] {
        let found = recover(&format!("alpha {alpha}, 10 runs of 30, pooled"), RUNS, alpha, |r| {
            phase(&even(r, alpha, 30, 10), &Means::Pooled).unwrap().alpha[0]
        });
        assert!((found.mean - alpha).abs() < bias && found.sd < 0.18, "{found:?}");
        assert!(found.coverage > 0.93, "{found:?}");
    }
}

/// The acceptance test of the published program: 15 sequences of 30 taps, shifts of ± 50 ms
/// every 8 to 12 beats.
#[test]
fn phase_shifts_make_alpha_sure() {
    let shifted = |random: &mut Random| {
        let mut next = random.between(8, 12);
        let mut interval = |k: u32| {
            if k < next {
                return 500.0;
            }
            next = k + random.between(8, 12);
            if random.uniform() < 0.5 { 450.0 } else { 550.0 }
        };
        (0..30).map(&mut interval).collect::<Vec<f64>>()
    };
    for alpha in [0.1, 0.5, 0.9, 1.2] {
        let of = |what: &str, means: &Means| {
            let name = format!("alpha {alpha}, 15 shifted runs of 30, {what}");
            recover(&name, RUNS / 2, alpha, |r| {
                let mut run = || {
                    let pacing = shifted(r);
                    Tapper::with(alpha, 0.0).run(r, &pacing)
                };
                let runs: Vec<TapRun> = (0..15).map(|_| run()).collect();
                phase(&runs, means).unwrap().alpha[0]
            })
        };
        let own = of("own means", &Means::OfEachRun);
        assert!((own.mean - alpha).abs() < 0.05 && own.sd < 0.05, "{own:?}");
        let pooled = of("pooled means", &Means::Pooled);
        assert!((pooled.mean - alpha).abs() < 0.02 && pooled.coverage > 0.9, "{pooled:?}");
    }
}

fn steps(alpha: f64, beta: f64, baseline: Baseline, which: usize) -> Recovered {
    let pacing: Vec<f64> = (0..59).map(|k| if k / 10 % 2 == 0 { 500.0 } else { 550.0 }).collect();
    let names = ["alpha", "beta"];
    let truth = [alpha, beta][which];
    let name = format!("{} of ({alpha}, {beta}), steps, {baseline:?}", names[which]);
    recover(&name, RUNS / 2, truth, |r| {
        let runs: Vec<TapRun> =
            (0..15).map(|_| Tapper::with(alpha, beta).run(r, &pacing)).collect();
        let found = phase_and_period(&runs, baseline).unwrap();
        [found.alpha[0], found.beta.unwrap()][which]
    })
}

#[test]
fn tempo_steps_give_phase_and_period_correction_back() {
    for (alpha, beta) in [(0.3, 0.1), (0.5, 0.2), (0.7, 0.3)] {
        for baseline in [Baseline::Known(Nanos::ZERO), Baseline::Estimated] {
            let [a, b] = [0, 1].map(|which| steps(alpha, beta, baseline, which));
            assert!((a.mean - alpha).abs() < 0.02 && a.sd < 0.03, "{a:?}");
            assert!((b.mean - beta).abs() < 0.02 && b.sd < 0.03, "{b:?}");
            assert!(a.coverage > 0.85 && b.coverage > 0.85, "{a:?} {b:?}");
        }
    }
}

/// Two partners who do not listen, followed with different gains.
#[test]
fn the_gains_towards_two_partners_are_told_apart() {
    let of = |which: usize, truth: f64| {
        recover(&format!("gain {which} of two partners, 120 taps"), RUNS, truth, |random| {
            let mut run = TapRun { taps: Vec::new(), partners: vec![Vec::new(), Vec::new()] };
            let mut tap = 0.0;
            for k in 0..120 {
                let onsets = [0, 1].map(|_| 500.0 * f64::from(k) + 15.0 * random.normal());
                run.taps.push(ns(tap));
                run.partners.iter_mut().zip(onsets).for_each(|(of, onset)| of.push(ns(onset)));
                let correction = 0.4 * (tap - onsets[0]) + 0.2 * (tap - onsets[1]);
                tap += 500.0 - correction + 10.0 * random.normal();
            }
            phase(&[run], &Means::OfEachRun).unwrap().alpha[which]
        })
    };
    for (which, truth) in [(0, 0.4), (1, 0.2)] {
        let found = of(which, truth);
        assert!((found.mean - truth).abs() < 0.03 && found.coverage > 0.9, "{found:?}");
    }
}

/// Vorberg & Wing (1996): var A = (sT² + 2 α sM²) / (α (2 − α)), least at α = 0.83 here.
#[test]
fn the_variance_of_asynchronies_has_vorbergs_minimum() {
    let mut random = Random::named(1, "vorberg");
    let mut variance = |alpha: f64| {
        let run = Tapper::with(alpha, 0.0).run(&mut random, &vec![500.0; 60_000]);
        let pairs = run.taps.iter().zip(&run.partners[0]).skip(100);
        let a: Vec<f64> = pairs.map(|(tap, onset)| (*tap - *onset).as_millis_f64()).collect();
        let mean = a.iter().sum::<f64>() / a.len() as f64;
        a.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / a.len() as f64
    };
    let table = [(0.25, 257.1429), (0.5, 166.6667), (0.8284, 145.7107), (1.25, 173.3333)];
    for (alpha, expected) in table {
        let found = variance(alpha);
        assert!((found / expected - 1.0).abs() < 0.04, "{alpha}: {found}, not {expected}");
    }
}
