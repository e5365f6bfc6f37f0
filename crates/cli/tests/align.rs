//! `chronotap align`: recorded trials beside tables and sounds of another recorder that were made with an offset
//! and a drift known beforehand.

use chronotap_core::time::Nanos;
use chronotap_data::record::{TrialType, read_events};
use chronotap_testkit_cli::program::{Output, Workspace, rows};
use serde_json::Value;
use std::fmt::Write;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

const BEGINS_S: f64 = 41.317_2;
const DRIFT_PPM: f64 = 62.0;

/// Thirty beats with codes; with those of start and end where `ends`.
fn trial(ends: bool) -> String {
    let ends = if ends { "start = 1\nend = 2\n" } else { "" };
    format!(
        "[output.sound]\n[output.eeg]\n\
         [pacing.metronome]\ninterval = \"500 ms\"\nbeats = 30\noutput = \"sound\"\n\
         [feedback.tone]\noutput = \"sound\"\ndelay = \"150 ms\"\nduration = \"30 ms\"\n\
         [codes]\noutput = \"eeg\"\nwidth = \"5 ms\"\npacing.metronome = 10\n{ends}\
         [[when]]\ntime = \"17 s\"\nend = true\n"
    )
}

/// A folder with a trial that was simulated, `data/trial_run-01`.
fn simulated(ends: bool) -> Workspace {
    let place = Workspace::of(PROGRAM);
    place.file("trial.toml", trial(ends));
    let said = place.run("simulate trial.toml --data data --seed 1 --quiet");
    assert_eq!(said.code, Some(0), "{said:?}");
    place
}

/// What a recorder at 10 kHz has of the codes of a trial that began at this time of its clock.
fn recorded(place: &Workspace, trial: &str, begins_s: f64) -> Vec<(i64, u32)> {
    let recording = read_events(&place.path(trial)).unwrap();
    let reading = |at: Nanos| (begins_s + at.as_secs_f64() * (1.0 + DRIFT_PPM * 1e-6)) * 1e4;
    let codes = rows(&recording, TrialType::Code);
    codes
        .iter()
        .map(|row| (reading(row.achieved.unwrap()).round() as i64, row.number.unwrap()))
        .collect()
}

fn table(codes: &[(i64, u32)]) -> String {
    let mut text = "latency\ttype\n".to_owned();
    codes.iter().for_each(|(sample, code)| _ = writeln!(text, "{sample}\tS {code:>2}"));
    text
}

const RECORDING: &str = "data/trial_run-01_events.tsv";

fn aligned(place: &Workspace, more: &str) -> (Output, Value) {
    let said =
        place.run(&format!("align {RECORDING} --recorder eeg.tsv --rate 10000 --json{more}"));
    let told = serde_json::from_str(said.out.lines().next().unwrap_or("null")).unwrap_or_default();
    (said, told)
}

fn holds(estimate: &Value, truth: f64) -> bool {
    let [low, high] = ["low", "high"].map(|end| estimate[end].as_f64().unwrap());
    low <= truth && truth <= high && high - low < 1.0 + truth.abs()
}

#[test]
fn offset_and_drift_are_those_of_the_table_with_what_is_missing_and_what_is_none_of_ours() {
    let place = simulated(true);
    let mut codes = recorded(&place, RECORDING, BEGINS_S);
    assert_eq!(codes.len(), 32);
    codes.remove(7);
    codes.insert(12, (codes[11].0 + 1_234, 64));
    place.file("eeg.tsv", table(&codes));
    let (said, told) = aligned(&place, "");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!((&told["aligned"], &told["matched"]), (&true.into(), &31.into()));
    assert!(holds(&told["trials"][0]["begins_s"], BEGINS_S), "{told}");
    assert!(holds(&told["drift_ppm"], DRIFT_PPM), "{told}");
    assert_eq!(told["missing"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&told["missing"][0]["code"], &told["missing"][0]["onset_s"]),
        (&10.into(), &4.0.into())
    );
    assert_eq!(told["spurious"], 1);
}

#[test]
fn all_events_of_the_trial_are_written_with_their_onsets_on_the_recorders_clock_and_no_file_is_overwritten()
 {
    let place = simulated(true);
    place.file("eeg.tsv", table(&recorded(&place, RECORDING, BEGINS_S)));
    let (said, _) = aligned(&place, " --write on_eeg.tsv");
    assert_eq!(said.code, Some(0), "{said:?}");
    let written = std::fs::read_to_string(place.path("on_eeg.tsv")).unwrap();
    let recording = place.recording("trial");
    assert_eq!(written.lines().count(), 1 + recording.rows.len());
    assert!(written.starts_with("onset\tduration\ttrial_type\tname\tnumber\tevent_id\ttrial\t"));
    for line in written.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [onset, in_trial] = [0, 7].map(|cell| cells[cell].parse::<f64>().unwrap());
        let truly = BEGINS_S + in_trial * (1.0 + DRIFT_PPM * 1e-6);
        assert!((onset - truly).abs() < 1e-4, "{line}");
        assert_eq!(cells[2] == "code", cells[8] != "n/a", "{line}");
    }
    place.file("notes.tsv", "mine\n");
    let (taken, _) = aligned(&place, " --write notes.tsv");
    assert_eq!(taken.code, Some(2), "{taken:?}");
    assert!(taken.err.contains("nothing is overwritten; name another, or replace it with --force"));
    assert_eq!(aligned(&place, " --write notes.tsv --force").0.code, Some(0));
}

