//! What a laboratory does to a trial: programs are killed, devices are pulled out,
//! disks run full, cables send rubbish, rights are missing, people press Ctrl-C.
//! The data must survive all of it, and no note may hang.

use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;
use chronotap_data::record::{TrialType, read_journal};
use chronotap_engine::action::ActionKind;
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use chronotap_testkit::{left_to_all, pass_over};
use chronotap_testkit_cli::program::{
    ANY_LATENESS, Numbers, Output, Workspace, ending, names_in, pause, rows, start, wait_until,
};
use chronotap_testkit_linux::terminal::Pty;
use rustix::process::Signal;
use serde_json::json;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

/// Beats every 5 ms to one output, a metronome and its echo to another.
const BUSY: &str = r#"
[output.watched]
[output.wire]

[pacing.metronome]
interval = "60 ms"
start = "0 s"
output = "wire"

[pacing.beats]
interval = "5 ms"
start = "10 ms"
output = "watched"
tone = { note = 60, duration = "2 ms" }

[feedback.tone]
output = "wire"
duration = "20 ms"
"#;

/// When a trial is killed or interrupted.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// So many milliseconds after the program was started: before it sounds too.
    AfterStart(i64),
    /// Once so many tones and one more have been heard: while the trial runs.
    AfterTones(usize),
}

impl Moment {
    /// Moments that are the same in every run, a third of them from the start.
    fn some(seed: u64, longest_ms: i64, most_tones: i64) -> impl Iterator<Item = Moment> {
        Numbers(seed).enumerate().map(move |(round, number)| match round % 3 {
            0 => Moment::AfterStart(number % longest_ms),
            _ => Moment::AfterTones((number % most_tones) as usize),
        })
    }

    fn wait(self, ear: &mut Pty) {
        match self {
            Moment::AfterStart(ms) => pause(ms),
            Moment::AfterTones(tones) => wait_until("it sounds", || ear.tones() > tones),
        }
    }

    fn is_before_the_trial(self, heard: usize) -> bool {
        matches!(self, Moment::AfterStart(_)) && heard == 0
    }
}

/// How many tones of a stream a trial's journal holds; none where nobody can read it.
fn held(place: &Workspace, journal: &str, stream: &str) -> usize {
    let Ok(journal) = read_journal(&place.path(journal)) else { return 0 };
    let of_stream = |kind| match kind {
        ActionKind::Pacing(index) => journal.header.names.pacing[usize::from(index)] == stream,
        _ => false,
    };
    journal.entries.iter().filter(|entry| of_stream(entry.action.kind)).count()
}

/// That what is older than 100 ms is in the journal is proved in virtual time, in
/// `recorder`. Here: it gets there while the trial runs, and a killed program loses none of
/// it.
#[test]
fn a_trial_killed_at_100_random_moments_keeps_all_that_its_journal_held() {
    if left_to_all() {
        return;
    }
    std::thread::scope(|scope| {
        for first in 0..5 {
            scope.spawn(move || Moment::some(first + 1, 900, 160).take(20).for_each(kill_at));
        }
    });
}

fn kill_at(moment: Moment) {
    let place = Workspace::of(PROGRAM);
    place.file("busy.toml", BUSY);
    let mut watched = Pty::open();
    let out = format!("watched={}", watched.port());
    let args = ["run", "busy.toml", "--in", "wire", "--out", "wire=wire", "--out", &out];
    let trial = start(place.chronotap(args.into_iter().chain(["--simulate", "tapper"])));
    moment.wait(&mut watched);
    let held = || held(&place, "data/busy_run-01.journal", "beats");
    if let Moment::AfterTones(tones) = moment
        && tones % 2 == 0
    {
        wait_until("what sounded is in the journal", || held() > tones);
    }
    let held = held();
    trial.signal(Signal::KILL);
    trial.wait();
    let heard = watched.tones();
    if names_in(&place.path("data")).is_empty() {
        return assert!(moment.is_before_the_trial(heard), "it sounded before it recorded");
    }
    let said = place.run("recover data/busy_run-01.journal");
    if said.err.contains("nothing to recover") {
        assert!(said.code == Some(2) && moment.is_before_the_trial(heard), "{said:?}");
        return;
    }
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(
        names_in(&place.path("data")),
        ["busy_run-01_events.json", "busy_run-01_events.tsv"]
    );
    let recording = place.recording("busy");
    let beats = |row: &&&chronotap_data::record::Row| row.name.as_deref() == Some("beats");
    let kept = rows(&recording, TrialType::Pacing).iter().filter(beats).count();
    assert!(kept >= held, "{moment:?}: {kept} of {held} beats are kept");
    assert!(!recording.footer.recovered.as_ref().unwrap().complete);
    place.replays("busy");
}

