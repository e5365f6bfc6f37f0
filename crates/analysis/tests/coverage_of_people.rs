//! How often the interval of each statistic holds the truth of the people that studies are rehearsed with
//! (docs/participants.md), where it stands without a doubt, and how often a doubt stands. Every statistic with an
//! interval is here, or in [`ELSEWHERE`]. docs/statistics.md has the table; the last test prints it whole.

use crate::simulated::ns;
use crate::simulated::people::{Clock, Person, Tapped};
use chronotap_analysis::correction::of_trial;
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::intervals::{Placed, between};
use chronotap_analysis::perturbation::{
    PacingPerturbation, PerturbationKind, Response, USUAL, response, share,
};
use chronotap_analysis::series::Series;
use chronotap_analysis::statistics::{
    Answered, ClockAndMotor, Directions, Material, Statistic, columns, doubted, tables,
};
use chronotap_analysis::tracking::tracking;
use chronotap_analysis::uncertainty::coverage::{COVERAGE, LEAST};
use chronotap_analysis::uncertainty::{
    AsynchronySpread, SpectralSpread, TrackingIntervals, of_tracking,
};
use chronotap_analysis::wing_kristofferson::estimate_placed;
use chronotap_core::time::Nanos;
use chronotap_engine::random::Random;
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

const POPULATIONS: [&str; 3] = ["adults", "musicians", "beginners"];
const INTERVAL: f64 = 500.0;

/// Statistics with an interval that these people do nothing for, and where their coverage is measured.
const ELSEWHERE: [(&str, &str); 8] = [
    ("following correlation", "coverage_of_pairs.rs: two of these people"),
    ("simultaneous correlation", "coverage_of_pairs.rs: two of these people"),
    ("leading correlation", "coverage_of_pairs.rs: two of these people"),
    ("altered tone response", "coverage.rs: nobody's feedback is altered here"),
    ("error rate", "coverage.rs: it is a share, as the hit rate"),
    ("mean reproduction error", "coverage.rs: rhythms that are reproduced"),
    ("sd reproduction error", "coverage.rs: rhythms that are reproduced"),
    ("mean absolute reproduction error", "coverage.rs: rhythms that are reproduced"),
];

/// Intervals of models and of no statistic of a trial, and on whom their coverage is measured.
const MODELS: [(&str, &str); 24] = [
    ("circular sd", "these people: it is that of the resultant, turned"),
    ("angular deviation", "the same"),
    ("share in phase", "coverage.rs: taps on and off the beat, which these people do not mix"),
    ("direction of the mode", "the same"),
    ("concentration", "the same"),
    ("scaling exponent", "coverage.rs: noise of a known exponent, which nobody here has"),
    ("prediction", "these people: `prediction correlation`"),
    ("tracking", "these people: `tracking correlation`"),
    ("prediction over tracking", "these people: `prediction tracking ratio`"),
    ("prediction less tracking", "these people: `prediction less tracking`"),
    ("prediction less own", "these people: `prediction less own`"),
    ("tracking less own", "these people: `tracking less own`"),
    ("first follows", "coverage_of_pairs.rs: two of these people"),
    ("together", "the same"),
    ("second follows", "the same"),
    ("mean by moving blocks", "recovery.rs: always with a doubt"),
    ("relaxation", "recovery.rs: always with a doubt"),
    ("alpha of runs less their own means", "correction.rs: always with a doubt"),
    (
        "adam alpha",
        "anticipation.rs: always with a doubt; these people go on with a trend, and have no γ and m",
    ),
    ("adam beta", "the same"),
    ("adam gamma", "the same"),
    ("adam prediction", "the same"),
    ("adam timekeeper", "the same"),
    ("adam motor", "the same"),
];

/// What somebody does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Task {
    /// Taps to an even tempo.
    Paced,
    /// Goes on without it.
    Alone,
    /// Taps to a tempo that swings.
    Swinging,
    /// Taps to beats that are shifted now and then.
    Shifted,
}

type Truths = BTreeMap<&'static str, f64>;

fn statistics() -> impl Iterator<Item = &'static Statistic> {
    let more = columns().iter().filter(|of| !tables().contains(of));
    tables().iter().chain(more).copied().filter(|of| of.is_estimated())
}