#[test]
fn beats_that_are_all_alike_and_recordings_of_other_trials_are_refused_with_status_1() {
    let place = simulated(false);
    let codes = recorded(&place, RECORDING, BEGINS_S);
    place.file("eeg.tsv", table(&codes));
    let (said, told) = aligned(&place, " --write on_eeg.tsv");
    assert_eq!((said.code, &told["aligned"]), (Some(1), &false.into()), "{said:?}");
    assert!(told["reason"].as_str().unwrap().starts_with("ambiguous: "), "{told}");
    assert!(!place.path("on_eeg.tsv").exists());
    let others: Vec<(i64, u32)> =
        (0..40).map(|k| (k * k * 997 % 200_000 + k * 7_000, 10)).collect();
    place.file("eeg.tsv", table(&others));
    let (said, told) = aligned(&place, "");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(told["reason"].as_str().unwrap().starts_with("not alike: "), "{told}");
    place.file("eeg.tsv", table(&codes.iter().map(|(at, _)| (*at, 99)).collect::<Vec<_>>()));
    let (said, told) = aligned(&place, "");
    assert_eq!(said.code, Some(1), "{said:?}");
    let reason = "no code stands in both: the trial sent 10, the other recording has 99; ";
    assert!(told["reason"].as_str().unwrap().starts_with(reason), "{told}");
}

#[test]
fn what_cannot_be_read_is_told_with_its_cure_and_status_2() {
    let place = simulated(true);
    place.file("eeg.tsv", table(&recorded(&place, RECORDING, BEGINS_S)));
    let refused = |args: &str, words: &str| {
        let said = place.run(&format!("align {RECORDING} --recorder {args}"));
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains(words), "{}", said.err);
    };
    refused(
        "eeg.tsv",
        "the column \"latency\" counts samples, and their rate is not known; give it with --rate HZ",
    );
    refused("eeg.tsv --onset latencies", "did you mean \"latency\"?");
    refused("none.tsv", "none.tsv: cannot read it");
    refused("eeg.tsv --rate 10000 --events masking", "no events of the kind masking");
    place.file("short.tsv", "onset\tcode\n1.5\t10\n");
    refused(
        "short.tsv",
        "the trial has 32 events and the other recording 1, and 4 at least are needed; ",
    );
}

#[test]
fn two_trials_alike_are_told_apart_together_by_the_clock_of_their_computer() {
    let place = simulated(true);
    let second = "data/trial_run-02_events.tsv";
    assert_eq!(place.run("simulate trial.toml --data data --seed 1 --quiet").code, Some(0));
    for (name, origin_s) in [("trial_run-01", 5_000_i64), ("trial_run-02", 5_100)] {
        let file = format!("data/{name}_events.json");
        let mut told: Value =
            serde_json::from_slice(&std::fs::read(place.path(&file)).unwrap()).unwrap();
        let clock = &mut told["Chronotap"]["footer"]["summary"]["clock"];
        *clock = serde_json::json!({ "origin_ns": origin_s * 1_000_000_000 });
        place.file(&file, told.to_string());
    }
    let mut codes = recorded(&place, RECORDING, BEGINS_S);
    codes.extend(recorded(&place, second, BEGINS_S + 100.0 * (1.0 + DRIFT_PPM * 1e-6)));
    place.file("eeg.tsv", table(&codes));
    let (alone, told) = aligned(&place, "");
    assert_eq!(alone.code, Some(1), "{alone:?}");
    assert!(told["reason"].as_str().unwrap().starts_with("ambiguous: 32 events"), "{told}");
    let said =
        place.run(&format!("align {RECORDING} {second} --recorder eeg.tsv --rate 10000 --json"));
    assert_eq!(said.code, Some(0), "{said:?}");
    let told: Value = serde_json::from_str(&said.out).unwrap();
    assert!(holds(&told["trials"][0]["begins_s"], BEGINS_S), "{told}");
    assert!(holds(&told["trials"][1]["begins_s"], BEGINS_S + 100.006_2), "{told}");
    assert!(holds(&told["drift_ppm"], DRIFT_PPM), "{told}");
}

#[test]
fn a_sound_that_was_recorded_is_laid_over_what_the_trial_played() {
    let taps: Vec<f64> =
        (0..30).map(|k| 1.0 + 0.5 * f64::from(k) + 0.04 * f64::from(k * k % 7)).collect();
    let place = Workspace::of(PROGRAM);
    place.file("trial.toml", trial(true));
    let mut table = "onset\tduration\tnote\tvelocity\n".to_owned();
    taps.iter().for_each(|tap| _ = writeln!(table, "{tap:.3}\t0.050\t60\t80"));
    place.file("taps.tsv", table);
    let said = place.run("simulate trial.toml --data data --seed 1 --quiet --performer taps.tsv");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(place.run(&format!("render {RECORDING} --output heard.wav --quiet")).code, Some(0));
    let said = place.run(&format!("align {RECORDING} --recorder heard.wav --json"));
    assert_eq!(said.code, Some(0), "{said:?}");
    let told: Value = serde_json::from_str(&said.out).unwrap();
    let begins = told["trials"][0]["begins_s"]["value"].as_f64().unwrap();
    assert!(begins.abs() < 0.003, "{told}"); // these tones rise to their half in 2 ms
    assert!(told["matched"].as_u64().unwrap() >= 40, "{told}");
}
