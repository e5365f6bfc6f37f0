//! [`RunningLoad`]: a load under way in a process of its own, and its end. Start it from a
//! thread that is neither pinned nor real-time, since a process inherits where and how
//! its starter may run.

use super::work::LoadWork;
use super::{Load, LoadLimits, LoadRefusal};
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{MonotonicClock, sleep_until, timespec};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdout, Command, Stdio};

/// How long a load may prepare itself: the disk loads first write their file.
const PREPARATION: Nanos = Nanos::from_secs(120);
/// How long it may take to end before it is killed, and what it did is lost: a `sync`
/// waits for all that the whole machine has to write, and cannot be killed either.
const PATIENCE: Nanos = Nanos::from_secs(120);

/// A load could not run.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The machine has not what it needs.
    #[error("load {load}: {why}")]
    Unavailable {
        load: Load,
        /// Why not.
        why: LoadRefusal,
    },
    /// The program that does it could not be started. Is [`LoadLimits::program`] ours?
    #[error("load {load}: {program} cannot be started: {source}")]
    Start {
        load: Load,
        program: String,
        /// What the system said.
        source: io::Error,
    },
    /// It ended before it was told to; what was measured beside it is not what the
    /// name of the load says.
    #[error("load {load} ended early: {why}")]
    Ended { load: Load, why: String },
}

/// A load under way. Dropping it ends it and waits for its end.
#[derive(Debug)]
pub struct RunningLoad {
    load: Load,
    process: Option<(Child, BufReader<ChildStdout>)>, // none for no load
}

impl RunningLoad {
    /// Starts a load and returns once it is at work.
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn start(load: Load, limits: &LoadLimits) -> Result<RunningLoad, LoadError> {
        let unavailable = |why| LoadError::Unavailable { load, why };
        load.available(limits).map_err(unavailable)?;
        if load == Load::None {
            return Ok(RunningLoad { load, process: None });
        }
        let cannot = |source| {
            let program = limits.program.display().to_string();
            LoadError::Start { load, program, source }
        };
        let mut child = command(load, limits).spawn().map_err(cannot)?;
        let Some(output) = child.stdout.take() else {
            return Ok(RunningLoad { load, process: None });
        };
        let mut running = RunningLoad { load, process: Some((child, BufReader::new(output))) };
        running.await_beginning()?;
        Ok(running)
    }

    pub fn load(&self) -> Load {
        self.load
    }

    /// The process that does it.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(|(child, _)| child.id())
    }

    /// Whether it is still at work.
    pub fn is_running(&mut self) -> bool {
        match &mut self.process {
            None => true,
            Some((child, _)) => is_at_work(child),
        }
    }

    /// Ends it and says what it did.
    ///
    /// # Errors
    /// [`LoadError::Ended`] where it had failed meanwhile.
    pub fn end(mut self) -> Result<LoadWork, LoadError> {
        let Some((mut child, mut output)) = self.process.take() else {
            return Ok(LoadWork::default());
        };
        let ended = |why| LoadError::Ended { load: self.load, why };
        finish(&mut child);
        let mut text = String::new();
        let _ = output.read_to_string(&mut text); // an unreadable end is no report
        let report = text.lines().last().and_then(|line| serde_json::from_str(line).ok());
        let Some(work): Option<LoadWork> = report else { return Err(ended(complaint(&mut child))) };
        match &work.failed {
            Some(why) => Err(ended(why.clone())),
            None => Ok(work),
        }
    }

    /// The first line of its output says that it is at work.
    fn await_beginning(&mut self) -> Result<(), LoadError> {
        let Some((child, output)) = &mut self.process else { return Ok(()) };
        let mut line = String::new();
        let mut fds = [PollFd::new(output.get_ref(), PollFlags::IN)];
        let told = poll(&mut fds, Some(&timespec(PREPARATION))).unwrap_or(0) > 0;
        if told && output.read_line(&mut line).unwrap_or(0) > 0 {
            return Ok(());
        }
        finish(child);
        let why = complaint(child);
        Err(LoadError::Ended { load: self.load, why })
    }
}

impl Drop for RunningLoad {
    fn drop(&mut self) {
        if let Some((child, _)) = &mut self.process {
            finish(child);
        }
    }
}

fn command(load: Load, limits: &LoadLimits) -> Command {
    let mut command = Command::new(&limits.program);
    command.args(["load", load.name(), "--until-input-ends", "--json", "--seconds"]);
    command.arg(limits.seconds.to_string()).arg("--dir").arg(&limits.dir);
    if let Some(cpu) = limits.cpu {
        command.arg("--cpu").arg(cpu.to_string());
    }
    if limits.sync {
        command.arg("--sync");
    }
    if let Some(size) = limits.size_mb {
        command.arg("--size").arg(size.to_string());
    }
    if load == Load::Effects {
        command.arg("--card").arg(limits.card.to_string());
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.process_group(0); // Ctrl-C is for the test, which ends the load
    command
}

/// Closes its input, which ends it; kills it and what it started where that takes too
/// long.
fn finish(child: &mut Child) {
    drop(child.stdin.take());
    if !ends_within(child, PATIENCE) {
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
        let _ = child.wait();
    }
}

/// Whether a process ends before its time is over; waits until either.
pub(super) fn ends_within(child: &mut Child, patience: Nanos) -> bool {
    let latest = MonotonicClock::raw() + patience;
    while is_at_work(child) {
        if MonotonicClock::raw() > latest {
            return false;
        }
        sleep_until(MonotonicClock::raw() + Nanos::from_millis(2));
    }
    true
}

fn is_at_work(child: &mut Child) -> bool {
    child.try_wait().is_ok_and(|status| status.is_none())
}

/// What it wrote on standard error, without our own name before it.
fn complaint(child: &mut Child) -> String {
    let mut text = String::new();
    if let Some(mut stderr) = child.stderr.take() {
        let _ = stderr.read_to_string(&mut text); // what cannot be read stays unsaid
    }
    let text = text.trim().trim_start_matches("chronotap: ");
    if text.is_empty() { "it said nothing".into() } else { text.to_owned() }
}
