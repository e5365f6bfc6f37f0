//! Who holds a device that is busy. The kernel tells the process that opened each
//! raw MIDI port in /proc/asound, to everybody; where it does not, the open files
//! of all processes that may be looked at are searched.

use super::midi_port::MidiPort;
use std::fmt;
use std::fs::{read_dir, read_link, read_to_string};
use std::path::Path;

/// Who holds a port.
pub(crate) fn holder(port: &MidiPort) -> MidiHolder {
    let proc = format!("/proc/asound/card{}/midi{}", port.card.number, port.place.device);
    let about = read_to_string(proc).unwrap_or_default();
    let pid = owner(&about, port.place.port).or_else(|| holder_of_file(&port.path()));
    let Some(pid) = pid else { return MidiHolder::Unknown };
    match read_to_string(format!("/proc/{pid}/comm")) {
        Ok(name) => MidiHolder::Program { pid, name: name.trim().to_owned() },
        // The sequencer opens a device in the name of whoever connected it.
        Err(_) => MidiHolder::Sequencer,
    }
}

/// Who has a MIDI port open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MidiHolder {
    Program {
        pid: u32,
        /// What it is called.
        name: String,
    },
    /// A connection of the sequencer.
    Sequencer,
    /// Somebody whom this user may not look up.
    Unknown,
}

impl fmt::Display for MidiHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MidiHolder::Program { pid, name } => write!(f, "pid {pid} ({name})"),
            MidiHolder::Sequencer => f.write_str("a sequencer connection"),
            MidiHolder::Unknown => f.write_str("another program"),
        }
    }
}

/// The first `Owner PID` under the lines of this port.
fn owner(about: &str, port: u32) -> Option<u32> {
    let mut mine = false;
    about.lines().find_map(|line| {
        let number = line.strip_prefix("Input ").or_else(|| line.strip_prefix("Output "));
        if let Some(number) = number {
            mine = number.trim().parse() == Ok(port);
        }
        let (key, value) = line.split_once(':')?;
        (mine && key.trim() == "Owner PID").then(|| value.trim().parse().ok())?
    })
}

/// A process that has the file open, as far as this user may look.
pub(crate) fn holder_of_file(path: &Path) -> Option<u32> {
    let processes = read_dir("/proc").ok()?.flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| *pid != std::process::id()).find(|pid| {
        let files = read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        files.filter_map(|file| read_link(file.path()).ok()).any(|target| target == path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_owner_of_a_port_is_read_from_what_the_kernel_tells() {
        let about = "VirMIDI\n\nOutput 0\n  Tx bytes     : 0\nInput 0\n  Rx bytes     : 0\n\
            Input 1\n  Rx bytes     : 0\n  Owner PID    : 4711\n  Buffer size  : 4096\n";
        assert_eq!(owner(about, 1), Some(4711));
        assert_eq!(owner(about, 0), None);
    }

    #[test]
    fn the_holder_of_a_file_is_another_process() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(holder_of_file(file.path()), None);
    }
}