#[test]
fn a_trial_killed_while_its_files_are_written_has_them_after_recovery() {
    std::thread::scope(|scope| {
        for first in 0..3 {
            let moments = Numbers(first + 31).map(|n| n % 20_000);
            scope.spawn(move || moments.take(12).for_each(kill_after_the_end));
        }
    });
}

/// Kills the program so many microseconds after the last tone of its trial.
fn kill_after_the_end(us: i64) {
    let place = Workspace::of(PROGRAM);
    place.file("short.toml", LEGATO.replace("30 s", "90 ms"));
    let mut ear = Pty::open();
    let args = ["run", "short.toml", "--in", "wire", "--out", &ear.port(), ANY_LATENESS];
    let trial = start(place.chronotap(args));
    wait_until("the trial is over", || ear.heard().len() == 12);
    let journal = "data/short_run-01.journal";
    let held = || held(&place, journal, "legato") + held(&place, journal, "drone");
    wait_until("some of it is kept", || held() > 0 || !place.path(journal).exists());
    let held = held();
    sleep_until(MonotonicClock::raw() + Nanos::from_micros(us));
    trial.signal(Signal::KILL);
    trial.wait();
    if place.path("data/short_run-01.journal").exists() {
        let said = place.run("recover data/short_run-01.journal");
        assert_eq!(said.code, Some(0), "after {us} us: {said:?}");
    }
    let recording = place.recording("short");
    // Beside other work the last of the trial may not be in the journal yet.
    let kept = rows(&recording, TrialType::Pacing).len();
    let least = if ending(&recording).is_empty() { held } else { 6 };
    assert!((least..=6).contains(&kept), "after {us} us: {kept} of {least} are kept");
    assert!(names_in(&place.path("data")).iter().all(|name| !name.ends_with(".journal")));
    place.replays("short");
}

/// Slow tones to a watched port, so that one is sounding at almost any moment.
const LEGATO: &str = r#"
[pacing.legato]
interval = "20 ms"
start = "0 s"
tone = { note = 60, channel = 3, duration = "19 ms" }

[pacing.drone]
interval = "1 s"
start = "0 s"
tone = { note = 36, channel = 2, duration = "900 ms" }

[[when]]
time = "30 s"
end = true
"#;

#[test]
fn ctrl_c_at_any_moment_ends_every_note_and_keeps_the_data() {
    std::thread::scope(|scope| {
        for first in 0..4 {
            scope.spawn(move || Moment::some(first + 9, 400, 20).take(6).for_each(interrupt_at));
        }
    });
}

fn interrupt_at(moment: Moment) {
    let place = Workspace::of(PROGRAM);
    place.file("legato.toml", LEGATO);
    let mut ear = Pty::open();
    let args = ["run", "legato.toml", "--in", "wire", "--out", &ear.port(), ANY_LATENESS];
    let trial = start(place.chronotap(args));
    moment.wait(&mut ear);
    let number = match moment {
        Moment::AfterStart(ms) => ms as usize,
        Moment::AfterTones(tones) => tones,
    };
    trial.signal([Signal::INT, Signal::TERM, Signal::HUP][number % 3]);
    let said = trial.wait();
    ear.nothing_hangs();
    if said.code.is_none() {
        // Before the program took the signals over there was nothing to end.
        assert!(moment.is_before_the_trial(ear.tones()), "{said:?}");
        return assert_eq!(names_in(&place.path("data")).len(), 0, "{said:?}");
    }
    assert_eq!(said.code, Some(0), "{said:?}");
    let recording = place.recording("legato");
    assert_eq!(ending(&recording), "interrupted");
    assert_eq!(rows(&recording, TrialType::Pacing).len(), ear.tones());
    assert!(!place.path("data/legato_run-01.journal").exists());
    place.replays("legato");
}

