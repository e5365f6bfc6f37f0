//! Every ready-made study is one that `check` accepts, and every trial of it can be made.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use chronotap_design::{
    Experiment, Given, NOT_YET, PARADIGMS, PlannedSetting, PlannedTrial, Supplied, outlook,
};
use std::path::Path;

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
                let results = results(trial);
                experiment.trial(trial, &Supplied { results: &results, levels: &[] }).unwrap();
            }
        }
    }
}

/// Half a second for every result that a trial takes up.
fn results(trial: &PlannedTrial) -> Vec<(String, String, f64)> {
    let of = |setting: &PlannedSetting| match &setting.value {
        Given::Result { step, result, .. } => Some((step.clone(), result.clone(), 500e6)),
        Given::Toml(_) => None,
    };
    trial.settings.iter().filter_map(of).collect()
}

#[test]
fn every_paradigm_has_a_page_in_the_manual_that_names_its_files_and_sources() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/paradigms");
    let index = std::fs::read_to_string(pages.join("README.md")).unwrap();
    for paradigm in PARADIGMS {
        let page = std::fs::read_to_string(pages.join(format!("{}.md", paradigm.name))).unwrap();
        assert!(index.contains(&format!("[{0}]({0}.md)", paradigm.name)), "{}", paradigm.name);
        let experiment = experiment(paradigm.name);
        let sources = experiment.reference.unwrap();
        let files = paradigm.files.iter().map(|(name, _)| format!("`{name}`"));
        for named in files.chain(sources.split("; ").map(str::to_owned)) {
            assert!(page.contains(&named), "{}: {named}", paradigm.name);
        }
    }
    for (name, _) in NOT_YET {
        let word = name.split_whitespace().next().unwrap();
        assert!(index.to_lowercase().contains(word), "{name}");
    }
}

#[test]
fn the_squares_of_the_paradigms_come_out() {
    for paradigm in PARADIGMS {
        let unbalanced = outlook(&experiment(paradigm.name)).unbalanced;
        assert_eq!(unbalanced, [] as [String; 0], "{}", paradigm.name);
    }
}
