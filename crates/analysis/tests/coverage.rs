//! How often the intervals of [`uncertainty`] hold the truth, for runs of several lengths of
//! simulated tappers: linear phase correction (Wing & Kristofferson's two levels within), so that
//! values depend on their neighbours. Prints the rows of [`TAPPERS`] and of `src/uncertainty/coverage.rs` and
//! holds them to what is found. What stands beside an estimate is how often people's trials are held where these are
//! simulated (`coverage_of_people.rs`): of the tappers here the hardest to judge is asked for, who corrects a fifth.

use crate::simulated::{Tapper, fractional, ns, von_mises};
use chronotap_analysis::circular::mixture::{intervals_of, mixture};
use chronotap_analysis::circular::of_directions;
use chronotap_analysis::correction::{Means, phase};
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::fluctuation::{fluctuation, with_interval};
use chronotap_analysis::intervals::Placed;
use chronotap_analysis::isolated::responses;
use chronotap_analysis::perturbation::{
    PacingPerturbation, PerturbationKind, Response, USUAL, response, share,
};
use chronotap_analysis::proportion::proportion;
use chronotap_analysis::reproduction::{Overall, Reproduction, ReproductionRound, describe};
use chronotap_analysis::statistics::{
    CatalogueOrder, estimated_asynchronies, estimated_intervals, estimates_of_asynchronies,
    estimates_of_intervals, held,
};
use chronotap_analysis::uncertainty::{of_following, of_tracking};
use chronotap_analysis::wing_kristofferson::interval;
use chronotap_analysis::{circular, intervals};
use chronotap_core::time::Nanos;
use chronotap_engine::random::Random;
use chronotap_testkit::left_to_all;
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

/// So many perturbations, each so many taps after the one before.
const RESPONSES: [usize; 5] = [3, 5, 10, 20, 40];
const APART: usize = 10;
const LENGTHS: [usize; 7] = [10, 15, 20, 30, 60, 120, 400];
/// So many taps stand for the truth.
const LONG: usize = 400_000;
/// The mean asynchrony.
const EARLY_MS: f64 = -25.0;

