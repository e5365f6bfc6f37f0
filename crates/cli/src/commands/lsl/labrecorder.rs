//! LabRecorder by its remote control: lines of text to a port, each answered by `OK`.
//!
//! Whatever it does, or fails to do, costs a bounded time, and the events are published all the same.
//! Its command-line version, LabRecorderCLI, has no remote control.

use anyhow::{Context, Result, bail};
use chronotap_core::time::{Nanos, wall_clock_now};
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

/// The port that it listens at, where nobody chose another.
const PORT: u16 = 22_345;
/// How long it may take to answer a connection, and a line: it looks for streams meanwhile.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long all that begins a recording may take at the end of everything.
const AT_THE_END: Nanos = Nanos::from_secs(10);
const LOOK: Nanos = Nanos::from_millis(10);

/// A LabRecorder somewhere.
pub struct LabRecorder {
    address: String,
    recording: Option<String>, // the name that its file is to have
    starting: Option<JoinHandle<Result<()>>>,
    runs: bool,
}

impl LabRecorder {
    /// At `HOST` or `HOST:PORT`.
    pub fn at(address: &str, recording: Option<&str>) -> LabRecorder {
        let with_port =
            address.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let address = if with_port { address.to_owned() } else { format!("{address}:{PORT}") };
        LabRecorder {
            address,
            recording: recording.map(str::to_owned),
            starting: None,
            runs: false,
        }
    }

    /// Starts the recording, beside; false where it was started before.
    pub fn start(&mut self, title: &str) -> bool {
        if self.runs || self.starting.is_some() {
            return false;
        }
        let file = file(self.recording.as_deref().unwrap_or(title), &wall_clock_now());
        let filename = format!("filename {{template:{file}}}");
        let address = self.address.clone();
        let lines = ["update".to_owned(), "select all".to_owned(), filename, "start".to_owned()];
        self.starting = Some(spawn(move || command(&address, &lines)));
        true
    }

    /// What became of the start, once, where that is known by now.
    pub fn started(&mut self) -> Option<Result<()>> {
        let started = self.starting.take_if(|starting| starting.is_finished())?;
        let started = started.join().ok()?;
        self.runs = started.is_ok();
        Some(started)
    }

    /// Stops the recording, where one was started.
    pub fn stop(&mut self) -> Result<()> {
        let until = MonotonicClock::raw() + AT_THE_END;
        while self.starting.is_some() && MonotonicClock::raw() < until {
            self.started().transpose()?;
            sleep_until(MonotonicClock::raw() + LOOK);
        }
        match std::mem::take(&mut self.runs) {
            true => command(&self.address, &["stop".to_owned()]),
            false => Ok(()),
        }
    }
}

/// The name of the recording's file: letters that mean nothing to LabRecorder, and the time, so that it is new.
fn file(name: &str, now: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '_' };
    let name: String = name.chars().map(plain).take(100).collect();
    let digits = now.chars().filter(|c| c.is_ascii_digit() || *c == 'T');
    format!("{name}_{}.xdf", digits.take("20260101T000000".len()).collect::<String>())
}

fn command(address: &str, lines: &[String]) -> Result<()> {
    let unheard = || {
        format!(
            "LabRecorder at {address} does not answer; start it and tick its remote control, or leave --labrecorder out"
        )
    };
    let mut control = connect(address).with_context(unheard)?;
    for line in lines {
        control.write_all(format!("{line}\n").as_bytes()).with_context(unheard)?;
        let mut answer = [0; 256];
        let count = control.read(&mut answer).with_context(unheard)?;
        if !answer[..count].starts_with(b"OK") {
            bail!("LabRecorder at {address} did not take \"{line}\"; record by hand");
        }
    }
    Ok(())
}

fn connect(address: &str) -> Result<TcpStream> {
    let resolved = address.to_socket_addrs()?.next().context("no such computer")?;
    let control = TcpStream::connect_timeout(&resolved, PATIENCE)?;
    control.set_read_timeout(Some(PATIENCE))?;
    control.set_write_timeout(Some(PATIENCE))?;
    Ok(control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_after_the_trial_and_the_time() {
        let named = file("Tempo {root:/} é", "2026-11-28T06:20:01.5Z");
        assert_eq!(named, "Tempo__root______20261128T062001.xdf");
    }

    #[test]
    fn a_computer_has_the_usual_port_unless_another_is_given() {
        assert_eq!(LabRecorder::at("eeg", None).address, "eeg:22345");
        assert_eq!(LabRecorder::at("10.0.0.2:1", None).address, "10.0.0.2:1");
    }
}
