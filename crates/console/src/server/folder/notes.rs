//! [`Notes`]: which files and folders somebody looked at, each with a mark by which a change is
//! seen; and the ways to read a study ([`NotingFolder`]) and a dataset ([`NotingDisk`]) that take
//! such notes. What is read by other ways is not known here.

use chronotap_config::trial_files::{Further, files_of};
use chronotap_core::files::{Disk, System};
use chronotap_core::time::Nanos;
use chronotap_design::{Files, Folder};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Paths that were looked at, as they were before.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes(Arc<Mutex<BTreeMap<PathBuf, Mark>>>);

/// A path as it is: the name itself, which may be a link, and what it leads to.
#[derive(Debug, PartialEq, Eq)]
struct Mark(Option<Stamp>, Option<Stamp>);

/// What is another one after every change: device and number of the file, its size, and when its
/// content and its entry changed last.
#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    file: (u64, u64),
    bytes: u64,
    written: (i64, i64),
    changed: (i64, i64),
}

impl Notes {
    /// Marks a path that is about to be read, unless it is marked.
    pub(super) fn note(&self, path: &Path) {
        let mut marks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !marks.contains_key(path) {
            marks.insert(path.to_owned(), Mark::of(path));
        }
    }

    /// What was looked at.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }

    /// Whether everything is as it was.
    pub(super) fn hold(&self) -> bool {
        let marks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        marks.iter().all(|(path, mark)| Mark::of(path) == *mark)
    }

    /// Whether all of it changed last before this time, in UTC.
    pub(super) fn are_older_than(&self, time: Nanos) -> bool {
        let marks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stamps = marks.values().flat_map(|Mark(name, file)| [name, file]).flatten();
        stamps.all(|stamp| stamp.is_older_than(time))
    }
}

impl Mark {
    /// What can be opened is opened: on a network's disk only that asks the server for sure.
    fn of(path: &Path) -> Mark {
        let opened = chronotap_core::files::open(path).and_then(|file| file.metadata());
        let file = opened.or_else(|_| fs::metadata(path));
        let name = fs::symlink_metadata(path);
        Mark(name.ok().map(Stamp::of), file.ok().map(Stamp::of))
    }
}

impl Stamp {
    #[allow(clippy::needless_pass_by_value)] // as `map` gives it
    fn of(about: Metadata) -> Stamp {
        Stamp {
            file: (about.dev(), about.ino()),
            bytes: about.len(),
            written: (about.mtime(), about.mtime_nsec()),
            changed: (about.ctime(), about.ctime_nsec()),
        }
    }

    fn is_older_than(&self, time: Nanos) -> bool {
        let ns = |(s, ns): (i64, i64)| s.saturating_mul(1_000_000_000).saturating_add(ns);
        ns(self.changed) < time.0 && ns(self.written) < time.0
    }
}

/// A study's folder, whatever is read from which is noted.
pub(super) struct NotingFolder<'n> {
    folder: Folder,
    notes: &'n Notes,
}

impl<'n> NotingFolder<'n> {
    /// The folder that a file is in, and the file's name in it.
    pub(super) fn of(file: &Path, notes: &'n Notes) -> (NotingFolder<'n>, String) {
        let folder = Folder(file.parent().unwrap_or(Path::new("")).to_owned());
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (NotingFolder { folder, notes }, name)
    }

    fn note_beside<'f>(&self, name: &str, others: impl IntoIterator<Item = &'f String>) {
        let beside = self.folder.beside(name);
        others.into_iter().for_each(|other| self.notes.note(&beside.join(other)));
    }
}

impl Files for NotingFolder<'_> {
    fn read(&self, name: &str) -> io::Result<String> {
        let path = self.folder.0.join(name);
        self.notes.note(&path);
        if name.ends_with(".toml") {
            let text = chronotap_core::files::read_to_string(&path).unwrap_or_default();
            self.note_beside(name, &files_of(&text));
        }
        self.folder.read(name)
    }

    fn with_further(&self, name: &str, text: &str, further: &Further) -> String {
        self.note_beside(name, further.beats.iter().chain(&further.sounds));
        self.folder.with_further(name, text, further)
    }

    fn said(&self, name: &str) -> String {
        self.folder.said(name)
    }

    fn meant(&self, name: &str) -> Option<String> {
        self.folder.meant(name)
    }
}

/// This machine's disks, only to be read; whatever is read is noted.
#[derive(Clone)]
pub(super) struct NotingDisk(pub(super) Notes);

fn refused<T>() -> io::Result<T> {
    Err(ErrorKind::ReadOnlyFilesystem.into())
}

impl Disk for NotingDisk {
    type File = File;

    fn open(&self, path: &Path) -> io::Result<File> {
        self.0.note(path);
        System.open(path)
    }

    fn is_there(&self, path: &Path) -> bool {
        self.0.note(path);
        System.is_there(path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.0.note(path);
        System.is_folder(path)
    }

    fn names_in(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        self.0.note(folder);
        System.names_in(folder)
    }

    fn is_empty_file(&self, path: &Path) -> bool {
        self.0.note(path);
        System.is_empty_file(path)
    }

    fn create_new(&self, _: &Path) -> io::Result<File> {
        refused()
    }

    fn create_to_append(&self, _: &Path) -> io::Result<File> {
        refused()
    }

    fn open_to_append(&self, _: &Path) -> io::Result<File> {
        refused()
    }

    fn create_folder(&self, _: &Path) -> io::Result<()> {
        refused()
    }

    fn create_folder_unsynced(&self, _: &Path) -> io::Result<()> {
        refused()
    }

    fn add_name(&self, _: &Path, _: &Path) -> io::Result<()> {
        refused()
    }

    fn rename(&self, _: &Path, _: &Path) -> io::Result<()> {
        refused()
    }

    fn remove(&self, _: &Path) -> io::Result<()> {
        refused()
    }

    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        refused()
    }
}
