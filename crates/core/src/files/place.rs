//! [`place`]: a file gets its name when it is whole, and never the name of another.
//!
//! Background: whoever writes straight under the name leaves half a file when it is killed;
//! whoever renames over a name destroys what had it; and a temporary name that others can
//! guess may be a link to a file of theirs.
//! Solution: the bytes go to a new file `chronotap-….part` in the same folder. It then gets
//! a second name, which the system gives only where nobody has it, and loses the first.

use super::make::refuse_special;
use crate::files::{Disk, DiskFile, System, open_to_sync};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Puts a file in its place; with `durable` its bytes are on the disk before it has its
/// name ([`sync_folder`](crate::files::sync_folder) then keeps the name). A file that already holds exactly these bytes
/// stays, so that a work that was cut short can be repeated.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] where the name is taken by anything else; what `write`
/// or the system refuses. Then nothing is left behind.
pub fn place(
    path: &Path,
    durable: bool,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    place_on(&System, path, durable, write)
}

/// The same on any disk.
///
/// # Errors
/// As [`place`].
pub fn place_on<D: Disk>(
    disk: &D,
    path: &Path,
    durable: bool,
    write: impl FnOnce(&mut D::File) -> io::Result<()>,
) -> io::Result<()> {
    Prepared::new(disk, path, durable, write)?.place()
}

/// A file in a folder to be written and read by this program alone: it has no name any more, and
/// is gone when it is closed, however the program ends.
///
/// # Errors
/// What the system refuses.
pub fn nameless<D: Disk>(disk: &D, folder: &Path) -> io::Result<D::File> {
    let (temporary, file) = create_temporary(disk, &folder.join("nameless"))?;
    disk.remove(&temporary)?;
    Ok(file)
}

/// Puts a file in the place of one that this program made before. What has the name is
/// replaced, a link too; nothing is followed.
///
/// # Errors
/// What `write` or the system refuses; then the former file is as it was.
pub fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    replace_on(&System, path, false, write)
}

/// The same on any disk; with `durable` its bytes are on the disk before it has its name
/// ([`sync_folder`](crate::files::sync_folder) then keeps the name).
///
/// # Errors
/// As [`replace`].
pub fn replace_on<D: Disk>(
    disk: &D,
    path: &Path,
    durable: bool,
    write: impl FnOnce(&mut D::File) -> io::Result<()>,
) -> io::Result<()> {
    Prepared::new(disk, path, durable, write)?.rename()
}

/// The name of a file of which not all is written, in the folder in which it gets its own.
fn temporary_name(program: u32, number: u64) -> String {
    format!("chronotap-{program}-{number}.part")
}

/// Which program, by its number, writes or wrote the file of this temporary name; `None` of a
/// file that has another name.
pub fn writer_of(name: &str) -> Option<u32> {
    let (program, number) = name.strip_prefix("chronotap-")?.split_once('-')?;
    let number = number.strip_suffix(".part")?;
    let number = number.strip_suffix(".second").unwrap_or(number); // of a claim that is tried
    number.parse::<u64>().ok()?;
    program.parse().ok()
}

/// Temporary names that are tried; more are taken only where somebody means mischief.
const TRIES: u32 = 1_000;

/// A file that is whole, and has a name yet that nobody else has; gone when dropped.
pub struct Prepared<D: Disk> {
    disk: D,
    temporary: PathBuf,
    path: PathBuf,
    file: D::File,
    renamed: bool,
}

impl<D: Disk> Prepared<D> {
    /// Writes a file that is to be named `path`; with `durable` its bytes are then on the disk.
    ///
    /// # Errors
    /// What `write` or the system refuses; then nothing is left behind.
    pub fn new(
        disk: &D,
        path: &Path,
        durable: bool,
        write: impl FnOnce(&mut D::File) -> io::Result<()>,
    ) -> io::Result<Prepared<D>> {
        let mut prepared = Prepared::beside(disk, path)?;
        write(&mut prepared.file)?;
        prepared.file.flush()?;
        if durable {
            prepared.file.sync()?;
        }
        Ok(prepared)
    }

