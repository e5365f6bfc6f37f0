//! [`MemoryDisk`]: a disk in memory that fails when a test asks for it, and that knows what
//! would survive a power cut.
//!
//! Background: a program loses data where one operation fails at the wrong moment, and there are
//! hundreds of such moments in a trial.
//! Solution: every operation is counted. A test runs the same work again and again, and the n-th
//! operation fails ([`DiskFault`]), for every n. Then it looks at the disk: as another program finds
//! it after a kill ([`MemoryDisk::restarted`]), or as it is after a power cut
//! ([`MemoryDisk::after_power_cut`]).
//! The idea is that of the tests of SQLite (<https://www.sqlite.org/testing.html>, section 3).

mod state;

use chronotap_core::files::{Disk, DiskFile};
use state::{Operation, State};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

/// A file of Linux that refuses every write, as a full disk does.
pub const ALWAYS_FULL: &str = "/dev/full";

/// How an operation fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskFault {
    /// It is refused, once.
    Error,
    /// A write takes half of its bytes, once; all else is refused.
    Short,
    /// There is no room from here on, for so many operations.
    Full(u64),
    /// The program ends here: of a write half is done, of anything else nothing; and nothing
    /// happens after it.
    Kill,
}

/// A disk in memory. Copies are the same disk.
#[derive(Clone, Debug, Default)]
pub struct MemoryDisk(Arc<Mutex<State>>);

impl MemoryDisk {
    /// A disk whose files have one name each, as on FAT.
    pub fn without_second_names() -> MemoryDisk {
        MemoryDisk::of(State::with_one_name())
    }

    /// Lets the `n`-th operation from now fail, counted from 1.
    pub fn fail(&self, n: u64, fault: DiskFault) {
        let mut state = self.state();
        state.failing = Some((state.operations + n, fault));
    }

    /// How many operations there were.
    pub fn operations(&self) -> u64 {
        self.state().operations
    }

    /// From now on everything in this folder is refused like this; with `None` nothing is.
    pub fn refuse(&self, folder: &Path, refused: Option<ErrorKind>) {
        let mut state = self.state();
        state.refusing.retain(|(known, _)| known != folder);
        state.refusing.extend(refused.map(|kind| (folder.to_owned(), kind)));
    }

    /// The disk as the next program finds it after a kill: with everything that was written.
    #[must_use]
    pub fn restarted(&self) -> MemoryDisk {
        MemoryDisk::of(self.state().restarted())
    }

    /// The disk after a power cut: what was synced is there; of the rest, for seed 0 nothing, for
    /// seed 1 everything, for others what the seed says, down to parts of a write.
    #[must_use]
    pub fn after_power_cut(&self, seed: u64) -> MemoryDisk {
        MemoryDisk::of(self.state().after_power_cut(seed))
    }

    /// A file of somebody else, on the disk for good.
    pub fn put(&self, path: &Path, bytes: &[u8]) {
        self.state().put(path, bytes);
    }

    /// All names, sorted.
    pub fn names(&self) -> Vec<PathBuf> {
        self.state().names.keys().cloned().collect()
    }

    /// What a file holds; `None` where none has this name.
    pub fn bytes(&self, path: &Path) -> Option<Vec<u8>> {
        let state = self.state();
        state.names.get(path).map(|inode| state.inodes[*inode].bytes.clone())
    }

    fn of(state: State) -> MemoryDisk {
        MemoryDisk(Arc::new(Mutex::new(state)))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    fn create(&self, path: &Path, append: bool) -> io::Result<MemoryFile> {
        let mut state = self.state();
        state.allow(Operation::Room, path)?;
        if state.names.contains_key(path) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        let inode = state.create(path);
        Ok(self.file(path, inode, append))
    }

    fn file(&self, path: &Path, inode: usize, append: bool) -> MemoryFile {
        MemoryFile { disk: self.clone(), path: path.to_owned(), inode, at: 0, append }
    }
}

impl Disk for MemoryDisk {
    type File = MemoryFile;

    fn create_new(&self, path: &Path) -> io::Result<MemoryFile> {
        self.create(path, false)
    }

    fn create_to_append(&self, path: &Path) -> io::Result<MemoryFile> {
        self.create(path, true)
    }

    fn open(&self, path: &Path) -> io::Result<MemoryFile> {
        let mut state = self.state();
        state.allow(Operation::Other, path)?;
        let inode = state.names.get(path).copied().ok_or(ErrorKind::NotFound)?;
        Ok(self.file(path, inode, false))
    }

    fn open_to_append(&self, path: &Path) -> io::Result<MemoryFile> {
        let opened = self.open(path)?;
        Ok(MemoryFile { append: true, ..opened })
    }

