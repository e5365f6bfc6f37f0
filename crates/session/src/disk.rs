//! [`SessionDisk`]: how a session writes what must outlive it. A line is appended and synced, a
//! table is replaced whole under its name, and folders are synced with what they name.
//!
//! A simulated study can be made again, so it syncs once per participant
//! ([`SessionDisk::that_syncs_at_the_end`]). For tests a disk can refuse everything after some
//! number of operations: to a session that is the same as a full disk, and to whoever
//! resumes it, the same as a kill at that moment. What is written line by line or replaced is
//! written for any disk, so that tests can take the power away. What stands in the files is not
//! known here.

use crate::system;
use chronotap_core::files::{self, Disk as AnyDisk, DiskFile, System, patiently};
use std::fs;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

/// Writes of a session.
#[derive(Debug)]
pub struct SessionDisk<D = System> {
    on: D,
    durable: bool,
    left: AtomicU32,   // operations until everything is refused; a count of its own
    tears: AtomicBool, // whether the first append that is refused is done by half
}

impl SessionDisk {
    /// Every write is on the disk when it returns.
    pub fn durable() -> SessionDisk {
        SessionDisk::with(true, u32::MAX, false)
    }

    /// The system writes when it likes, until [`SessionDisk::sync_all_of`].
    pub fn that_syncs_at_the_end() -> SessionDisk {
        SessionDisk::with(false, u32::MAX, false)
    }

    /// For tests: after so many operations everything is refused, as by a full disk.
    pub fn that_is_full_after(operations: u32) -> SessionDisk {
        SessionDisk::with(false, operations, false)
    }

    /// For tests: the same, but of an append that comes then half is done, as by a program that
    /// is killed in it.
    pub fn that_is_torn_after(operations: u32) -> SessionDisk {
        SessionDisk::with(false, operations, true)
    }

    fn with(durable: bool, left: u32, tears: bool) -> SessionDisk {
        let (left, tears) = (AtomicU32::new(left), AtomicBool::new(tears));
        SessionDisk { on: System, durable, left, tears }
    }

    /// Removes a file or a link, or a folder with all that is in it, for good.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn remove_all(&self, path: &Path) -> io::Result<()> {
        self.count()?;
        match std::fs::symlink_metadata(path)?.is_dir() {
            true => patiently(|| std::fs::remove_dir_all(path))?,
            false => patiently(|| std::fs::remove_file(path))?,
        }
        self.sync_names_beside(path)
    }

    /// Waits until everything that was written in this folder is on the disk.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn sync_all_of(&self, folder: &Path) -> io::Result<()> {
        system::sync_all_of(folder)
    }
}

impl<D: AnyDisk> SessionDisk<D> {
    /// Every write is on this disk when it returns.
    pub fn durable_on(on: D) -> SessionDisk<D> {
        let (left, tears) = (AtomicU32::new(u32::MAX), AtomicBool::new(false));
        SessionDisk { on, durable: true, left, tears }
    }

    /// The disk itself.
    pub fn itself(&self) -> &D {
        &self.on
    }

    /// Whether the name is taken, be it by a link that leads nowhere.
    pub fn is_there(&self, path: &Path) -> bool {
        self.on.is_there(path)
    }

    /// All bytes of a file.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.on.open(path)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The text of a file.
    ///
    /// # Errors
    /// What the system refuses, and where it is not UTF-8.
    pub fn read_to_string(&self, path: &Path) -> io::Result<String> {
        let mut text = String::new();
        self.on.open(path)?.read_to_string(&mut text)?;
        Ok(text)
    }

