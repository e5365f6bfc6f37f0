//! What is commanded from pages and loses the terminal that it was started at: the window is
//! closed, the network to it breaks. Trial and session go on.

use crate::page::{Page, paged};
use chronotap_session::{Line, read_lines};
use chronotap_testkit_cli::program::{ANY_LATENESS, Workspace, ending, wait_until};
use chronotap_testkit_cli::seat::Seat;
use chronotap_testkit_linux::terminal::Pty;
use rustix::process::Signal;
use serde_json::json;
use std::net::TcpStream;
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

/// Trials that the third tap ends, however late it comes.
const STUDY: &str = "title = \"Short\"\ntask = \"short\"\nparticipants = 3\nseed = 1\n\
                     trial = \"trial.toml\"\n[factor]\nx = [1, 2]\n\
                     [[step]]\nname = \"main\"\nshuffle = \"none\"\ngap = \"10 ms\"\n";
const TRIAL: &str = "[input.pad]\n[[when]]\ntap = 3\nend = true\n";

/// A program at a terminal that is its own: who closes that sends it SIGHUP, as the system does.
fn at_its_own(command: Command) -> Seat {
    let mut leader = Command::new("setsid");
    leader.arg("--ctty").arg(command.get_program()).args(command.get_args());
    leader.current_dir(command.get_current_dir().unwrap());
    let set = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
    leader.envs(set);
    Seat::at(leader)
}

fn place() -> Workspace {
    let place = Workspace::of(PROGRAM);
    place.file("study.toml", STUDY);
    place.file("trial.toml", TRIAL);
    place
}

fn command(place: &Workspace, args: &str, pad: &Pty) -> Command {
    let ports = format!("--in {} --out wire", pad.port());
    paged(place, &format!("run {args} --console --ordinary {ANY_LATENESS} {ports}"))
}

/// Three taps, which end a trial that runs.
fn tap(pad: &Pty) {
    (0..3).for_each(|_| pad.send(&[0x90, 60, 100, 60, 0]));
}

fn journal(place: &Workspace) -> Vec<Line> {
    read_lines(&place.path("d/sourcedata/sub-01/sub-01_task-short_journal.jsonl")).unwrap()
}

/// Waits until a trial hears taps.
fn in_trial(page: &mut Page) {
    page.told(|line| line["line"] == "begins");
    page.told(|line| line["at_s"].as_f64().is_some_and(|at| at > 0.0));
}

/// A session in its first trial.
fn session(place: &Workspace, pad: &Pty, sit: fn(Command) -> Seat) -> (Seat, Page) {
    let mut seat = sit(command(place, "study.toml --participant 1 --data d", pad));
    let mut page = Page::of(place, seat.id());
    wait_until("the pad was tapped", || {
        pad.send(&[0x90, 60, 100, 60, 0]); // nobody may listen yet
        // Asked of a new page each time; a slow machine may still have too many of the last ones.
        let scene = Page::of(place, seat.id()).find(|line| line["line"] == "scene");
        scene.is_some_and(|scene| scene["phase"]["inputs"][0]["taps"].as_u64() > Some(0))
    });
    seat.says("Closing this terminal ends nothing.");
    page.obeyed(&json!({ "do": "start" }));
    in_trial(&mut page);
    (seat, page)
}

/// Whether the page is told in mid-trial that the terminal is gone.
fn is_told(page: &mut Page) {
    let said = "The terminal was closed or cut off. That ends nothing: go on here, on this page.";
    page.told(|line| line["line"] == "remark" && line["text"] == said);
}

/// Where the program said that its pages are.
fn address(seat: &mut Seat) -> String {
    let said = seat.heard();
    let address = said.split("http://").nth(1).and_then(|rest| rest.split('/').next());
    address.unwrap().to_owned()
}

/// Ends the first trial and the second, the last one.
fn tap_to_the_end(pad: &Pty, page: &mut Page) {
    tap(pad);
    page.told(|line| line["line"] == "trial");
    in_trial(page);
    tap(pad);
    page.told(|line| line["phase"]["is"] == "ended");
}