#[test]
fn every_signal_that_would_end_the_program_ends_the_notes_first() {
    let place = Workspace::of(PROGRAM);
    place.file("legato.toml", LEGATO);
    let mut ear = Pty::open();
    let signals =
        [Signal::TERM, Signal::HUP, Signal::QUIT, Signal::USR1, Signal::USR2, Signal::ALARM];
    for (run, signal) in (1..).zip(signals) {
        let args = ["run", "legato.toml", "--in", "wire", "--out", &ear.port(), ANY_LATENESS];
        let trial = start(place.chronotap(args));
        let before = ear.tones();
        wait_until("it sounds", || ear.tones() > before + 5);
        trial.signal(signal);
        let said = trial.wait();
        assert_eq!((said.code, said.signal), (Some(0), None), "{said:?}");
        ear.nothing_hangs();
        let path = place.path(&format!("data/legato_run-0{run}_events.tsv"));
        assert_eq!(ending(&chronotap_data::record::read_events(&path).unwrap()), "interrupted");
    }
}

#[test]
fn ctrl_c_while_the_summary_is_made_changes_nothing() {
    let place = Workspace::of(PROGRAM);
    place.file("short.toml", LEGATO.replace("30 s", "200 ms"));
    let mut ear = Pty::open();
    for (run, wait_ms) in (1..).zip([0, 2, 5, 10]) {
        let args = ["run", "short.toml", "--in", "wire", "--out", &ear.port(), ANY_LATENESS];
        let trial = start(place.chronotap(args));
        // The drone's release is the last thing heard.
        wait_until("the trial is over", || ear.heard().len() == run * 22);
        pause(wait_ms);
        trial.signal(Signal::INT);
        let said = trial.wait();
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(said.out.contains("Timing: passed"), "{said:?}");
        let path = place.path(&format!("data/short_run-0{run}_events.tsv"));
        assert_eq!(ending(&chronotap_data::record::read_events(&path).unwrap()), "trigger");
    }
}

#[test]
fn a_second_ctrl_c_says_what_a_third_costs_which_ends_at_once_and_the_journal_keeps_the_data() {
    let place = Workspace::of(PROGRAM);
    place.file("legato.toml", LEGATO);
    let mut ear = Pty::open();
    let args = ["run", "legato.toml", "--in", "wire", "--out", &ear.port(), ANY_LATENESS];
    let trial = start(place.chronotap(args));
    wait_until("it sounds", || ear.tones() > 5);
    // Stopped, it meets all three at the same moment, before it can end by itself.
    trial.signal(Signal::STOP);
    let three = [Signal::HUP, Signal::INT, Signal::TERM];
    three.into_iter().chain([Signal::CONT]).for_each(|signal| trial.signal(signal));
    let said = trial.wait();
    assert!(three.iter().any(|signal| said.signal == Some(signal.as_raw())), "{said:?}");
    assert!(said.err.contains("chronotap recover data/legato_run-01.journal\n"), "{said:?}");
    let said = place.run("recover data/legato_run-01.journal");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(!rows(&place.recording("legato"), TrialType::Pacing).is_empty());
    place.replays("legato");
}

/// Taps are fed back; ended by its only input's closing, or by time.
fn listening(when_closed: &str) -> String {
    format!(
        r#"
[input.pad]
when_closed = "{when_closed}"

[pacing.metronome]
interval = "50 ms"
start = "0 s"

[feedback.tone]
duration = "20 ms"

[[when]]
time = "1500 ms"
end = true
"#
    )
}

/// Runs a trial whose input is pulled out after a tap.
fn pulled_out(place: &Workspace, when_closed: &str) -> Output {
    place.file("pulled.toml", listening(when_closed));
    let (pad, mut ear) = (Pty::open(), Pty::open());
    let args = ["run", "pulled.toml", "--in", &pad.port(), "--out", &ear.port(), ANY_LATENESS];
    let trial = start(place.chronotap(args));
    wait_until("the trial begins", || ear.tones() > 2);
    pad.send(&[0x90, 60, 100]);
    let answer =
        |message: &Message| matches!(message, Message::NoteOn { note, .. } if note.get() == 60);
    wait_until("the tap is answered", || ear.heard().iter().any(answer));
    drop(pad);
    let said = trial.wait();
    assert_eq!(said.code, Some(1), "{said:?}");
    let unusable = said.out.contains("Data: not usable: input \"pad\" closed at ");
    assert!(unusable && said.out.contains("Timing: passed"), "{said:?}");
    ear.nothing_hangs();
    said
}

