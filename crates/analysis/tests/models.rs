//! Estimators against simulated data whose parameters are known.

#![allow(clippy::unwrap_used, reason = "a test says what is wrong by panicking")]

use chronotap_analysis::wing_kristofferson::estimate;
use chronotap_engine::random::Random;
use chronotap_time::Nanos;

/// Intervals of the two-level model, in ms: clock SD 20, motor SD 8.
fn run(random: &mut Random, n: usize) -> Vec<Nanos> {
    let mut motor = 8.0 * random.normal();
    (0..n)
        .map(|_| {
            let next = 8.0 * random.normal();
            let interval = 500.0 + 20.0 * random.normal() + next - motor;
            motor = next;
            Nanos::round_from_f64(interval * 1e6)
        })
        .collect()
}

/// The worked simulation: moments are biased in short runs (to about 364 and 75 at
/// 30 intervals), the unbiased estimates average to the true 400 and 64.
#[test]
fn clock_and_motor_variance_of_short_runs_average_to_the_true_ones() {
    let mut random = Random::named(1, "wing and kristofferson");
    for n in [15, 30] {
        let runs = 20_000;
        let (mut clock, mut motor, mut naive) = (0.0, 0.0, 0.0);
        for _ in 0..runs {
            let found = estimate(&run(&mut random, n)).unwrap();
            clock += found.clock_unbiased_ms2 / f64::from(runs);
            motor += found.motor_unbiased_ms2 / f64::from(runs);
            naive += found.clock_ms2 / f64::from(runs);
        }
        assert!((clock - 400.0).abs() < 8.0, "{n} intervals: clock {clock} ms²");
        assert!((motor - 64.0).abs() < 4.0, "{n} intervals: motor {motor} ms²");
        assert!(naive < 385.0, "{n} intervals: moments give {naive} ms²");
    }
}

/// About a fifth of runs of 30 intervals give a negative motor variance; they are
/// flagged, not bent.
#[test]
fn short_runs_outside_the_model_are_flagged() {
    let mut random = Random::named(2, "wing and kristofferson");
    let runs = 2_000;
    let found: Vec<_> = (0..runs).map(|_| estimate(&run(&mut random, 30)).unwrap()).collect();
    let negative = found.iter().filter(|levels| levels.motor_ms2 < 0.0).count();
    assert!((340..500).contains(&negative), "{negative} of {runs}");
    assert!(found.iter().all(|l| l.motor_ms2 >= 0.0 && l.clock_ms2 >= 0.0 || !l.admissible));
}
