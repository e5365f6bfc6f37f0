//! The commands as they are typed: what they print, what they leave, and their exit
//! status. Nothing here asserts how punctual a trial was.

use chronotap_data::record::TrialType;
use chronotap_testkit_cli::program::{
    ANY_LATENESS, Output, Workspace, ending, names_in, rows, start, wait_until,
};
use chronotap_testkit_cli::seat::Seat;
use chronotap_testkit_linux::terminal::Pty;
use rustix::process::Signal;
use serde_json::Value;
use std::fs;
use std::process::Stdio;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

/// Every command that the program's help lists.
fn commands(place: &Workspace) -> Vec<String> {
    let help = place.run("--help").out;
    let (_, list) = help.split_once("\nCommands").unwrap();
    let (list, _) = list.split_once("\nOptions").unwrap();
    let named = list.lines().filter_map(|line| line.strip_prefix("  "));
    let named = named.filter(|line| !line.starts_with(' '));
    let names: Vec<String> =
        named.filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
    assert!(names.len() > 25, "{names:?}");
    names.into_iter().filter(|name| name != "help").collect()
}

/// The long options that a help describes.
fn options(help: &str) -> Vec<String> {
    let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let long = lines.filter_map(|line| line.split([' ', '=', '[']).find(|w| w.starts_with("--")));
    long.map(str::to_owned).collect()
}

/// Two seconds with a metronome, feedback, and a continuation.
const SHORT: &str = r#"
title = "A short trial"

[pacing.metronome]
interval = "200 ms"
start = "100 ms"
tone = { channel = 10, note = 76, duration = "30 ms" }

[feedback.tone]
pitch = { fixed = "E4" }
duration = "50 ms"

[[when]]
beat = 7
set.pacing.metronome.audible = false
mark = "continuation"

[[when]]
time = "2 s"
end = true
"#;

fn narrow(text: &str) {
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{} columns: {line}", line.chars().count());
    }
}

fn json(said: &Output) -> Value {
    serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {said:?}"))
}

#[test]
fn the_help_of_every_command_is_complete_and_80_columns_wide() {
    let place = Workspace::of(PROGRAM);
    for command in commands(&place) {
        let said = place.run(&format!("{command} --help"));
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{said:?}");
        narrow(&said.out);
        assert!(said.out.contains(&format!("Usage: chronotap {command}")), "{}", said.out);
        // Every flag and argument has a line that says what it is.
        for line in said.out.lines().filter(|line| line.trim_start().starts_with('-')) {
            assert!(line.trim_start().len() > 2, "{line}");
        }
    }
    let run = place.run("run --help").out;
    for part in
        ["raw:PATH", "wire:loop", "Ctrl-C", "exit status is 1", "--limit <TIME>", "--performer"]
    {
        assert!(run.contains(part), "{part} is missing:\n{run}");
    }
    assert!(place.run("demo --help").out.contains("Needs no device and no rights"));
}

#[test]
fn completions_and_manual_pages_have_every_command_and_every_option_of_the_help() {
    let place = Workspace::of(PROGRAM);
    let shells = ["bash", "zsh", "fish"].map(|shell| place.run(&format!("completions {shell}")));
    assert!(shells.iter().all(|said| said.code == Some(0)), "{shells:?}");
    assert_eq!(place.run("man pages").code, Some(0));
    for command in commands(&place) {
        let page = fs::read_to_string(place.path(&format!("pages/chronotap-{command}.1"))).unwrap();
        let page = page.replace("\\-", "-");
        let help = place.run(&format!("{command} --help")).out;
        for said in &shells {
            assert!(said.out.contains(command.as_str()), "{command}: {}", said.out);
        }
        for option in options(&help) {
            assert!(page.contains(&option), "{command}: {option} is not in its manual page");
            for shell in &shells {
                let long = option.trim_start_matches("--"); // fish writes `-l name`
                assert!(shell.out.contains(long), "{command}: {option} is not completed");
            }
        }
    }
}

#[test]
fn without_arguments_the_program_shows_its_commands() {
    let place = Workspace::of(PROGRAM);
    let said = start(place.chronotap([])).wait();
    for command in commands(&place) {
        assert!(said.err.contains(&format!("\n  {command} ")), "{command}: {said:?}");
    }
    narrow(&said.err);
    assert_eq!(said.code, Some(2));
    assert!(place.run("--version").out.starts_with("chronotap "));
}