#[test]
fn a_trial_whose_input_is_pulled_out_goes_on_where_it_is_told_to() {
    let place = Workspace::of(PROGRAM);
    pulled_out(&place, "continue");
    let recording = place.recording("pulled");
    assert_eq!(ending(&recording), "trigger");
    let markers = rows(&recording, TrialType::Marker);
    let names: Vec<_> = markers.iter().filter_map(|row| row.name.as_deref()).collect();
    assert_eq!(names, ["input closed: pad"]);
    assert_eq!(rows(&recording, TrialType::Tap).len(), 1);
    assert_eq!(rows(&recording, TrialType::Pacing).len(), 30);
    // Most of the trial was after the closing: a loop that it kept awake computes all along.
    let computed = Nanos(recording.footer.summary["cpu_ns"].as_i64().unwrap());
    let lasted = rows(&recording, TrialType::End)[0].onset;
    assert!(
        computed < lasted / 2,
        "the closed input kept a processor busy: {computed} of {lasted}"
    );
    place.replays("pulled");
}

#[test]
fn a_trial_whose_input_is_pulled_out_ends_where_it_is_told_to() {
    let place = Workspace::of(PROGRAM);
    let said = pulled_out(&place, "end");
    assert!(said.out.contains("ended by: a closed input"), "{said:?}");
    let recording = place.recording("pulled");
    assert_eq!(ending(&recording), "input closed");
    assert!(rows(&recording, TrialType::Pacing).len() < 30);
    place.replays("pulled");
}

const ECHO: &str = r#"
[feedback.tone]
pitch = { fixed = 72 }
duration = "as played"

[[when]]
tap = 6
end = true
"#;

#[test]
fn rubbish_from_a_cable_is_counted_and_the_taps_among_it_are_recorded() {
    let place = Workspace::of(PROGRAM);
    place.file("echo.toml", format!("[input.input]\nrecord_sysex = true\n{ECHO}"));
    let mut pad = Pty::open();
    let told = place.path("told");
    assert!(Command::new("mkfifo").arg(&told).status().unwrap().success());
    // Open in both directions, so that neither end waits for the other.
    let events = fs::OpenOptions::new().read(true).write(true).open(&told).unwrap();
    let (pad_port, told) = (pad.port(), told.display().to_string());
    let ports = ["--in", &pad_port, "--out", &pad_port, "--follow", &told];
    let args = ["run", "echo.toml", ANY_LATENESS, "--json"];
    let trial = start(place.chronotap(args.into_iter().chain(ports)));
    let mut begun = String::new();
    BufReader::new(events).read_line(&mut begun).unwrap();
    assert!(begun.contains("\"event\":\"begin\""), "{begun}");
    let mut taps = 0;
    for bytes in [
        &[0x12, 0x34, 0x90, 60, 100][..], // data without a status, a tap
        &[61, 101, 61, 0],                // running status: a tap, its release
        &[0xf0, 0x7e, 1, 2, 3, 0xf7, 0x90, 62, 1], // system exclusive, a tap
        &[0xfe, 0x90, 0xf8, 63, 0xfe, 100, 0xfe], // active sensing and clock within a tap
        &[0x90, 64, 0x80, 60, 0],         // a note-on cut off, a release
        &[0xf1, 5, 0xf4, 0xfd, 0xff],     // system common, undefined, reset
        &[0xb0, 64, 127, 0x90, 65, 99],   // a pedal, a tap
    ] {
        pad.send(bytes);
        taps += usize::from(![0x90, 0xf1].contains(&bytes[0]));
        wait_until("the tap is answered", || pad.tones() == taps);
    }
    pad.send(&[0x90, 66]); // cut off in mid-message,
    pause(20);
    pad.send(&[50]); // and still a tap: the sixth
    let said = trial.wait();
    assert_eq!(said.code, Some(0), "{said:?}");
    pad.nothing_hangs();
    let recording = place.recording("echo");
    let notes: Vec<u8> =
        rows(&recording, TrialType::Tap).iter().map(|row| row.note.unwrap().get()).collect();
    assert_eq!(notes, [60, 61, 62, 63, 65, 66]);
    let pedal = rows(&recording, TrialType::Control).len();
    assert_eq!(pedal, 3, "in, on to its channel, and up again at the end");
    let counted = &recording.footer.summary["ports"][0];
    assert!(counted["invalid_bytes"].as_u64() >= Some(4), "{counted}");
    assert_eq!(counted["sysex_bytes"], 6, "{counted}");
    let table = fs::read_to_string(place.path("data/echo_run-01_events.tsv")).unwrap();
    let sysex: Vec<&str> = table.lines().filter(|line| line.contains("\tsysex\t")).collect();
    assert!(matches!(sysex[..], [one] if one.contains("\tf0 7e 01 02 03 f7\t")), "{sysex:?}");
    assert!(counted["realtime_bytes"].as_u64() >= Some(5), "{counted}");
    place.replays("echo");
}