    /// Gives it its name; well too where a file of that name holds the same, which is then
    /// durable.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] where the name is taken by anything else; what the
    /// system refuses. Then nothing is left behind.
    pub fn place(mut self) -> io::Result<()> {
        match self.take_free_name() {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => match self.is_a_claim() {
                true => self.rename(),
                false => self.is_there_already(),
            },
            other => other,
        }
    }

    fn beside(disk: &D, path: &Path) -> io::Result<Prepared<D>> {
        refuse_special(path, cfg!(windows))?;
        let (temporary, file) = create_temporary(disk, path)?;
        let (disk, path) = (disk.clone(), path.to_owned());
        Ok(Prepared { disk, temporary, path, file, renamed: false })
    }

    /// A second name can only be made where nobody has it.
    fn take_free_name(&mut self) -> io::Result<()> {
        match self.disk.add_name(&self.temporary, &self.path) {
            Ok(()) => Ok(()), // dropping removes the first name
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Err(e),
            Err(_) => self.claim_and_rename(),
        }
    }

    /// On file systems that know no second names (FAT and others): an empty file claims the
    /// name, and is replaced. Whoever is killed in between leaves an empty file, which holds
    /// nothing and is taken for such a claim the next time.
    fn claim_and_rename(&mut self) -> io::Result<()> {
        drop(self.disk.create_new(&self.path)?);
        self.rename()
    }

    /// Whether the name has a claim that somebody left: an empty file, where a file cannot have
    /// a second name.
    fn is_a_claim(&self) -> bool {
        let second = self.temporary.with_extension("second.part");
        if !self.disk.is_empty_file(&self.path) {
            return false;
        }
        let refused = self.disk.add_name(&self.temporary, &second).is_err();
        let _ = self.disk.remove(&second); // where it was made, it is only in the way
        refused
    }

    fn rename(&mut self) -> io::Result<()> {
        self.disk.rename(&self.temporary, &self.path)?;
        self.renamed = true;
        Ok(())
    }