/// How often each interval holds the truth of the tapper whose truth it holds least often: from so many values on, the
/// share. Of the statistics whose own share is that of people.
#[rustfmt::skip]
const TAPPERS: &[(&str, &[(usize, f64)])] = &[
    ("asynchrony lag one", &[(10, 0.968), (15, 0.966), (20, 0.960), (30, 0.952), (60, 0.940), (120, 0.942), (400, 0.941)]),
    ("direction", &[(10, 0.899), (15, 0.933), (20, 0.947), (30, 0.924), (60, 0.944), (120, 0.931), (400, 0.940)]),
    ("mean absolute asynchrony", &[(10, 0.919), (15, 0.947), (20, 0.953), (30, 0.936), (60, 0.945), (120, 0.937), (400, 0.944)]),
    ("mean asynchrony", &[(10, 0.898), (15, 0.933), (20, 0.947), (30, 0.923), (60, 0.943), (120, 0.932), (400, 0.940)]),
    ("median asynchrony", &[(10, 0.910), (15, 0.946), (20, 0.962), (30, 0.959), (60, 0.962), (120, 0.949), (400, 0.946)]),
    ("resultant", &[(10, 0.987), (15, 0.984), (20, 0.972), (30, 0.955), (60, 0.952), (120, 0.939), (400, 0.950)]),
    ("rms asynchrony", &[(10, 0.928), (15, 0.957), (20, 0.960), (30, 0.939), (60, 0.940), (120, 0.933), (400, 0.942)]),
    ("sd asynchrony", &[(10, 0.989), (15, 0.985), (20, 0.976), (30, 0.957), (60, 0.955), (120, 0.939), (400, 0.952)]),
    ("cv interval", &[(10, 0.951), (15, 0.942), (20, 0.935), (30, 0.953), (60, 0.949), (120, 0.948), (400, 0.943)]),
    ("drift", &[(10, 0.947), (15, 0.950), (20, 0.950), (30, 0.951), (60, 0.949), (120, 0.949), (400, 0.950)]),
    ("interval lag one", &[(10, 0.976), (15, 0.971), (20, 0.968), (30, 0.964), (60, 0.958), (120, 0.964), (400, 0.955)]),
    ("mean interval", &[(10, 0.949), (15, 0.954), (20, 0.946), (30, 0.949), (60, 0.961), (120, 0.944), (400, 0.948)]),
    ("median interval", &[(10, 0.972), (15, 0.951), (20, 0.961), (30, 0.957), (60, 0.964), (120, 0.951), (400, 0.941)]),
    ("npvi", &[(10, 0.954), (15, 0.952), (20, 0.942), (30, 0.955), (60, 0.953), (120, 0.949), (400, 0.958)]),
    ("rmssd interval", &[(10, 0.973), (15, 0.968), (20, 0.960), (30, 0.964), (60, 0.965), (120, 0.960), (400, 0.967)]),
    ("sd interval", &[(10, 0.951), (15, 0.942), (20, 0.935), (30, 0.951), (60, 0.949), (120, 0.948), (400, 0.944)]),
    ("alpha", &[(15, 0.990), (20, 0.996), (30, 0.996), (60, 0.989), (120, 0.989), (400, 0.948)]),
    ("motor sd", &[(15, 0.999), (20, 0.999), (30, 1.000), (60, 0.999), (120, 0.997), (400, 0.939)]),
    ("timekeeper sd", &[(15, 0.988), (20, 0.993), (30, 0.993), (60, 0.980), (120, 0.966), (400, 0.938)]),
    ("clock variance", &[(10, 0.989), (15, 0.988), (20, 0.982), (30, 0.976), (60, 0.962), (120, 0.942), (400, 0.954)]),
    ("detrended clock variance", &[(10, 0.993), (15, 0.994), (20, 0.988), (30, 0.978), (60, 0.965), (120, 0.940), (400, 0.956)]),
    ("detrended motor variance", &[(10, 0.948), (15, 0.953), (20, 0.960), (30, 0.973), (60, 0.947), (120, 0.928), (400, 0.941)]),
    ("lag one", &[(10, 0.996), (15, 0.991), (20, 0.991), (30, 0.990), (60, 0.982), (120, 0.971), (400, 0.959)]),
    ("motor variance", &[(10, 0.944), (15, 0.953), (20, 0.961), (30, 0.970), (60, 0.948), (120, 0.932), (400, 0.943)]),
    ("hit rate", &[(10, 0.909), (15, 0.947), (20, 0.927), (30, 0.944), (60, 0.952), (120, 0.945), (400, 0.937)]),
    ("angular deviation", &[(10, 0.987), (15, 0.984), (20, 0.972), (30, 0.955), (60, 0.952), (120, 0.939), (400, 0.950)]),
    ("circular sd", &[(10, 0.987), (15, 0.984), (20, 0.972), (30, 0.955), (60, 0.952), (120, 0.939), (400, 0.950)]),
];

