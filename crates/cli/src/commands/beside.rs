//! `run --lsl` and `run --listen`: `chronotap lsl` and `chronotap listen` as children of a run, which feeds them through
//! a pipe and ends them.
//!
//! So the run itself opens no socket of a network. Whatever becomes of a child, the run goes on; what
//! there is to say of it goes to standard error.

use crate::args::RunArgs;
use crate::commands::streamed::Streamed;
use crate::says::demo_build;
use crate::screen::{complain, remark, wrapped};
use crate::this_program::this_program;
use anyhow::{Context, Result, bail};
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use chronotap_rig::laboratory::{Listener, Sinks, lines_into};
use std::io::{BufRead, BufReader, Lines, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::{Builder, JoinHandle};

/// How long it may take at the end to send what there is; longer than any of its own waits.
const PATIENCE: Nanos = Nanos::from_secs(40);
const LOOK: Nanos = Nanos::from_millis(10);

/// An error where this build has none of these children; before anything is asked or written.
pub fn refuse_lacking(args: &RunArgs) -> Result<()> {
    let asked = [("lsl", args.lsl.is_some()), ("listen", !args.listen.is_empty())];
    match asked.iter().find(|(_, asked)| *asked && cfg!(not(feature = "lsl"))) {
        Some((name, _)) => bail!("--{name}: {}, or leave --{name} out", demo_build::no_lsl()),
        None => Ok(()),
    }
}

/// The children of a run.
pub struct Besides {
    lsl: Option<Beside>,
    listening: Option<Beside>,
}

impl Besides {
    /// Starts those that the command line asks for, and waits until their streams are open, which are of
    /// this trial or session. `name` is that of the file of LabRecorder.
    pub fn open(args: &RunArgs, of: &Streamed, name: &str) -> Result<Besides> {
        let lsl = Beside::open(args, of, name)?;
        Ok(Besides { lsl, listening: Beside::listening(args)? })
    }

    /// From now on one is told what happens, and the other writes files whose names begin so.
    pub fn follow(&mut self, sinks: &mut Sinks) -> Result<()> {
        Beside::follow(self.lsl.as_mut(), sinks)
    }

    /// What is heard is written from now on, to files whose names begin so.
    pub fn write_to(&mut self, prefix: &Path) -> Result<()> {
        let Some(to) = self.listening.as_mut().and_then(|beside| beside.child.stdin.as_mut())
        else {
            return Ok(());
        };
        let prefix = std::path::absolute(prefix).context("--listen: no place for its files")?;
        writeln!(to, "{}", prefix.display()).context("--listen: chronotap listen has ended")
    }

    /// What each does, as a sentence.
    pub fn streams(&self) -> impl Iterator<Item = String> {
        let all = [&self.lsl, &self.listening].into_iter().flatten();
        all.map(|beside| format!("LSL {}", beside.streams))
    }
}

/// A child. Dropped after the sinks of the run, by which nothing more comes, it is waited for.
struct Beside {
    child: Child,
    streams: String,
    reader: Option<JoinHandle<()>>,
}

impl Beside {
    fn open(args: &RunArgs, of: &Streamed, name: &str) -> Result<Option<Beside>> {
        let Some(first_word) = &args.lsl else { return Ok(None) };
        let about = serde_json::to_string(of).context("--lsl: saying what the streams are of")?;
        let mut options = vec!["--follow", "-", "--name", first_word, "--about", &about];
        options.extend(of.has_codes().then_some("--codes"));
        if let Some(address) = &args.labrecorder {
            options.extend(["--labrecorder", address, "--recording", name]);
        }
        let wanted = args.wait_for_consumers.map(|count| format!("--wait-for-consumers={count}"));
        options.extend(wanted.as_deref());
        Ok(Some(Beside::start("lsl", &options)?))
    }

    fn listening(args: &RunArgs) -> Result<Option<Beside>> {
        if args.listen.is_empty() {
            return Ok(None);
        }
        let streams = args.listen.iter().map(String::as_str);
        let options: Vec<&str> = ["--"].into_iter().chain(streams).collect();
        Ok(Some(Beside::start("listen", &options)?))
    }

    /// Starts the command, whose option of the run has the same name, and waits until it says what it does.
    fn start(name: &str, options: &[&str]) -> Result<Beside> {
        let cannot = || format!("--{name}: chronotap {name} cannot be started");
        let mut child = command(name, options)?.spawn().with_context(cannot)?;
        let told = child.stdout.take().with_context(cannot)?;
        let mut told = BufReader::new(told).lines();
        let Some(Ok(streams)) = told.next() else {
            let _ = child.wait(); // it has said why
            bail!(
                "--{name}: chronotap {name} did not begin, as it says above; cure that, or leave --{name} out"
            );
        };
        let reader = Some(Beside::read(name.to_owned(), told)?);
        Ok(Beside { child, streams, reader })
    }

    /// From now on it is told what happens.
    fn follow(beside: Option<&mut Beside>, sinks: &mut Sinks) -> Result<()> {
        let Some(to) = beside.and_then(|beside| beside.child.stdin.take()) else { return Ok(()) };
        sinks.add(listener(to)).context("--lsl: nobody can be told of the trial")
    }

    /// Says on standard error what it says; it ends without a word only where it was ended.
    fn read(name: String, told: Lines<BufReader<ChildStdout>>) -> Result<JoinHandle<()>> {
        let reader = move || {
            let told = told.map_while(Result::ok);
            let said = told.map(|line| remark(wrapped(&format!("LSL: {line}"), ""))).count();
            if said == 0 {
                complain(&format!("chronotap {name} {ENDED_EARLY}"));
            }
        };
        Builder::new()
            .name("beside".into())
            .spawn(reader)
            .context("no thread for what is said beside the trial")
    }
}

const ENDED_EARLY: &str = "has ended before its time, and does nothing any more; the trial goes on, and all of its own is in its data";

/// In a group of its own: Ctrl-C ends the trial, and that then ends the child.
fn command(name: &str, options: &[&str]) -> Result<Command> {
    let program = this_program()?;
    let mut command = Command::new(program);
    command.args([name, "--of-run"]).args(options);
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
