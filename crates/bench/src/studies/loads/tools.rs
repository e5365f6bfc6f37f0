//! The loads that are other people's programs: x11perf and stress-ng. They are called
//! with the arguments of the studies and bounded in time by their own; what they print
//! at their end tells how much they did.

use super::job::Job;
use super::running::ends_within;
use super::work::LoadWork;
use super::{LoadLimits, LoadRefusal};
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use rustix::process::{Pid, Signal, kill_process};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// How long a tool may take to begin, and to end once it is told to: it hangs beyond.
const PATIENCE: Nanos = Nanos::from_secs(60);

/// Whether there are a display and x11perf.
pub(super) fn display() -> Result<(), LoadRefusal> {
    if std::env::var_os("DISPLAY").is_none_or(|name| name.is_empty()) {
        return Err(LoadRefusal::NoDisplay);
    }
    installed("x11perf", "x11-apps")
}

/// Whether there is stress-ng.
pub(super) fn stress_ng() -> Result<(), LoadRefusal> {
    installed("stress-ng", "stress-ng")
}

fn installed(tool: &'static str, package: &'static str) -> Result<(), LoadRefusal> {
    found(tool).map(drop).ok_or(LoadRefusal::NotInstalled { tool, package })
}

fn found(tool: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(tool)).find(|file| file.is_file())
}

/// Lines, scrolls and copies of windows, a second each.
pub(super) fn x11perf() -> Tool {
    let arguments = "-repeat 1 -time 1 -scroll500 -copywinwin500 -seg100 -ftext";
    Tool::new("x11perf", arguments, count_x11perf, true)
}

/// The line of Vignati et al., with an end and a count; at work when this returns.
pub(super) fn stress(limits: &LoadLimits) -> io::Result<Tool> {
    let line = "--sched other --cpu 1 --udp 1 --io 1 --netdev 1 --aggressive --maximize \
                --metrics-brief";
    let mut tool = Tool::new("stress-ng", line, count_stress_ng, false);
    tool.command.arg("--timeout").arg(limits.seconds.to_string());
    tool.command.arg("--temp-path").arg(&limits.dir).current_dir(&limits.dir);
    tool.begin()?;
    tool.await_line("dispatching hogs")?;
    Ok(tool)
}

/// A program that runs beside.
pub(super) struct Tool {
    name: &'static str,
    command: Command,
    count: fn(&str, &mut LoadWork),
    again: bool,
    running: Option<(Child, File)>,
}

impl Tool {
    fn new(
        name: &'static str,
        arguments: &str,
        count: fn(&str, &mut LoadWork),
        again: bool,
    ) -> Tool {
        // So that it ends even where this process is killed and cannot end it.
        let mut command = match found("setpriv") {
            Some(_) => Command::new("setpriv"),
            None => Command::new(name),
        };
        if command.get_program() == "setpriv" {
            command.args(["--pdeathsig", "TERM", name]);
        }
        command.args(arguments.split_whitespace());
        Tool { name, command, count, again, running: None }
    }

    fn begin(&mut self) -> io::Result<()> {
        let output = tempfile::tempfile()?;
        self.command.stdin(Stdio::null());
        self.command.stdout(output.try_clone()?).stderr(output.try_clone()?);
        self.running = Some((self.command.spawn()?, output));
        Ok(())
    }

    /// Waits until it has printed a line with these words, or has ended.
    fn await_line(&mut self, words: &str) -> io::Result<()> {
        let latest = MonotonicClock::raw() + PATIENCE;
        while MonotonicClock::raw() < latest {
            let Some((child, output)) = &mut self.running else { return Ok(()) };
            let mut text = vec![0; 4_096];
            let length = output.read_at(&mut text, 0)?;
            let said = String::from_utf8_lossy(&text[..length]).contains(words);
            if said || child.try_wait()?.is_some() {
                return Ok(());
            }
            sleep_until(MonotonicClock::raw() + Nanos::from_millis(5));
        }
        Ok(())
    }

    /// Counts what it did; its last line where it failed.
    fn ended(&mut self, work: &mut LoadWork) -> io::Result<()> {
        let Some((mut child, mut output)) = self.running.take() else { return Ok(()) };
        let status = child.wait()?;
        let mut text = Vec::new();
        output.rewind()?;
        output.read_to_end(&mut text)?;
        let text = String::from_utf8_lossy(&text);
        (self.count)(&text, work);
        if status.success() {
            return Ok(());
        }
        let last = text.lines().last().unwrap_or("it said nothing");
        Err(io::Error::other(format!("{} ended with {status}: {last}", self.name)))
    }
}

impl Job for Tool {
    fn step(&mut self, work: &mut LoadWork) -> io::Result<()> {
        let Some((child, _)) = &mut self.running else { return self.begin() };
        if child.try_wait()?.is_none() {
            sleep_until(MonotonicClock::raw() + Nanos::from_millis(20));
            return Ok(());
        }
        self.ended(work)?;
        // stress-ng ends with the load's own time; the load then ends within moments.
        if self.again { self.begin() } else { Ok(()) }
    }

    fn end(&mut self, work: &mut LoadWork) {
        let Some((child, _)) = &mut self.running else { return };
        let _ = kill_process(Pid::from_child(child), Signal::TERM); // it may have ended
        if !ends_within(child, PATIENCE) {
            let _ = child.kill();
        }
        let _ = self.ended(work); // that it was ended by a signal is no failure
    }
}

/// `stress-ng: metrc: [7] cpu   1060   2.01 …`: operations of each stressor.
fn count_stress_ng(text: &str, work: &mut LoadWork) {
    for line in text.lines().filter(|line| line.contains("metrc:")) {
        let mut words = line.split_whitespace().skip(3);
        let name = words.next().unwrap_or_default();
        if let Some(operations) = words.next().and_then(|count| count.parse().ok()) {
            work.add(&format!("bogo_ops_{name}"), operations);
        }
    }
}

/// `   6000 reps @   0.1676 msec (  5970.0/sec): Scroll 500x500 pixels`
fn count_x11perf(text: &str, work: &mut LoadWork) {
    for line in text.lines().filter(|line| line.contains(" reps @")) {
        let drawn = line.split_whitespace().next().and_then(|count| count.parse().ok());
        work.add("drawn", drawn.unwrap_or(0.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_tools_print_is_counted() {
        let mut work = LoadWork::default();
        let stress = "stress-ng: metrc: [4736] stressor       bogo ops real time  usr time\n\
                      stress-ng: metrc: [4736]                           (secs)    (secs)\n\
                      stress-ng: metrc: [4736] cpu                1060      2.01      0.75\n\
                      stress-ng: metrc: [4736] udp               75033      2.00      0.05\n";
        count_stress_ng(stress, &mut work);
        count_x11perf("   6000 reps @   0.1676 msec (  5970.0/sec): Scroll\n", &mut work);
        let done: Vec<_> = work.done.iter().map(|(what, n)| (what.as_str(), *n)).collect();
        assert_eq!(done, [("bogo_ops_cpu", 1060.0), ("bogo_ops_udp", 75033.0), ("drawn", 6000.0)]);
    }

    #[test]
    fn a_tool_that_is_missing_is_named_with_its_package() {
        let why = installed("no-such-tool", "some-package").unwrap_err();
        let named = LoadRefusal::NotInstalled { tool: "no-such-tool", package: "some-package" };
        assert_eq!(format!("{why:?}"), format!("{named:?}"));
        assert!(installed("sh", "dash").is_ok());
    }
}
