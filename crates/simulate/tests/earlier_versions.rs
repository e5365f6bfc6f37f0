//! Trials that earlier versions recorded, where their trial files have another meaning since.

use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_data::record::{
    Footer, Header, Names, RunnerMode, TrialText, read_events, write_events,
};
use chronotap_engine::Engine;
use chronotap_simulate::{FarEnd, Proof, Wire, prove, virtual_time};
use chronotap_trial::Ports;
use std::sync::Arc;

const ONE_STEP: &str = "[pacing.m]\ninterval = \"500 ms\"\n\
    [[pacing.m.change]]\nat = 3\ninterval_step = \"30 ms\"\n\
    [[when]]\nbeat = 6\nend = true";
const TWO_STEPS: &str = "[pacing.m]\ninterval = \"500 ms\"\n\
    [[pacing.m.change]]\nat = 3\ninterval_step = \"-10 ms\"\n\
    [[pacing.m.change]]\nat = 3\ninterval_step = \"30 ms\"\n\
    [[when]]\nbeat = 6\nend = true";

/// What the files of a trial prove that says it is `said`, and was played as `played`.
fn proof(said: &str, played: &str) -> Proof {
    let file = |text: &str| TrialFile::parse(text, "trial.toml").unwrap();
    let (said, played) = (file(said), file(played));
    let trial = Arc::new(played.trial);
    let mut rig = Ports::new(1, 1);
    rig.add(Box::new(Wire::new(Some(0), FarEnd::Silence)), &[0], &[0]).unwrap();
    let mut entries = Vec::new();
    let engine = Engine::new(Arc::clone(&trial), 1);
    virtual_time::run(engine, rig, Nanos::from_secs(60), &mut |entry| entries.push(entry));
    let header = Header {
        trial_file: TrialText { name: "trial.toml".into(), text: said.source.clone() },
        seed: 1,
        mode: RunnerMode::VirtualTime,
        names: Names::of(&said.trial, &said.rule_details()),
        ..Header::default()
    };
    let dir = tempfile::tempdir().unwrap();
    let footer = Footer::default();
    let saved = write_events(dir.path(), "trial", &header, &entries, &footer, false).unwrap();
    prove(&read_events(&saved.tsv).unwrap()).unwrap()
}

#[test]
fn a_recording_of_then_is_read_and_its_replay_says_what_has_another_meaning_since() {
    // Earlier versions let the last of two steps at one beat act alone.
    let then = proof(TWO_STEPS, ONE_STEP);
    let faults = then.faults().join("\n");
    assert!(faults.contains("the replay differs"), "{faults}");
    assert!(faults.contains("changes of interval that meet add up"), "{faults}");
    assert!(faults.contains("replay it with the version that recorded it"), "{faults}");
}

#[test]
fn nothing_is_said_of_meanings_where_the_replay_agrees_or_nothing_has_changed() {
    assert_eq!(proof(TWO_STEPS, TWO_STEPS).replay, None);
    let faults = proof(ONE_STEP, &ONE_STEP.replace("30 ms", "31 ms")).faults().join("\n");
    assert!(
        faults.contains("the replay differs") && !faults.contains("earlier versions"),
        "{faults}"
    );
}

#[test]
fn what_only_a_rule_sets_is_said_too() {
    let set = "[feedback.f]\n[[when]]\nbeat = 2\nset.feedback.f.delay = { fraction = 0.5 }";
    let said = format!("{ONE_STEP}\n{set}");
    let faults = proof(&said, &said.replace("30 ms", "31 ms")).faults().join("\n");
    assert!(faults.contains("fractions and scaled velocities"), "{faults}");
}
