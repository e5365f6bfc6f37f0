//! What stands in the two files of a trial, as another program would read them.

use chronotap_testkit_cli::program::Workspace;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

const COLUMNS: [&str; 14] = [
    "onset",
    "duration",
    "trial_type",
    "name",
    "number",
    "midi_channel",
    "note",
    "velocity",
    "port",
    "event_id",
    "cause",
    "deadline_ns",
    "achieved_ns",
    "lateness_ns",
];

/// The rows of an example's events file, and its description.
fn files_of(example: &str) -> (Vec<HashMap<String, String>>, Value) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let dir = tempfile::tempdir().expect("a directory");
    let performer = format!("performers/{example}.tsv");
    let mut command = Command::new(env!("CARGO_BIN_EXE_chronotap"));
    command.args(["simulate", &format!("{example}.toml"), "--performer", &performer]);
    command.args(["--seed", "5", "--quiet", "--data"]).arg(dir.path()).current_dir(examples);
    assert!(command.status().expect("it runs").success());
    let read = |end: &str| {
        let path = dir.path().join(format!("{example}_run-01_events.{end}"));
        std::fs::read_to_string(path).expect("a data file")
    };
    let table = read("tsv");
    let mut lines = table.lines().map(|line| line.split('\t').map(str::to_owned));
    let header: Vec<String> = lines.next().expect("a header").collect();
    assert_eq!(header[..14], COLUMNS);
    let rows = lines.map(|fields| header.iter().cloned().zip(fields).collect()).collect();
    (rows, serde_json::from_str(&read("json")).expect("JSON"))
}

#[test]
fn onsets_and_durations_are_seconds_with_nine_decimals_in_ascending_order() {
    let (rows, _) = files_of("split_keyboard");
    let nanoseconds = |text: &str| -> Option<i64> {
        let (whole, decimals) = text.split_once('.')?;
        assert_eq!(decimals.len(), 9, "{text}");
        Some(whole.parse::<i64>().ok()? * 1_000_000_000 + decimals.parse::<i64>().ok()?)
    };
    let onsets: Vec<i64> = rows.iter().filter_map(|row| nanoseconds(&row["onset"])).collect();
    assert_eq!(onsets.len(), rows.len());
    assert!(onsets.is_sorted());
    assert!(
        rows.iter().all(|row| row["duration"] == "n/a" || nanoseconds(&row["duration"]).is_some())
    );
    for (row, onset) in rows.iter().zip(onsets).filter(|(row, _)| row["achieved_ns"] != "n/a") {
        assert_eq!(row["achieved_ns"], onset.to_string());
    }
}

#[test]
fn every_cause_is_an_earlier_event_and_every_feedback_has_its_tap() {
    let (rows, _) = files_of("altered_pitch");
    let kind: HashMap<&str, &str> =
        rows.iter().map(|row| (row["event_id"].as_str(), row["trial_type"].as_str())).collect();
    assert_eq!(kind.len(), rows.len(), "event numbers are unique");
    let id = |text: &str| text.parse::<u64>().expect("a number");
    for row in &rows {
        if row["trial_type"] == "feedback" {
            assert_eq!(kind[row["cause"].as_str()], "tap");
        }
        assert!(row["cause"] == "n/a" || id(&row["cause"]) < id(&row["event_id"]), "{row:?}");
    }
}

#[test]
fn the_description_holds_the_trial_file_the_seed_and_every_column() {
    let (rows, json) = files_of("masking");
    let text = json.to_string();
    let source = include_str!("../../../examples/masking.toml");
    assert!(text.contains(&Value::from(source).to_string()), "the whole trial file");
    assert!(text.contains("\"seed\":5"), "the seed");
    for column in rows[0].keys() {
        assert!(json[column]["Description"].is_string(), "{column} is described");
    }
}

#[test]
fn thousands_of_trials_have_folders_of_a_thousand_each_in_one_of_their_own() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", "[[when]]\ntime = \"0 s\"\nend = true\n");
    let said = place.run("simulate t.toml --repeat 1003 --seed 1 --data d");
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("1003 trials") && said.out.contains("_run-0001003_events.tsv"));
    let tables = |folder: &str| {
        let files = std::fs::read_dir(place.path(&format!("d/t_set-01/{folder}"))).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with("_events.tsv")).count()
    };
    assert_eq!((tables("runs-0000001-0001000"), tables("runs-0001001-0001003")), (1_000, 3));
    let again = place.run("simulate t.toml --repeat 1001 --seed 1 --data d --quiet");
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert!(place.path("d/t_set-02/runs-0001001-0001001/t_run-0001001_events.json").is_file());
}
