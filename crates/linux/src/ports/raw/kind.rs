//! The row of byte streams in the table of kinds, their names, and those found under /dev.

use super::RawPort;
use crate::ports::alsa::midi_ports;
use crate::ports::open::look;
use crate::ports::{
    Listed, Misread, NameForm, OpenPortError, Permission, PortKind, PortName, Uses,
};
use chronotap_engine::signal::{Port, Stamp};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) static KIND: PortKind = PortKind {
    prefix: "raw",
    forms: &[NameForm {
        name: "raw:PATH",
        words: "MIDI bytes of any character device, FIFO or pseudo-terminal",
    }],
    parse: |rest| match rest {
        "" => Err(Misread::wrong(NoPath)),
        path => Ok(Box::new(RawName(path.into()))),
    },
    list,
    none_listed: Some("any character device, FIFO or pseudo-terminal can be named as raw:PATH"),
    is_meant_by: |text| Path::new(text).is_absolute(),
    has_sockets: true,
    warning: None,
};

/// A byte stream by its path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RawName(pub PathBuf);

/// `raw:` without a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`raw:` needs a path")]
pub struct NoPath;

impl PortName for RawName {
    fn full_name(&self) -> String {
        format!("raw:{}", self.0.display())
    }

    fn open(&self, uses: &Uses<'_>) -> Result<Box<dyn Port>, OpenPortError> {
        let input = uses.at_most_one_input(self)?;
        let port = RawPort::open(&self.0, input, uses.output()).map_err(OpenPortError::device)?;
        Ok(Box::new(port))
    }

    fn look(&self) -> Result<(), OpenPortError> {
        look(&self.0).map_err(OpenPortError::device)
    }

    fn carries_sysex(&self) -> bool {
        true
    }

    /// The number of a pseudo-terminal is given to the next who asks, so that it may be
    /// somebody else's.
    fn reopens(&self) -> bool {
        !self.0.starts_with("/dev/pts")
    }
}

/// Raw MIDI devices of a system without ALSA; with it they are ALSA's devices once more.
fn list() -> Vec<Listed> {
    if !midi_ports().is_empty() {
        return Vec::new();
    }
    midi_devices(Path::new("/dev"), "midi").iter().map(|path| listed(path)).collect()
}

fn midi_devices(directory: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let named = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix));
    let mut paths: Vec<PathBuf> = named.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn listed(path: &Path) -> Listed {
    use rustix::fs::{Access, access};
    let input = access(path, Access::READ_OK).is_ok();
    let output = access(path, Access::WRITE_OK).is_ok();
    let refused = (!input || !output).then(|| Arc::new(Permission::of(path)) as _);
    Listed {
        name: format!("raw:{}", path.display()),
        description: "raw MIDI device".into(),
        input,
        output,
        stamp: Stamp::UserSpace,
        refused,
    }
}
