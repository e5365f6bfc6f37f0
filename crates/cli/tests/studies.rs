//! Whole studies by the program: rehearsed, run in real time, interrupted, looked after; and
//! the BIDS validator on what they leave.
#![allow(clippy::unwrap_used)] // a test that cannot be set up has failed

use chronotap_testkit::pass_over;
use chronotap_testkit::program::{ANY_LATENESS, Place, start, wait_until};
use rustix::process::Signal;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

const TRIAL: &str = "\
[input.pad]
[pacing.metronome]
interval = \"20 ms\"
tone = { note = 76, duration = \"2 ms\" }
[[when]]
beat = 8
end = true
";

const STUDY: &str = "\
title = \"Short\"
task = \"short\"
participants = 3
seed = 1
trial = \"trial.toml\"
[factor]
tempo = [\"20 ms\", \"30 ms\"]
[set]
pacing.metronome.interval = { factor = \"tempo\" }
[participant]
age = { question = \"Age in years\", number = [18, 99] }
[[step]]
text = \"Please tap.\"
[[step]]
name = \"main\"
repetitions = 2
shuffle = \"all\"
gap = \"10 ms\"
";

fn place() -> Place {
    let place = Place::of(PROGRAM);
    place.file("study.toml", STUDY);
    place.file("trial.toml", TRIAL);
    place
}

/// What the validator says that a laboratory could not cure by filling in what only it knows.
fn complaints(dataset: &Path) -> Option<Vec<String>> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let found = Command::new(format!("{root}/scripts/bids-validator.sh")).output().unwrap();
    let program = String::from_utf8(found.stdout).unwrap();
    if !found.status.success() {
        return None;
    }
    let said = Command::new(program.trim()).args(["--format", "json"]).arg(dataset).output();
    let said: serde_json::Value = serde_json::from_slice(&said.unwrap().stdout).unwrap();
    let ours = |issue: &&serde_json::Value| {
        let word = |key: &str| issue[key].as_str().unwrap_or_default().to_owned();
        let about_us =
            ["SIDECAR_KEY_RECOMMENDED", "JSON_KEY_RECOMMENDED"].contains(&&*word("code"));
        let theirs = ["CogAtlasID", "CogPOID", "HEDVersion", "License", "SourceDatasets"];
        let institution = word("subCode").starts_with("Institution");
        let filled_in = theirs.contains(&&*word("subCode")) || institution;
        let authors = ["NO_AUTHORS", "TOO_FEW_AUTHORS"].contains(&&*word("code"));
        word("severity") == "error" || !(authors || (about_us && filled_in))
    };
    let issues = said["issues"]["issues"].as_array().unwrap();
    Some(issues.iter().filter(ours).map(ToString::to_string).collect())
}

#[test]
fn a_rehearsed_study_is_a_valid_dataset_that_proves_itself() {
    let place = place();
    let said = place.run("simulate study.toml --data d");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("3 simulated participants, 3 sessions, 12 trials"), "{said:?}");
    assert_eq!(place.run("verify d").code, Some(0));
    assert!(place.run("status d").out.contains("3 of 3 planned sessions are complete"));
    match complaints(&place.path("d")) {
        Some(complaints) => assert_eq!(complaints, Vec::<String>::new()),
        None => pass_over("no BIDS validator"),
    }
}

#[test]
fn a_session_stopped_in_the_middle_of_real_time_goes_on_and_stays_valid() {
    let place = place();
    let run = format!(
        "run study.toml --participant 1 --data d --simulate tapper --ordinary {ANY_LATENESS}"
    );
    let dry = place.run(&format!("{run} --dry"));
    assert_eq!(dry.code, Some(0), "{dry:?}");
    assert!(!place.path("d").exists());
    let said = place.run(&run);
    assert!(said.out.contains("trial 4 of 4") && said.out.contains("complete"), "{said:?}");
    let journal = place.path("d/sourcedata/sub-01/sub-01_task-short_journal.jsonl");
    // As if it had been killed when its third trial had just begun.
    let text = std::fs::read_to_string(&journal).unwrap();
    let third = text.match_indices("trial_began").nth(2).unwrap().0;
    let end = third + text[third..].find('\n').unwrap() + 1;
    std::fs::write(&journal, &text[..end]).unwrap();
    for run in 3..=4 {
        for end in ["tsv", "json"] {
            let name = format!("d/sub-01/beh/sub-01_task-short_run-{run:02}_events.{end}");
            std::fs::remove_file(place.path(&name)).unwrap();
        }
    }
    let status = place.run("status d");
    assert!(status.out.contains("2 of 4 planned trials"), "{status:?}");
    let again = place.run(&run);
    assert!(again.out.contains("goes on, 2 of 4"), "{again:?}");
    assert!(again.out.contains("(attempt 2)"), "{again:?}");
    let verified = place.run("verify d");
    assert_eq!(verified.code, Some(0), "{verified:?}");
    match complaints(&place.path("d")) {
        Some(complaints) => assert_eq!(complaints, Vec::<String>::new()),
        None => pass_over("no BIDS validator"),
    }
}

#[test]
fn a_session_that_is_stopped_leaves_a_valid_dataset() {
    let place = place();
    let run = format!(
        "run study.toml --participant 1 --data d --simulate tapper --ordinary {ANY_LATENESS}"
    );
    let running = start(place.chronotap(run.split(' ')));
    let journal = place.path("d/sourcedata/sub-01/sub-01_task-short_journal.jsonl");
    let text = || std::fs::read_to_string(&journal).unwrap_or_default();
    wait_until("a trial has ended", || text().contains("trial_ended"));
    running.signal(Signal::INT);
    running.wait();
    assert!(!text().contains("\"completed\""), "it was too quick: {}", text());
    assert_eq!(place.run("verify d").code, Some(0));
    match complaints(&place.path("d")) {
        Some(complaints) => assert_eq!(complaints, Vec::<String>::new()),
        None => pass_over("no BIDS validator"),
    }
}

#[test]
fn without_a_terminal_a_missing_answer_names_its_option() {
    let place = place();
    let run = "run study.toml --participant 1 --data d --ordinary --in wire --out wire";
    let said = place.run(run);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("--answer age="), "{said:?}");
    let said = place.run(&format!("{run} --answer age=7"));
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("a number from 18 to 99"), "{said:?}");
    let said = place.run(&format!("{run} --answer age=23 {ANY_LATENESS}"));
    assert!(said.out.contains("trial 4 of 4"), "{said:?}");
    let people = std::fs::read_to_string(place.path("d/participants.tsv")).unwrap();
    assert_eq!(people, "participant_id\tk\tage\nsub-01\t0\t23\n");
}

