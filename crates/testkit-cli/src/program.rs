//! The program itself in a test: a directory of its own, and commands that end in time or
//! fail the test. A pseudo-terminal ([`chronotap_testkit_linux::terminal::Pty`]) is the other side of its ports.

use chronotap_core::time::Nanos;
use chronotap_data::record::{Recording, Row, TrialType, read_events};
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use rustix::process::{Pid, Signal, kill_process};
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Whatever is waited for has happened by then, however slow the machine.
const PATIENCE: Nanos = Nanos::from_secs(60);

/// A limit that no lateness exceeds: these tests are not about timing.
pub const ANY_LATENESS: &str = "--limit-us=60000000";

/// A trial of a few beats that ends by itself, for tests of whole studies.
pub const SHORT_TRIAL: &str = "\
[input.pad]
[pacing.metronome]
interval = \"20 ms\"
tone = { note = 76, duration = \"2 ms\" }
[[when]]
beat = 8
end = true
";

/// A directory for a test's files, gone when it is dropped, and the program to run in it.
pub struct Workspace {
    dir: tempfile::TempDir,
    program: &'static str,
    /// What the test itself has put there.
    foreign: RefCell<Vec<PathBuf>>,
}

/// What the program left is as its schemas say ([`crate::schemas`]).
impl Drop for Workspace {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let faults = crate::schemas::faults(self.dir.path(), &self.foreign.borrow());
            assert!(faults.is_empty(), "not as docs/schemas say:\n{}", faults.join("\n"));
        }
    }
}

impl Workspace {
    /// An empty directory, for the program at this path: a test of the program gives
    /// `env!("CARGO_BIN_EXE_chronotap")`, which cargo sets for its own tests alone.
    pub fn of(program: &'static str) -> Workspace {
        Workspace { dir: tempfile::tempdir().unwrap(), program, foreign: RefCell::default() }
    }

    /// The same, where every user may make files, and run the copy of the program that lies in it as
    /// `chronotap`: the clone that is tested may be in a folder that is closed to others, as root's is.
    pub fn open_to_all(program: &'static str) -> Workspace {
        let place = Workspace::of(program);
        // By a process of its own: were the copy open for writing in this one, a child that another test starts
        // meanwhile would have it open for a moment, too, in which it cannot be run ("Text file busy").
        let copied = Command::new("cp").arg(program).arg(place.path("chronotap")).status();
        assert!(copied.unwrap().success());
        for (name, mode) in [("chronotap", 0o755), ("", 0o777)] {
            fs::set_permissions(place.path(name), Permissions::from_mode(mode)).unwrap();
        }
        place
    }

    /// This file is not as the program writes it, because the test made it or what it is made of.
    pub fn is_foreign(&self, name: &str) {
        self.foreign.borrow_mut().push(self.path(name));
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Puts a file there.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        self.is_foreign(name);
        path
    }

    /// The program, in this directory; the user's state folder is `state` in it.
    pub fn chronotap<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = Command::new(self.program);
        command.current_dir(self.dir.path()).args(args);
        command.env("XDG_STATE_HOME", self.path("state"));
        command
    }

    /// Runs the program to its end; arguments are separated by spaces.
    pub fn run(&self, args: &str) -> Output {
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
pub struct Output {
    /// Exit status, where no signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// The program while it runs; killed where a test fails. What it says goes to files without
/// a name, so that it never waits for a reader and a test can look at it at any time.
pub struct Running {
    child: Child,
    out: File,
    err: File,
}

/// Starts a command.
pub fn start(mut command: Command) -> Running {
    let (out, err) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
    command.stdin(Stdio::null());
    command.stdout(out.try_clone().unwrap()).stderr(err.try_clone().unwrap());
    Running { child: command.spawn().unwrap(), out, err }
}

impl Running {
    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, signal).unwrap(); // a child that ended stays until it is waited for
    }

    /// Whether it has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Waits until it has said this, on standard output or standard error.
    pub fn says(&self, text: &str) {
        wait_until(text, || so_far(&self.out).contains(text) || so_far(&self.err).contains(text));
    }

    /// Waits for the end.
    pub fn wait(mut self) -> Output {
        wait_until("the program ends", || self.has_ended());
        let status = self.child.wait().unwrap();
        let said = Output {
            code: status.code(),
            signal: status.signal(),
            out: so_far(&self.out),
            err: so_far(&self.err),
        };
        assert!(!said.err.contains("panicked"), "{said:?}");
        said
    }
}

/// What is in a file, without moving the place at which the program goes on writing.
fn so_far(file: &File) -> String {
    let mut bytes = vec![0; file.metadata().unwrap().len() as usize];
    file.read_exact_at(&mut bytes, 0).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill(); // without effect where it was waited for
        let _ = self.child.wait();
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

/// The rows of a kind.
pub fn rows(recording: &Recording, kind: TrialType) -> Vec<&Row> {
    recording.rows.iter().filter(|row| row.trial_type == kind).collect()
}

/// The word for how a recorded trial ended.
pub fn ending(recording: &Recording) -> String {
    let end = rows(recording, TrialType::End);
    end.first().and_then(|row| row.name.clone()).unwrap_or_default()
}

/// A study of this name with so many participants, each of whom does `trial.toml` twice.
pub fn study_of(task: &str, participants: u32) -> String {
    format!(
        "title = \"A study\"\ntask = \"{task}\"\nparticipants = {participants}\nseed = 1\n\
         trial = \"trial.toml\"\n[[step]]\nname = \"main\"\nrepetitions = 2\ngap = \"10 ms\"\n"
    )
}

/// The rows of a table, each cell by its column.
pub fn table(path: &Path) -> Vec<HashMap<String, String>> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned));
    let names: Vec<String> = lines.next().unwrap().collect();
    lines.map(|cells| names.iter().cloned().zip(cells).collect()).collect()
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
