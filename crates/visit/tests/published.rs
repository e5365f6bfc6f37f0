//! Simulated adults find what was published: in every ready-made study, and in the study whose data they are made from.

use chronotap_analysis::estimate::{Estimate, of_mean};
use chronotap_core::time::Nanos;
use chronotap_data::tables::{Outcome, OutcomeFound};
use chronotap_design::{Claim, EXPECTED, ExpectedFinding, Experiment, IntervalLies, PARADIGMS};
use chronotap_session::power::rehearsed_outcomes;
use chronotap_session::{Study, rehearse::Rehearsal};
use chronotap_simulate::Wires;
use chronotap_testkit::left_to_all;
use std::collections::BTreeMap;

/// So many people rehearse a study, which is more than most studies have, so that what is found is the model's.
const PEOPLE: u32 = 160;

pub(crate) fn study(files: &[(&str, &str)]) -> Study {
    let owned = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let owned: Vec<(String, String)> = owned.collect();
    Study::of(Experiment::parse(files[0].1, "study.toml", &owned).unwrap()).unwrap()
}

pub(crate) fn adults(study: &Study, people: u32) -> Rehearsal {
    let (inputs, outputs) = study.inputs_and_outputs();
    Rehearsal {
        labels: (1..=people).map(|n| study.label(&n.to_string()).unwrap()).collect(),
        model: study.usual_model(),
        wires: Wires::unthrottled(&inputs, &outputs),
        longest: Nanos::from_secs(600),
        stops_when_cut: false,
        limit: None,
    }
}

/// Of each person the mean over these levels; of all levels where none is named.
fn of_people(found: &OutcomeFound, levels: &[&str]) -> BTreeMap<String, f64> {
    let mut all: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for row in &found.rows {
        let level = row.level.as_deref();
        if levels.is_empty() || level.is_some_and(|level| levels.contains(&level)) {
            all.entry(row.participant.clone().unwrap()).or_default().push(row.value);
        }
    }
    all.into_iter().map(|(who, of)| (who, of.iter().sum::<f64>() / of.len() as f64)).collect()
}

/// The mean over people of what is claimed of, and its 95 % interval.
fn estimate(found: &OutcomeFound, claim: &Claim) -> Estimate {
    of_mean("people", &chronotap_session::pack::of_people(found, claim)).unwrap()
}

/// Why a claim does not hold.
fn refuted(found: Option<&OutcomeFound>, claim: &Claim) -> Option<String> {
    let Some(found) = found else { return Some("no values".to_owned()) };
    let of = estimate(found, claim);
    let holds = match claim.is {
        IntervalLies::Above(bound) => of.low > bound,
        IntervalLies::Below(bound) => of.high < bound,
        IntervalLies::Within(least, most) => (least..=most).contains(&of.value),
    };
    let said = format!("{claim:?}: {} [{}, {}]", of.value, of.low, of.high);
    (!holds).then_some(said)
}

/// What the rehearsal of one study refutes.
fn rehearse(name: &str) -> Vec<String> {
    let paradigm = PARADIGMS.iter().find(|paradigm| paradigm.name == name).unwrap();
    let study = study(paradigm.files);
    let own = study.experiment.outcome().cloned().unwrap();
    let of_study = |of: &&ExpectedFinding| of.study == name;
    let claims = EXPECTED.iter().filter(of_study).flat_map(|of| of.rehearsed.claims());
    let claims: Vec<&Claim> = claims.collect();
    let of = |claim: &&Claim| if claim.of == own.of { own.clone() } else { own.of_also(claim.of) };
    let outcomes: Vec<Outcome> = claims.iter().map(of).collect();
    if outcomes.is_empty() {
        return Vec::new();
    }
    let found = rehearsed_outcomes(&study, &outcomes, &adults(&study, PEOPLE)).unwrap();
    let refuted =
        found.iter().zip(&claims).filter_map(|(found, claim)| refuted(found.as_ref(), claim));
    refuted.map(|of| format!("{name}: {of}")).collect()
}

#[test]
fn every_ready_made_study_finds_what_was_published_or_says_that_it_cannot() {
    if left_to_all() {
        return;
    }
    let mut refuted = Vec::new();
    for paradigm in PARADIGMS {
        assert!(EXPECTED.iter().any(|of| of.study == paradigm.name), "{}", paradigm.name);
        refuted.extend(rehearse(paradigm.name));
    }
    assert_eq!(refuted, Vec::<String>::new());
}

#[test]
fn no_parameter_of_adults_is_of_one_study_alone_but_by_what_it_hears() {
    // One description for all: nothing about a study stands in it.
    let of = |name: &str| {
        let paradigm = PARADIGMS.iter().find(|paradigm| paradigm.name == name).unwrap();
        study(paradigm.files).usual_model()
    };
    assert!(PARADIGMS.iter().all(|paradigm| of(paradigm.name) == "adults"));
}

const SLOW: &str = r#"
title = "Slow beats"
task = "slow"
participants = 30
seed = 1
trial = "beats.toml"

[factor]
interval = ["600 ms", "1200 ms", "1800 ms", "2400 ms", "3000 ms"]

[set]
pacing.metronome.interval = { factor = "interval" }

[outcome]
of = "mean asynchrony"
over = "interval"

[[step]]
name = "main"
repetitions = 4
shuffle = "each repetition"
"#;
const BEATS: &str = r#"
title = "About 30 taps"