/// What is true of somebody who taps evenly, of one trial's mean.
fn of_paced(person: &Person, covariances: [f64; 3], mean: f64) -> Truths {
    let [own, one, two] = covariances;
    let of_intervals = 2.0 * (own - one);
    let neighbours = 2.0 * one - own - two;
    let successive = (2.0 * (of_intervals - neighbours)).sqrt();
    let sd = own.sqrt();
    let turn = TAU / INTERVAL;
    let below = 0.5 * libm::erfc(mean / sd / 2.0_f64.sqrt());
    let density = (-0.5 * (mean / sd).powi(2)).exp();
    Truths::from([
        ("mean asynchrony", mean),
        ("median asynchrony", mean),
        ("sd asynchrony", sd),
        ("mean absolute asynchrony", mean * (1.0 - 2.0 * below) + sd * (2.0 / PI).sqrt() * density),
        ("rms asynchrony", sd.hypot(mean)),
        ("asynchrony lag one", one / own),
        ("resultant", (-0.5 * (turn * sd).powi(2)).exp()),
        ("direction", turn * mean),
        ("mean interval", INTERVAL),
        ("median interval", INTERVAL),
        ("sd interval", of_intervals.sqrt()),
        ("cv interval", of_intervals.sqrt() / INTERVAL),
        ("rmssd interval", successive),
        ("drift", 0.0),
        // Difference and mean of two neighbours are independent.
        (
            "npvi",
            100.0 * (2.0 / PI).sqrt() * successive / INTERVAL
                * (1.0 + (of_intervals + neighbours) / 2.0 / INTERVAL.powi(2)),
        ),
        ("interval lag one", neighbours / of_intervals),
        ("hit rate", 1.0 - person.miss),
        ("alpha", person.alpha),
        ("timekeeper sd", person.timekeeper),
        ("motor sd", person.motor),
    ])
}

fn of_alone(person: &Person) -> Truths {
    let (clock, motor) = (person.timekeeper.powi(2), person.motor.powi(2));
    let neighbours = clock * person.clock.lag_one() - motor;
    Truths::from([
        ("clock variance", clock),
        ("motor variance", motor),
        ("detrended clock variance", clock),
        ("detrended motor variance", motor),
        ("lag one", neighbours / (clock + 2.0 * motor)),
    ])
}