#[test]
fn a_fifo_is_an_input_whose_writer_may_come_and_go() {
    let place = Workspace::of(PROGRAM);
    place.file("echo.toml", ECHO.replace("tap = 6", "tap = 3"));
    let fifo = place.path("pad");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let port = format!("raw:{}", fifo.display());
    let args = ["run", "echo.toml", "--in", &port, "--out", "wire", "--follow", "-", ANY_LATENESS];
    let trial = start(place.chronotap(args));
    trial.says("\"event\":\"begin\"");
    for note in [60, 61, 62] {
        let mut writer = fs::OpenOptions::new().write(true).open(&fifo).unwrap();
        writer.write_all(&[0x90, note, 100, 0x80, note, 0]).unwrap();
        drop(writer);
        pause(20);
    }
    assert_eq!(trial.wait().code, Some(0));
    let recording = place.recording("echo");
    assert_eq!(rows(&recording, TrialType::Tap).len(), 3);
    assert_eq!(rows(&recording, TrialType::Marker).len(), 0, "it was never closed");
    place.replays("echo");
}

/// A device says that it is there (0xfe) or never does, and is silent for more than a second between taps.
#[test]
fn a_device_whose_active_sensing_stops_is_doubted_and_one_that_has_none_is_not() {
    for (first, doubts) in [(0xfe, 1), (0xf8, 0)] {
        let place = Workspace::of(PROGRAM);
        place.file("echo.toml", ECHO.replace("tap = 6", "tap = 3"));
        let fifo = place.path("pad");
        assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let port = format!("raw:{}", fifo.display());
        let args =
            ["run", "echo.toml", "--in", &port, "--out", "wire", "--follow", "-", ANY_LATENESS];
        let trial = start(place.chronotap(args));
        trial.says("\"event\":\"begin\"");
        let mut writer = fs::OpenOptions::new().write(true).open(&fifo).unwrap();
        for note in [60, 61, 62] {
            writer.write_all(&[first, 0x90, note, 100, 0x80, note, 0]).unwrap();
            pause(if note == 60 { 1_200 } else { 20 });
        }
        assert_eq!(trial.wait().code, Some(0));
        let recording = place.recording("echo");
        let found = recording.summary().unwrap().data.doubts;
        assert_eq!(found.len(), doubts, "{found:?}");
        let silent = |doubt: &String| doubt.contains("was silent for about");
        assert!(found.iter().all(silent), "{found:?}");
        assert_eq!(json!(found), recording.footer.summary["data"]["doubts"]);
        place.replays("echo");
    }
}

const SHORT: &str = r#"
[pacing.metronome]
interval = "100 ms"
start = "0 s"

[[when]]
time = "300 ms"
end = true
"#;

/// A place whose files anybody may use, with the short trial in it.
fn open_to_all() -> Workspace {
    let place = Workspace::open_to_all(PROGRAM);
    place.file("short.toml", SHORT);
    place
}

/// Runs the short trial as a user without rights or capabilities, within a limit.
fn without_rights(place: &Workspace, limit: &str) -> Output {
    let mut command = Command::new("prlimit");
    command.current_dir(place.path("")).arg(limit);
    if rustix::process::geteuid().is_root() {
        command.args(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]);
        command.args(["--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"]);
    }
    command.arg(place.path("chronotap"));
    command.args(["run", "short.toml", "--in", "wire", "--out", "wire", ANY_LATENESS]);
    start(command).wait()
}

