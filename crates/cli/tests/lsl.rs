//! `chronotap lsl` beside a trial: it says what became of each event, and whatever becomes of it, the
//! trial is the same. That real recorders get every marker at its time is checked by scripts/test-lsl.sh.

#![cfg(feature = "lsl")]
#![allow(clippy::unwrap_used)] // a test that cannot be set up has failed

use chronotap_data::record::{Recording, TrialType};
use chronotap_testkit::program::{
    ANY_LATENESS, Output, Running, Workspace, pause, start, wait_until,
};
use rustix::process::Signal;
use std::fs::File;
use std::io::Write;
use std::os::unix::net::{UnixListener, UnixStream};

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

/// A lively trial, in which no tap changes anything: what it plays is known beforehand.
const LIVELY: &str = "\
[pacing.left]
start = \"0 s\"
interval = \"4 ms\"
tone = { note = 76, duration = \"1 ms\" }
[pacing.right]
start = \"0 s\"
interval = \"5 ms\"
tone = { note = 77, duration = \"1 ms\" }
[[when]]
time = \"1500 ms\"
end = true
";

/// The bridge, once it listens at `socket`.
fn bridge(place: &Workspace, options: &str) -> Running {
    let options = options.split(' ').filter(|option| !option.is_empty());
    let bridge = start(place.chronotap(["lsl", "--follow", "socket"].into_iter().chain(options)));
    wait_until("it listens", || place.path("socket").exists());
    bridge
}

fn trial(place: &Workspace, name: &str, trial: &str) -> Running {
    let file = format!("{name}.toml");
    place.file(&file, trial);
    let args = ["run", &file, "--simulate", "steady", "--follow", "socket", ANY_LATENESS];
    start(place.chronotap(args))
}

/// The trial, which is as whole as without anybody who follows it.
fn whole(place: &Workspace, said: &Output, name: &str) -> Recording {
    assert!(matches!(said.code, Some(0 | 1)), "1: of the taps: {said:?}");
    place.replays(name);
    place.recording(name)
}

/// All that a trial plays and when it was to be: neither the moments of taps, nor those at which the computer did it.
fn decided(recording: &Recording) -> Vec<String> {
    let tapped = [TrialType::Tap, TrialType::Release];
    let rows = recording.rows.iter().filter(|row| !tapped.contains(&row.trial_type));
    let told = rows.map(|row| {
        let kind = row.trial_type.word();
        format!("{:?} {kind} {:?} {:?}", row.deadline, row.name, row.number)
    });
    let mut told: Vec<String> = told.collect();
    told.sort();
    told
}

#[test]
fn every_event_of_a_trial_is_published_and_counted() {
    let place = Workspace::of(PROGRAM);
    let bridge = bridge(&place, "--once --codes");
    let said = trial(&place, "lively", LIVELY).wait();
    let rows = whole(&place, &said, "lively").rows.len();
    let told = bridge.wait();
    assert_eq!(told.code, Some(0), "{told:?}");
    assert!(rows > 600, "{rows}");
    let expected = format!(
        "{rows} events and 0 codes of 1 trial published, {rows} of the events while nobody"
    );
    assert!(told.out.replace('\n', " ").contains(&expected), "{expected}: {told:?}");
    assert!(told.out.contains("; 0 lost"), "{told:?}");
    assert!(!place.path("socket").exists(), "it is removed");
}

#[test]
fn lines_may_come_in_on_standard_input_whose_end_is_the_end() {
    let place = Workspace::of(PROGRAM);
    place.file("lively.toml", LIVELY.replace("1500 ms", "100 ms"));
    let args = ["run", "lively.toml", "--simulate", "steady", "--follow", "-", ANY_LATENESS];
    let followed = start(place.chronotap(args)).wait();
    let lines = place.file("lines", followed.out);
    let mut bridge = place.chronotap(["lsl", "--follow", "-"]);
    let said = bridge.stdin(File::open(lines).unwrap()).output().unwrap();
    let out = String::from_utf8(said.stdout).unwrap();
    let rows = place.recording("lively").rows.len();
    assert!(said.status.success() && out.contains(&format!("{rows} events")), "{rows}: {out}");
}

#[test]
fn it_stays_for_several_trials_until_ctrl_c() {
    let place = Workspace::of(PROGRAM);
    let bridge = bridge(&place, "--name Room-2");
    bridge.says("publishing Room-2-events, of trials");
    let short = LIVELY.replace("1500 ms", "100 ms");
    trial(&place, "first", &short).wait();
    trial(&place, "second", &short).wait();
    let rows = ["first", "second"].map(|name| place.recording(name).rows.len());
    bridge.says("a trial begins: second");
    pause(100); // its lines are here already: the trial has ended
    bridge.signal(Signal::INT);
    let told = bridge.wait();
    let expected = format!("{} events and 0 codes of 2 trials published", rows[0] + rows[1]);
    assert!(told.code == Some(0) && told.out.contains(&expected), "{expected}: {told:?}");
}

#[test]
fn a_bridge_that_is_killed_in_mid_trial_changes_nothing_in_it() {
    let place = Workspace::of(PROGRAM);
    let beside = bridge(&place, "");
    let running = trial(&place, "killed", LIVELY);
    beside.says("a trial begins");
    pause(300);
    drop(beside); // by SIGKILL
    let killed = whole(&place, &running.wait(), "killed");
    place.file("alone.toml", LIVELY);
    let said = place.run(&format!("run alone.toml --simulate steady {ANY_LATENESS}"));
    assert_eq!(decided(&killed), decided(&whole(&place, &said, "alone")));
    drop(bridge(&place, "")); // the socket that was left makes room
}

/// A hundred times as many events as there is room for in a second.
fn flood() -> String {
    let stream = |k: i32| {
        format!(
            "[pacing.s{k}]\nstart = \"0 s\"\ninterval = \"1 ms\"\ntone = {{ note = {k}, duration = \"0.5 ms\" }}\n"
        )
    };
    let streams: String = (40..50).map(stream).collect();
    format!("{streams}[[when]]\ntime = \"4 s\"\nend = true\n")
}

#[test]
fn a_flood_of_events_past_a_bridge_that_is_stuck_is_all_in_the_data_and_told_as_lost() {
    let place = Workspace::of(PROGRAM);
    let bridge = bridge(&place, "--once");
    let running = trial(&place, "flood", &flood());
    bridge.says("a trial begins");
    bridge.signal(Signal::STOP);
    pause(2_500);
    bridge.signal(Signal::CONT);
    let rows = whole(&place, &running.wait(), "flood").rows.len();
    let told = bridge.wait();
    assert!(rows > 30_000, "{rows}");
    assert_eq!(told.code, Some(1), "{told:?}");
    assert!(told.err.contains("lost on the way here: "), "{told:?}");
}

#[test]
fn a_trial_that_is_killed_is_told_as_broken_off_and_what_came_of_it_is_published() {
    let place = Workspace::of(PROGRAM);
    let bridge = bridge(&place, "--once");
    let running = trial(&place, "lively", LIVELY);
    bridge.says("a trial begins");
    pause(300);
    drop(running); // by SIGKILL
    let told = bridge.wait();
    assert_eq!(told.code, Some(1), "{told:?}");
    assert!(told.err.contains("the trial broke off, or did not tell of its end"), "{told:?}");
    assert!(told.out.contains(" of 1 trial published") && !told.out.starts_with("0 "), "{told:?}");
}

#[test]
fn events_wait_for_recorders_and_are_told_as_lost_where_none_comes() {
    let place = Workspace::of(PROGRAM);
    let bridge = bridge(&place, "--wait-for-consumers 1 --once");
    trial(&place, "lively", &LIVELY.replace("1500 ms", "200 ms")).wait();
    bridge.says("a trial begins");
    pause(200);
    bridge.signal(Signal::INT);
    let told = bridge.wait();
    let rows = place.recording("lively").rows.len();
    assert_eq!(told.code, Some(1), "{told:?}");
    assert!(told.out.contains("0 events and 0 codes of 1 trial published"), "{told:?}");
    assert!(told.out.contains(&format!("{rows} lost")), "{rows}: {told:?}");
}

#[test]
fn what_tells_of_no_trial_is_complained_of_and_the_next_trial_is_published() {
    let place = Workspace::of(PROGRAM);
    let bridge = bridge(&place, "");
    let mut stranger = UnixStream::connect(place.path("socket")).unwrap();
    stranger.write_all(b"GET / HTTP/1.1\n{\"event\":\"tap\",\"achieved_ns\":1}\n").unwrap();
    drop(stranger);
    bridge.says("no line of --follow");
    bridge.says("no trial has begun");
    trial(&place, "lively", &LIVELY.replace("1500 ms", "100 ms")).wait();
    bridge.says("a trial begins");
    bridge.signal(Signal::INT);
    let told = bridge.wait();
    let rows = place.recording("lively").rows.len();
    assert_eq!(told.code, Some(1), "{told:?}");
    assert!(told.out.contains(&format!("{rows} events")), "{rows}: {told:?}");
}

#[test]
fn a_path_at_which_something_stands_is_refused_and_a_name_that_none_is() {
    let place = Workspace::of(PROGRAM);
    place.file("notes.txt", "mine");
    let said = place.run("lsl --follow notes.txt");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("--follow notes.txt: already there; name another path"), "{said:?}");
    let _busy = UnixListener::bind(place.path("busy")).unwrap();
    assert_eq!(place.run("lsl --follow busy").code, Some(2), "somebody listens there");
    let said = place.run("lsl --follow missing/socket");
    assert!(said.code == Some(2) && said.err.contains("no socket can be made there"), "{said:?}");
    assert_eq!(place.run("lsl --follow socket --name a/b").code, Some(2));
}
