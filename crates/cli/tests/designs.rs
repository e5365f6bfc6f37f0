//! Studies before anyone takes part: `check` and `plan`.

use std::path::Path;
use std::process::{Command, Output};

fn chronotap(arguments: &[&str]) -> Output {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut command = Command::new(env!("CARGO_BIN_EXE_chronotap"));
    command.args(arguments).current_dir(examples).output().expect("it runs")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_study_is_told_before_anyone_takes_part() {
    let output = chronotap(&["check", "delay-study/study.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let page = said(&output);
    for line in [
        "Delayed feedback at two tempi",
        "12 with hand = left; 12 with hand = right",
        "5 conditions: tempo, delay",
        "Time of a session, without texts, questions and waiting",
        "main: 400 ms, 600 ms",
        "not fully crossed: 1 of 6 combinations are left out",
    ] {
        assert!(page.contains(line), "{line}\nin\n{page}");
    }
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
}

#[test]
fn an_overview_is_also_told_as_json() {
    let output = chronotap(&["check", "delay-study/study.toml", "--json"]);
    let overview: serde_json::Value = serde_json::from_str(&said(&output)).expect("JSON");
    assert_eq!(overview["orders"].as_array().map(Vec::len), Some(24));
    assert_eq!(overview["steps"][2]["trials"], 15);
}

#[test]
fn the_plan_of_a_participant_is_the_one_that_is_kept() {
    let output = chronotap(&["plan", "delay-study/study.toml", "--participant", "7", "--tsv"]);
    let kept = include_str!("../../../examples/expected/delay-study_sub-07_plan.tsv");
    assert_eq!(said(&output), kept);
    let output = chronotap(&["plan", "delay-study/study.toml", "--participant", "07"]);
    assert!(said(&output).contains("participant   07"), "{}", said(&output));
}

#[test]
fn the_cell_between_participants_may_be_named() {
    let study = ["plan", "delay-study/study.toml", "--participant", "7", "--json", "--between"];
    for hand in ["left", "right"] {
        let between = format!("hand={hand}");
        let output = chronotap(&[&study[..], &[&between]].concat());
        let plan: serde_json::Value = serde_json::from_str(&said(&output)).expect("JSON");
        assert_eq!(plan["between"][0][1], hand);
    }
    let output = chronotap(&[&study[..], &["hnad=left"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean \"hand\"?"));
}

#[test]
fn a_session_that_there_is_not_is_refused() {
    let study = ["plan", "delay-study/study.toml", "--participant", "7", "--session", "2"];
    let output = chronotap(&study);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the study has "));
}

#[test]
fn mistakes_of_a_study_are_told_by_check_and_plan() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("study.toml");
    std::fs::write(&path, "trial = \"sync.toml\"\n[[step]]\nname = \"main\"\nrepetition = 2\n")
        .expect("written");
    let path = path.display().to_string();
    for arguments in [vec!["check", &path], vec!["plan", &path, "--participant", "1"]] {
        let output = chronotap(&arguments);
        assert_eq!(output.status.code(), Some(1));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            told.contains("study.toml:1: trial names") && told.contains("\"repetitions\""),
            "{told}"
        );
    }
}

#[test]
fn every_key_of_an_experiment_file_is_printed() {
    let output = chronotap(&["plan", "--reference"]);
    assert!(said(&output).contains("at_most_in_a_row"));
}

#[test]
fn every_paradigm_that_new_lists_is_written_and_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let listed = said(&chronotap(&["new"]));
    assert!(listed.lines().count() >= 4, "{listed}");
    for line in listed.lines() {
        let name = line.split_whitespace().next().expect("a name");
        let place = folder.path().join(name).display().to_string();
        assert_eq!(chronotap(&["new", name, &place]).status.code(), Some(0));
        let output = chronotap(&["check", &format!("{place}/study.toml")]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        // Nothing that is there is overwritten.
        assert_eq!(chronotap(&["new", name, &place]).status.code(), Some(2));
    }
    let wrong = chronotap(&["new", "delayed-feedbak"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("did you mean \"delayed-feedback\"?"));
}
