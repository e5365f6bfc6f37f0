//! Markers that become notes: three bytes in a FIFO, which is an input of a trial (`raw:FIFO`). So a marker of another program may
//! start or end a trial. It comes when it has come over the network; how late that was is counted.

use crate::args::Noted;
use anyhow::{Context, Result, bail};
use chronotap_core::time::Nanos;
use rustix::fs::{CWD, FileType, Mode, OFlags, mkfifoat, open};
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// The FIFO, and what is written to it.
pub struct Notes {
    fifo: File,
    path: PathBuf,
    is_ours: bool,
    noted: Vec<Noted>,
    /// How long after its own time each was passed on; those without a time are not here.
    after: Vec<Nanos>,
    pub passed: u64,
    pub refused: u64,
}

impl Notes {
    /// Opens the FIFO, which is made where nothing is.
    pub fn open(path: &Path, noted: &[Noted]) -> Result<Notes> {
        let is_ours = match std::fs::symlink_metadata(path) {
            Ok(there) if there.file_type().is_fifo() => false,
            Ok(_) => {
                bail!("--notes {}: something else is there; name another path", path.display())
            }
            Err(_) => {
                mkfifoat(CWD, path, Mode::RUSR | Mode::WUSR).with_context(|| {
                    format!("--notes {}: no FIFO can be made there; name a folder that you may write to", path.display())
                })?;
                true
            }
        };
        // Open for both, so that it has no end while no trial runs.
        let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fifo = open(path, flags, Mode::empty())
            .with_context(|| format!("--notes {}: cannot be opened", path.display()))?;
        debug_assert!(
            rustix::fs::fstat(&fifo)
                .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Fifo)
        );
        let (fifo, path) = (File::from(fifo), path.to_owned());
        Ok(Notes {
            fifo,
            path,
            is_ours,
            noted: noted.to_vec(),
            after: Vec::new(),
            passed: 0,
            refused: 0,
        })
    }

    /// Passes a marker on, where it is one of those that are notes: the key is pressed and let go.
    pub fn hear(&mut self, marker: &str, onset: Option<Nanos>, now: Nanos) {
        let Some(noted) = self.noted.iter().find(|noted| noted.marker == marker) else { return };
        let bytes = [0x90, noted.note, 100, 0x80, noted.note, 0];
        match self.fifo.write_all(&bytes) {
            Ok(()) => {
                self.passed += 1;
                self.after.extend(onset.map(|onset| now - onset));
            }
            Err(_) => self.refused += 1, // nobody reads it, and it is full: of so few bytes none is written (pipe(7))
        }
    }

    /// How late markers were passed on: the median and the longest.
    pub fn lateness(&self) -> Option<(Nanos, Nanos)> {
        let mut after = self.after.clone();
        after.sort();
        Some((*after.get(after.len() / 2)?, *after.last()?))
    }
}

impl Drop for Notes {
    fn drop(&mut self) {
        if self.is_ours {
            let _ = std::fs::remove_file(&self.path); // it is left over then
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot be set up has failed
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn a_marker_is_a_key_that_is_pressed_and_let_go() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes");
        let mut notes =
            Notes::open(&path, &["go=60".parse().unwrap(), "a=b=7".parse().unwrap()]).unwrap();
        for (marker, after) in [("go", 5), ("stop", 5), ("a=b", 30)] {
            notes.hear(marker, Some(Nanos::ZERO), Nanos::from_millis(after));
        }
        let mut heard = [0; 12];
        File::open(&path).unwrap().read_exact(&mut heard).unwrap();
        assert_eq!(heard, [0x90, 60, 100, 0x80, 60, 0, 0x90, 7, 100, 0x80, 7, 0]);
        assert_eq!((notes.passed, notes.refused), (2, 0));
        assert_eq!(notes.lateness(), Some((Nanos::from_millis(30), Nanos::from_millis(30))));
        drop(notes);
        assert!(!path.exists(), "it made it, and takes it away");
    }

    #[test]
    fn a_file_that_is_no_fifo_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "mine").unwrap();
        assert!(Notes::open(&path, &[]).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    }
}
