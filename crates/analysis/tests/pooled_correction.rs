//! Phase correction pooled over trials whose means and drifts differ: the estimate comes back, and
//! its interval holds the truth. The figures stand in docs/statistics.md.

use crate::simulated::people::Person;
use crate::simulated::{Recovered, Tapper, ns, recover};
use chronotap_analysis::correction::pooled::pooled;
use chronotap_analysis::correction::{Means, TapRun, phase};
use chronotap_engine::random::Random;
use chronotap_testkit::left_to_all;

const RUNS: usize = 300;

/// What the trials of a person are like.
#[derive(Clone, Copy)]
struct Trials {
    count: usize,
    taps: usize,
    /// SD between trials of the mean asynchrony, in ms.
    means: f64,
    /// SD between trials of the drift of the mean, in ms for each tap.
    drifts: f64,
    /// Whether the pacing is shifted by ± 50 ms every 8 to 12 beats.
    shifted: bool,
}

const USUAL: Trials = Trials { count: 10, taps: 30, means: 20.0, drifts: 0.0, shifted: false };
/// Taps before those that are looked at: the steady state.
const BEFORE: usize = 30;

impl Trials {
    fn draw(&self, random: &mut Random, alpha: f64) -> Vec<Vec<TapRun>> {
        (0..self.count).map(|_| vec![self.one(random, alpha)]).collect()
    }

    /// The tapper aims at a mean of this trial's own, which drifts: taps later by the same amount
    /// to a pacing that is.
    fn one(&self, random: &mut Random, alpha: f64) -> TapRun {
        let pacing = self.pacing(random);
        let mut run = Tapper::with(alpha, 0.0).run(random, &pacing);
        run.taps.drain(..BEFORE);
        run.partners[0].drain(..BEFORE);
        let (mean, drift) = (self.means * random.normal(), self.drifts * random.normal());
        for (k, tap) in run.taps.iter_mut().enumerate() {
            *tap += ns(mean + drift * k as f64);
        }
        run
    }

    fn pacing(&self, random: &mut Random) -> Vec<f64> {
        let mut pacing = vec![500.0; BEFORE + self.taps - 1];
        let mut next = BEFORE + random.between(8, 12) as usize;
        while self.shifted && next < pacing.len() {
            pacing[next] += if random.uniform() < 0.5 { -50.0 } else { 50.0 };
            next += random.between(8, 12) as usize;
        }
        pacing
    }

    fn recover(&self, alpha: f64) -> Recovered {
        let Trials { count, taps, means, drifts, shifted } = *self;
        let shifts = if shifted { ", shifts" } else { "" };
        let what = format!("{alpha}, {count} of {taps}, means {means}, drifts {drifts}{shifts}");
        recover(&what, RUNS, alpha, |random| pooled(&self.draw(random, alpha)).unwrap().alpha)
    }
}

fn assert_held(found: Recovered, alpha: f64, bias: f64) {
    assert!((found.mean - alpha).abs() < bias, "{alpha}: {found:?}");
    assert!(found.coverage >= 0.93, "{alpha}: {found:?}");
}

#[test]
fn however_much_the_means_of_trials_differ_alpha_comes_back() {
    if left_to_all() {
        return;
    }
    for means in [0.0, 5.0, 10.0, 20.0] {
        assert_held(Trials { means, ..USUAL }.recover(0.5), 0.5, 0.03);
    }
    for alpha in [0.2, 0.8] {
        assert_held(USUAL.recover(alpha), alpha, 0.03);
    }
}

#[test]
fn a_drift_of_each_trial_and_shifts_of_the_pacing_leave_alpha_as_it_is() {
    if left_to_all() {
        return;
    }
    for (drifts, shifted) in [(0.5, false), (0.0, true), (0.5, true)] {
        for alpha in [0.2, 0.5] {
            assert_held(Trials { drifts, shifted, ..USUAL }.recover(alpha), alpha, 0.03);
        }
    }
}

#[test]
fn few_and_short_trials_are_enough_for_an_interval_that_holds() {
    if left_to_all() {
        return;
    }
    for (count, taps) in [(4, 15), (3, 30), (1, 60)] {
        for alpha in [0.2, 0.5, 0.8] {
            assert_held(Trials { count, taps, ..USUAL }.recover(alpha), alpha, 0.12);
        }
    }
}

/// Why it was made: a mean over all trials takes their differences for somebody who hardly
/// corrects.
#[test]
fn a_mean_over_all_trials_collapses_where_means_differ() {
    for (means, most) in [(10.0, 0.35), (20.0, 0.2)] {
        let trials = Trials { means, ..USUAL };
        let found = recover(&format!("0.5, one mean, SD {means}"), RUNS, 0.5, |random| {
            let runs: Vec<TapRun> = trials.draw(random, 0.5).into_iter().flatten().collect();
            phase(&runs, &Means::Pooled).unwrap().alpha[0]
        });
        assert!(found.mean < most && found.coverage < 0.5, "{means}: {found:?}");
    }
}

/// How often the interval held α of somebody, another one each time, and the mean error. The share of the
/// estimates of timekeeper and motor SD that held is printed with it.
fn of_people(population: &str, (trials, beats): (usize, usize)) -> Recovered {
    let mut random = Random::named(45, &format!("{population}, {trials} of {beats}"));
    let (mut errors, mut held) = (Vec::new(), [0; 3]);
    for _ in 0..RUNS {
        let person = Person::of(population, &mut random, 500.0);
        let of: Vec<Vec<TapRun>> = (0..trials).map(|_| person.trial(&mut random, beats)).collect();
        let found = pooled(&of).unwrap();
        let all = [
            (found.alpha, person.alpha),
            (found.timekeeper, person.timekeeper),
            (found.motor, person.motor),
        ];
        held.iter_mut()
            .zip(all)
            .for_each(|(held, (of, truth))| *held += usize::from(of.holds(truth)));
        errors.push(found.alpha.value - person.alpha);
    }
    let n = RUNS as f64;
    let mean = errors.iter().sum::<f64>() / n;
    let sd = (errors.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
    let [coverage, clock, motor] = held.map(|held| held as f64 / n);
    println!(
        "{population}, {trials} of {beats}: error {mean:.3}, SD {sd:.3}, coverage {coverage:.3}, timekeeper {clock:.3}, motor {motor:.3}"
    );
    Recovered { mean, sd, coverage }
}

/// With a drift of 15 ms and 5 s that is taken for noise, .42 came as .29 and the interval held it in 40 %. Of
/// adults as they are now, 75 % at 10 trials of 80.
#[test]
fn the_interval_holds_alpha_of_the_people_that_studies_are_rehearsed_with() {
    if left_to_all() {
        return;
    }
    for population in ["adults", "musicians", "beginners"] {
        for design in [(10, 30), (10, 80), (3, 30)] {
            let found = of_people(population, design);
            // 0.93, less two and a half standard errors of so few people.
            assert!(found.coverage >= 0.895, "{population} {design:?}: {found:?}");
            assert!(found.mean.abs() < 0.1, "{population} {design:?}: {found:?}");
        }
    }
}