/// As `analyze` puts it together for a row.
fn paced(tapped: &Tapped, of: &mut dyn FnMut(&Material<'_>)) {
    let (intervals, asynchronies) = (tapped.intervals(), tapped.asynchronies());
    let (intervals, asynchronies) = (Series::of(&intervals), Series::of(&asynchronies));
    let spread = SpectralSpread::of(&intervals, "intervals").ok();
    let sure = AsynchronySpread::of(&asynchronies).ok();
    let angles = tapped.angles(INTERVAL);
    of(&Material {
        intervals: Some((&intervals, spread.as_ref())),
        beats: Some(Answered {
            beats: tapped.onsets.len(),
            matched: asynchronies.n(),
            ..Answered::default()
        }),
        asynchronies: Some((&asynchronies, sure.as_ref())),
        directions: Some(Directions::of(&angles)),
        correction: of_trial(&tapped.runs()).ok(),
        ..Material::default()
    });
}

fn alone(taps: &[Nanos], of: &mut dyn FnMut(&Material<'_>)) {
    let placed = Placed::all(between(taps));
    let series = Series::of(&placed);
    let levels = estimate_placed(&placed).map(|found| ClockAndMotor::of(found, Some(&placed)));
    of(&Material { intervals: Some((&series, None)), levels, ..Material::default() });
}

/// A tempo of 80 ms about the interval, as in studies of prediction and tracking.
fn swinging(beats: usize) -> Vec<f64> {
    (1..beats).map(|k| INTERVAL + 80.0 * (TAU * k as f64 / 24.0).sin()).collect()
}

/// Gives what statistics are of, and the estimates that belong to the model alone.
fn tracked(tapped: &Tapped, pacing: &[f64], of: &mut dyn FnMut(&Material<'_>)) -> Indices {
    let taps = tapped.intervals();
    let pacing = Placed::all(pacing.iter().map(|interval| ns(*interval)).collect());
    let sure = of_tracking(&taps, &pacing).ok();
    of(&Material { tracking: tracking(&taps, &pacing).ok().zip(sure), ..Material::default() });
    let index = |of: fn(&TrackingIntervals) -> Option<Estimate>| sure.as_ref().and_then(of);
    [
        ("prediction less tracking", index(|of| of.index)),
        ("prediction less own", index(|of| of.r0_less_own)),
        ("tracking less own", index(|of| of.r1_less_own)),
    ]
}

/// Estimates of the model of prediction and tracking that are no statistics of a trial.
type Indices = [(&'static str, Option<Estimate>); 3];

const APART: usize = 10;

/// Shifts of 50 ms to either side.
fn shifts(random: &mut Random, count: usize) -> Vec<f64> {
    (0..count).map(|_| if random.uniform() < 0.5 { -50.0 } else { 50.0 }).collect()
}

fn shifted(shifts: &[f64]) -> Vec<f64> {
    let shift = |beat: usize| match beat.is_multiple_of(APART) {
        true => shifts.get(beat / APART - 1).copied().unwrap_or(0.0),
        false => 0.0,
    };
    (1..APART * (shifts.len() + 2)).map(|beat| INTERVAL + shift(beat)).collect()
}

fn answered(tapped: &Tapped, shifts: &[f64], of: &mut dyn FnMut(&Material<'_>)) {
    let pairs = tapped.taps.iter().zip(&tapped.onsets);
    let asynchronies: Vec<Option<Nanos>> = pairs.map(|(tap, at)| Some(ns((*tap)? - at))).collect();
    let of_shift = |(place, size): (usize, &f64)| {
        let (kind, beat, size) = (PerturbationKind::PhaseShift, APART * (place + 1), ns(*size));
        response(&asynchronies, &PacingPerturbation { kind, beat, size }, USUAL).ok()
    };
    let all: Vec<Response> = shifts.iter().enumerate().filter_map(of_shift).collect();
    of(&Material { perturbations: Some(share(&all)), ..Material::default() });
}

/// What came of all trials of one kind.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    /// Trials with an interval, those of them with a doubt, those that hold the truth, and these without a doubt.
    all: usize,
    doubted: usize,
    held: usize,
    plainly_held: usize,
    /// Sums of truths and of estimates.
    truth: f64,
    value: f64,
}

impl Tally {
    fn add(&mut self, found: Estimate, doubted: bool, truth: f64) {
        self.all += 1;
        self.doubted += usize::from(doubted);
        self.held += usize::from(found.holds(truth));
        self.plainly_held += usize::from(!doubted && found.holds(truth));
        self.truth += truth;
        self.value += found.value;
    }

    fn coverage(&self) -> f64 {
        self.held as f64 / self.all as f64
    }

    /// Where no doubt stands; `None` where one always does.
    fn without_doubt(&self) -> Option<f64> {
        let plain = self.all - self.doubted;
        (plain > 0).then(|| self.plainly_held as f64 / plain as f64)
    }

    fn doubts(&self) -> f64 {
        self.doubted as f64 / self.all as f64
    }
}

/// By statistic.
type Tallies = BTreeMap<&'static str, Tally>;

/// Which people, what they do, and how many values a trial has.
#[derive(Clone, Copy, Debug)]
struct Design {
    population: &'static str,
    clock: Clock,
    task: Task,
    taps: usize,
}

impl Design {
    /// One trial of each of so many people.
    fn of_people(&self, people: usize) -> Tallies {
        let name = format!("{} {:?} {:?} {}", self.population, self.clock, self.task, self.taps);
        let mut random = Random::named(45, &name);
        let mut tallies = Tallies::new();
        for _ in 0..people {
            let mut person = Person::of(self.population, &mut random, INTERVAL);
            person.clock = self.clock;
            self.trial(&person, &mut random, &mut tallies);
        }
        tallies
    }

    fn trial(&self, person: &Person, random: &mut Random, tallies: &mut Tallies) {
        let n = self.taps;
        let count = |truths: &Truths| {
            let truths = truths.clone();
            move |of: &Material<'_>, tallies: &mut Tallies| count(of, &truths, tallies)
        };
        match self.task {
            Task::Paced => {
                let tapped = person.paced(random, &vec![INTERVAL; n - 1]);
                let add = count(&of_paced(person, person.autocovariances(), tapped.mean));
                paced(&tapped, &mut |of| add(of, tallies));
            }
            Task::Alone => {
                let add = count(&of_alone(person));
                alone(&person.alone(random, n), &mut |of| add(of, tallies));
            }
            Task::Swinging => {
                let long = swinging(LONG);
                let mut truths = Truths::new();
                let tapped = person.paced(random, &long);
                let true_ones = tracked(&tapped, &long, &mut |of| values(of, &mut truths));
                let (add, pacing) = (count(&truths), swinging(n));
                let tapped = person.paced(random, &pacing);
                let indices = tracked(&tapped, &pacing, &mut |of| add(of, tallies));
                for ((name, truth), (_, found)) in true_ones.into_iter().zip(indices) {
                    let Some((truth, found)) = truth.zip(found) else { continue };
                    let is_doubted = doubted(name, tapped.intervals().len()).is_some();
                    tallies.entry(name).or_default().add(found, is_doubted, truth.value);
                }
            }
            Task::Shifted => {
                let mut truths = Truths::new();
                let of_shifts = |count: usize, random: &mut Random| {
                    let shifts = shifts(random, count);
                    (person.paced(random, &shifted(&shifts)), shifts)
                };
                let (long, all) = of_shifts(LONG / APART, random);
                answered(&long, &all, &mut |of| values(of, &mut truths));
                let (tapped, few) = of_shifts(n, random);
                let add = count(&truths);
                answered(&tapped, &few, &mut |of| add(of, tallies));
            }
        }
    }
}

/// So many taps of somebody stand for what is true of him where no formula says it.
const LONG: usize = 6_000;

fn values(of: &Material<'_>, truths: &mut Truths) {
    truths.extend(statistics().filter_map(|one| Some((one.name, of.measure(one).value?))));
}

fn count(of: &Material<'_>, truths: &Truths, tallies: &mut Tallies) {
    for one in statistics() {
        let (Some(truth), Some(found)) = (truths.get(one.name), of.measure(one).estimate) else {
            continue;
        };
        let n = one.values(|count| of.measure(count).value).unwrap_or(0);
        let doubted = one.doubted(n).is_some();
        tallies.entry(one.name).or_default().add(found, doubted, *truth);
    }
}

fn print(design: &Design, tallies: &Tallies) {
    let Design { population, clock, taps, .. } = design;
    let clock = if *clock == Clock::Fractional { ", 1/f" } else { "" };
    for (name, tally) in tallies {
        let n = tally.all as f64;
        let (truth, value) = (tally.truth / n, tally.value / n);
        println!(
            "| {name} | {population}{clock} | {taps} | {truth:.3} | {value:.3} | {:.3} | {:.3} | {:.2} |",
            value - truth,
            tally.coverage(),
            tally.doubts(),
        );
    }
}

const HEAD: &str = "| statistic | people | values | truth | estimate | bias | coverage | doubts |";

/// All that the populations do, each with so many values as its place says.
fn designs(clock: Clock, lengths: [&[usize]; 4]) -> Vec<Design> {
    let tasks = [Task::Paced, Task::Alone, Task::Swinging, Task::Shifted];
    let all = POPULATIONS.iter().flat_map(|of| tasks.iter().zip(lengths).map(move |at| (of, at)));
    let of = |(population, (task, lengths)): (&&'static str, (&Task, &'_ [usize]))| {
        let design = Design { population, clock, task: *task, taps: 0 };
        lengths.iter().map(|taps| Design { taps: *taps, ..design }).collect::<Vec<Design>>()
    };
    all.flat_map(of).collect()
}

/// The lengths of the definitions' own tables ([`Statistic::coverage`]).
const LENGTHS: [&[usize]; 4] = [
    &[10, 15, 20, 30, 60, 120, 400],
    &[11, 16, 21, 31, 61, 121, 401],
    // Whole swings but for the first, of 24 beats each.
    &[16, 25, 49, 73, 121],
    &[3, 5, 10, 20, 40],
];

/// Statistics whose interval is wider than it need be for these people, and why.
#[rustfmt::skip]
const WIDE: [(&str, &str); 22] = [
    ("mean interval", "to a pacing the intervals add up to those of the beats"),
    ("median interval", "the same"),
    ("drift", "the same"),
    ("interval lag one", "intervals are no autoregression"),
    ("rmssd interval", "their differences are none"),
    ("mean asynchrony", "it reaches as far as waves and autoregression"),
    ("median asynchrony", "the same"),
    ("sd asynchrony", "the same"),
    ("mean absolute asynchrony", "the same"),
    ("rms asynchrony", "the same"),
    ("asynchrony lag one", "the same"),
    ("direction", "the same"),
    ("resultant", "the same"),
    ("alpha", "a timekeeper with a long memory is allowed for, and hardly told from one without"),
    ("timekeeper sd", "the same"),
    ("motor sd", "an even pacing hardly tells it from correction"),
    ("clock variance", "a short run hardly tells a tempo that wanders from the clock"),
    ("detrended clock variance", "the same"),
    ("lag one", "the same"),
    ("motor variance", "it reaches as far as its estimate, below 0 where a tempo wanders, and a clock may remember"),
    ("detrended motor variance", "the same"),
    ("prediction correlation", "the waves see the swing of the tempo, too"),
];

/// What a share of so many may differ by from one that is known, in 199 of 200 cases to either side.
fn by_chance(share: f64, of: usize) -> f64 {
    2.6 * (share * (1.0 - share) / of as f64).sqrt()
}

/// What is wrong with the interval of a statistic for these people.
fn amiss(name: &str, design: &Design, tally: &Tally) -> Option<String> {
    const LIMITS: [f64; 2] = [0.93, 0.97];
    let plain = tally.all - tally.doubted;
    let held = tally.without_doubt().unwrap_or(0.95);
    let [least, most] = LIMITS;
    let narrow = held < least - by_chance(least, plain);
    let wide = held > most + by_chance(most, plain);
    let wide = wide && WIDE.iter().all(|(of, _)| *of != name);
    let doubts = design.population == "adults" && tally.doubts() > 0.1;
    let amiss = (narrow || wide || doubts).then_some((held, tally.doubts()));
    amiss.map(|found| format!("{name}, {design:?}: {found:?}"))
}

/// As they were, 36 % of adults' trials of 30 taps alone did not hold the clock variance, of 120 taps 84 %; 11 % to a
/// pacing of 120 taps not α.
#[test]
fn intervals_without_a_doubt_hold_the_truth_of_people_and_doubts_are_few() {
    const PEOPLE: usize = 300;
    println!("{HEAD}");
    let mut all = Vec::new();
    for design in designs(Clock::Independent, [&[30, 90], &[31, 91], &[49], &[10]]) {
        let tallies = design.of_people(PEOPLE);
        print(&design, &tallies);
        all.extend(tallies.iter().filter_map(|(name, tally)| amiss(name, &design, tally)));
    }
    assert!(all.is_empty(), "{all:#?}");
}

#[test]
fn every_interval_of_a_statistic_is_tried_here_or_elsewhere() {
    let tried: Vec<&str> = designs(Clock::Independent, [&[30], &[31], &[49], &[10]])
        .iter()
        .flat_map(|design| design.of_people(1).into_keys())
        .chain(ELSEWHERE.map(|(name, _)| name))
        .collect();
    for one in statistics() {
        assert!(tried.contains(&one.name), "{}", one.name);
    }
}

/// A doubt that always stands is right of no people: those models need no others to be tried on.
#[test]
fn every_interval_of_a_model_is_tried_on_people_who_are_named() {
    let named: Vec<&str> = MODELS.iter().map(|(name, _)| *name).collect();
    let all: Vec<&str> = COVERAGE.iter().map(|held| held.of).collect();
    assert_eq!(named, all);
    let mut on = "";
    for ((name, said), held) in MODELS.iter().zip(COVERAGE) {
        on = if *said == "the same" { on } else { said };
        let always = held.shares.iter().all(|(_, share)| *share < LEAST);
        assert_eq!(on.contains("always with a doubt"), always, "{name}");
    }
}

#[test]
#[ignore = "some minutes"]
fn the_whole_table() {
    const PEOPLE: usize = 1_000;
    println!("{HEAD}");
    let mut least: BTreeMap<&str, BTreeMap<usize, f64>> = BTreeMap::new();
    for design in designs(Clock::Independent, LENGTHS) {
        let tallies = design.of_people(PEOPLE);
        print(&design, &tallies);
        for (name, tally) in tallies {
            let of = least.entry(name).or_default().entry(design.taps).or_insert(1.0);
            *of = of.min(tally.coverage());
        }
    }
    for (name, shares) in least {
        let row: Vec<String> =
            shares.iter().map(|(n, share)| format!("({n}, {share:.3})")).collect();
        println!("{name}: {}", row.join(", "));
    }
}

#[test]
#[ignore = "a minute"]
fn the_table_of_a_long_memory() {
    println!("{HEAD}");
    for design in designs(Clock::Fractional, [&[30, 60, 120], &[11, 31, 61, 121], &[], &[10]]) {
        let people = if design.task == Task::Alone { 1_000 } else { 300 };
        print(&design, &design.of_people(people));
    }
}