[pacing.metronome]
interval = "600 ms"
tone = { channel = 10, note = 76, velocity = 100, duration = "30 ms" }

[[when]]
beat = 34
end = true
"#;

/// Of the data of Bååth and Madison (2012), by benchmarks/baath_madison.py: the mean over 30 people of their mean
/// asynchronies, its SD between people, and the same two of the logarithm of their mean SD within trials (in ms).
const PUBLISHED: [(&str, f64, f64, f64, f64); 5] = [
    ("600 ms", -40.1, 20.5, 3.42, 0.37),
    ("1200 ms", -48.6, 24.1, 4.06, 0.34),
    ("1800 ms", -50.8, 34.0, 4.61, 0.27),
    ("2400 ms", -78.2, 41.7, 5.02, 0.19),
    ("3000 ms", -117.6, 50.3, 5.33, 0.19),
];

fn mean_and_sd(values: &[f64]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (values.len() - 1) as f64).sqrt())
}

/// The model's means and SDs, of ten times as many people, lie within the 95 % intervals that the 30 people of the
/// study give: mean and 2.045 standard errors; SD by chi squared with 29 degrees of freedom, 0.796 to 1.344 times.
#[test]
fn adults_have_the_asynchronies_of_baath_and_madison_from_600_to_3000_ms() {
    let study = study(&[("study.toml", SLOW), ("beats.toml", BEATS)]);
    let own = study.experiment.outcome().cloned().unwrap();
    let outcomes = [own.clone(), own.of_also("sd asynchrony")];
    let found = rehearsed_outcomes(&study, &outcomes, &adults(&study, 300)).unwrap();
    let mut wrong = Vec::new();
    for (interval, mean, sd, log, log_sd) in PUBLISHED {
        let values = |of: usize| -> Vec<f64> {
            of_people(found[of].as_ref().unwrap(), &[interval]).into_values().collect()
        };
        let (own_mean, own_sd) = mean_and_sd(&values(0));
        let logs: Vec<f64> = values(1).into_iter().map(f64::ln).collect();
        let (own_log, own_log_sd) = mean_and_sd(&logs);
        let said = format!(
            "{interval}: mean {own_mean:.1} for {mean}, SD {own_sd:.1} for {sd}, log SD within {own_log:.2} ({own_log_sd:.2}) for {log} ({log_sd})"
        );
        let error = |sd: f64| 2.045 * sd / 30f64.sqrt();
        let near = (own_mean - mean).abs() < error(sd);
        let as_different = (0.796..1.344).contains(&(own_sd / sd));
        let as_variable = (own_log - log).abs() < error(log_sd);
        if !(near && as_different && as_variable) {
            wrong.push(said);
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

const FAST: &str = r#"
title = "Beats 500 ms apart, some with a shift"
task = "fast"
participants = 74
seed = 1
trial = "beats.toml"

[factor]
shift = ["-50 ms", "50 ms"]

[set]
pacing.metronome.change.shift.phase_shift = { factor = "shift" }

[outcome]
of = "correction response"
over = "shift"

[[step]]
name = "main"
repetitions = 6
shuffle = "all"
"#;
const SHIFTED: &str = r#"
title = "35 beats"

[pacing.metronome]
interval = "500 ms"
tone = { channel = 10, note = 76, velocity = 100, duration = "30 ms" }

[[pacing.metronome.change]]
name = "shift"
at = 18
phase_shift = "0 ms"

[[when]]
beat = 35
end = true
"#;

/// Of the data of Silva and Laje (2024), by benchmarks/silva_laje.py: the share of a shift of 50 ms that 18 people make up for
/// with the next tap, and its standard error.
const MADE_UP: [(&str, f64, f64); 2] = [("-50 ms", 0.584, 0.060), ("50 ms", 0.694, 0.127)];
/// Of the same data: the mean over 74 people of the logarithm of their SD (in ms) over 30 taps of regular trials.
const LOG_SD: f64 = 3.147;

/// The shares lie within the 95 % intervals of the 18 people (2.11 standard errors), and the SD within 10 %.
#[test]
fn adults_vary_and_correct_as_the_people_of_silva_and_laje_at_500_ms() {
    let shifted = study(&[("study.toml", FAST), ("beats.toml", SHIFTED)]);
    let own = shifted.experiment.outcome().cloned().unwrap();
    let found = rehearsed_outcomes(&shifted, &[own], &adults(&shifted, 100)).unwrap();
    for (shift, share, error) in MADE_UP {
        let values: Vec<f64> =
            of_people(found[0].as_ref().unwrap(), &[shift]).into_values().collect();
        let (mean, _) = mean_and_sd(&values);
        assert!((mean - share).abs() < 2.11 * error, "{shift}: {mean} for {share}");
    }
    let regular = FAST
        .replace("[\"-50 ms\", \"50 ms\"]", "[\"0 ms\", \"0.001 ms\"]")
        .replace("correction response", "sd asynchrony");
    let regular = study(&[("study.toml", &regular), ("beats.toml", SHIFTED)]);
    let own = regular.experiment.outcome().cloned().unwrap();
    let found = rehearsed_outcomes(&regular, &[own], &adults(&regular, 100)).unwrap();
    let people = of_people(found[0].as_ref().unwrap(), &[]);
    let logs: Vec<f64> = people.into_values().map(f64::ln).collect();
    let (log, _) = mean_and_sd(&logs);
    assert!((log - LOG_SD).abs() < 0.1, "SD within trials: {} ms", log.exp());
}
