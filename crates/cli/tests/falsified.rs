//! Recordings that were changed: every column that follows from others or from the replay
//! is seen to be wrong, with the checksum taken away; and with it any change at all.

use chronotap_data::record::{COLUMNS, Checksum, read_events};
use chronotap_simulate::{SummaryProof, prove};
use chronotap_testkit_cli::program::Workspace;
use serde_json::Value;
use std::fs;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

/// Has rows of every kind but those of masking, controllers and devices.
const TRIAL: &str = r#"
title = "All kinds"
[pacing.beats]
interval = "250 ms"
beats = 12
jitter = { uniform = ["-20 ms", "20 ms"] }
[feedback.tones]
delay = "30 ms"
[[when]]
name = "louder"
beat = 5
set.pacing.beats.tone.velocity = 90
mark = "louder now"
[[when]]
time = "3.05 s"
end = true
"#;

/// What no other column tells: where a stamp was taken, the frame of a card, and what the kept sound
/// says, which `chronotap ear` reads again, and the kept force.
const UNKNOWN: [&str; 8] = [
    "stamp",
    "frame",
    "onset_source",
    "refined_ns",
    "sound_peak_ppm",
    "peak_force",
    "rise_ns",
    "dwell_ns",
];

/// A recorded trial, its table and its description.
struct Recorded {
    place: Workspace,
    table: String,
    description: Value,
}

impl Recorded {
    fn new() -> Recorded {
        let place = Workspace::of(PROGRAM);
        place.file("all.toml", TRIAL);
        let said = place.run("simulate all.toml --seed 3 -q");
        assert_eq!(said.code, Some(0), "{said:?}");
        let read =
            |end: &str| fs::read_to_string(place.path(&format!("data/all_run-01_events.{end}")));
        let (table, json) = (read("tsv").unwrap(), read("json").unwrap());
        Recorded { place, table, description: serde_json::from_str(&json).unwrap() }
    }

    /// Whether the files prove themselves with this table and description. A file that
    /// cannot even be read does not.
    fn holds(&self, table: &str, description: &Value) -> bool {
        let path = self.place.file("changed_events.tsv", table);
        self.place.file("changed_events.json", description.to_string());
        read_events(&path).is_ok_and(|recording| prove(&recording).is_ok_and(|proof| proof.holds()))
    }

    fn without_checksum(&self) -> Value {
        let mut description = self.description.clone();
        description["Chronotap"].as_object_mut().unwrap().remove("table_sha256").unwrap();
        description
    }

    fn cells(&self) -> Vec<Vec<String>> {
        self.table.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
    }
}

fn table(cells: &[Vec<String>]) -> String {
    cells.iter().map(|line| line.join("\t") + "\n").collect()
}

/// Another value of the same kind.
fn other(column: &str, cell: &str) -> String {
    match (column, cell) {
        (_, "n/a") if column == "flag" => "lost".to_owned(),
        (_, "n/a") if column == "message" => "90 3c 64".to_owned(),
        (_, "n/a") => "1".to_owned(),
        ("trial_type", "pacing") => "masking".to_owned(),
        ("trial_type", _) => "pacing".to_owned(),
        ("onset" | "duration", _) => {
            let digit = if cell.ends_with('1') { "2" } else { "1" };
            cell[..cell.len() - 1].to_owned() + digit
        }
        ("message", _) => {
            cell[..cell.len() - 1].to_owned() + if cell.ends_with('2') { "3" } else { "2" }
        }
        _ => match cell.parse::<i64>() {
            Ok(number) => (if number == 1 { 2 } else { number - 1 }).to_string(),
            Err(_) => format!("{cell}x"),
        },
    }
}

#[test]
fn a_change_of_any_cell_that_follows_from_others_is_seen() {
    let recorded = Recorded::new();
    let (cells, description) = (recorded.cells(), recorded.without_checksum());
    assert!(recorded.holds(&recorded.table, &description), "unchanged it holds");
    let known = COLUMNS.iter().enumerate().filter(|(_, column)| !UNKNOWN.contains(column));
    for (place, column) in known {
        for line in 1..cells.len() {
            let mut changed = cells.clone();
            changed[line][place] = other(column, &cells[line][place]);
            let (was, is) = (&cells[line][place], &changed[line][place]);
            let held = recorded.holds(&table(&changed), &description);
            assert!(!held, "line {}, {column}: {was} changed to {is} is not seen", line + 1);
        }
    }
}