#[test]
fn without_the_right_to_real_time_it_runs_as_an_ordinary_thread_and_says_how_to_get_it() {
    let place = open_to_all();
    let said = without_rights(&place, "--rtprio=0:0");
    assert_eq!(said.code, Some(0), "{said:?}");
    let text = one_line(&said.out);
    assert!(text.contains("asked SCHED_FIFO 80, got ordinary scheduling"), "{text}");
    assert!(text.contains("/etc/security/limits.d"), "the cure: {text}");
    assert!(said.out.lines().all(|line| line.chars().count() <= 80), "{}", said.out);
    let rights = place.recording("short").header.rights.to_string();
    assert!(rights.contains("ordinary scheduling"), "{rights}");
    place.replays("short");
}

/// Beats for seven seconds.
const AWAY: &str = r#"
[pacing.beats]
interval = "250 ms"
start = "250 ms"
beats = 28
[[when]]
time = "8 s"
end = true
"#;

#[test]
fn a_trial_that_runs_away_loses_its_priority_and_still_comes_to_its_end() {
    let place = Workspace::of(PROGRAM);
    place.file("away.toml", AWAY);
    // A device that is never silent: the thread that reads it never sleeps.
    let said = place.run("run away.toml --in raw:/dev/zero --out wire");
    let recording = place.recording("away");
    let (rights, summary) = (recording.header.rights.to_string(), &recording.footer.summary);
    if !rights.contains("\"got\":\"SCHED_FIFO 80") {
        return pass_over("no right to real-time scheduling");
    }
    let demotion = &summary["watchdog"]["demotion"];
    if demotion.is_null() && summary["cpu_ns"].as_i64() < Some(5_000_000_000) {
        return pass_over("the machine gave the trial too little time to run away");
    }
    let reason = demotion["reason"].as_str().unwrap();
    assert!(reason.contains("computed for 4 s without sleeping"), "{reason}");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("the watchdog had to stop the engine"), "{said:?}");
    assert_eq!(rows(&recording, TrialType::Pacing).len(), 28);
    assert_eq!(ending(&recording), "trigger");
    place.replays("away");
}

#[test]
fn with_little_memory_to_lock_it_runs_and_says_what_was_refused() {
    let place = open_to_all();
    let said = without_rights(&place, "--memlock=65536:65536");
    assert_eq!(said.code, Some(0), "{said:?}");
    let text = one_line(&said.out);
    assert!(text.contains("memory lock: asked"), "{text}");
    assert!(text.contains("memlock"), "the cure: {text}");
    place.replays("short");
}

#[test]
fn a_limit_on_the_size_of_files_is_like_a_full_disk() {
    let place = Workspace::of(PROGRAM);
    place.file("legato.toml", LEGATO.replace("30 s", "2 s"));
    let mut ear = Pty::open();
    let mut command = Command::new("prlimit");
    command.current_dir(place.path("")).args(["--fsize=8192:8192", "--core=0"]);
    command.arg(PROGRAM).env("XDG_STATE_HOME", place.path("state"));
    command.args(["run", "legato.toml", "--in", "wire", "--out", &ear.port()]);
    let said = start(command).wait();
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("File too large"), "{said:?}");
    ear.nothing_hangs();
    let said = place.run("recover data/legato_run-01.journal");
    assert_eq!(said.code, Some(0), "{said:?}");
    place.replays("legato");
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_reader_that_closes_its_pipe_early_disturbs_nothing() {
    let place = Workspace::of(PROGRAM);
    place.file("short.toml", SHORT);
    for args in ["check short.toml", "check --reference", "simulate short.toml", "ports", "--help"]
    {
        let mut command = place.chronotap(args.split(' '));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args}: {output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args}");
    }
}

/// The directory of the small disk; set only for the test that runs itself there.
const SMALL_DISK: &str = "CHRONOTAP_SMALL_DISK";

