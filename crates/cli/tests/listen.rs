//! `chronotap listen`: streams of other programs beside a trial, with both clocks, and markers that a trial hears. The sources here
//! are those of the library in this process; real ones (pylsl, another clock) are in scripts/test-lsl.sh.

#![cfg(feature = "lsl")]
use chronotap_data::record::TrialType;
use chronotap_linux::clocks::MonotonicClock;
use chronotap_testkit_cli::program::{ANY_LATENESS, Running, Workspace, pause, start, wait_until};
use labstream_net::{Outlet, StreamInfo};
use labstream_wire::{Format, Sample, Value};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

/// Looks at this computer alone, whatever network it has.
const HERE: &str = "[multicast]\nResolveScope = machine\n[lab]\nKnownPeers = {127.0.0.1}\n";

/// A source with this many channels, which has no namesake.
fn source(name: &str, format: Format, channels: u32, rate: f64) -> Outlet {
    let mut info = StreamInfo::new(name, "Test", channels, format, rate);
    info.source_id = format!("{name}-source");
    let labels = info.desc.append_child("channels");
    for label in ["left", "right"].iter().take(channels as usize) {
        labels.append_child("channel").append_child_value("label", label);
    }
    Outlet::new(info).unwrap()
}

fn marker(outlet: &Outlet, text: &str) -> i64 {
    let now = MonotonicClock::raw();
    let values = vec![Value::Str(text.into())];
    outlet.push(&Sample { timestamp: now.as_secs_f64(), values });
    now.0
}

/// The program with that file, which looks for streams here.
fn command(place: &Workspace, args: &[&str]) -> Command {
    let mut command = place.chronotap(args.iter().copied());
    command.env("LSLAPICFG", place.file("lsl_api.cfg", HERE));
    command
}

fn listening(place: &Workspace, args: &[&str]) -> Running {
    let listener = start(command(place, &[&["listen"], args].concat()));
    listener.says("recording");
    listener
}

/// The rows of a table, with their heading first.
fn table(place: &Workspace, name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(place.path(name)).unwrap();
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// How many sockets a process has open itself.
fn sockets(process: u32) -> usize {
    let open = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    let links = open.filter_map(|entry| fs::read_link(entry.path()).ok());
    links.filter(|link| link.to_string_lossy().starts_with("socket:")).count()
}

fn number(cell: &str) -> i64 {
    cell.parse().unwrap()
}

#[test]
fn each_sample_stands_with_both_clocks_and_its_values() {
    let place = Workspace::of(PROGRAM);
    let (eye, words) =
        (source("EyeA", Format::Float32, 2, 0.0), source("WordsA", Format::String, 1, 0.0));
    let listener = listening(&place, &["EyeA", "source_id=WordsA-source", "--to", "first"]);
    wait_until("it is read", || eye.consumer_count() > 0 && words.consumer_count() > 0);
    let sent: Vec<i64> = (0..50u8)
        .map(|place| {
            let now = MonotonicClock::raw();
            let values = vec![Value::F32(f32::from(place) / 4.0), Value::F32(-1.5)];
            eye.push(&Sample { timestamp: now.as_secs_f64(), values });
            now.0
        })
        .collect();
    let word = marker(&words, "a\tb");
    pause(300);
    listener.signal(Signal::INT);
    let said = listener.wait();
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.replace('\n', " ").contains("EyeA: 50 samples, 0 lost"), "{said:?}");
    let rows = table(&place, "first_lsl-EyeA.tsv");
    assert_eq!(
        rows[0],
        ["onset_ns", "source_ns", "correction_ns", "round_trip_ns", "arrived_ns", "left", "right"]
    );
    assert_eq!(rows.len(), 51);
    for (place, (row, sent)) in rows[1..].iter().zip(sent).enumerate() {
        assert!((number(&row[1]) - sent).abs() < 1_000, "the source's own stamp: {row:?}");
        assert_eq!(number(&row[0]), number(&row[1]) + number(&row[2]), "{row:?}");
        assert!((number(&row[0]) - sent).abs() < 1_000_000, "one clock here: {row:?}");
        assert!(number(&row[4]) >= sent && number(&row[3]) >= 0, "{row:?}");
        assert_eq!([&row[5], &row[6]], [&(place as f32 / 4.0).to_string(), "-1.5"]);
    }
    let rows = table(&place, "first_lsl-WordsA.tsv");
    assert_eq!((number(&rows[1][1]) - word).abs() / 1_000, 0);
    assert_eq!(rows[1][5], "a\\tb", "a cell keeps to its place");
    let about = fs::read_to_string(place.path("first_lsl-WordsA.json")).unwrap();
    let about: serde_json::Value = serde_json::from_str(&about).unwrap();
    assert_eq!(about["stream"]["source_id"], "WordsA-source");
}

