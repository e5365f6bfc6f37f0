//! What lies in a folder, and what a command leaves there: copies are counted once, links lead nowhere, and who fails
//! or is killed leaves nothing that nobody names.

use chronotap_testkit_cli::program::{Output, SHORT_TRIAL, Workspace, start, study_of};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

/// A dataset `d` of three simulated participants with two trials each.
fn simulated() -> Workspace {
    let place = Workspace::of(PROGRAM);
    place.file("study.toml", study_of("short", 3));
    place.file("trial.toml", SHORT_TRIAL);
    let said = place.run("simulate study.toml --data d --quiet");
    assert_eq!(said.code, Some(0), "{said:?}");
    place
}

fn copy(from: &Path, to: &Path) {
    let status = Command::new("cp").arg("-r").arg(from).arg(to).status().unwrap();
    assert!(status.success());
}

fn fails(said: &Output, cause: &str) {
    assert!(said.code == Some(2) && said.err.contains(cause), "{said:?}");
}

#[test]
fn no_command_counts_a_copied_folder_twice() {
    let place = simulated();
    copy(&place.path("d/sub-01"), &place.path("d/sub-01 (1)"));
    fs::write(place.path("d/sub-02/beh/._sub-02_task-short_beh.tsv"), b"\0\x05\x16\x07").unwrap();
    for command in ["analyze d", "report d", "gather d g", "export d --to csv"] {
        let said = place.run(command);
        assert_eq!(said.code, Some(0), "{said:?}");
        let told = "sub-01 (1): left out, because it is a copy of what is there";
        assert!(said.err.contains(told), "{command}: {said:?}");
    }
    let wide = place.path("d/derivatives/chronotap/desc-wide_beh.tsv");
    assert_eq!(fs::read_to_string(wide).unwrap().lines().count(), 1 + 6);
    assert!(!place.path("csv/sub-01 (1)").exists() && place.path("csv/sub-01").exists());
    let record = fs::read_to_string(place.path("d/derivatives/chronotap/analysis.json")).unwrap();
    assert!(record.contains("left_aside"), "{record}");
}

#[test]
fn a_renamed_folder_is_told_and_makes_the_exit_status_1() {
    let place = simulated();
    fs::rename(place.path("d/sub-03"), place.path("d/sub-04")).unwrap();
    let said = place.run("analyze d");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("sub-04: left out") && said.err.contains("sub-03/beh"), "{said:?}");
}

#[test]
fn a_dataset_and_its_backup_are_not_gathered_together() {
    let place = simulated();
    copy(&place.path("d"), &place.path("copy"));
    fails(&place.run("gather d copy g"), "is in it and in d");
    assert!(!place.path("g").exists());
}

#[test]
fn nothing_computed_goes_behind_a_link_and_no_link_out_is_exported() {
    let place = simulated();
    fs::create_dir(place.path("elsewhere")).unwrap();
    symlink("../elsewhere", place.path("d/derivatives")).unwrap();
    for command in ["report d", "analyze d"] {
        fails(&place.run(command), "derivatives: is a link");
    }
    assert_eq!(fs::read_dir(place.path("elsewhere")).unwrap().count(), 0);
    place.file("secret.tsv", "a\n1\n");
    symlink("../../../secret.tsv", place.path("d/sub-01/beh/more.tsv")).unwrap();
    fails(&place.run("export d --to csv"), "is a link to a file outside");
    assert!(!place.path("csv").exists());
}

#[test]
fn an_import_that_fails_late_leaves_no_dataset() {
    let place = Workspace::of(PROGRAM);
    let long = "a".repeat(260); // longer than the name of a folder may be
    place.file("t.csv", format!("p,tap\nana,1000\nana,1600\n{long},1000\n{long},1600\n"));
    let import = |to: &str| {
        let args = ["import-taps", "t.csv", "--data", to, "--participant-column", "p"];
        start(place.chronotap(args.into_iter().chain(["--taps", "tap in ms"]))).wait()
    };
    let (said, into) = (import("d"), fs::create_dir(place.path("empty")));
    assert_eq!(said.code, Some(2), "{said:?}");
    into.unwrap();
    assert_eq!(import("empty").code, Some(2));
    let left = fs::read_dir(place.path("")).unwrap().map(|one| one.unwrap().file_name());
    let mut left: Vec<String> = left.map(|name| name.to_string_lossy().into_owned()).collect();
    left.sort();
    assert_eq!(left, ["empty", "t.csv"]);
    assert_eq!(fs::read_dir(place.path("empty")).unwrap().count(), 0);
}

#[test]
fn what_a_killed_program_left_is_seen_and_removed_by_the_next() {
    let place = simulated();
    let mut ended = Command::new("true").spawn().unwrap();
    ended.wait().unwrap();
    let left = format!("chronotap-{}-0.part", ended.id());
    fs::create_dir(place.path("empty")).unwrap();
    for (command, folder) in [
        ("pack d --output p.zip --quiet", ""),
        ("gather d g --quiet", ""),
        ("gather d empty --quiet", "empty/"),
    ] {
        let left = format!("{folder}{left}");
        fs::create_dir_all(place.path(&left).join("dataset/sub-01")).unwrap();
        let said = place.run(command);
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(said.err.contains(&left) && !place.path(&left).exists(), "{said:?}");
    }
    assert!(place.path("g/gather.json").exists() && place.path("empty/gather.json").exists());
}

#[test]
fn no_command_passes_over_a_correction_that_was_cut_short() {
    let place = simulated();
    fs::write(place.path("d/sourcedata/correction.unfinished"), "{}").unwrap();
    for command in ["export d --to csv", "export d/participants.tsv --to csv", "gather d g"] {
        fails(&place.run(command), "a correction was cut short");
    }
    assert!(!place.path("csv").exists() && !place.path("g").exists());
    let dry = "run study.toml --participant 04 --data d --dry --simulate tapper --ordinary";
    let said = place.run(dry);
    assert!(said.err.contains("a correction was cut short") && said.code == Some(1), "{said:?}");
}
