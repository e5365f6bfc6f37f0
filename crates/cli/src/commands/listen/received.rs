//! The receiver as a child process that is watched over: where it ends before its time, another takes its place.

use super::said::Said;
use crate::this_program::this_program;
use crate::whole_lines::whole_lines;
use anyhow::{Context, Result};
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{MonotonicClock, timespec};
use chronotap_linux::realtime::Interrupt;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The longest wait at once.
const LOOK: Nanos = Nanos::from_millis(50);
/// Between two starts, so that an attack that goes on costs no processor.
const BETWEEN: Nanos = Nanos::from_secs(1);
const BLOCK: usize = 64 * 1024;

/// What came.
pub enum Came {
    Said(usize, Said),
    /// From a run: the first part of the files' names.
    To(PathBuf),
    /// From a run: it is over.
    End,
    /// The receiver had to be started again.
    Restarted,
}

pub struct Received {
    streams: Vec<String>,
    child: Option<Child>,
    to: Option<ChildStdin>,
    from: Option<ChildStdout>,
    begun: Vec<u8>,        // of a line whose end has not come
    told: Option<Vec<u8>>, // of a run's standard input, the same
    started: Nanos,
    is_ending: bool,
    restarts: u64,
}

impl Received {
    pub fn start(streams: &[String], of_run: bool) -> Result<Received> {
        let (streams, told) = (streams.to_vec(), of_run.then(Vec::new));
        let started = Nanos::ZERO;
        let (begun, is_ending, restarts) = (Vec::new(), false, 0);
        let mut received = Received {
            streams,
            child: None,
            to: None,
            from: None,
            begun,
            told,
            started,
            is_ending,
            restarts,
        };
        received.begin()?;
        Ok(received)
    }

    /// In a group of its own, so that Ctrl-C does not end it before what came is kept.
    fn begin(&mut self) -> Result<()> {
        let program = this_program()?;
        let mut command = Command::new(program);
        command.args(["listen", "--receiver"]).arg("--").args(&self.streams).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().context("what reads the streams cannot be started")?;
        (self.to, self.from) = (child.stdin.take(), child.stdout.take());
        (self.child, self.started) = (Some(child), MonotonicClock::raw());
        Ok(())
    }

    pub fn is_of_run(&self) -> bool {
        self.told.is_some()
    }

    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    /// It takes what is on its way, and ends.
    pub fn ask_for_the_end(&mut self) {
        self.is_ending = true;
        self.to = None;
        self.told = None;
    }

    pub fn has_ended(&self) -> bool {
        self.from.is_none()
    }

    /// Waits a little for what comes. Without `wants_rows` the receiver is not listened to.
    pub fn wait(&mut self, interrupt: Option<Interrupt>, wants_rows: bool) -> Result<Vec<Came>> {
        let mut came = Vec::new();
        self.look_after(&mut came)?;
        let (of_child, of_run) = self.ready(interrupt, wants_rows)?;
        if of_child {
            self.read_child(&mut came);
        }
        if of_run {
            self.read_run(&mut came);
        }
        Ok(came)
    }

    /// Whether there is something to read of the receiver, and of the run.
    fn ready(&self, interrupt: Option<Interrupt>, wants_rows: bool) -> Result<(bool, bool)> {
        let child = self.from.as_ref().filter(|_| wants_rows).map(AsFd::as_fd);
        let run = self.told.as_ref().map(|_| rustix::stdio::stdin());
        let interrupt = interrupt.as_ref().map(|interrupt| interrupt.descriptor());
        let all: Vec<BorrowedFd<'_>> = [child, run, interrupt].into_iter().flatten().collect();
        let mut polled: Vec<PollFd<'_>> =
            all.iter().map(|fd| PollFd::from_borrowed_fd(*fd, PollFlags::IN)).collect();
        match poll(&mut polled, Some(&timespec(LOOK))) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error).context("waiting for samples"),
        }
        let mut ready = polled.iter().map(|polled| !polled.revents().is_empty());
        let of_child = child.is_some() && ready.next() == Some(true);
        Ok((of_child, run.is_some() && ready.next() == Some(true)))
    }

    fn read_child(&mut self, came: &mut Vec<Came>) {
        let Some(from) = &self.from else { return };
        let mut block = [0; BLOCK];
        let count = rustix::io::read(from, &mut block).unwrap_or(0);
        if count == 0 {
            self.from = None;
            self.begun.clear();
            return;
        }
        self.begun.extend_from_slice(&block[..count]);
        for line in whole_lines(&mut self.begun) {
            came.extend(Said::read(&line).map(|(place, said)| Came::Said(place, said)));
        }
    }

    fn read_run(&mut self, came: &mut Vec<Came>) {
        let Some(told) = &mut self.told else { return };
        let mut block = [0; BLOCK];
        let count = rustix::io::read(rustix::stdio::stdin(), &mut block).unwrap_or(0);
        told.extend_from_slice(&block[..count]);
        came.extend(whole_lines(told).into_iter().map(|line| Came::To(PathBuf::from(line))));
        if count == 0 {
            came.push(Came::End);
        }
    }

    /// Starts another where it has ended before its time.
    fn look_after(&mut self, came: &mut Vec<Came>) -> Result<()> {
        if self.is_ending || self.from.is_some() || MonotonicClock::raw() < self.started + BETWEEN {
            return Ok(());
        }
        self.end_child();
        self.restarts += 1;
        came.push(Came::Restarted);
        self.begin()
    }

    fn end_child(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill(); // without effect where it has ended
            let _ = child.wait();
        }
    }
}

impl Drop for Received {
    fn drop(&mut self) {
        self.end_child();
    }
}
