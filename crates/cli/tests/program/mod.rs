//! The program itself in a test: a directory of its own, commands that end in time
//! or fail the test, and a pseudo-terminal as the other side of a port.

#![allow(dead_code)] // each test file uses its own part of this

use chronotap_clocks::{MonotonicClock, sleep_until};
use chronotap_midi::{Message, Parser};
use chronotap_record::{Recording, Row, TrialType, read_events};
use chronotap_time::Nanos;
use rustix::fs::OFlags;
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Whatever is waited for has happened by then, however slow the machine.
const PATIENCE: Nanos = Nanos::from_secs(60);

/// A limit that no lateness exceeds: these tests are not about timing.
pub const ANY_LATENESS: &str = "--limit-us=60000000";

/// A directory for a test's files, gone when it is dropped.
pub struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    /// An empty one.
    pub fn new() -> Place {
        Place { dir: tempfile::tempdir().unwrap() }
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Puts a file there.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        path
    }

    /// The program, in this directory.
    pub fn chronotap<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chronotap"));
        command.current_dir(self.dir.path()).args(args);
        command
    }

    /// Runs the program to its end; arguments are separated by spaces.
    pub fn run(&self, args: &str) -> Said {
        start(self.chronotap(args.split(' '))).wait()
    }

    /// The recording `data/NAME_run-01`.
    pub fn recording(&self, name: &str) -> Recording {
        read_events(&self.path(&format!("data/{name}_run-01_events.tsv"))).unwrap()
    }

    /// Asserts that the recording `data/NAME_run-01` replays.
    pub fn replays(&self, name: &str) {
        let said = self.run(&format!("replay data/{name}_run-01_events.tsv"));
        assert_eq!(said.code, Some(0), "{said:?}");
    }
}

/// How the program ended and what it said.
#[derive(Clone, Debug)]
pub struct Said {
    /// Exit status, where no signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// The program while it runs; killed where a test fails.
pub struct Running {
    child: Option<Child>,
}

/// Starts a command.
pub fn start(mut command: Command) -> Running {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Running { child: Some(command.spawn().unwrap()) }
}

impl Running {
    fn child(&mut self) -> &mut Child {
        self.child.as_mut().unwrap()
    }

    /// Its process id.
    pub fn id(&mut self) -> u32 {
        self.child().id()
    }

    /// Sends a signal.
    pub fn signal(&mut self, signal: Signal) {
        let pid = Pid::from_child(self.child());
        kill_process(pid, signal).unwrap(); // a child that ended stays until it is waited for
    }

    /// Whether it has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child().try_wait().unwrap().is_some()
    }

    /// Waits for the end.
    pub fn wait(mut self) -> Said {
        wait_until("the program ends", || self.has_ended());
        let output = self.child.take().unwrap().wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let said = Said {
            code: output.status.code(),
            signal: output.status.signal(),
            out: text(output.stdout),
            err: text(output.stderr),
        };
        assert!(!said.err.contains("panicked"), "{said:?}");
        said
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Waits until something holds, and fails where it never does.
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = MonotonicClock::raw() + PATIENCE;
    while !holds() {
        assert!(MonotonicClock::raw() < end, "waited in vain until {what}");
        pause(5);
    }
}

/// Lets milliseconds pass.
pub fn pause(ms: i64) {
    sleep_until(MonotonicClock::raw() + Nanos::from_millis(ms));
}

/// Lets milliseconds pass in steps of one; gives how long the last hundred steps took, at
/// least 100 ms. While the whole machine stands still nobody can do anything, and no step
/// ends.
pub fn pause_in_steps(ms: i64) -> Nanos {
    let mut steps = vec![MonotonicClock::raw()];
    for _ in 0..ms {
        pause(1);
        steps.push(MonotonicClock::raw());
    }
    let hundred = MonotonicClock::raw() - steps[steps.len().saturating_sub(101)];
    hundred.max(Nanos::from_millis(100))
}

/// A pseudo-terminal: the program has one side as its port, the test the other.
pub struct Pty {
    master: OwnedFd,
    _slave: OwnedFd, // held, so that what was sent outlives the program
    path: String,
    parser: Parser,
    heard: Vec<Message>,
}

impl Pty {
    /// A new one, whose bytes pass unchanged.
    pub fn open() -> Pty {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let master = openpt(flags).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let path = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let slave = rustix::fs::open(&*path, flags, rustix::fs::Mode::empty()).unwrap();
        let mut raw = tcgetattr(&slave).unwrap();
        raw.make_raw();
        tcsetattr(&slave, OptionalActions::Now, &raw).unwrap();
        rustix::fs::fcntl_setfl(&master, OFlags::NONBLOCK).unwrap();
        Pty { master, _slave: slave, path, parser: Parser::new(), heard: Vec::new() }
    }

    /// As a port on the command line.
    pub fn port(&self) -> String {
        format!("raw:{}", self.path)
    }

    /// Sends bytes to the program.
    pub fn send(&self, bytes: &[u8]) {
        assert_eq!(rustix::io::write(&self.master, bytes).unwrap(), bytes.len());
    }

    /// Everything that the program has sent so far.
    pub fn heard(&mut self) -> &[Message] {
        let mut bytes = [0; 4096];
        while let Ok(len @ 1..) = rustix::io::read(&self.master, &mut bytes) {
            let messages = bytes[..len].iter().filter_map(|byte| self.parser.push(*byte));
            self.heard.extend(messages);
        }
        &self.heard
    }

    /// How many tones the program has begun.
    pub fn tones(&mut self) -> usize {
        let begins = |message: &&Message| matches!(message, Message::NoteOn { .. });
        self.heard().iter().filter(begins).count()
    }

    /// Asserts that every tone was ended.
    pub fn nothing_hangs(&mut self) {
        let mut sounding = Vec::new();
        for message in self.heard() {
            match *message {
                Message::NoteOn { channel, note, .. } => sounding.push((channel, note)),
                Message::NoteOff { channel, note, .. } => {
                    sounding.retain(|tone| *tone != (channel, note));
                }
                _ => {}
            }
        }
        assert_eq!(sounding, [], "left hanging");
    }
}

/// The rows of a kind.
pub fn rows(recording: &Recording, kind: TrialType) -> Vec<&Row> {
    recording.rows.iter().filter(|row| row.trial_type == kind).collect()
}

/// The word for how a recorded trial ended.
pub fn ending(recording: &Recording) -> String {
    let end = rows(recording, TrialType::End);
    end.first().and_then(|row| row.name.clone()).unwrap_or_default()
}

/// The names of the files in a directory, sorted; none where it is missing.
pub fn names_in(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Numbers that are the same in every run, in 0..1 << 31.
pub struct Numbers(pub u64);

impl Iterator for Numbers {
    type Item = i64;

    fn next(&mut self) -> Option<i64> {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        Some((self.0 >> 33) as i64)
    }
}