#[test]
fn a_disk_that_runs_full_is_told_and_what_was_written_stays() {
    if let Some(dir) = std::env::var_os(SMALL_DISK) {
        return on_the_small_disk(std::path::Path::new(&dir));
    }
    let dir = tempfile::tempdir().unwrap();
    let mount = |command: &mut Command| {
        let script = r#"mount -t tmpfs -o size=512k tmpfs "$1" && shift && exec "$@""#;
        command.args(["sh", "-c", script, "sh"]).arg(dir.path());
    };
    let may = |flags: &str| {
        let mut command = Command::new("unshare");
        mount(command.arg(flags));
        command.arg("true").output().is_ok_and(|output| output.status.success())
    };
    let Some(flags) = ["-m", "-rm"].into_iter().find(|flags| may(flags)) else {
        return pass_over("neither root nor a user name space may mount a small disk here");
    };
    let mut command = Command::new("unshare");
    mount(command.arg(flags));
    command.arg(std::env::current_exe().unwrap()).env(SMALL_DISK, dir.path());
    command.args(["--exact", "faults::a_disk_that_runs_full_is_told_and_what_was_written_stays"]);
    let said = start(command).wait();
    assert!(said.code == Some(0) && said.out.contains("1 passed"), "{said:?}");
}

fn on_the_small_disk(disk: &std::path::Path) {
    let place = Workspace::of(PROGRAM);
    place.file("legato.toml", LEGATO);
    let mut ear = Pty::open();
    let data = disk.join("data").display().to_string();
    let args = ["run", "legato.toml", "--data", &data, "--in", "wire", "--out", &ear.port()];
    let args = args.into_iter().chain([ANY_LATENESS]);
    let command = || {
        let mut command = place.chronotap(args.clone());
        command.env("XDG_STATE_HOME", disk.join("state")); // as full as the other
        command
    };
    let trial = start(command());
    wait_until("it sounds", || ear.tones() > 20);
    pause(50);
    fill(&disk.join("ballast"));
    let sounded = ear.tones();
    wait_until("it goes on", || ear.tones() > sounded + 20);
    trial.signal(Signal::INT);
    let said = trial.wait();
    let journal = disk.join("data/legato_run-01.journal").display().to_string();
    assert_eq!(said.code, Some(2), "{said:?}");
    let text = one_line(&said.err);
    assert!(text.contains("No space left on device"), "{text}");
    assert!(text.contains(&format!("free space, then `chronotap recover {journal}`")), "{text}");
    assert!(text.contains(&disk.join("state/chronotap").display().to_string()), "{text}");
    ear.nothing_hangs();
    // Nothing can be added, and nothing is lost by trying.
    let said = place.run(&format!("recover {journal}"));
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("(os error 28); free space"), "{said:?}");
    let said = start(command()).wait();
    assert_eq!(said.code, Some(2), "no trial begins on a full disk: {said:?}");
    assert!(said.err.contains("No space left on device"), "{said:?}");
    fs::remove_file(disk.join("ballast")).unwrap();
    let said = place.run(&format!("recover {journal}"));
    assert_eq!(said.code, Some(0), "{said:?}");
    let events = disk.join("data/legato_run-01_events.tsv");
    let recording = chronotap_data::record::read_events(&events).unwrap();
    assert!(rows(&recording, TrialType::Pacing).len() > 20);
    let said = place.run(&format!("replay {}", events.display()));
    assert_eq!(said.code, Some(0), "{said:?}");
}

#[test]
fn a_folder_that_is_removed_in_mid_trial_costs_nothing() {
    let place = Workspace::of(PROGRAM);
    place.file("short.toml", LEGATO.replace("30 s", "1500 ms"));
    for (spare, folder) in [(None, "state/chronotap"), (Some("--spare-data=second"), "second")] {
        let mut ear = Pty::open();
        let port = ear.port();
        let args = ["run", "short.toml", "--in", "wire", "--out", &port, ANY_LATENESS];
        let trial = start(place.chronotap(args.into_iter().chain(spare)));
        wait_until("it sounds", || ear.tones() > 5);
        fs::remove_dir_all(place.path("data")).unwrap();
        let said = trial.wait();
        assert_eq!(said.code, Some(0), "{said:?}");
        let events = place.path(folder).join("short_run-01_events.tsv");
        let text = one_line(&said.err);
        assert!(text.contains(&format!("{folder}/short_run-01_events.tsv")), "{text}");
        assert!(!text.contains("recover"), "no journal is left: {text}");
        assert!(text.contains("s DATA FOLDER GONE"), "told while it runs: {text}");
        let recording = chronotap_data::record::read_events(&events).unwrap();
        let numbers = rows(&recording, TrialType::Pacing).into_iter();
        let numbers = numbers.filter(|row| row.name.as_deref() == Some("legato"));
        let numbers: Vec<u32> = numbers.filter_map(|row| row.number).collect();
        assert_eq!(numbers, Vec::from_iter(1..=numbers.len() as u32), "none is missing");
        assert!(numbers.len() >= 75 && ending(&recording) == "trigger", "{}", numbers.len());
        ear.nothing_hangs();
    }
}

