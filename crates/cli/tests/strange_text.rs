//! Arguments that are no text, and texts that a terminal would obey.

use chronotap_testkit_cli::program::{Output, Workspace, start};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");
const TRIAL: &str =
    "[pacing.m]\ninterval = \"1 s\"\nbeats = 1\n[[when]]\ntime = \"2 s\"\nend = true\n";

/// Runs it with arguments that may be any bytes. The harness refuses every panic.
fn run(place: &Workspace, args: &[&[u8]]) -> Output {
    let mut command = place.chronotap([]);
    command.args(args.iter().map(|one| OsStr::from_bytes(one)));
    start(command).wait()
}

#[test]
fn an_argument_that_is_not_utf_8_is_refused_where_it_is_no_path() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", TRIAL);
    let all: [&[&[u8]]; 5] = [
        &[b"\xff"],
        &[b"run", b"--\xff"],
        &[b"run", b"t.toml", b"--in", b"\xff"],
        &[b"simulate", b"t.toml", b"--seed", b"\xff"],
        &[b"doctor", b"--fix", b"\xff"],
    ];
    for args in all {
        let said = run(&place, args);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.starts_with("chronotap: "), "{said:?}");
    }
}

#[test]
fn a_path_that_is_not_utf_8_is_a_path_like_any_other() {
    let place = Workspace::of(PROGRAM);
    std::fs::write(place.path("").join(OsStr::from_bytes(b"t\xff.toml")), TRIAL).unwrap();
    let said = run(&place, &[b"check", b"t\xff.toml"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let simulated =
        run(&place, &[b"simulate", b"t\xff.toml", b"--data", b"d\xfe", b"--name", b"n"]);
    assert_eq!(simulated.code, Some(0), "{simulated:?}");
    let data = place.path("").join(OsStr::from_bytes(b"d\xfe"));
    assert!(data.join("n_run-01_events.tsv").exists(), "{simulated:?}");
    let replayed = run(&place, &[b"replay", b"d\xfe/n_run-01_events.tsv"]);
    assert_eq!(replayed.code, Some(0), "{replayed:?}");
    let table = b"d\xfe/n_run-01_events.tsv";
    let reported = run(&place, &[b"report", table, b"--to", b"p\xff.html"]);
    assert_eq!(reported.code, Some(0), "{reported:?}");
    let analyzed = run(&place, &[b"analyze", table, b"--to", b"t\xff"]);
    assert_eq!(analyzed.code, Some(0), "{analyzed:?}");
    let refused = run(&place, &[b"check", b"none\xff.toml"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
}

#[test]
fn no_data_get_a_name_with_control_characters() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", TRIAL);
    place.file("a\nb.toml", TRIAL);
    let all: [&[&[u8]]; 3] = [
        &[b"simulate", b"t.toml", b"--name", b"a\x1b[31mb"],
        &[b"run", b"t.toml", b"--simulate", b"steady", b"--name", b"a\nb"],
        &[b"simulate", b"a\nb.toml"],
    ];
    for args in all {
        let said = run(&place, args);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains("control characters") && said.err.contains("--name"), "{said:?}");
        assert_eq!(said.err.lines().count(), 1, "{said:?}");
    }
    let said = run(&place, &[b"simulate", b"a\nb.toml", b"--name", b"n"]);
    assert_eq!(said.code, Some(0), "{said:?}");
}

#[test]
fn a_line_that_ends_in_an_argument_does_not_tear_the_refusal_apart() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", TRIAL);
    place.file("study.toml", "trial = \"t.toml\"\n[[step]]\nname = \"main\"\nrepetitions = 1\n");
    let (label, model) = (&b"a\nb\x1b[2J"[..], &b"tapper, a\nb = 3"[..]);
    let all: [&[&[u8]]; 9] = [
        &[b"run", b"study.toml", b"--data", b"d", b"--participant", label],
        &[b"run", b"study.toml", b"--data", b"d", b"--participant=a\nb"],
        &[b"run", b"study.toml", b"--data", b"d", b"--session", label],
        &[b"run", b"t.toml", b"--in", label],
        &[b"withdraw", b".", b"--participant=1", label],
        &[b"simulate", b"t.toml", b"--simulate", label],
        &[b"simulate", b"t.toml", b"--simulate", model],
        &[b"check", label],
        &[b"report", label],
    ];
    for args in all {
        let said = run(&place, args);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert_eq!(said.err.lines().count(), 1, "{said:?}");
        assert!(said.err.contains("a\\u000ab"), "{said:?}");
    }
    assert!(!place.path("d").exists());
}

#[test]
fn no_control_character_of_a_file_reaches_the_terminal() {
    let place = Workspace::of(PROGRAM);
    let title = "title = \"\\u001b]0;mine\\u0007\\u009b2J\\r\"\n";
    let marker = "[[when]]\ntime = \"1 s\"\nmarker = \"\\u001b[31m\"\n";
    place.file("t.toml", format!("{title}{TRIAL}{marker}"));
    place.file("bad.toml", "\u{1b}[2J = \u{1b}\n");
    for args in [
        "check t.toml",
        "simulate t.toml --data d",
        "replay d/t_run-01_events.tsv",
        "run t.toml --in wire --out wire --limit-us=60000000 --data d",
        "run t.toml --in wire:\u{1b}[2J --out wire",
        "check bad.toml",
        "check \u{1b}[2J.toml",
    ] {
        let said = place.run(args);
        let printed = said.out.clone() + &said.err;
        let obeyed = |c: char| c.is_control() && c != '\n' && c != '\t';
        assert!(!printed.contains(obeyed), "{args:?}: {printed:?}");
    }
}
