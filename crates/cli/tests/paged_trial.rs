//! A single trial on the console's page, seen from the session's socket: what a page is told, and
//! what it may ask for.

use crate::page::{Page, paged};
use chronotap_linux::realtime::{cpu_list, usable_processors};
use chronotap_testkit::pass_over;
use chronotap_testkit_cli::program::{ANY_LATENESS, Running, Workspace, start};
use serde_json::{Value, json};

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");
const TRIAL: &str = "title = \"Short\"\n[pacing.beats]\ninterval = \"200 ms\"\n\
                     tone = { note = 76, duration = \"5 ms\" }\n[feedback.tone]\n\
                     [[when]]\ntime = \"3 s\"\nend = true\n";

/// A trial that waits for its experimenter, and its page.
fn trial(place: &Workspace) -> (Running, Page) {
    trial_with(place, "--ordinary")
}

fn trial_with(place: &Workspace, options: &str) -> (Running, Page) {
    place.file("t.toml", TRIAL);
    let args = format!("run t.toml --simulate tapper --data data --paged {options} {ANY_LATENESS}");
    let running = start(paged(place, &args));
    let page = Page::of(place, running.id());
    (running, page)
}

/// Watches until the trial waits for the experimenter: the turn.
fn waiting(page: &mut Page) -> Value {
    let scene = page.told(|line| line["phase"]["is"] == "waiting");
    assert_eq!((&scene["single"], &scene["title"]), (&json!(true), &json!("Short")));
    scene["turn"].clone()
}

#[test]
fn a_single_trial_begins_at_a_word_and_leaves_its_summary_and_verdict() {
    let place = Workspace::of(PROGRAM);
    let (running, mut page) = trial(&place);
    let turn = waiting(&mut page);
    page.obeyed(&json!({ "do": "go_on", "turn": turn }));
    let all: Vec<Value> = page.collect();
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
    let place = Workspace::of(PROGRAM);
    let (running, mut page) = trial(&place);
    let socket = page.socket.clone();
    waiting(&mut page);
    page.obeyed(&json!({ "do": "note", "text": "changed our minds" }));
    page.obeyed(&json!({ "do": "stop" }));
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
    let place = Workspace::of(PROGRAM);
    let (running, mut page) = trial_with(&place, &format!("--cpu {cpu}"));
    let turn = waiting(&mut page);
    let threads = allowed(running.id());
    let (there, elsewhere): (Vec<_>, Vec<_>) =
        threads.iter().partition(|list| **list == cpu.to_string());
    assert_eq!(there.len(), 1, "the trial's own thread: {threads:?}");
    assert!(elsewhere.iter().all(|list| **list == others), "{threads:?}");
    page.obeyed(&json!({ "do": "go_on", "turn": turn }));
    running.wait();
    let text = std::fs::read_to_string(place.path("data/t_run-01_events.json")).unwrap();
    let kept = format!("processor {cpu}, which the program's ordinary threads leave alone");
    assert!(text.contains(&kept), "{text}");
}

#[test]
fn a_processor_that_is_not_there_is_refused_before_anything_starts() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", TRIAL);
    for command in ["console . --cpu 1000", "run t.toml --simulate tapper --console --cpu 1000"] {
        let said = place.run(command);
        assert_eq!(said.code, Some(2), "{command}: {said:?}");
        assert!(said.err.contains("--cpu: processor: asked processor 1000"), "{said:?}");
    }
}

#[test]
fn a_trial_on_a_page_that_finds_no_keyboard_to_tap_on_is_refused_before_anything_starts() {
    let devices = std::fs::read_to_string("/proc/bus/input/devices").unwrap_or_default();
    if devices.contains("kbd") {
        return pass_over("this computer has a keyboard");
    }
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", TRIAL);
    let said = place.run("run t.toml --in keys: --out wire --data data --paged --ordinary");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("keys: no keyboard of this computer is to be seen"), "{said:?}");
    assert!(said.err.contains("plug one in, or tap on a pad or a response box"), "{said:?}");
    assert!(!place.path("data").exists());
}