type Named = Vec<(&'static str, Option<Estimate>)>;

/// The share of runs whose interval held the truth, by statistic and length: the least over
/// tappers.
#[derive(Default)]
struct Table(BTreeMap<&'static str, BTreeMap<usize, f64>>);

impl Table {
    /// Counts what so many runs of each length say of known truths. A run without an estimate
    /// is drawn again.
    fn add(
        &mut self,
        lengths: &[usize],
        runs: usize,
        truths: &[(&'static str, f64)],
        mut draw: impl FnMut(usize) -> Named,
    ) {
        for n in lengths {
            let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
            for _ in 0..runs {
                for (name, found) in draw(*n) {
                    let Some(found) = found else { continue };
                    let truth = truths.iter().find(|(of, _)| *of == name).unwrap().1;
                    let count = counts.entry(name).or_default();
                    *count = (count.0 + usize::from(found.holds(truth)), count.1 + 1);
                }
            }
            for (name, _) in truths {
                let Some((held, all)) = counts.get(name).filter(|(_, all)| 4 * all > runs) else {
                    continue;
                };
                let least = self.0.entry(name).or_default().entry(*n).or_insert(1.0);
                *least = least.min(*held as f64 / *all as f64);
            }
        }
    }

    /// Prints the rows, and compares them with those of the source.
    fn check(&self, error: f64) {
        for (name, shares) in &self.0 {
            let row: Vec<String> = shares.iter().map(|(n, s)| format!("({n}, {s:.3})")).collect();
            println!("    Held {{ of: \"{name}\", shares: &[{}] }},", row.join(", "));
        }
        for (name, shares) in &self.0 {
            for (n, share) in shares {
                let of_tapper = TAPPERS.iter().find(|(of, _)| of == name);
                let of_tapper = of_tapper
                    .and_then(|(_, shares)| shares.iter().find(|(at, _)| at == n))
                    .map(|(_, share)| *share);
                let said = of_tapper.or_else(|| held(name, *n));
                let said = said.unwrap_or_else(|| panic!("{name} is not in the table"));
                assert!((share - said).abs() < error, "{name}, {n}: {share:.3}, not {said}");
            }
        }
    }
}

fn tapper(alpha: f64) -> Tapper {
    Tapper::with(alpha, 0.0)
}

/// Onsets and asynchronies of a tapper who has been tapping for a while.
fn settled(random: &mut Random, alpha: f64, n: usize) -> (Vec<Nanos>, Vec<Nanos>) {
    const BEFORE: usize = 100;
    let run = tapper(alpha).run(random, &vec![500.0; n + BEFORE]);
    let early = ns(EARLY_MS);
    let pairs = run.taps.iter().zip(&run.partners[0]).skip(BEFORE);
    pairs.map(|(tap, onset)| (*tap + early, *tap + early - *onset)).unzip()
}

fn named(all: CatalogueOrder, found: Vec<Option<Estimate>>) -> Named {
    all.iter().map(|known| known.name).zip(found).collect()
}

fn named_asynchronies(values: &[Nanos]) -> Named {
    let all = estimated_asynchronies();
    let found = estimates_of_asynchronies(&Placed::all(values.to_vec()), all).unwrap();
    let angles = circular::angles(values, Nanos::from_millis(500));
    let round = of_directions(&angles, &circular::describe(&angles).unwrap()).unwrap();
    let of_circle = [
        ("resultant", round.resultant),
        ("direction", round.direction_rad),
        ("circular sd", round.sd_rad),
        ("angular deviation", round.deviation_rad),
    ];
    [named(all, found), of_circle.to_vec()].concat()
}

fn named_intervals(values: &[Nanos]) -> Named {
    let all = estimated_intervals();
    named(all, estimates_of_intervals(&Placed::all(values.to_vec()), all).unwrap())
}

/// The values of a long run stand for the truth.
fn truths(named: Named) -> Vec<(&'static str, f64)> {
    named.into_iter().filter_map(|(name, found)| Some((name, found?.value))).collect()
}

#[test]
fn asynchronies_and_directions_are_held_as_often_as_is_said() {
    let mut table = Table::default();
    for alpha in [0.2, 0.4, 0.8] {
        let mut random = Random::named(14, &format!("asynchronies {alpha}"));
        let truths = truths(named_asynchronies(&settled(&mut random, alpha, LONG).1));
        table.add(&LENGTHS, 2_000, &truths, |n| {
            named_asynchronies(&settled(&mut random, alpha, n - 1).1)
        });
    }
    table.check(0.015);
}

#[test]
fn intervals_are_held_as_often_as_is_said() {
    let mut table = Table::default();
    for alpha in [0.0, 0.2, 0.4, 0.8] {
        let mut random = Random::named(14, &format!("intervals {alpha}"));
        let of = |taps: &[Nanos]| named_intervals(&intervals::between(taps));
        let mut truths = truths(of(&settled(&mut random, alpha, LONG).0));
        truths.iter_mut().filter(|(name, _)| *name == "drift").for_each(|(_, truth)| *truth = 0.0);
        truths
            .iter_mut()
            .filter(|(name, _)| *name == "mean interval")
            .for_each(|(_, t)| *t = 500.0);
        table.add(&LENGTHS, 2_000, &truths, |n| of(&settled(&mut random, alpha, n).0));
    }
    table.check(0.015);
}

/// Of all runs, those outside the model among them.
#[test]
fn clock_and_motor_variance_are_held_as_often_as_is_said() {
    if left_to_all() {
        return;
    }
    let mut table = Table::default();
    for (clock, motor) in [(18.0, 7.0), (20.0, 3.0), (10.0, 5.0), (20.0, 14.0), (10.0, 10.0)] {
        let mut random = Random::named(14, "levels by formula");
        let (c, m) = (clock * clock, motor * motor);
        let truths = [
            ("clock variance", c),
            ("motor variance", m),
            ("detrended clock variance", c),
            ("detrended motor variance", m),
            ("lag one", -m / (c + 2.0 * m)),
        ];
        let of = Tapper { alpha: 0.0, beta: 0.0, timekeeper: clock, motor };
        table.add(&LENGTHS, 2_000, &truths, |n| {
            let taps = of.run(&mut random, &vec![500.0; n]).taps;
            let placed = Placed::all(intervals::between(&taps));
            let (raw, less) =
                (interval::bounds(&placed).ok(), interval::detrended_bounds(&placed).ok());
            vec![
                ("clock variance", raw.map(|raw| raw.clock_ms2)),
                ("motor variance", raw.and_then(|raw| raw.motor_ms2)),
                ("detrended clock variance", less.map(|less| less.clock_ms2)),
                ("detrended motor variance", less.and_then(|less| less.motor_ms2)),
                ("lag one", raw.map(|raw| raw.r1)),
            ]
        });
    }
    table.check(0.015);
}

/// One run with its own mean, to an even metronome, by bGLS's own intervals.
#[test]
fn phase_correction_and_its_noise_are_held_as_often_as_is_said() {
    let mut table = Table::default();
    for alpha in [0.2, 0.4, 0.8] {
        let mut random = Random::named(14, &format!("correction {alpha}"));
        let truths = [("alpha", alpha), ("timekeeper sd", 10.0), ("motor sd", 5.0)];
        table.add(&[15, 20, 30, 60, 120, 400], 1_000, &truths, |n| {
            let run = tapper(alpha).run(&mut random, &vec![500.0; n]);
            let found = phase(&[run], &Means::Pooled).unwrap();
            vec![
                ("alpha", Some(found.alpha[0])),
                ("timekeeper sd", found.timekeeper),
                ("motor sd", found.motor),
            ]
        });
    }
    table.check(0.02);
}

/// Somebody who reproduces a rhythm of so many intervals of 400 and 600 ms: the first too long and
/// the second too short by some; each interval with a clock of 4 %, each tap with a motor delay
/// of 5 ms, each round at a tempo of its own. One round in ten breaks off.
fn reproduced(random: &mut Random, rounds: usize, intervals: usize, tempo: f64) -> Reproduction {
    let asked: Vec<f64> = (0..intervals).map(|k| [400.0, 600.0][k % 2]).collect();
    let constant = |k: usize| [20.0, -10.0][k % 2];
    let (mut all, mut taps, mut from) = (Vec::new(), Vec::new(), 0.0);
    for _ in 0..rounds {
        let onset = |k: usize| ns(from + asked[..k].iter().sum::<f64>());
        let heard: Vec<Nanos> = (0..=intervals).map(onset).collect();
        from += 1_500.0 * intervals as f64;
        let opens = *heard.last().unwrap() + Nanos(1);
        all.push(ReproductionRound { heard, opens, closes: ns(from + 1_200.0 * intervals as f64) });
        let quicker = 1.0 + tempo * random.normal();
        let breaks_off = random.uniform() < 0.1;
        let whole =
            if breaks_off { random.between(1, intervals as u32) as usize } else { intervals + 1 };
        let mut inner = from;
        for k in 0..whole {
            taps.push(ns(inner + 5.0 * random.normal()));
            let asked = asked.get(k).copied().unwrap_or(0.0);
            inner += asked * (quicker + 0.04 * random.normal()) + constant(k);
        }
        from += 1_500.0 * intervals as f64;
    }
    describe("pad", "model", &all, &taps)
}

/// By the number of rounds.
#[test]
fn errors_of_reproduction_are_held_as_often_as_is_said() {
    let mut table = Table::default();
    for (intervals, tempo) in [(2, 0.0), (4, 0.02), (8, 0.02), (8, 0.05)] {
        let mut random = Random::named(14, &format!("reproductions {intervals} {tempo}"));
        let long: Vec<Overall> =
            (0..50).map(|_| reproduced(&mut random, 800, intervals, tempo).overall()).collect();
        let mean = |of: fn(&Overall) -> Option<f64>| {
            long.iter().filter_map(of).sum::<f64>() / long.len() as f64
        };
        let truths = [
            ("mean reproduction error", mean(|all| all.error_ms)),
            ("sd reproduction error", mean(|all| all.sd_ms)),
            ("mean absolute reproduction error", mean(|all| all.absolute_error_ms)),
        ];
        table.add(&[2, 3, 5, 8, 12, 20, 40], 2_000, &truths, |rounds| {
            let found = reproduced(&mut random, rounds, intervals, tempo).bounds().ok();
            vec![
                ("mean reproduction error", found.map(|found| found.error_ms)),
                ("sd reproduction error", found.and_then(|found| found.sd_ms)),
                ("mean absolute reproduction error", found.and_then(|f| f.absolute_error_ms)),
            ]
        });
    }
    table.check(0.015);
}

/// Taps that stay in their mode for a while (0.2 of them change it), and independent ones.
#[test]
fn the_mixture_of_phase_and_anti_phase_is_held_as_often_as_is_said() {
    let mut table = Table::default();
    for changes in [0.2, 1.0] {
        let mut random = Random::named(14, &format!("mixture {changes}"));
        let truths =
            [("share in phase", 0.7), ("direction of the mode", -0.3), ("concentration", 4.0)];
        table.add(&[20, 30, 60, 120, 400], 1_000, &truths, |n| {
            let mut mode = random.uniform() < 0.7;
            let mut angle = |_| {
                if random.uniform() < changes {
                    mode = random.uniform() < 0.7;
                }
                let centre = if mode { -0.3 } else { PI - 0.3 };
                (centre + von_mises(&mut random, 4.0)).rem_euclid(TAU)
            };
            let angles: Vec<f64> = (0..n).map(&mut angle).collect();
            let found = intervals_of(&angles, &mixture(&angles).unwrap()).ok();
            vec![
                ("share in phase", found.map(|found| found.in_phase)),
                ("direction of the mode", found.map(|found| found.direction_rad)),
                ("concentration", found.map(|found| found.concentration)),
            ]
        });
    }
    table.check(0.02);
}

/// Fractional Gaussian noise of several exponents.
#[test]
fn the_exponent_is_held_as_often_as_is_said() {
    if left_to_all() {
        return;
    }
    let mut table = Table::default();
    for hurst in [0.5, 0.9] {
        let mut random = Random::named(14, &format!("exponent {hurst}"));
        table.add(&[64, 128, 256, 512], 150, &[("scaling exponent", hurst)], |n| {
            let found = fluctuation(&fractional(&mut random, n, hurst)).unwrap();
            vec![("scaling exponent", with_interval(&found, n, 1).ok().map(|found| found.exponent))]
        });
    }
    table.check(0.04);
}

/// Independent misses, as seldom as practised tappers miss.
#[test]
fn the_hit_rate_is_held_as_often_as_is_said() {
    let mut table = Table::default();
    for rate in [0.8, 0.9, 0.95] {
        let mut random = Random::named(14, &format!("hits {rate}"));
        table.add(&LENGTHS, 2_000, &[("hit rate", rate)], |n| {
            let hits = (0..n).filter(|_| random.uniform() < rate).count();
            let found = proportion(hits, n).unwrap();
            let (low, high) = (found.low, found.high);
            vec![(
                "hit rate",
                Some(Estimate { value: found.share, standard_error: 0.0, low, high }),
            )]
        });
    }
    table.check(0.015);
}

/// Somebody who predicts a swinging tempo by a share and follows it by the rest, with the two
/// levels of noise.
#[test]
fn prediction_and_tracking_are_held_as_often_as_is_said() {
    let mut table = Table::default();
    for share in [0.3, 0.7] {
        let mut random = Random::named(14, &format!("tracking {share}"));
        let tempo = |k: f64| 500.0 + 80.0 * (TAU * k / 12.0).sin();
        let mut of = |n: usize| -> Named {
            let pacing: Vec<Nanos> = (0..n).map(|k| ns(tempo(k as f64))).collect();
            let mut motor = 5.0 * random.normal();
            let mut tap = |k: usize| {
                let next = 5.0 * random.normal();
                let noise = 10.0 * random.normal() + next - motor;
                motor = next;
                ns(share * tempo(k as f64) + (1.0 - share) * tempo(k as f64 - 1.0) + noise)
            };
            let taps: Vec<Nanos> = (0..n).map(&mut tap).collect();
            let found = of_tracking(&Placed::all(taps), &Placed::all(pacing)).unwrap();
            vec![
                ("prediction", found.r0),
                ("tracking", found.r1),
                ("prediction over tracking", found.ratio),
                ("prediction less tracking", found.index),
                ("prediction less own", found.r0_less_own),
                ("tracking less own", found.r1_less_own),
            ]
        };
        let truths = truths(of(LONG));
        table.add(&[24, 36, 60, 120, 396], 1_000, &truths, of);
    }
    table.check(0.02);
}

/// Two people of whom the second takes up a share of what the first has done.
#[test]
fn cross_correlations_are_held_as_often_as_is_said() {
    if left_to_all() {
        return;
    }
    let mut table = Table::default();
    for gain in [0.0, 0.3, 0.6] {
        let mut random = Random::named(14, &format!("following {gain}"));
        let mut of = |n: usize| -> Named {
            let first: Vec<f64> = (0..=n).map(|_| 20.0 * random.normal()).collect();
            let second: Vec<Nanos> =
                (1..=n).map(|k| ns(500.0 + gain * first[k - 1] + 15.0 * random.normal())).collect();
            let first: Vec<Nanos> = first[1..].iter().map(|x| ns(500.0 + x)).collect();
            let found = of_following(&Placed::all(first), &second).unwrap();
            vec![
                ("first follows", found.first_follows),
                ("together", found.together),
                ("second follows", found.second_follows),
            ]
        };
        let truths = truths(of(LONG));
        table.add(&[15, 20, 30, 60, 120, 400], 1_000, &truths, of);
    }
    table.check(0.02);
}

/// Phase shifts of three sizes to both sides, ten beats apart, in an order of chance.
#[test]
fn responses_to_perturbations_are_held_as_often_as_is_said() {
    let mut table = Table::default();
    for alpha in [0.2, 0.4, 0.8] {
        let mut random = Random::named(14, &format!("responses {alpha}"));
        table.add(&RESPONSES, 2_000, &[("correction response", alpha)], |n| {
            let sizes = [-75.0, -50.0, -15.0, 15.0, 50.0, 75.0];
            let sizes: Vec<f64> = (0..n).map(|_| sizes[random.between(0, 5) as usize]).collect();
            let shift = |beat: usize| match beat.is_multiple_of(APART) {
                true => sizes.get(beat / APART - 1).copied().unwrap_or(0.0),
                false => 0.0,
            };
            let pacing: Vec<f64> = (1..APART * (n + 2)).map(|beat| 500.0 + shift(beat)).collect();
            let run = tapper(alpha).run(&mut random, &pacing);
            let pairs = run.taps.iter().zip(&run.partners[0]);
            let asynchronies: Vec<Option<Nanos>> =
                pairs.map(|(tap, at)| Some(*tap - *at)).collect();
            let of = |(place, size): (usize, &f64)| {
                let (kind, beat, size) =
                    (PerturbationKind::PhaseShift, APART * (place + 1), ns(*size));
                response(&asynchronies, &PacingPerturbation { kind, beat, size }, USUAL).unwrap()
            };
            let all: Vec<Response> = sizes.iter().enumerate().map(of).collect();
            vec![("correction response", share(&all).estimate)]
        });
    }
    table.check(0.015);
}

/// Every tenth interval of a continuation is longer by 8 ms.
#[test]
fn responses_to_altered_tones_are_held_as_often_as_is_said() {
    let mut table = Table::default();
    for (clock, motor) in [(18.0, 7.0), (10.0, 10.0)] {
        let mut random = Random::named(14, &format!("altered tones {clock} {motor}"));
        let of = Tapper { alpha: 0.0, beta: 0.0, timekeeper: clock, motor };
        table.add(&RESPONSES, 2_000, &[("altered tone response", 8.0)], |n| {
            let taps = of.run(&mut random, &vec![500.0; APART * (n + 1)]).taps;
            let mut intervals = intervals::between(&taps);
            let altered: Vec<usize> = (1..=n).map(|k| APART * k - 1).collect();
            altered.iter().for_each(|place| intervals[*place] += ns(8.0));
            let same = vec![0; intervals.len()];
            let found = responses(&intervals, &same, &altered, 0).unwrap();
            vec![("altered tone response", found[0].difference_ms.as_ref().ok().copied())]
        });
    }
    table.check(0.015);
}
