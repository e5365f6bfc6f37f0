//! A single trial on the console's page, seen from the session's socket: what a page is told, and
//! what it may ask for.
#![allow(clippy::unwrap_used)] // a test that cannot be set up has failed

use chronotap_realtime::{cpu_list, usable_processors};
use chronotap_testkit::pass_over;
use chronotap_testkit::program::{ANY_LATENESS, Place, Running, start, wait_until};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Lines, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");
const TRIAL: &str = "title = \"Short\"\n[pacing.beats]\ninterval = \"200 ms\"\n\
                     tone = { note = 76, duration = \"5 ms\" }\n[feedback.tone]\n\
                     [[when]]\ntime = \"3 s\"\nend = true\n";

/// A trial that waits for its experimenter, and the socket of its page.
fn trial(place: &Place) -> (Running, PathBuf) {
    trial_with(place, "--ordinary")
}

fn trial_with(place: &Place, options: &str) -> (Running, PathBuf) {
    place.file("t.toml", TRIAL);
    let sockets = place.path("run");
    std::fs::create_dir(&sockets).unwrap();
    std::fs::set_permissions(&sockets, std::fs::Permissions::from_mode(0o700)).unwrap();
    let args = format!("run t.toml --simulate tapper --data data --paged {options} {ANY_LATENESS}");
    let mut command = place.chronotap(args.split_whitespace());
    command.env("XDG_RUNTIME_DIR", &sockets);
    let running = start(command);
    let socket = sockets.join(format!("chronotap/session-{}.socket", running.id()));
    wait_until("there is a socket", || socket.exists());
    (running, socket)
}

fn asked(socket: &PathBuf, request: &Value) -> Lines<BufReader<UnixStream>> {
    let mut stream = UnixStream::connect(socket).unwrap();
    writeln!(stream, "{request}").unwrap();
    BufReader::new(stream).lines()
}

/// The first line that is told of which this holds.
fn told(lines: &mut Lines<BufReader<UnixStream>>, holds: impl Fn(&Value) -> bool) -> Value {
    let all = lines.map(|line| line.unwrap()).filter(|line| !line.is_empty());
    let mut all = all.map(|line| serde_json::from_str::<Value>(&line).unwrap());
    all.find(holds).expect("it is told")
}

fn obeyed(socket: &PathBuf, command: &Value) {
    let request = json!({ "do": { "role": "experimenter", "command": command } });
    let reply = asked(socket, &request).next().unwrap().unwrap();
    assert_eq!(reply, r#"{"ok":true}"#);
}

/// Watches until the trial waits for the experimenter: the turn.
fn waiting(lines: &mut Lines<BufReader<UnixStream>>) -> Value {
    let scene = told(lines, |line| line["phase"]["is"] == "waiting");
    assert_eq!((&scene["single"], &scene["title"]), (&json!(true), &json!("Short")));
    scene["turn"].clone()
}

const WATCH: &str = r#"{"watch":{"since":0,"role":"experimenter"}}"#;

#[test]
fn a_single_trial_begins_at_a_word_and_leaves_its_summary_and_verdict() {
    let place = Place::of(PROGRAM);
    let (running, socket) = trial(&place);
    let mut lines = asked(&socket, &serde_json::from_str(WATCH).unwrap());
    let turn = waiting(&mut lines);
    obeyed(&socket, &json!({ "do": "go_on", "turn": turn }));
    // A scene that another takes the place of may be passed over, a line of the trial never.
    let all: Vec<Value> = lines
        .map(|line| line.unwrap())
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_str(&line).unwrap())
        .collect();
    let find = |what: &str| {
        let mut found = all.iter().filter(|line| line["line"] == what);
        found.next().unwrap_or_else(|| panic!("no {what} in {all:?}"))
    };
    find("tap");
    let over = find("trial");
    assert_eq!((&over["step"], &over["timing_passed"]), (&json!("Short"), &json!(true)));
    let summary = find("summary");
    assert!(summary["text"].as_str().unwrap().contains("inter-tap interval"), "{summary}");
    assert!(all.iter().any(|line| line["phase"]["is"] == "ended"), "{all:?}");
    let said = running.wait();
    assert!(said.out.contains("Data: data/t_run-01_events.tsv"), "{said:?}");
    place.replays("t");
}

#[test]
fn a_single_trial_that_is_not_wanted_after_all_leaves_nothing() {
    let place = Place::of(PROGRAM);
    let (running, socket) = trial(&place);
    let mut lines = asked(&socket, &serde_json::from_str(WATCH).unwrap());
    waiting(&mut lines);
    obeyed(&socket, &json!({ "do": "stop" }));
    let said = running.wait();
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("nothing was run"), "{said:?}");
    assert!(!place.path("data/t_run-01_events.tsv").exists());
    assert!(!socket.exists(), "the socket goes with the program");
}

/// The processors that each thread of a program may run on, as the kernel lists them.
fn allowed(program: u32) -> Vec<String> {
    let tasks = std::fs::read_dir(format!("/proc/{program}/task")).unwrap();
    let status = tasks.map(|task| std::fs::read_to_string(task.unwrap().path().join("status")));
    let line = |status: String| {
        let mut lines = status.lines();
        Some(lines.find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?.trim().to_owned())
    };
    status.filter_map(|status| line(status.ok()?)).collect()
}

#[test]
fn a_trial_on_a_page_has_a_processor_for_itself_and_its_data_say_so() {
    let usable = usable_processors();
    let [cpu, _, ..] = usable[..] else {
        return pass_over("a single processor cannot be set apart");
    };
    let others = cpu_list(&usable[1..]);
    let place = Place::of(PROGRAM);
    let (running, socket) = trial_with(&place, &format!("--cpu {cpu}"));
    let mut lines = asked(&socket, &serde_json::from_str(WATCH).unwrap());
    let turn = waiting(&mut lines);
    let threads = allowed(running.id());
    let (there, elsewhere): (Vec<_>, Vec<_>) =
        threads.iter().partition(|list| **list == cpu.to_string());
    assert_eq!(there.len(), 1, "the trial's own thread: {threads:?}");
    assert!(elsewhere.iter().all(|list| **list == others), "{threads:?}");
    obeyed(&socket, &json!({ "do": "go_on", "turn": turn }));
    running.wait();
    let text = std::fs::read_to_string(place.path("data/t_run-01_events.json")).unwrap();
    let kept = format!("processor {cpu}, which the program's ordinary threads leave alone");
    assert!(text.contains(&kept), "{text}");
}

#[test]
fn a_processor_that_is_not_there_is_refused_before_anything_starts() {
    let place = Place::of(PROGRAM);
    place.file("t.toml", TRIAL);
    for command in ["console . --cpu 1000", "run t.toml --simulate tapper --console --cpu 1000"] {
        let said = place.run(command);
        assert_eq!(said.code, Some(2), "{command}: {said:?}");
        assert!(said.err.contains("--cpu: processor: asked processor 1000"), "{said:?}");
    }
}