/// Takes all the room there is, to the last byte.
fn fill(path: &std::path::Path) {
    let mut file = fs::File::create(path).unwrap();
    for size in [4096, 1] {
        while file.write_all(&vec![1; size]).is_ok() {}
    }
}

/// A pipe that is full, and its end to read from.
fn full_pipe() -> (std::io::PipeReader, std::io::PipeWriter) {
    let (from, to) = std::io::pipe().unwrap();
    rustix::fs::fcntl_setfl(&to, rustix::fs::OFlags::NONBLOCK).unwrap();
    while rustix::io::write(&to, &[b'.'; 4_096]).is_ok() {}
    rustix::fs::fcntl_setfl(&to, rustix::fs::OFlags::empty()).unwrap();
    (from, to)
}

const OVER_SOON: &str =
    "[pacing.m]\ninterval = \"50 ms\"\n[[when]]\ntime = \"300 ms\"\nend = true\n";

/// A trial that says what it says into these, in place of files.
fn saying(
    place: &Workspace,
    more: &str,
    out: impl Into<Stdio>,
    err: impl Into<Stdio>,
) -> std::process::Child {
    let args = format!("run over.toml --in wire --out wire {ANY_LATENESS}{more}");
    let mut command = place.chronotap(args.split(' '));
    command.stdin(Stdio::null()).stdout(out).stderr(err).spawn().unwrap()
}

fn is_there(place: &Workspace) -> bool {
    place.path("data/over_run-01_events.json").exists()
}

#[test]
fn a_pipe_that_nobody_reads_keeps_neither_a_trial_from_its_files_nor_the_program_from_its_end() {
    for both in [false, true] {
        let place = Workspace::of(PROGRAM);
        place.file("over.toml", OVER_SOON);
        let (_from, to) = full_pipe();
        let err = if both { Stdio::from(to.try_clone().unwrap()) } else { Stdio::piped() };
        let mut trial = saying(&place, "", to, err);
        wait_until("the files are there", || is_there(&place));
        pause(200);
        assert!(trial.try_wait().unwrap().is_none(), "it waits for whoever reads");
        let pid = rustix::process::Pid::from_child(&trial);
        rustix::process::kill_process(pid, Signal::INT).unwrap();
        wait_until("the program ends", || trial.try_wait().unwrap().is_some());
        let done = trial.wait_with_output().unwrap();
        assert_eq!(done.status.code(), Some(2), "{done:?}");
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(both || said.contains("bytes of standard output are lost"), "{said}");
    }
}

/// Whoever follows a trial too slowly misses it, and holds up nobody.
#[test]
fn a_trial_that_is_followed_by_a_pipe_that_nobody_reads_has_its_files_and_ends_by_itself() {
    let place = Workspace::of(PROGRAM);
    place.file("over.toml", OVER_SOON);
    let (_from, to) = full_pipe();
    let mut trial = saying(&place, " --follow -", to, Stdio::piped());
    wait_until("the program ends", || trial.try_wait().unwrap().is_some());
    assert!(is_there(&place));
    let done = trial.wait_with_output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(said.contains("lines of --follow are lost"), "{said}");
}

#[test]
fn what_a_slow_reader_takes_in_the_end_is_whole() {
    let place = Workspace::of(PROGRAM);
    place.file("over.toml", OVER_SOON);
    let (mut from, to) = full_pipe();
    let trial = saying(&place, "", to, Stdio::null());
    wait_until("the files are there", || is_there(&place));
    pause(1_500); // longer than a reader is waited for in a trial
    let mut said = String::new();
    std::io::Read::read_to_string(&mut from, &mut said).unwrap();
    let done = trial.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(0));
    let said = said.trim_start_matches('.');
    assert!(said.contains("Timing: passed") && said.contains("over_run-01"), "{said}");
}
