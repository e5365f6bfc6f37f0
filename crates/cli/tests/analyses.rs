//! `chronotap analyze` from simulated trials to their tables.

#![allow(clippy::unwrap_used)] // a test that cannot be set up has failed

use chronotap_testkit::program::Place;
use std::fs;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

const TRIAL: &str = "[pacing.metronome]\ninterval = \"500 ms\"\nbeats = 20\n[feedback.tone]\n\
                     [[when]]\ntime = \"12 s\"\nend = true\n";

fn simulated() -> Place {
    let place = Place::of(PROGRAM);
    place.file("sync.toml", TRIAL);
    let said = place.run("simulate sync.toml --repeat 3 --seed 1 --quiet");
    assert_eq!(said.code, Some(0), "{said:?}");
    place
}

#[test]
fn a_folder_of_trials_becomes_three_tables_and_a_record() {
    let place = simulated();
    let said = place.run("analyze data --first-taps 2");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("3 trials used"), "{said:?}");
    assert!(said.out.contains("taps left out by the rules"), "{said:?}");
    let folder = place.path("data/derivatives/chronotap");
    let trials = fs::read_to_string(folder.join("desc-trials_beh.tsv")).unwrap();
    assert!(trials.lines().next().unwrap().contains("\tmean_asynchrony_ms\t"));
    let record = fs::read_to_string(folder.join("analysis.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["rules"], serde_json::json!(["first taps 2"]));
    assert_eq!(record["counts"]["used"], 3);
    let again = place.run("analyze data --first-taps 2");
    assert_eq!(
        (again.code, fs::read_to_string(folder.join("desc-trials_beh.tsv")).unwrap()),
        (Some(0), trials)
    );
}

#[test]
fn single_files_need_a_place_and_a_broken_one_fails() {
    let place = simulated();
    let file = "data/sync_run-01_events.tsv";
    let said = place.run(&format!("analyze {file}"));
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("--to DIR"), "{said:?}");
    let said = place.run(&format!("analyze {file} --to tables --asynchrony-outliers 0"));
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("--asynchrony-outliers"), "{said:?}");
    fs::write(place.path(file), "nothing\n").unwrap();
    let said = place.run(&format!("analyze {file} data/sync_run-02_events.tsv --to tables"));
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("could not be read") && said.err.contains(file), "{said:?}");
}