#[test]
fn what_would_mix_up_a_study_is_refused_with_its_cure() {
    let place = place();
    assert_eq!(place.run("simulate study.toml --data d --participants 2").code, Some(0));
    let wires = "--ordinary --in wire --out wire --answer age=23";
    let cases = [
        (format!("run study.toml --data d {wires}"), "--participant"),
        (format!("run study.toml --participant 3 --data d {wires}"), "simulated"),
        (format!("run trial.toml --participant 3 --data d {wires}"), "is a trial file"),
        (format!("run study.toml --participant sub-3 --data d {wires}"), "letters and digits"),
        (format!("run study.toml --participant 3 --session 2 --data e {wires}"), "--session"),
        (
            format!("run study.toml --participant 3 --between hand=left --data e {wires}"),
            "--between",
        ),
        ("verify nowhere".into(), "no dataset"),
        ("withdraw d --participant 9 --yes".into(), "not in this dataset"),
        ("withdraw d --participant 01".into(), "--yes"),
        ("backup d d/copy".into(), "elsewhere"),
    ];
    for (command, what) in cases {
        let said = place.run(&command);
        assert_eq!(said.code, Some(2), "{command}: {said:?}");
        assert!(said.err.contains(what), "{command}: {said:?}");
    }
    place.file("study.toml", STUDY.replace("Please tap.", "Tap!"));
    let changed = place.run("simulate study.toml --data d --participants 3");
    assert!(changed.err.contains("study.toml changed"), "{changed:?}");
}

