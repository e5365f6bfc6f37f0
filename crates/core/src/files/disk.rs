//! [`Disk`]: what the program asks of a disk when it writes what must not be lost.
//!
//! Background: whether nothing is lost by a kill, a full disk or a power cut shows only where
//! each single operation has failed once, and no real disk fails on request.
//! Solution: whoever writes is written for any [`Disk`]. The program has one, [`System`], which
//! hands every call to the system and costs nothing: the compiler knows it. Tests have another
//! in memory, which fails the n-th operation, and forgets what was not synced
//! (`chronotap-testkit`).

use super::patience::patiently;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// A disk: files by their names.
pub trait Disk: Clone + Send + Sync + 'static {
    /// An open file.
    type File: DiskFile;

    /// Makes a file to be written and read, as [`create_new`](crate::files::create_new()).
    ///
    /// # Errors
    /// Where the name is taken, or the system refuses.
    fn create_new(&self, path: &Path) -> io::Result<Self::File>;

    /// The same, but everything written goes to the end of the file.
    ///
    /// # Errors
    /// As [`Disk::create_new`].
    fn create_to_append(&self, path: &Path) -> io::Result<Self::File>;

    /// Opens a file to read it, as [`open`](crate::files::open()).
    ///
    /// # Errors
    /// Where it is no file, or the system refuses.
    fn open(&self, path: &Path) -> io::Result<Self::File>;

    /// Opens a file that is there to write at its end, as [`open_to_append`](crate::files::open_to_append()).
    ///
    /// # Errors
    /// Where it is no file of its own, or the system refuses.
    fn open_to_append(&self, path: &Path) -> io::Result<Self::File>;

    /// Makes a folder and those above it, as [`create_folder`](crate::files::create_folder()).
    ///
    /// # Errors
    /// Where something else has the name, or the system refuses.
    fn create_folder(&self, path: &Path) -> io::Result<()>;

    /// The same, as [`create_folder_unsynced`](crate::files::create_folder_unsynced()).
    ///
    /// # Errors
    /// As [`Disk::create_folder`].
    fn create_folder_unsynced(&self, path: &Path) -> io::Result<()>;

    /// Whether the name is taken, be it by a link that leads nowhere.
    fn is_there(&self, path: &Path) -> bool;

    /// Whether the name is that of a folder.
    fn is_folder(&self, path: &Path) -> bool;

    /// Where a folder really is, all links followed. A disk without links says the name.
    ///
    /// # Errors
    /// Where there is no such folder, or the system refuses.
    fn real(&self, folder: &Path) -> io::Result<PathBuf> {
        Ok(folder.to_owned())
    }

    /// The names in a folder, by their bytes: a disk's own order differs between machines.
    ///
    /// # Errors
    /// Where there is no such folder, or the system refuses.
    fn names_in(&self, folder: &Path) -> io::Result<Vec<OsString>>;

    /// Whether the name is that of a file without a byte. A link is none, whatever it leads to.
    fn is_empty_file(&self, path: &Path) -> bool;

    /// Gives a file a second name, where nobody has it.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] where the name is taken; what the system refuses.
    fn add_name(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file the name `to`, in the place of whatever has it, and takes `from` away. A folder
    /// gets a name that is free.
    ///
    /// # Errors
    /// What the system refuses.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Takes a name away.
    ///
    /// # Errors
    /// What the system refuses.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Makes the names in a folder durable; "" is the current one.
    ///
    /// # Errors
    /// What the system refuses.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// A file that is open.
#[allow(clippy::len_without_is_empty, reason = "a file's length may not be known")]
pub trait DiskFile: Read + Write + Seek + Send + Sized + 'static {
    /// Waits until all of it is on the disk.
    ///
    /// # Errors
    /// What the system refuses; then it is not known what the disk has.
    fn sync(&self) -> io::Result<()>;

    /// The same without its times, which nobody needs to read it.
    ///
    /// # Errors
    /// As [`DiskFile::sync`].
    fn sync_data(&self) -> io::Result<()>;

    /// Its length in bytes.
    ///
    /// # Errors
    /// What the system refuses.
    fn len(&self) -> io::Result<u64>;

    /// Cuts it, or lengthens it by zeros.
    ///
    /// # Errors
    /// What the system refuses.
    fn set_len(&self, bytes: u64) -> io::Result<()>;

    /// The same open file for another thread.
    ///
    /// # Errors
    /// What the system refuses.
    fn another(&self) -> io::Result<Self>;

    /// The system's file, for its locks; `None` on a disk that nobody else writes to.
    fn of_system(&self) -> Option<&File>;
}

/// The disks of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct System;

impl Disk for System {
    type File = File;

    fn create_new(&self, path: &Path) -> io::Result<File> {
        crate::files::create_new(path)
    }

    fn create_to_append(&self, path: &Path) -> io::Result<File> {
        crate::files::create_to_append(path)
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        crate::files::open(path)
    }

    fn open_to_append(&self, path: &Path) -> io::Result<File> {
        crate::files::open_to_append(path)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        crate::files::create_folder(path)
    }

    fn create_folder_unsynced(&self, path: &Path) -> io::Result<()> {
        crate::files::create_folder_unsynced(path)
    }

    fn is_there(&self, path: &Path) -> bool {
        crate::files::is_there(path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn real(&self, folder: &Path) -> io::Result<PathBuf> {
        crate::files::real(folder)
    }

    fn names_in(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name()));
        let mut names = names.collect::<io::Result<Vec<OsString>>>()?;
        names.sort();
        Ok(names)
    }

    fn is_empty_file(&self, path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok_and(|about| about.is_file() && about.len() == 0)
    }

    fn add_name(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        patiently(|| fs::rename(from, to))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        patiently(|| fs::remove_file(path))
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        crate::files::sync_folder(folder)
    }
}

impl DiskFile for File {
    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }

    fn sync_data(&self) -> io::Result<()> {
        File::sync_data(self)
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn set_len(&self, bytes: u64) -> io::Result<()> {
        File::set_len(self, bytes)
    }

    fn another(&self) -> io::Result<File> {
        self.try_clone()
    }

    fn of_system(&self) -> Option<&File> {
        Some(self)
    }
}

/// Opens a file that is to be read and synced: Windows syncs only what may be written.
///
/// # Errors
/// As [`Disk::open`], and on Windows as [`Disk::open_to_append`].
pub fn open_to_sync<D: Disk>(disk: &D, path: &Path) -> io::Result<D::File> {
    if cfg!(windows) { disk.open_to_append(path) } else { disk.open(path) }
}