#[test]
fn a_marker_starts_a_trial_and_another_ends_it() {
    let place = Workspace::of(PROGRAM);
    let markers = source("Steers", Format::String, 1, 0.0);
    let listener =
        listening(&place, &["Steers", "--notes", "notes", "--note", "go=60", "--note", "stop=62"]);
    wait_until("it is read", || markers.consumer_count() > 0);
    let trial = "[pacing.metronome]\nstart = \"first tap\"\ninterval = \"50 ms\"\n[[when]]\nnote = 62\nend = true\n";
    place.file("trial.toml", trial);
    let args = ["run", "trial.toml", "--in", "raw:notes", "--out", "raw:/dev/null", ANY_LATENESS];
    let trial = start(place.chronotap(args));
    trial.says("Ctrl-C ends the trial");
    pause(300);
    let go = marker(&markers, "go");
    marker(&markers, "nothing");
    pause(500);
    let stop = marker(&markers, "stop");
    let said = trial.wait();
    assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
    let recording = place.recording("trial");
    let beats = recording.rows.iter().filter(|row| row.trial_type == TrialType::Pacing).count();
    let between = (stop - go) / 50_000_000;
    assert!((beats as i64 - between).abs() <= 4, "{beats} beats in {between} intervals");
    listener.signal(Signal::INT);
    let said = listener.wait();
    assert!(said.out.replace('\n', " ").contains("2 markers passed on as notes, "), "{said:?}");
    assert!(!place.path("notes").exists(), "the FIFO is removed");
}

#[test]
fn a_run_records_them_beside_its_data_and_does_not_begin_without_them() {
    let place = Workspace::of(PROGRAM);
    let eye = source("Gaze", Format::Float32, 1, 100.0);
    place.file(
        "trial.toml",
        "[pacing.metronome]\ninterval = \"50 ms\"\n[[when]]\ntime = \"1 s\"\nend = true\n",
    );
    let run = |listen: &str| {
        let args = [
            "run",
            "trial.toml",
            "--simulate",
            "steady",
            "--data",
            "data",
            "--listen",
            listen,
            ANY_LATENESS,
        ];
        start(command(&place, &args))
    };
    let refused = run("Gazes").wait();
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("did you mean \"Gaze\"?"), "{refused:?}");
    assert!(!place.path("data").exists(), "nothing was begun");
    let mut running = run("Gaze");
    let mut sent = Vec::new();
    while !running.has_ended() {
        assert_eq!(sockets(running.id()), 0, "the network is another process's");
        let now = MonotonicClock::raw();
        eye.push(&Sample { timestamp: now.as_secs_f64(), values: vec![Value::F32(1.0)] });
        sent.push(now.0);
        pause(10);
    }
    let said = running.wait();
    assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
    let rows = table(&place, "data/trial_run-01_lsl-Gaze.tsv");
    let recording = fs::read_to_string(place.path("data/trial_run-01_events.json")).unwrap();
    let recording: serde_json::Value = serde_json::from_str(&recording).unwrap();
    let origin =
        recording["Chronotap"]["footer"]["summary"]["clock"]["origin_ns"].as_i64().unwrap();
    let in_the_trial = |at: &i64| (0..1_000_000_000).contains(&(at - origin));
    let sent = sent.iter().filter(|at| in_the_trial(at)).count();
    let kept = rows[1..].iter().map(|row| number(&row[0])).filter(in_the_trial).count();
    // One more or less where a sample comes at the first or last moment.
    assert!(sent > 0 && kept.abs_diff(sent) <= 1, "{kept} of {sent} samples of the trial");
}