#[test]
fn the_demo_runs_to_its_end_with_a_participant_its_data_and_a_replay() {
    let place = Workspace::of(PROGRAM);
    let said = place.run(&format!("demo {ANY_LATENESS}"));
    assert_eq!(said.code, Some(0), "{said:?}");
    narrow(&said.out);
    narrow(&said.err);
    for part in
        ["Ctrl-C ends", "Taps at \"input\"", "Timing: passed", "data/demo_run-01_events.tsv"]
    {
        assert!(said.out.contains(part), "{part}: {said:?}");
    }
    assert!(said.err.contains("taps"), "live progress: {said:?}");
    let recording = place.recording("demo");
    assert_eq!(ending(&recording), "trigger");
    assert_eq!(rows(&recording, TrialType::Pacing).len(), 20);
    assert!(rows(&recording, TrialType::Tap).len() > 30);
    assert_eq!(rows(&recording, TrialType::Tap).len(), rows(&recording, TrialType::Feedback).len());
    place.replays("demo");
}

#[test]
fn run_with_a_simulated_participant_needs_no_ports_and_leaves_two_files() {
    let place = Workspace::of(PROGRAM);
    place.file("short.toml", SHORT);
    let said =
        place.run(&format!("run short.toml --simulate tapper,interval=200ms {ANY_LATENESS}"));
    assert_eq!(said.code, Some(0), "{said:?}");
    narrow(&said.out);
    assert_eq!(
        names_in(&place.path("data")),
        ["short_run-01_events.json", "short_run-01_events.tsv"]
    );
    let recording = place.recording("short");
    assert_eq!(rows(&recording, TrialType::Pacing).len(), 6);
    assert!(!rows(&recording, TrialType::Tap).is_empty());
    place.replays("short");
}

#[test]
fn a_verdict_that_fails_is_exit_status_1_and_keeps_the_data() {
    let place = Workspace::of(PROGRAM);
    place.file("short.toml", SHORT.replace("2 s", "700 ms"));
    // Nothing sounds within a microsecond of its deadline every time.
    let said = place.run("run short.toml --simulate tapper --limit-us 1 --ordinary --no-spin");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("Timing: FAILED (limit 1 us)"), "{said:?}");
    assert!(said.out.contains("an ordinary thread, as asked"), "{said:?}");
    place.replays("short");
}

#[test]
fn json_is_the_only_thing_on_standard_output_where_it_is_asked_for() {
    let place = Workspace::of(PROGRAM);
    place.file("short.toml", SHORT.replace("2 s", "700 ms"));
    let check = json(&place.run("check short.toml --json"));
    assert!(check.is_object());
    let run = format!("run short.toml --simulate tapper --json --seed 5 {ANY_LATENESS}");
    for (command, run_number) in [(run.as_str(), 1), ("simulate short.toml --json --seed 5", 2)] {
        let said = place.run(command);
        assert_eq!(said.code, Some(0), "{said:?}");
        let told = json(&said);
        assert_eq!(told["seed"], 5);
        assert_eq!(told["summary"]["title"], "A short trial");
        let events = format!("data/short_run-0{run_number}_events.tsv");
        assert_eq!(told["files"]["events"], events.as_str());
    }
    assert!(json(&place.run("ports --json")).as_array().is_some_and(|ports| ports.len() >= 4));
    let several = place.run("simulate short.toml --json --repeat 3 --no-data");
    let lines: Vec<Value> =
        several.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
}

#[test]
fn quiet_is_quiet() {
    let place = Workspace::of(PROGRAM);
    place.file("short.toml", SHORT.replace("2 s", "300 ms"));
    for command in ["run short.toml --simulate tapper -q", "simulate short.toml -q"] {
        let said = place.run(&format!("{command} {ANY_LATENESS}"));
        assert_eq!((said.out.as_str(), said.err.as_str()), ("", ""));
    }
}

#[test]
fn everything_that_is_printed_fits_80_columns() {
    let place = Workspace::of(PROGRAM);
    let long = "x".repeat(40);
    let streams = SHORT.replace("metronome", &long).replace("2 s", "5 s");
    place.file("long.toml", streams.replace("A short trial", &"long words ".repeat(20)));
    for command in [
        "check long.toml",
        "check --reference",
        "simulate long.toml",
        "simulate long.toml --repeat 3",
        "ports",
    ] {
        let said = place.run(command);
        assert_eq!(said.code, Some(0), "{said:?}");
        narrow(&said.out);
    }
}