fn notes(lines: &[Line]) -> Vec<(&str, &str)> {
    let noted = lines.iter().filter_map(|line| match line {
        Line::Noted { text, by, .. } => Some((by.as_str(), text.as_str())),
        _ => None,
    });
    noted.collect()
}

fn trials(lines: &[Line], interrupted: bool) -> usize {
    let such = |line: &&Line| matches!(line, Line::TrialEnded(e) if e.interrupted == interrupted);
    lines.iter().filter(such).count()
}

/// At a terminal of its own the program gets SIGHUP; at another one, as in the background, nothing.
#[test]
fn a_terminal_that_is_closed_in_mid_trial_ends_neither_the_trial_nor_the_session() {
    for sit in [at_its_own, Seat::at] {
        let (place, pad) = (place(), Pty::open());
        let (mut seat, mut page) = session(&place, &pad, sit);
        let address = address(&mut seat);
        seat.closes();
        is_told(&mut page);
        TcpStream::connect(&address).expect("the server of the pages is still there");
        page.obeyed(&json!({ "do": "note", "text": "a storm" }));
        tap_to_the_end(&pad, &mut page);
        drop(page);
        let said = seat.wait();
        assert!(said.signal.is_none() && said.code < Some(2), "{said:?}");
        let lines = journal(&place);
        assert_eq!((trials(&lines, false), trials(&lines, true)), (2, 0), "{lines:?}");
        assert!(matches!(lines.last(), Some(Line::Completed { .. })), "{lines:?}");
        let [("chronotap", lost), ("experimenter", "a storm")] = notes(&lines)[..] else {
            panic!("{lines:?}");
        };
        assert_eq!(lost, "The terminal was closed or cut off; the session went on.");
        assert_eq!(place.run("verify d").code, Some(0));
    }
}

#[test]
fn hangups_end_nothing_and_ctrl_c_ends_the_trial_as_ever() {
    let (place, pad) = (place(), Pty::open());
    let (seat, mut page) = session(&place, &pad, Seat::at);
    seat.signal(Signal::HUP);
    is_told(&mut page);
    seat.signal(Signal::HUP);
    seat.signal(Signal::INT);
    page.told(|line| line["phase"]["is"] == "choose");
    page.obeyed(&json!({ "do": "stop" }));
    drop(page);
    assert_eq!(seat.wait().code, Some(1));
    let lines = journal(&place);
    assert_eq!((trials(&lines, false), trials(&lines, true)), (0, 1), "{lines:?}");
    assert_eq!(notes(&lines).len(), 1, "{lines:?}");
    assert!(matches!(lines.last(), Some(Line::Stopped { .. })), "{lines:?}");
}

#[test]
fn a_single_trial_on_a_page_goes_on_without_its_terminal() {
    let (place, pad) = (place(), Pty::open());
    let mut seat = at_its_own(command(&place, "trial.toml --data data", &pad));
    let mut page = Page::of(&place, seat.id());
    let scene = page.told(|line| line["phase"]["is"] == "waiting");
    page.obeyed(&json!({ "do": "go_on", "turn": scene["turn"] }));
    in_trial(&mut page);
    seat.closes();
    is_told(&mut page);
    tap(&pad);
    page.told(|line| line["phase"]["is"] == "ended");
    drop(page);
    let said = seat.wait();
    assert!(said.signal.is_none() && said.code < Some(2), "{said:?}");
    assert_ne!(ending(&place.recording("trial")), "interrupted");
    place.replays("trial");
}

#[test]
fn a_trial_that_waits_on_a_page_is_not_begun_by_a_stop_after_a_hangup() {
    let (place, pad) = (place(), Pty::open());
    let mut seat = at_its_own(command(&place, "trial.toml --data data", &pad));
    let mut page = Page::of(&place, seat.id());
    page.told(|line| line["phase"]["is"] == "waiting");
    seat.closes();
    is_told(&mut page);
    page.obeyed(&json!({ "do": "stop" }));
    drop(page);
    assert_eq!(seat.wait().code, Some(2), "nothing was run");
    assert!(!place.path("data/trial_run-01_events.tsv").exists());
}
