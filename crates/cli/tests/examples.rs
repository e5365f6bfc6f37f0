//! The examples run as they stand, and give to the byte the events files kept in
//! examples/expected. `make accept` writes those anew.

use chronotap_data::record::{Row, TrialType, read_events};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn chronotap(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chronotap"));
    let output = command.args(arguments).current_dir(examples()).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {:?}\n{said}", output.status.code());
    output
}

/// Simulates an example with these further arguments, checks the replay, and gives
/// the path of its events file.
fn simulate(name: &str, dir: &Path, more: &[&str]) -> PathBuf {
    let (file, data) = (format!("{name}.toml"), dir.to_str().expect("a path"));
    let all = [&["simulate", &file, "--quiet", "--data", data], more].concat();
    chronotap(&all);
    let events = dir.join(format!("{name}_run-01_events.tsv"));
    chronotap(&["replay", events.to_str().expect("a path")]);
    chronotap(&["check", &file]);
    events
}

/// The events of the example with these arguments are those that are kept.
fn is_as_kept(name: &str, more: &[&str]) {
    let dir = tempfile::tempdir().expect("a directory");
    let events = simulate(name, dir.path(), more);
    let found = std::fs::read_to_string(&events).expect("the events file");
    let kept = examples().join(format!("expected/{name}_events.tsv"));
    chronotap_kept::assert_file(kept, &found);
}

/// The example with the scripted performer of the same name and seed 1.
fn with_its_performer(name: &str) {
    let performer = format!("performers/{name}.tsv");
    is_as_kept(name, &["--performer", &performer, "--seed", "1"]);
}

#[test]
fn synchronization_continuation_is_as_kept() {
    with_its_performer("synchronization_continuation");
}

#[test]
fn delayed_feedback_is_as_kept() {
    with_its_performer("delayed_feedback");
}

#[test]
fn isolated_perturbation_with_the_seed_of_its_file_is_as_kept() {
    let performer = "performers/isolated_perturbation.tsv";
    is_as_kept("isolated_perturbation", &["--performer", performer]);
}

#[test]
fn split_keyboard_is_as_kept() {
    with_its_performer("split_keyboard");
}

#[test]
fn polyrhythm_is_as_kept() {
    with_its_performer("polyrhythm");
}

#[test]
fn phase_shift_is_as_kept() {
    with_its_performer("phase_shift");
}

#[test]
fn adaptive_partner_is_as_kept() {
    with_its_performer("adaptive_partner");
}

#[test]
fn adam_partner_is_as_kept() {
    with_its_performer("adam_partner");
}

#[test]
fn masking_is_as_kept() {
    with_its_performer("masking");
}

#[test]
fn altered_pitch_is_as_kept() {
    with_its_performer("altered_pitch");
}

#[test]
fn the_demonstration_over_a_wire_of_31250_baud_is_as_kept() {
    let taps = "performers/synchronization_continuation.tsv";
    let wire = ["--in", "wire", "--out", "wire"];
    is_as_kept("demo", &[&["--performer", taps, "--seed", "1"], &wire[..]].concat());
}

#[test]
fn ten_thousand_inputs_go_round_the_loop_at_960_microseconds_each() {
    let dir = tempfile::tempdir().expect("a directory");
    let wire = ["--in", "wire:loop", "--out", "wire:loop", "--seed", "1"];
    let events = simulate("loop", dir.path(), &wire);
    let rows = read_events(&events).expect("a recording").rows;
    let came_in = |row: &&Row| matches!(row.trial_type, TrialType::Tap | TrialType::Release);
    let stamps: Vec<i64> = rows.iter().filter(came_in).map(|row| row.onset.0).collect();
    assert!(stamps.len() > 10_000, "{}", stamps.len());
    assert!(stamps.windows(2).all(|pair| pair[1] - pair[0] == 960_000));
    assert_eq!(stamps[0], 1_000_960_000);
}

#[test]
fn a_recorded_trial_performs_again_to_the_nanosecond() {
    let (first, second) = (tempfile::tempdir().expect("one"), tempfile::tempdir().expect("two"));
    let taps = ["--performer", "performers/split_keyboard.tsv", "--seed", "1"];
    let events = simulate("split_keyboard", first.path(), &taps);
    let again = ["--performer", events.to_str().expect("a path"), "--seed", "1"];
    let repeated = simulate("split_keyboard", second.path(), &again);
    let read = |path: &Path| std::fs::read_to_string(path).expect("an events file");
    assert_eq!(read(&events), read(&repeated));
}

#[test]
fn drawn_delays_with_the_seed_of_its_file_is_as_kept() {
    is_as_kept("drawn_delays", &["--performer", "performers/drawn_delays.tsv"]);
}

#[test]
fn random_perturbations_with_the_seed_of_its_file_is_as_kept() {
    let performer = "performers/random_perturbations.tsv";
    is_as_kept("random_perturbations", &["--performer", performer]);
}

#[test]
fn own_tempo_is_as_kept() {
    with_its_performer("own_tempo");
}

#[test]
fn coupled_tappers_is_as_kept() {
    with_its_performer("coupled_tappers");
}

#[test]
fn taps_after_is_as_kept() {
    with_its_performer("taps_after");
}

#[test]
fn reproduction_is_as_kept() {
    with_its_performer("reproduction");
}

#[test]
fn beat_alignment_is_as_kept() {
    with_its_performer("beat_alignment");
}
