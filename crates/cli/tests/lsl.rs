//! `chronotap lsl` beside a trial: it says what became of each event, and whatever becomes of it, the
//! trial is the same. That real recorders get every marker at its time is checked by scripts/test-lsl.sh.

#![cfg(feature = "lsl")]
use chronotap_data::record::{Recording, TrialType};
use chronotap_testkit_cli::program::{
    ANY_LATENESS, Output, Running, SHORT_TRIAL, Workspace, pause, start, wait_until,
};
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

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

/// Sends a query to the streams of a bridge that nests more deeply than any stack is, and waits until
/// another process publishes them.
fn attack(bridge: &Running) {
    let (before, port) = (publisher(bridge.id()), listening(bridge.id()).expect("a stream"));
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let query = format!("LSL:shortinfo\r\n{}\r\n", "(".repeat(200_000));
    let _ = stream.write_all(query.as_bytes()); // it may be ended by a part of it
    wait_until("the streams are back", || {
        publisher(bridge.id()) != before && listening(bridge.id()).is_some()
    });
}

/// The process that a bridge started, once there is one.
fn publisher(bridge: u32) -> Option<u32> {
    let children = fs::read_to_string(format!("/proc/{bridge}/task/{bridge}/children")).ok()?;
    children.split_whitespace().next()?.parse().ok()
}

/// The port of a stream of the process that a bridge started, once there is one.
fn listening(bridge: u32) -> Option<u16> {
    let child = publisher(bridge)?;
    let open = fs::read_dir(format!("/proc/{child}/fd")).ok()?;
    let links = open.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    let links: Vec<String> = links.map(|link| link.to_string_lossy().into_owned()).collect();
    let table = fs::read_to_string(format!("/proc/{child}/net/tcp")).ok()?;
    let listens = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let mut own = listens.filter(|cells| {
        cells.get(3) == Some(&"0A") && links.contains(&format!("socket:[{}]", cells[9]))
    });
    u16::from_str_radix(own.next()?[1].split(':').nth(1)?, 16).ok()
}

#[test]
fn a_query_that_ends_what_publishes_costs_no_event_and_the_streams_come_back() {
    let place = Workspace::of(PROGRAM);
    let bridge = bridge(&place, "--once --codes");
    // It ends once both attacks are over, however long the machine takes for them.
    let running = trial(&place, "attacked", &LIVELY.replace("1500 ms", "60 s"));
    bridge.says("a trial begins");
    pause(300);
    attack(&bridge);
    bridge.says("what publishes was ended by something from the network");
    attack(&bridge);
    running.signal(Signal::INT);
    let rows = whole(&place, &running.wait(), "attacked").rows.len();
    let told = bridge.wait();
    assert_eq!(told.code, Some(1), "{told:?}");
    let out = told.out.replace('\n', " ");
    assert!(out.contains(&format!("{rows} events and 0 codes of 1 trial published")), "{told:?}");
    assert!(out.contains("; 0 lost; started again 2 times"), "{told:?}");
}

#[test]
fn a_siege_by_connections_is_lifted_by_a_new_start() {
    let place = Workspace::of(PROGRAM);
    let bridge = bridge(&place, "");
    let port = listening(bridge.id()).unwrap();
    let besiegers = (0..600).map_while(|_| TcpStream::connect(("127.0.0.1", port)).ok());
    let besiegers: Vec<TcpStream> = besiegers.collect();
    bridge.says("what publishes was ended by something from the network");
    wait_until("the streams are back", || listening(bridge.id()).is_some());
    assert!(!besiegers.is_empty());
}

#[test]
fn a_run_publishes_by_a_child_and_says_what_became_of_it() {
    let place = Workspace::of(PROGRAM);
    place.file("lively.toml", LIVELY);
    let said = place.run(&format!("run lively.toml --simulate steady --lsl=Room-2 {ANY_LATENESS}"));
    let rows = whole(&place, &said, "lively").rows.len();
    assert!(said.out.contains("  LSL publishing Room-2-events\n"), "{said:?}");
    let expected = format!("LSL: {rows} events and 0 codes of 1 trial published");
    assert!(said.err.replace('\n', " ").contains(&expected), "{expected}: {said:?}");
    assert!(!said.err.contains("ended before"), "{said:?}");
}

