//! The example of the manual: a whole study, and the plan of its participant 07.

use chronotap_design::{Experiment, Supplied};
use std::path::PathBuf;

fn examples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn study() -> Experiment {
    Experiment::read(&examples().join("delay-study/study.toml")).unwrap_or_else(|p| panic!("{p}"))
}

#[test]
fn the_plan_of_participant_07_is_as_kept() {
    let study = study();
    let plan = study.plan(&study.participant("7", &[]).unwrap(), 1).unwrap();
    let kept = examples().join("expected/delay-study_sub-07_plan.tsv");
    chronotap_kept::assert_file(kept, &plan.tsv());
}

#[test]
fn every_participant_has_practice_and_two_blocks() {
    let study = study();
    for label in 1..=24 {
        let plan = study.plan(&study.participant(&label.to_string(), &[]).unwrap(), 1).unwrap();
        let names: Vec<&str> = plan.steps.iter().map(|step| step.name.as_str()).collect();
        assert_eq!(names, ["step-1", "practice", "main"]);
        assert!(plan.steps[1].open && plan.steps[1].trials.len() == 1);
        // Two conditions at 400 ms, three at 600 ms, each three times.
        assert_eq!(plan.steps[2].trials.len(), 15);
        let said = plan.steps[2].blocks[0].say.as_ref().unwrap();
        let tempo = &plan.steps[2].blocks[0].level.as_ref().unwrap().1;
        assert!(said.contains(&format!("every {tempo}")), "{said}");
        for (_, trial) in plan.trials() {
            study.trial(trial, &Supplied::default()).unwrap();
        }
    }
}

#[test]
fn the_welcome_names_the_hand_of_the_participant() {
    let study = study();
    let plan = study.plan(&study.participant("7", &[]).unwrap(), 1).unwrap();
    let hand = &plan.between[0].1;
    assert!(plan.steps[0].say.as_ref().unwrap().contains(&format!("your {hand} hand")));
}
