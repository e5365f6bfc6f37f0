//! `run --lsl`: `chronotap lsl` as a child of a run, which feeds it through a pipe and ends it.
//!
//! So the run itself opens no socket of a network. Whatever becomes of the child, the run goes on; what
//! there is to say of it goes to standard error.

use crate::args::Run;
use crate::screen::{complain, remark, wrapped};
use anyhow::{Context, Result, bail};
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use chronotap_rig::laboratory::{Listener, Sinks, lines_into};
use std::io::{BufRead, BufReader, Lines};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::{Builder, JoinHandle};

/// How long it may take at the end to send what there is; longer than any of its own waits.
const PATIENCE: Nanos = Nanos::from_secs(40);
const LOOK: Nanos = Nanos::from_millis(10);

/// The child. Dropped after the sinks of the run, by which nothing more comes, it is waited for.
pub struct Beside {
    child: Child,
    streams: String,
    reader: Option<JoinHandle<()>>,
}

impl Beside {
    /// Starts it where the command line asks for it, and waits until its streams are open; `codes`
    /// where there is a trial with codes. `name` is that of the file of LabRecorder.
    pub fn open(args: &Run, codes: bool, name: &str) -> Result<Option<Beside>> {
        let Some(first_word) = &args.lsl else { return Ok(None) };
        if !cfg!(feature = "lsl") {
            bail!(
                "--lsl: this build has no LSL; build Chronotap with cargo build --release, or leave --lsl out"
            );
        }
        let mut child = command(args, first_word, codes, name)?
            .spawn()
            .context("--lsl: chronotap lsl cannot be started")?;
        let told = child.stdout.take().context("--lsl: chronotap lsl has no standard output")?;
        let mut told = BufReader::new(told).lines();
        let Some(Ok(streams)) = told.next() else {
            let _ = child.wait(); // it has said why
            bail!(
                "--lsl: chronotap lsl did not begin, as it says above; cure that, or leave --lsl out"
            );
        };
        let reader = Some(Beside::read(told)?);
        Ok(Some(Beside { child, streams, reader }))
    }

    /// From now on it is told what happens.
    pub fn follow(beside: Option<&mut Beside>, sinks: &mut Sinks) -> Result<()> {
        let Some(to) = beside.and_then(|beside| beside.child.stdin.take()) else { return Ok(()) };
        sinks.add(listener(to)).context("--lsl: nobody can be told of the trial")
    }

    /// What is published, as a sentence.
    pub fn streams(&self) -> &str {
        &self.streams
    }

    /// Says on standard error what it says; it ends without a word only where it was ended.
    fn read(told: Lines<BufReader<ChildStdout>>) -> Result<JoinHandle<()>> {
        let reader = move || {
            let told = told.map_while(Result::ok);
            let said = told.map(|line| remark(wrapped(&format!("LSL: {line}"), ""))).count();
            if said == 0 {
                complain(ENDED_EARLY);
            }
        };
        Builder::new().name("lsl".into()).spawn(reader).context("--lsl: no thread for what it says")
    }
}

const ENDED_EARLY: &str = "chronotap lsl has ended before its time, and publishes nothing any more; the trial goes on, and all is in \
     its data";

/// In a group of its own: Ctrl-C ends the trial, and that then ends the child.
fn command(args: &Run, first_word: &str, codes: bool, name: &str) -> Result<Command> {
    let program = std::env::current_exe().context("the program cannot be found")?;
    let mut command = Command::new(program);
    command.args(["lsl", "--of-run", "--follow", "-", "--name", first_word]);
    command.args(codes.then_some("--codes"));
    if let Some(address) = &args.labrecorder {
        command.args(["--labrecorder", address, "--recording", name]);
    }
    command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped());
    Ok(command)
}

fn listener(to: ChildStdin) -> Box<dyn Listener> {
    lines_into(Box::new(to))
}

impl Drop for Beside {
    fn drop(&mut self) {
        drop(self.child.stdin.take()); // where nobody has followed
        let until = MonotonicClock::raw() + PATIENCE;
        while matches!(self.child.try_wait(), Ok(None)) && MonotonicClock::raw() < until {
            sleep_until(MonotonicClock::raw() + LOOK);
        }
        let _ = self.child.kill(); // without effect where it has ended
        let _ = self.child.wait();
        self.reader.take().map(JoinHandle::join);
    }
}