#[test]
fn at_a_terminal_of_40_columns_no_line_is_wider_and_the_live_line_does_not_wrap() {
    let place = Workspace::of(PROGRAM);
    place.file(
        "t.toml",
        "title = \"A title that alone is wider than such a terminal is\"\n[pacing.metronome]\n\
         interval = \"100 ms\"\n[feedback.tone]\n[[when]]\ntime = \"1.5 s\"\nend = true\n",
    );
    let args = ["run", "t.toml", "--simulate", "tapper", "--data", "d", "--ordinary", ANY_LATENESS];
    let said = Seat::at_width(place.chronotap(args), 40).wait().out;
    let live = |line: &str| line.contains("beat ") && line.contains("taps ");
    assert!(said.split(['\n', '\r']).any(live), "{said}");
    for line in said.split(['\n', '\r']) {
        // A line as wide as the terminal would wrap where the next is written over it.
        let room = if live(line) { 39 } else { 40 };
        assert!(line.trim_end().chars().count() <= room, "{line:?} in {said}");
    }
}

#[test]
fn at_a_terminal_of_80_columns_lists_tables_and_long_names_wrap_at_words() {
    let place = Workspace::of(PROGRAM);
    place.file("a-trial-with-a-name-that-leaves-no-room-for-numbers.toml", SHORT);
    let name = "a-trial-with-a-name-that-leaves-no-room-for-numbers";
    let trials = format!("simulate {name}.toml --repeat 2 --seed 1 --quiet");
    assert_eq!(place.run(&trials).code, Some(0));
    let replay = format!("replay data/{name}_run-01_events.tsv");
    for command in ["new", "plan --reference", "summary data", &replay] {
        let args = command.split(' ');
        let said = Seat::at_width(place.chronotap(args.clone()), 80).wait().out;
        narrow(&said);
        let wide = Seat::at_width(place.chronotap(args), 200).wait().out;
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&said), words(&wide), "{command}: a wide terminal shows the same");
        assert!(wide.lines().count() <= said.lines().count(), "{command}");
    }
    let summary = Seat::at_width(place.chronotap(["summary", "data", "--json"]), 80).wait().out;
    assert!(summary.lines().all(|line| line.trim().starts_with('{')), "JSON is never broken");
}

#[test]
fn a_recording_that_was_changed_is_told_with_its_first_difference() {
    let place = Workspace::of(PROGRAM);
    place.file("short.toml", SHORT);
    assert_eq!(place.run("simulate short.toml --seed 3 -q").code, Some(0));
    place.replays("short");
    let path = place.path("data/short_run-01_events.tsv");
    let table = fs::read_to_string(&path).unwrap();
    let line = table.lines().position(|line| line.contains("\tfeedback\t")).unwrap() + 1;
    let feedback = table.lines().nth(line - 1).unwrap();
    fs::write(&path, table.replace(feedback, &feedback.replace("\t64\t", "\t65\t"))).unwrap();
    let said = place.run("replay data/short_run-01_events.tsv");
    assert_eq!(said.code, Some(1), "{said:?}");
    let wanted = format!("the replay differs: line {line}, event ");
    assert!(said.out.contains(&wanted) && said.out.contains("note is"), "{said:?}");
    fs::write(&path, table.replace('\t', " ")).unwrap();
    let said = place.run("replay data/short_run-01_events.tsv");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("short_run-01_events.tsv:1: "), "{said:?}");
}

#[test]
fn recover_never_overwrites_and_leaves_a_running_trial_alone() {
    let place = Workspace::of(PROGRAM);
    place.file("short.toml", SHORT.replace("2 s", "30 s"));
    let mut ear = Pty::open();
    let args = ["run", "short.toml", "--in", "wire", "--out", &ear.port()];
    let trial = start(place.chronotap(args));
    wait_until("it sounds", || ear.tones() > 1);
    let said = place.run("recover data/short_run-01.journal");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("the trial is still running"), "{said:?}");
    trial.signal(Signal::KILL);
    trial.wait();
    place.file("data/short_run-01_events.tsv", "mine");
    let said = place.run("recover data/short_run-01.journal");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("already there, and nothing is overwritten"), "{said:?}");
    let kept = fs::read_to_string(place.path("data/short_run-01_events.tsv")).unwrap();
    assert_eq!(kept, "mine");
    assert!(place.path("data/short_run-01.journal").exists());
    fs::remove_file(place.path("data/short_run-01_events.tsv")).unwrap();
    let said = place.run("recover data/short_run-01.journal");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("data/short_run-01_events.tsv"), "{said:?}");
    assert!(!place.path("data/short_run-01.journal").exists());
    place.replays("short");
}

