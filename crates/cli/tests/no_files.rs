//! What is no file stands where a command reads one: it is refused with a sentence, and
//! nobody waits for it.

use chronotap_testkit_cli::program::{ANY_LATENESS, Workspace, names_in, start};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");
const TRIAL: &str = "[[when]]\ntime = \"1 s\"\nend = true\n";

#[test]
fn a_pipe_a_device_or_a_folder_in_place_of_a_file_is_refused() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", TRIAL);
    place.file("a_events.json", "{}");
    for pipe in ["pipe", "x.journal", "a_events.tsv", "b_events.json"] {
        let made = Command::new("mkfifo").arg(place.path(pipe)).status().unwrap();
        assert!(made.success());
    }
    for (args, what) in [
        ("check pipe", "a pipe"),
        ("check .", "a folder"),
        ("check /dev/zero", "a device"),
        ("simulate t.toml --performer pipe", "a pipe"),
        ("render t.toml --output t.wav --sounds pipe", "a pipe"),
        ("recover x.journal", "a pipe"),
        ("replay b_events.tsv", "a pipe"),
        ("timing report pipe", "a pipe"),
        ("doctor --facts pipe", "a pipe"),
        ("run t.toml --machine pipe", "a pipe"),
    ] {
        let said = place.run(args);
        assert_eq!(said.code, Some(2), "{args}: {said:?}");
        let text = said.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&format!("it is {what}, not a file")), "{args}: {text}");
    }
}

#[test]
fn data_are_for_owner_and_group_alone_and_a_rendering_overwrites_nothing() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", TRIAL);
    let said = place.run("simulate t.toml --data made/here");
    let folder = place.path("made/here");
    for item in std::fs::read_dir(&folder).unwrap().map(|item| item.unwrap().path()) {
        let mode = std::fs::metadata(&item).unwrap().permissions().mode();
        assert_eq!(mode & 0o027, 0, "{}: {said:?}", item.display());
    }
    for folder in [folder, place.path("made")] {
        let mode = std::fs::metadata(&folder).unwrap().permissions().mode();
        assert_eq!(mode & 0o027, 0, "{}", folder.display());
    }
    let theirs = place.file("theirs", "theirs");
    std::os::unix::fs::symlink(&theirs, place.path("t.wav")).unwrap();
    let said = place.run("render t.toml --output t.wav");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("nothing is overwritten"), "{said:?}");
    assert_eq!(std::fs::read_to_string(theirs).unwrap(), "theirs");
}

#[test]
fn runs_that_start_together_take_different_numbers() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", TRIAL.replace("1 s", "100 ms"));
    std::fs::create_dir(place.path("data")).unwrap();
    let run = || start(place.chronotap(["run", "t.toml", "--simulate", "steady", ANY_LATENESS]));
    let all: Vec<_> = (0..6).map(|_| run()).collect();
    for one in all {
        let said = one.wait();
        assert_ne!(said.code, Some(2), "{said:?}");
    }
    assert_eq!(names_in(&place.path("data")).len(), 12);
}

#[test]
fn a_name_that_is_too_long_is_refused_before_the_trial() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", TRIAL);
    let said = place.run(&format!("run t.toml --simulate steady --name {}", "x".repeat(235)));
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("give a shorter one with --name"), "{said:?}");
}