#[test]
fn a_pipe_in_the_place_of_any_file_of_the_dataset_is_refused_by_name_and_costs_nothing() {
    let place = place();
    let simulate = "simulate study.toml --data d --participants 2";
    assert_eq!(place.run(simulate).code, Some(0));
    let journal = "sourcedata/sub-01/sub-01_task-short_journal.jsonl";
    let files =
        ["participants.tsv", "dataset_description.json", "sourcedata/dataset.lock", journal];
    for name in files {
        let (path, aside) = (place.path("d").join(name), place.path("aside"));
        std::fs::rename(&path, &aside).unwrap();
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let said = place.run(simulate);
        assert_eq!(said.code, Some(2), "{name}: {said:?}");
        assert!(said.err.contains(name) && said.err.contains("a pipe"), "{name}: {said:?}");
        std::fs::rename(&aside, &path).unwrap();
    }
    assert_eq!(place.run(simulate).code, Some(0));
    assert_eq!(place.run("verify d").code, Some(0));
}

#[test]
fn who_withdraws_is_gone_and_not_called_again() {
    let place = place();
    assert_eq!(place.run("simulate study.toml --data d").code, Some(0));
    assert_eq!(place.run("backup d copy").code, Some(0));
    assert_eq!(place.run("withdraw d --participant 02 --yes").code, Some(0));
    assert!(!place.path("d/sub-02").exists() && !place.path("d/sourcedata/sub-02").exists());
    assert_eq!(place.run("verify d").code, Some(0));
    let run = "run study.toml --participant 2 --data d --simulate tapper --ordinary";
    assert!(place.run(run).err.contains("withdrew"));
    assert_eq!(place.run("withdraw d --participant 03 --keep --yes").code, Some(0));
    let people = std::fs::read_to_string(place.path("d/participants.tsv")).unwrap();
    assert!(people.contains("withdrawn") && people.lines().count() == 3, "{people}");
    // The copy is a dataset of its own, and whole.
    assert_eq!(place.run("verify copy").code, Some(0));
}

#[test]
fn a_changed_file_is_found_by_verify() {
    let place = place();
    assert_eq!(place.run("simulate study.toml --data d --participants 1").code, Some(0));
    let table = place.path("d/sub-01/beh/sub-01_task-short_beh.tsv");
    let text = std::fs::read_to_string(&table).unwrap();
    std::fs::write(&table, text.replacen("passed", "failed", 1)).unwrap();
    let said = place.run("verify d");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("does not follow from the journal"), "{said:?}");
}

#[test]
fn every_ready_made_study_is_checked_rehearsed_and_valid() {
    let place = Place::of(PROGRAM);
    let mut validated = true;
    for paradigm in chronotap_design::PARADIGMS {
        let name = paradigm.name;
        assert_eq!(place.run(&format!("new {name}")).code, Some(0), "{name}");
        assert_eq!(place.run(&format!("check {name}/study.toml")).code, Some(0), "{name}");
        let said =
            place.run(&format!("simulate {name}/study.toml --participants 1 --data {name}/d"));
        assert_eq!(said.code, Some(0), "{name}: {said:?}");
        let verified = place.run(&format!("verify {name}/d"));
        assert_eq!(verified.code, Some(0), "{name}: {verified:?}");
        match complaints(&place.path(&format!("{name}/d"))) {
            Some(complaints) => assert_eq!(complaints, Vec::<String>::new(), "{name}"),
            None => validated = false,
        }
    }
    if !validated {
        pass_over("no BIDS validator");
    }
}