#[test]
fn monitor_shows_what_comes_until_the_device_is_pulled_out() {
    let place = Workspace::of(PROGRAM);
    let pad = Pty::open();
    let mut command = place.chronotap(["monitor", "--in", &pad.port()]);
    let out = fs::File::create(place.path("shown")).unwrap();
    let mut monitor = command.stdout(out).stderr(Stdio::null()).spawn().unwrap();
    let shown = |text: &str| {
        let has = || fs::read_to_string(place.path("shown")).unwrap().contains(text);
        wait_until(text, has);
    };
    shown("interval ms");
    pad.send(&[0x90, 60, 100, 60, 0, 0xf8]);
    shown("press    channel 1  note 60  velocity 100");
    shown("release  channel 1  note 60");
    pad.send(&[0x90, 61, 99, 0xb0, 64, 127]);
    shown("note 61");
    shown("controller 64 value 127");
    drop(pad);
    assert!(monitor.wait().unwrap().success());
    let text = fs::read_to_string(place.path("shown")).unwrap();
    let second = text.lines().find(|line| line.contains("note 61")).unwrap();
    let interval: f64 = second.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(interval > 0.0, "{second}");
    narrow(&text);
}

#[test]
fn monitor_ends_with_ctrl_c_and_says_what_it_counted() {
    let place = Workspace::of(PROGRAM);
    let pad = Pty::open();
    let monitor = start(place.chronotap(["monitor", "--in", &pad.port()]));
    monitor.says("interval ms"); // the port is open
    pad.send(&[0xfe, 0x90, 60, 100, 0x33]);
    monitor.says("note 60"); // in one turn with the byte behind it
    monitor.signal(Signal::INT);
    let said = monitor.wait();
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.err.contains("1 messages"), "{said:?}");
    assert!(said.err.contains("1 real-time bytes, 1 invalid bytes"), "{said:?}");
}

#[test]
fn monitor_looks_for_a_pad_that_was_pulled_out_and_shows_it_again() {
    let place = Workspace::of(PROGRAM);
    let link = place.path("pad");
    let plug_in = || {
        let pad = Pty::open();
        std::os::unix::fs::symlink(pad.port().trim_start_matches("raw:"), &link).unwrap();
        pad
    };
    let pad = plug_in();
    let name = format!("raw:{}", link.display());
    let monitor = start(place.chronotap(["monitor", "--in", &name]));
    monitor.says("interval ms"); // the port is open
    pad.send(&[0x90, 60, 100]);
    monitor.says("note 60");
    fs::remove_file(&link).unwrap();
    drop(pad);
    monitor.says("looking for it until Ctrl-C");
    let pad = plug_in();
    monitor.says("there again, and opened");
    pad.send(&[0x90, 61, 100]);
    monitor.says("note 61");
    monitor.signal(Signal::INT);
    let said = monitor.wait();
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.err.contains("looking for it until Ctrl-C"), "{said:?}");
    assert!(said.err.contains("there again, and opened"), "{said:?}");
    assert!(said.err.contains("2 messages") && said.err.contains("1 times reopened"), "{said:?}");
    assert!(said.out.contains("note 60") && said.out.contains("note 61"), "{said:?}");
}

#[test]
fn every_form_of_a_ports_name_stands_in_the_help_of_what_takes_one() {
    let place = Workspace::of(PROGRAM);
    for command in ["run", "ports", "monitor", "timing loop"] {
        let said = place.run(&format!("{command} --help")).out;
        for form in chronotap_linux::ports::PortKinds::standard().forms() {
            assert!(said.contains(&format!("\n  {}\n", form.name)), "{command}: {}", form.name);
            assert!(said.contains(form.words), "{command}: {}", form.words);
        }
    }
}

#[test]
fn ports_lists_the_wires_and_how_to_name_a_device() {
    let said = Workspace::of(PROGRAM).run("ports");
    assert_eq!(said.code, Some(0));
    assert!(said.out.contains("\nwire:loop ") && said.out.contains("raw:"), "{}", said.out);
}