    /// Makes a folder and those above it, for owner and group alone.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn make_folder(&self, folder: &Path) -> io::Result<()> {
        if self.on.is_folder(folder) {
            return Ok(());
        }
        self.count()?;
        if !self.durable {
            return self.on.create_folder_unsynced(folder);
        }
        self.on.create_folder(folder)?;
        folder.parent().map_or(Ok(()), |above| self.on.sync_folder(above))
    }

    /// Gives a file or folder another name in the same folder, which is free.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.count()?;
        self.on.rename(from, to)?;
        self.sync_names_beside(to)
    }

    /// Removes a file for good.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        self.count()?;
        self.on.remove(path)?;
        self.sync_names_beside(path)
    }

    /// Opens a file to append to; it is made where it is missing.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn open_to_append(&self, path: &Path) -> io::Result<D::File> {
        self.count()?;
        if self.is_there(path) {
            return self.on.open_to_append(path);
        }
        match self.make_to_append(path) {
            // Somebody else has made it since it was looked for.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.on.open_to_append(path)
            }
            made => made,
        }
    }

    /// Puts a file in the place of the one that has its name, whole or not at all. A file
    /// that holds the same already stays.
    ///
    /// # Errors
    /// What the system refuses; then the former file is as it was.
    pub fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if self.holds(path, bytes) {
            // Whoever wrote it may have been ended before it was on the disk.
            return if self.durable { self.keep(path) } else { Ok(()) };
        }
        self.count()?;
        let write = |file: &mut D::File| file.write_all(bytes);
        chronotap_core::files::replace_on(&self.on, path, self.durable, write)?;
        self.sync_names_beside(path)
    }

    /// Puts a file where none is. A file that holds the same already stays.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] where it holds anything else; what the system
    /// refuses.
    pub fn place(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.count()?;
        chronotap_core::files::place_on(&self.on, path, self.durable, |file| {
            file.write_all(bytes)
        })?;
        self.sync_names_beside(path)
    }

    /// Appends to an open file, and waits until it is on the disk. Where the first of it fails
    /// halfway the file is cut to its former length.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn append(&self, file: &mut D::File, bytes: &[u8]) -> io::Result<()> {
        self.write_at_end(file, bytes)?;
        self.sync(file)
    }

    /// Appends to an open file, and does not wait. Where that fails halfway the file is cut to its
    /// former length.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn write_at_end(&self, file: &mut D::File, bytes: &[u8]) -> io::Result<()> {
        if let Err(refused) = self.count() {
            if self.tears.swap(false, Relaxed) {
                file.write_all(&bytes[..bytes.len() / 2])?;
            }
            return Err(refused);
        }
        let before = file.seek(SeekFrom::End(0))?;
        let written = file.write_all(bytes);
        if written.is_err() {
            let _ = file.set_len(before); // the error that counts is told
        }
        written
    }

    /// Waits until an open file is on the disk.
    ///
    /// # Errors
    /// What the system refuses; then it is not known what the disk has.
    pub fn sync(&self, file: &D::File) -> io::Result<()> {
        if self.durable { file.sync_data() } else { Ok(()) }
    }

    /// Whether an open file still has this name, and no link does.
    pub fn is_at(&self, file: &D::File, path: &Path) -> bool {
        let Some(file) = file.of_system() else { return self.is_there(path) };
        let (open, named) = (file.metadata(), fs::symlink_metadata(path));
        open.is_ok_and(|open| named.is_ok_and(|named| files::is_the_same(&open, &named)))
    }

    /// Makes a file to append to.
    fn make_to_append(&self, path: &Path) -> io::Result<D::File> {
        let made = self.on.create_to_append(path)?;
        self.sync_names_beside(path)?;
        Ok(made)
    }

    /// Whether a file holds exactly this.
    fn holds(&self, path: &Path, bytes: &[u8]) -> bool {
        let mut there = Vec::new();
        let read = self.on.open(path).and_then(|mut file| file.read_to_end(&mut there));
        read.is_ok() && there == bytes
    }

    /// Waits until a file and its name are on the disk.
    fn keep(&self, path: &Path) -> io::Result<()> {
        chronotap_core::files::open_to_sync(&self.on, path)?.sync()?;
        self.sync_names_beside(path)
    }

    fn sync_names_beside(&self, path: &Path) -> io::Result<()> {
        match path.parent() {
            Some(folder) if self.durable => self.on.sync_folder(folder),
            _ => Ok(()),
        }
    }

    fn count(&self) -> io::Result<()> {
        let less = |left: u32| (left < u32::MAX).then(|| left.saturating_sub(1));
        match self.left.fetch_update(Relaxed, Relaxed, less) {
            Ok(0) => Err(io::Error::from(io::ErrorKind::StorageFull)),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_testkit::disk::{DiskFault, MemoryDisk};
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn what_is_written_is_for_owner_and_group_and_replaced_whole() {
        let dir = tempfile::tempdir().unwrap();
        let disk = SessionDisk::durable();
        let folder = dir.path().join("a/b");
        disk.make_folder(&folder).unwrap();
        let path = folder.join("t");
        disk.replace(&path, b"one").unwrap();
        disk.replace(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o037, 0);
        assert!(disk.place(&path, b"two").is_ok());
        assert!(disk.place(&path, b"other").is_err());
    }

    #[test]
    fn what_is_appended_to_is_no_link_to_the_file_of_somebody_else() {
        let dir = tempfile::tempdir().unwrap();
        let (theirs, disk) = (dir.path().join("theirs"), SessionDisk::durable());
        fs::write(&theirs, "theirs").unwrap();
        let (by_name, by_file) = (dir.path().join("journal"), dir.path().join("table"));
        symlink(&theirs, &by_name).unwrap();
        fs::hard_link(&theirs, &by_file).unwrap();
        let pipe = dir.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for (path, why) in [(&by_name, "a link"), (&by_file, "a link"), (&pipe, "a pipe")] {
            let refused = disk.open_to_append(path).unwrap_err().to_string();
            assert!(refused.contains(why), "{refused}");
        }
        assert_eq!(fs::read_to_string(&theirs).unwrap(), "theirs");
        let own = dir.path().join("own");
        drop(disk.open_to_append(&own).unwrap());
        disk.append(&mut disk.open_to_append(&own).unwrap(), b"more").unwrap();
        assert_eq!(fs::read(&own).unwrap(), b"more");
    }

    const LINES: [&[u8]; 3] = [b"began\n", b"answered\n", b"ended\n"];
    const TABLES: [&[u8]; 3] = [b"one", b"of two", b"three"];
    const JOURNAL: &str = "data/journal";

    /// What a session writes; `done` counts what was done.
    fn write_all(on: &MemoryDisk, done: &mut usize) -> io::Result<()> {
        let disk = SessionDisk::durable_on(on.clone());
        let mut journal = disk.make_to_append(Path::new(JOURNAL))?;
        *done += 1;
        for (line, table) in LINES.iter().zip(TABLES) {
            disk.append(&mut journal, line)?;
            *done += 1;
            disk.replace(Path::new("data/table"), table)?;
            *done += 1;
        }
        disk.place(Path::new("data/plan"), b"plan")?;
        *done += 1;
        Ok(())
    }

    /// What was done is there; what was under way is there as it was, or as it is to be.
    fn assert_kept(disk: &MemoryDisk, done: usize, case: &str) {
        let journal = disk.bytes(Path::new(JOURNAL));
        let lines = LINES[..(done / 2).min(3)].concat();
        let kept = journal.is_some_and(|journal| journal.starts_with(&lines));
        assert!(kept || done == 0, "{case}: a line is lost");
        let (table, tables) = (disk.bytes(Path::new("data/table")), done.saturating_sub(1) / 2);
        let before = tables.checked_sub(1).map(|last| TABLES[last.min(2)]);
        let after = TABLES.get(tables).copied();
        let whole = table.as_deref() == before || table.is_some() && table.as_deref() == after;
        assert!(whole, "{case}: the table is {table:?}");
        let plan = disk.bytes(Path::new("data/plan"));
        assert!(plan.as_deref() == Some(b"plan") || plan.is_none() && done < 8, "{case}");
    }

    #[test]
    fn what_a_session_wrote_is_there_when_the_power_goes_wherever_it_was_cut_off() {
        let mut cases = 0;
        for fault in
            [DiskFault::Error, DiskFault::Short, DiskFault::Full(u64::MAX), DiskFault::Kill]
        {
            for n in 1.. {
                let (disk, mut done) = (MemoryDisk::default(), 0);
                disk.fail(n, fault);
                let ended = write_all(&disk, &mut done);
                for seed in 0..20 {
                    let case = format!("{fault:?} at operation {n}, power cut {seed}");
                    assert_kept(&disk.after_power_cut(seed), done, &case);
                    cases += 1;
                }
                if disk.operations() < n {
                    assert_eq!((ended.is_ok(), done), (true, 8));
                    break;
                }
            }
        }
        assert!(cases > 1_000, "only {cases}");
    }

    #[test]
    fn what_is_there_already_is_on_the_disk_when_it_is_written_again() {
        let (disk, mut done) = (MemoryDisk::default(), 0);
        disk.fail(u64::MAX, DiskFault::Kill);
        write_all(&disk, &mut done).unwrap();
        for n in 1..disk.operations() {
            let (killed, mut done) = (MemoryDisk::default(), 0);
            killed.fail(n, DiskFault::Kill);
            let _ = write_all(&killed, &mut done);
            let again = killed.restarted();
            let session = SessionDisk::durable_on(again.clone());
            session.replace(Path::new("data/table"), TABLES[0]).unwrap();
            let kept = again.after_power_cut(0).bytes(Path::new("data/table"));
            assert_eq!(kept.as_deref(), Some(TABLES[0]), "killed at operation {n}");
        }
    }

    #[test]
    fn a_disk_that_is_full_refuses_from_then_on() {
        let dir = tempfile::tempdir().unwrap();
        let disk = SessionDisk::that_is_full_after(1);
        disk.replace(&dir.path().join("a"), b"a").unwrap();
        assert!(disk.replace(&dir.path().join("b"), b"b").is_err());
        assert!(disk.replace(&dir.path().join("c"), b"c").is_err());
    }
}
