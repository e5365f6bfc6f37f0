//! Devices pulled out in mid-trial and plugged in again, played by pseudo-terminals
//! behind a link of stable name.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test; its pauses need not be exact"
)]

use chronotap_core::time::Nanos;
use chronotap_data::record::{Footer, Header, Names, difference, read_events, rows};
use chronotap_engine::Engine;
use chronotap_engine::signal::Port;
use chronotap_engine::trial::{Input, Pacing, Start, Tone, Trial};
use chronotap_linux::ports::RawPort;
use chronotap_linux::realtime::{Interrupt, Request};
use chronotap_rig::recorder::Recorder;
use chronotap_rig::runner::real_time::{self, RealTimeSettings, TrialOutcome};
use chronotap_simulate::replay;
use chronotap_testkit_engine::parts;
use chronotap_testkit_linux::terminal::terminal;
use chronotap_trial::{Ports, Reopen};
use rustix::termios::{LocalModes, tcgetattr};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A device plugged in: the far end of a terminal, which a link of stable name leads to.
fn plug_in(link: &Path) -> OwnedFd {
    let (far_end, name) = terminal();
    let _ = std::fs::remove_file(link);
    std::os::unix::fs::symlink(name, link).unwrap();
    far_end
}

fn pull_out(link: &Path, far_end: OwnedFd) {
    std::fs::remove_file(link).unwrap();
    drop(far_end);
}

fn rig(pad: &Path, headphones: &Path) -> Ports {
    let mut rig = Ports::new(1, 1);
    let open = |path: PathBuf, input: Option<u16>| {
        move || {
            let port = RawPort::open(&path, input, input.is_none()).ok()?;
            Some(Box::new(port) as Box<dyn Port>)
        }
    };
    let (pad, headphones) = (open(pad.into(), Some(0)), open(headphones.into(), None));
    let (first_pad, first_headphones) = (pad().unwrap(), headphones().unwrap());
    rig.add_reopening(first_pad, Box::new(pad) as Reopen, &[0], &[]).unwrap();
    rig.add_reopening(first_headphones, Box::new(headphones) as Reopen, &[], &[0]).unwrap();
    rig
}

/// A beat every 20 ms, and an input that may come and go.
fn trial() -> Trial {
    let interval = Nanos::from_millis(20);
    let tone = Tone { duration: interval / 2, ..parts::tone(60) };
    let start = Start::At(interval);
    let beats = Pacing { start, tone, ..parts::pacing("beats", interval.into()) };
    let pad = Input {
        name: "pad".into(),
        debounce: Nanos::ZERO,
        ends_when_closed: false,
        records_sysex: false,
    };
    let (inputs, outputs) = (vec![pad], vec!["headphones".into()]);
    Trial { inputs, outputs, pacing: vec![beats], ..Trial::default() }
}

/// Waits until a port has opened the terminal: it then passes bytes on as they come.
fn wait_until_opened(far_end: &OwnedFd) {
    let in_line_mode = || tcgetattr(far_end).unwrap().local_modes.contains(LocalModes::ICANON);
    for _ in 0..6_000 {
        if !in_line_mode() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("nobody has opened the device within a minute");
}

/// What happens to the devices while the trial runs. Gives those that are plugged in
/// at the end, to be held until it is over.
fn story(
    pad: &Path,
    headphones: &Path,
    far_pad: OwnedFd,
    far_headphones: OwnedFd,
) -> (OwnedFd, OwnedFd) {
    let wait = |ms| std::thread::sleep(Duration::from_millis(ms));
    let tap = |far_end: &OwnedFd, note| {
        rustix::io::write(far_end, &[0x90, note, 100, 0x80, note, 64]).unwrap();
    };
    wait(300);
    tap(&far_pad, 61);
    wait(200);
    pull_out(pad, far_pad);
    pull_out(headphones, far_headphones);
    wait(600);
    let (far_pad, far_headphones) = (plug_in(pad), plug_in(headphones));
    wait_until_opened(&far_pad);
    wait_until_opened(&far_headphones);
    tap(&far_pad, 62);
    let mut heard = [0; 512];
    assert!(rustix::io::read(&far_headphones, &mut heard).unwrap() > 0); // waits for a beat
    wait(300);
    (far_pad, far_headphones)
}

fn run(
    directory: &Path,
    header: &Header,
    engine: Engine,
    rig: Ports,
    interrupt: Interrupt,
) -> TrialOutcome {
    let settings = RealTimeSettings { request: Request::nothing(), spin: false, serve_every: None };
    let mut recorder = None;
    let outcome = real_time::run(
        engine,
        rig,
        &settings,
        interrupt,
        |_| {
            let (sender, started) = Recorder::start(directory, "trial", header).unwrap();
            recorder = Some(started);
            sender
        },
        |_| {},
    );
    recorder.unwrap().finish(Footer::default()).unwrap();
    outcome.unwrap()
}

#[test]
fn a_device_that_comes_back_is_used_again_and_the_trial_replays() {
    let directory = tempfile::tempdir().unwrap();
    let (pad, headphones) = (directory.path().join("pad"), directory.path().join("headphones"));
    let (far_pad, far_headphones) = (plug_in(&pad), plug_in(&headphones));
    let trial = Arc::new(trial());
    let header = Header { names: Names::of(&trial, &[]), ..Header::default() };
    let interrupt = Interrupt::apart().unwrap();
    let rig = rig(&pad, &headphones);
    let outcome = std::thread::scope(|scope| {
        let story = scope.spawn(|| {
            let plugged_in = story(&pad, &headphones, far_pad, far_headphones);
            interrupt.request();
            plugged_in
        });
        let engine = Engine::new(trial.clone(), 1);
        let outcome = run(directory.path(), &header, engine, rig, interrupt);
        story.join().unwrap();
        outcome
    });
    let [of_pad, of_headphones] = outcome.ports[..] else { panic!("{:?}", outcome.ports) };
    assert_eq!((of_pad.received, of_pad.reopened), (4, 1));
    assert_eq!(of_headphones.reopened, 1);
    assert!(of_headphones.lost > 10 && of_headphones.sent > 40, "{of_headphones:?}");

    let recording = read_events(&directory.path().join("trial_events.tsv")).unwrap();
    let told = |row: &&chronotap_data::record::Row| row.port.as_deref() == Some("pad");
    let names: Vec<&str> =
        recording.rows.iter().filter(told).filter_map(|row| row.name.as_deref()).collect();
    let expected = ["pad", "pad", "input closed: pad", "input reopened: pad", "pad", "pad"];
    assert_eq!(names, expected);
    let replayed = rows(&header.names, &replay::run(Engine::new(trial, 1), &recording));
    assert!(difference(&recording.rows, &replayed).is_none());
}