    /// Well where the file of that name holds the same; it is then durable too.
    fn is_there_already(&mut self) -> io::Result<()> {
        let taken = |_| io::Error::from(io::ErrorKind::AlreadyExists);
        let there = open_to_sync(&self.disk, &self.path).map_err(taken)?;
        self.file.rewind()?;
        if self.file.len()? != there.len()? || !same_bytes(&mut self.file, there.another()?)? {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        there.sync()
    }
}

impl<D: Disk> Drop for Prepared<D> {
    fn drop(&mut self) {
        if !self.renamed {
            let _ = self.disk.remove(&self.temporary); // the error that counts is told
        }
    }
}

/// A new file beside `path`, and the name that it has.
fn create_temporary<D: Disk>(disk: &D, path: &Path) -> io::Result<(PathBuf, D::File)> {
    // Of threads and of trials one after the other; only that it differs is asked of it.
    static MADE: AtomicU64 = AtomicU64::new(0);
    let mut refused = io::Error::from(io::ErrorKind::AlreadyExists);
    for _ in 0..TRIES {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let temporary = path.with_file_name(temporary_name(std::process::id(), number));
        match disk.create_new(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => refused = e,
            Err(e) => return Err(e),
        }
    }
    Err(io::Error::other(format!("no temporary name is free: {refused}")))
}

/// Whether two files of one length hold the same, without holding them in memory.
fn same_bytes(one: impl Read, other: impl Read) -> io::Result<bool> {
    let (mut one, mut other) = (BufReader::new(one), BufReader::new(other));
    loop {
        let (a, b) = (one.fill_buf()?, other.fill_buf()?);
        let n = a.len().min(b.len());
        if a[..n] != b[..n] {
            return Ok(false);
        }
        if n == 0 {
            return Ok(true);
        }
        one.consume(n);
        other.consume(n);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::sync_folder;
    use std::fs;
    use tempfile::{TempDir, tempdir};

    fn put(path: &Path, text: &str) -> io::Result<()> {
        place(path, true, |file| file.write_all(text.as_bytes()))
    }

    /// Everything in the folder, with what it holds.
    fn all(dir: &TempDir) -> Vec<(String, String)> {
        let entries = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path());
        let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
        let mut all: Vec<_> =
            entries.map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect();
        all.sort();
        all
    }

    #[test]
    fn a_file_is_placed_once_and_nothing_is_left_beside_it() {
        let dir = tempdir().unwrap();
        let path = dir.path().join("a");
        put(&path, "mine").unwrap();
        put(&path, "mine").unwrap();
        assert_eq!(put(&path, "other").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        let refused = place(&dir.path().join("b"), true, |_| Err(io::Error::other("full")));
        assert_eq!(refused.unwrap_err().to_string(), "full");
        assert_eq!(all(&dir), [("a".into(), "mine".into())]);
        sync_folder(dir.path()).unwrap();
    }

    #[test]
    fn many_threads_that_place_one_name_leave_one_whole_file() {
        let dir = tempdir().unwrap();
        let path = dir.path().join("a");
        let place_one = &|n: usize| put(&path, &"x".repeat(n * 10_000)).is_ok();
        let placed = std::thread::scope(|scope| {
            let one = |n| scope.spawn(move || place_one(n));
            let all: Vec<_> = (1..9).map(one).collect();
            all.into_iter().map(|one| usize::from(one.join().unwrap())).sum::<usize>()
        });
        assert_eq!(placed, 1);
        assert_eq!(fs::read(&path).unwrap().len() % 10_000, 0);
        assert_eq!(all(&dir).len(), 1);
    }

    #[test]
    fn without_second_names_nothing_is_overwritten_either() {
        let dir = tempdir().unwrap();
        let (taken, cut_off) = (dir.path().join("taken"), dir.path().join("cut_off"));
        fs::write(&taken, "theirs").unwrap();
        fs::write(&cut_off, "").unwrap();
        let claim = |path: &Path| {
            let written = Prepared::new(&System, path, true, |file| file.write_all(b"mine"));
            written.unwrap().claim_and_rename()
        };
        assert_eq!(claim(&taken).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        // Here a second name can be had, so an empty file is somebody's.
        assert_eq!(put(&cut_off, "mine").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        claim(&dir.path().join("free")).unwrap();
        let held = all(&dir);
        assert_eq!(
            held.iter().map(|one| one.1.as_str()).collect::<Vec<_>>(),
            ["", "mine", "theirs"]
        );
    }

    #[test]
    fn temporary_names_tell_their_program_and_others_are_left_alone() {
        assert_eq!(writer_of(&temporary_name(71, 2)), Some(71));
        assert_eq!(writer_of("chronotap-71-2.second.part"), Some(71));
        for other in
            ["chronotap-notes-1.part", "chronotap-71.part", "chronotap-71-a.part", "71-2.part"]
        {
            assert_eq!(writer_of(other), None, "{other}");
        }
    }

    #[test]
    fn a_file_without_a_name_is_written_and_read_and_nobody_sees_it() {
        let dir = tempdir().unwrap();
        let mut file = nameless(&System, dir.path()).unwrap();
        file.write_all(b"mine").unwrap();
        file.rewind().unwrap();
        assert_eq!(std::io::read_to_string(&file).unwrap(), "mine");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed() {
        let dir = tempdir().unwrap();
        let (link, secret) = (dir.path().join("link"), dir.path().join("secret"));
        fs::write(&secret, "theirs").unwrap();
        std::os::unix::fs::symlink(&secret, &link).unwrap();
        assert!(put(&link, "mine").is_err());
        // Whoever guesses temporary names gains nothing: the next one is taken.
        for number in 0..100 {
            let name = temporary_name(std::process::id(), number);
            let _ = std::os::unix::fs::symlink(&secret, dir.path().join(name));
        }
        put(&dir.path().join("new"), "mine").unwrap();
        replace(&link, |file| file.write_all(b"mine")).unwrap();
        assert_eq!(fs::read_to_string(&secret).unwrap(), "theirs");
        assert!(fs::symlink_metadata(&link).unwrap().is_file());
    }
}