/// The child of a run.
fn child(run: &Running) -> u32 {
    let id = run.id();
    let children = || fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
    wait_until("there is a child", || !children().is_empty());
    children().split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn a_run_whose_child_is_killed_says_so_and_goes_on() {
    let place = Workspace::of(PROGRAM);
    place.file("lively.toml", LIVELY);
    let args = ["run", "lively.toml", "--simulate", "steady", "--lsl", ANY_LATENESS];
    let running = start(place.chronotap(args));
    running.says("LSL publishing Chronotap-events");
    pause(300);
    let child = Pid::from_raw(child(&running) as i32).unwrap();
    kill_process(child, Signal::KILL).unwrap();
    running.says("chronotap lsl has ended before its time");
    whole(&place, &running.wait(), "lively");
}

#[test]
fn ctrl_c_ends_the_trial_and_what_came_of_it_is_published_nevertheless() {
    let place = Workspace::of(PROGRAM);
    place.file("lively.toml", LIVELY);
    let args = ["run", "lively.toml", "--simulate", "steady", "--lsl", ANY_LATENESS];
    let running = start(place.chronotap(args));
    running.says("Ctrl-C ends the trial");
    pause(300);
    running.signal(Signal::INT);
    let said = running.wait();
    let rows = place.recording("lively").rows.len();
    let expected = format!("LSL: {rows} events and 0 codes of 1 trial published");
    assert!(said.err.replace('\n', " ").contains(&expected), "{expected}: {said:?}");
}

#[test]
fn a_session_publishes_all_its_trials() {
    let place = Workspace::of(PROGRAM);
    place.file("short.toml", SHORT_TRIAL);
    let step = |name| format!("[[step]]\nname = \"{name}\"\ntrial = \"short.toml\"\n");
    place.file("study.toml", format!("title = \"Two\"\n{}{}", step("one"), step("two")));
    let said = place.run(&format!(
        "run study.toml --participant 01 --data d --simulate steady --lsl {ANY_LATENESS}"
    ));
    assert!(said.out.contains("LSL publishing Chronotap-events"), "{said:?}");
    assert!(said.err.replace('\n', " ").contains(" of 2 trials published"), "{said:?}");
}

/// Plays LabRecorder's remote control: what it was told, and whether it answers.
fn remote_control(answers: bool) -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (tell, told) = channel();
    thread::spawn(move || {
        for connection in listener.incoming() {
            let mut answer = connection.as_ref().unwrap().try_clone().unwrap();
            for line in BufReader::new(connection.unwrap()).lines().map_while(Result::ok) {
                tell.send(line).unwrap();
                if answers {
                    answer.write_all(b"OK").unwrap();
                }
            }
        }
    });
    (port, told)
}

#[test]
fn lab_recorder_is_started_named_and_stopped_by_its_remote_control() {
    let place = Workspace::of(PROGRAM);
    place.file("lively.toml", LIVELY.replace("1500 ms", "300 ms"));
    let (port, told) = remote_control(true);
    let said = place.run(&format!(
        "run lively.toml --simulate steady --lsl --labrecorder 127.0.0.1:{port} {ANY_LATENESS}"
    ));
    let rows = whole(&place, &said, "lively").rows.len();
    let told: Vec<String> = told.try_iter().collect();
    assert_eq!(told.len(), 5, "{told:?}");
    assert_eq!([&told[0], &told[1], &told[3], &told[4]], ["update", "select all", "start", "stop"]);
    let name = told[2].strip_prefix("filename {template:lively_20").unwrap();
    assert!(name.ends_with(".xdf}"), "{told:?}");
    let expected = format!("LSL: {rows} events");
    assert!(said.err.contains(&expected), "nothing waits for ever for a reader: {said:?}");
}

#[test]
fn a_lab_recorder_that_does_not_answer_is_told_and_costs_a_bounded_time() {
    let place = Workspace::of(PROGRAM);
    let (port, _told) = remote_control(false);
    let bridge = bridge(&place, &format!("--once --labrecorder 127.0.0.1:{port}"));
    trial(&place, "lively", &LIVELY.replace("1500 ms", "100 ms")).wait();
    let told = bridge.wait();
    let rows = place.recording("lively").rows.len();
    assert_eq!(told.code, Some(1), "{told:?}");
    assert!(told.err.contains("does not answer; start it"), "{told:?}");
    assert!(told.out.contains(&format!("{rows} events")), "{rows}: {told:?}");
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
    let said = running.wait();
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("lines of --follow are lost"), "{said:?}");
    place.replays("flood");
    let rows = place.recording("flood").rows.len();
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