#[test]
fn of_a_session_they_lie_beside_its_journal_and_go_with_who_withdraws() {
    let place = Workspace::of(PROGRAM);
    let pulse = source("Pulse", Format::Int32, 1, 0.0);
    place.file(
        "trial.toml",
        "[pacing.metronome]\ninterval = \"50 ms\"\n[[when]]\ntime = \"1 s\"\nend = true\n",
    );
    place.file("study.toml", "title = \"S\"\ntask = \"short\"\nparticipants = 1\ntrial = \"trial.toml\"\n[[step]]\nname = \"main\"\n");
    let args = [
        "run",
        "study.toml",
        "--participant",
        "1",
        "--simulate",
        "steady",
        "--data",
        "data",
        "--listen",
        "Pulse",
        ANY_LATENESS,
    ];
    let mut running = start(command(&place, &args));
    while !running.has_ended() {
        pulse.push(&Sample {
            timestamp: MonotonicClock::raw().as_secs_f64(),
            values: vec![Value::I32(7)],
        });
        pause(20);
    }
    let said = running.wait();
    assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
    let rows = table(&place, "data/sourcedata/sub-01/sub-01_task-short_lsl-Pulse.tsv");
    assert!(rows.len() > 20 && rows[1..].iter().all(|row| row[5] == "7"), "{} rows", rows.len());
    let verified = place.run("verify data");
    assert_eq!(verified.code, Some(0), "{verified:?}");
    let withdrawn = place.run("withdraw data --participant 01 --yes");
    assert_eq!(withdrawn.code, Some(0), "{withdrawn:?}");
    assert!(!place.path("data/sourcedata/sub-01").exists());
}

#[test]
fn what_reads_the_network_comes_back_when_it_is_ended() {
    let place = Workspace::of(PROGRAM);
    let markers = source("Kept", Format::String, 1, 0.0);
    let listener = listening(&place, &["Kept"]);
    wait_until("it is read", || markers.consumer_count() > 0);
    marker(&markers, "before");
    pause(200);
    let id = listener.id();
    let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
    let child = children.split_whitespace().next().unwrap().parse().unwrap();
    kill_process(Pid::from_raw(child).unwrap(), Signal::KILL).unwrap();
    listener.says("started again");
    wait_until("another reads", || {
        marker(&markers, "after");
        fs::read_to_string(place.path("heard_lsl-Kept.tsv")).unwrap().contains("after")
    });
    listener.signal(Signal::INT);
    let said = listener.wait();
    assert_eq!(said.code, Some(1), "samples may be missing: {said:?}");
    assert!(said.err.contains("started again"), "{said:?}");
    let rows = table(&place, "heard_lsl-Kept.tsv");
    let words: Vec<&str> = rows[1..].iter().map(|row| row[5].as_str()).collect();
    assert!(words.starts_with(&["before", "after"]), "{words:?}");
}

#[test]
fn two_streams_of_one_name_are_told_apart_by_their_sources() {
    let place = Workspace::of(PROGRAM);
    let (_one, mut other) = (
        source("Twin", Format::String, 1, 0.0),
        StreamInfo::new("Twin", "Test", 1, Format::String, 0.0),
    );
    other.source_id = "other".into();
    let _other = Outlet::new(other).unwrap();
    let said = start(command(&place, &["listen", "Twin"])).wait();
    assert_eq!(said.code, Some(2), "{said:?}");
    let cure = "source_id=Twin-source or source_id=other";
    let other_way = "source_id=other or source_id=Twin-source";
    assert!(said.err.contains(cure) || said.err.contains(other_way), "{said:?}");
}