    /// Folders are always there.
    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.state().allow(Operation::Other, path).map(drop)
    }

    fn create_folder_unsynced(&self, path: &Path) -> io::Result<()> {
        self.create_folder(path)
    }

    /// A folder is there where something is in it.
    fn is_there(&self, path: &Path) -> bool {
        self.state().names.keys().any(|name| name.starts_with(path))
    }

    /// As far as something is in it.
    fn is_folder(&self, path: &Path) -> bool {
        self.is_there(path) && self.bytes(path).is_none()
    }

    fn names_in(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        let mut state = self.state();
        state.allow(Operation::Other, folder)?;
        let inside = state.names.keys().filter_map(|name| name.strip_prefix(folder).ok());
        let mut names: Vec<OsString> =
            inside.filter_map(|rest| Some(rest.components().next()?.as_os_str().into())).collect();
        names.dedup(); // they are sorted
        Ok(names)
    }

    fn is_empty_file(&self, path: &Path) -> bool {
        self.bytes(path).is_some_and(|bytes| bytes.is_empty())
    }

    fn add_name(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.allow(Operation::Room, to)?;
        if state.names.contains_key(to) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        if !state.knows_second_names() {
            return Err(ErrorKind::PermissionDenied.into());
        }
        let inode = state.names.get(from).copied().ok_or(ErrorKind::NotFound)?;
        state.rename(vec![(to.to_owned(), Some(inode))]);
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.allow(Operation::Other, to)?;
        match state.names.get(from).copied() {
            Some(inode) => {
                state.rename(vec![(from.to_owned(), None), (to.to_owned(), Some(inode))]);
                Ok(())
            }
            None => state.rename_folder(from, to),
        }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.allow(Operation::Other, path)?;
        if !state.names.contains_key(path) {
            return Err(ErrorKind::NotFound.into());
        }
        state.rename(vec![(path.to_owned(), None)]);
        Ok(())
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.allow(Operation::Other, folder)?;
        state.sync_folder(folder);
        Ok(())
    }
}

/// A file of a [`MemoryDisk`] that is open.
#[derive(Debug)]
pub struct MemoryFile {
    disk: MemoryDisk,
    path: PathBuf,
    inode: usize,
    at: usize,
    append: bool,
}

impl MemoryFile {
    fn allow(&self, operation: Operation) -> io::Result<bool> {
        self.disk.state().allow(operation, &self.path)
    }
}

impl Read for MemoryFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.allow(Operation::Other)?;
        let state = self.disk.state();
        let rest = state.inodes[self.inode].bytes.get(self.at..).unwrap_or_default();
        let n = rest.len().min(into.len());
        into[..n].copy_from_slice(&rest[..n]);
        self.at += n;
        Ok(n)
    }
}

impl Write for MemoryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.disk.state();
        let allowed = state.allow(Operation::Write, &self.path);
        let half = state.is_killed() || allowed.as_ref().is_ok_and(|whole| !whole);
        let written = if half { bytes.len().div_ceil(2) } else { bytes.len() };
        if allowed.is_ok() || state.kills_now() {
            let end = state.inodes[self.inode].bytes.len();
            let at = if self.append { end } else { self.at };
            state.inodes[self.inode].write(at, &bytes[..written]);
            self.at = at + written;
        }
        allowed.map(|_| written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for MemoryFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let end = self.disk.state().inodes[self.inode].bytes.len() as i64;
        let at = match to {
            SeekFrom::Start(at) => at as i64,
            SeekFrom::End(from) => end + from,
            SeekFrom::Current(from) => self.at as i64 + from,
        };
        self.at = usize::try_from(at).map_err(|_| ErrorKind::InvalidInput)?;
        Ok(self.at as u64)
    }
}

impl DiskFile for MemoryFile {
    fn sync(&self) -> io::Result<()> {
        self.allow(Operation::Other)?;
        self.disk.state().inodes[self.inode].sync();
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        self.sync()
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.disk.state().inodes[self.inode].bytes.len() as u64)
    }

    fn set_len(&self, bytes: u64) -> io::Result<()> {
        self.allow(Operation::Other)?;
        self.disk.state().inodes[self.inode].set_len(bytes as usize);
        Ok(())
    }

    fn another(&self) -> io::Result<MemoryFile> {
        Ok(MemoryFile {
            disk: self.disk.clone(),
            path: self.path.clone(),
            inode: self.inode,
            at: self.at,
            append: self.append,
        })
    }

    fn of_system(&self) -> Option<&File> {
        None
    }
}
