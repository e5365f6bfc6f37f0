//! Every ready-made study is one that `check` accepts, and every trial of it can be made.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use chronotap_design::{Experiment, PARADIGMS, Supplied, outlook};

fn experiment(name: &str) -> Experiment {
    let paradigm = PARADIGMS.iter().find(|paradigm| paradigm.name == name).unwrap();
    let files = paradigm.files.iter();
    let files: Vec<(String, String)> =
        files.map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    Experiment::parse(paradigm.files[0].1, "study.toml", &files)
        .unwrap_or_else(|problems| panic!("{name}: {problems}"))
}

#[test]
fn every_paradigm_is_a_study_without_mistakes_or_doubts() {
    for paradigm in PARADIGMS {
        let experiment = experiment(paradigm.name);
        assert!(experiment.reference.is_some(), "{}", paradigm.name);
        let outlook = outlook(&experiment);
        assert_eq!(outlook.warnings, [] as [String; 0], "{}", paradigm.name);
        assert!(outlook.session_ns[0].0 > 60_000_000_000, "{}", paradigm.name);
    }
}

#[test]
fn every_trial_of_a_paradigm_can_be_made() {
    for paradigm in PARADIGMS {
        let experiment = experiment(paradigm.name);
        for participant in experiment.in_order(experiment.participants) {
            let plan = experiment.plan(&participant, 1).unwrap();
            for (_, trial) in plan.trials() {
                experiment.trial(trial, &Supplied::default()).unwrap();
            }
        }
    }
}

#[test]
fn the_squares_of_the_paradigms_come_out() {
    for paradigm in PARADIGMS {
        let unbalanced = outlook(&experiment(paradigm.name)).unbalanced;
        assert_eq!(unbalanced, [] as [String; 0], "{}", paradigm.name);
    }
}