#[test]
fn rows_out_of_order_and_rows_twice_are_seen() {
    let recorded = Recorded::new();
    let description = recorded.without_checksum();
    let mut swapped = recorded.cells();
    swapped.swap(4, 5);
    assert!(!recorded.holds(&table(&swapped), &description));
    let mut twice = recorded.cells();
    twice.insert(6, twice[5].clone());
    assert!(!recorded.holds(&table(&twice), &description));
}

#[test]
fn a_changed_summary_is_seen_and_a_missing_one_is_no_fault() {
    let recorded = Recorded::new();
    for (path, value) in [
        ("/length_s", Value::from(9.5)),
        ("/taps/0/taps", Value::from(99)),
        ("/synchronization/0/asynchrony/mean_ms", Value::from(0.5)),
        ("/lateness/max_us", Value::from(0.25)),
        ("/verdict/passed", Value::from(false)),
        ("/data/usable", Value::from(false)),
    ] {
        let mut changed = recorded.description.clone();
        let summary = &mut changed["Chronotap"]["footer"]["summary"];
        *summary.pointer_mut(path).unwrap() = value;
        assert!(!recorded.holds(&recorded.table, &changed), "{path}");
    }
    let mut none = recorded.description.clone();
    none["Chronotap"]["footer"]["summary"] = Value::Null;
    assert!(recorded.holds(&recorded.table, &none));
}

#[test]
fn times_changed_with_all_that_follows_from_them_only_the_checksum_tells() {
    let recorded = Recorded::new();
    let mut cells = recorded.cells();
    let place = |column| COLUMNS.iter().position(|known| *known == column).unwrap();
    let end = cells.len() - 1;
    for (column, value) in
        [("achieved_ns", "3050000007"), ("lateness_ns", "7"), ("onset", "3.050000007")]
    {
        cells[end][place(column)] = value.to_owned();
    }
    assert!(recorded.holds(&table(&cells), &recorded.without_checksum()), "{:?}", cells[end]);
    assert!(!recorded.holds(&table(&cells), &recorded.description));
}

#[test]
fn replay_says_what_is_missing_because_the_recorder_had_no_room() {
    let recorded = Recorded::new();
    let mut description = recorded.description.clone();
    description["Chronotap"]["footer"]["dropped"] = 7.into();
    recorded.place.file("data/all_run-01_events.json", description.to_string());
    let said = recorded.place.run("replay data/all_run-01_events.tsv");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("7 events are missing"), "{said:?}");
}

#[test]
fn replay_says_what_it_checked_and_what_it_cannot_know() {
    let recorded = Recorded::new();
    let path = recorded.place.file("changed_events.tsv", &recorded.table);
    recorded.place.file("changed_events.json", recorded.without_checksum().to_string());
    let proof = prove(&read_events(&path).unwrap()).unwrap();
    assert_eq!((proof.summary, proof.checksum), (SummaryProof::Agrees, Checksum::Absent));
    let said = recorded.place.run("replay changed_events.tsv");
    assert!(said.out.contains("No checksum was written with the table"), "{said:?}");
    let said = recorded.place.run("replay data/all_run-01_events.tsv");
    assert!(said.out.contains("The table is the one that was written"), "{said:?}");
    assert!(said.out.contains("Not proved: the times themselves"), "{said:?}");
    let told = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("its rights, clock and ports, what these counted"), "{told}");
    for only_told in ["units of the columns", "TaskName", "StimulusPresentation", "the performer"] {
        assert!(told.contains(only_told), "{only_told}: {told}");
    }
    let late = recorded.table.replacen("\t0\t", "\t8\t", 1);
    recorded.place.file("data/all_run-01_events.tsv", late);
    let said = recorded.place.run("replay data/all_run-01_events.tsv");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("its SHA-256 is not the one in the .json"), "{said:?}");
    assert!(!said.out.contains("Some("), "plain words: {said:?}");
}
