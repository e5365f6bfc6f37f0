//! [`place`]: a file gets its name when it is whole, and never the name of another.
//!
//! Background: whoever writes straight under the name leaves half a file when it is killed;
//! whoever renames over a name destroys what had it; and a temporary name that others can
//! guess may be a link to a file of theirs.
//! Solution: the bytes go to a new file `chronotap-….part` in the same folder. It then gets
//! a second name, which the system gives only where nobody has it, and loses the first.

use crate::{create_new, open};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Puts a file in its place; with `durable` its bytes are on the disk before it has its
/// name ([`sync_folder`] then keeps the name). A file that already holds exactly these bytes
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
    let mut temporary = Temporary::beside(path)?;
    temporary.fill(durable, write)?;
    match temporary.take_free_name(path) {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => temporary.is_there_already(path),
        other => other,
    }
}

/// Puts a file in the place of one that this program made before. What has the name is
/// replaced, a link too; nothing is followed.
///
/// # Errors
/// What `write` or the system refuses; then the former file is as it was.
pub fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let mut temporary = Temporary::beside(path)?;
    temporary.fill(false, write)?;
    temporary.rename(path)
}

/// Makes the names in a folder durable; "" is the current one.
///
/// # Errors
/// Where the system refuses.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?.sync_all()
}

/// Temporary names that are tried; more are taken only where somebody means mischief.
const TRIES: u32 = 1_000;

/// A new file under a name that nobody else has; gone when dropped.
struct Temporary {
    path: PathBuf,
    file: File,
    renamed: bool,
}

impl Temporary {
    fn beside(path: &Path) -> io::Result<Temporary> {
        // Of threads and of trials one after the other; only that it differs is asked of it.
        static MADE: AtomicU64 = AtomicU64::new(0);
        let mut refused = io::Error::from(io::ErrorKind::AlreadyExists);
        for _ in 0..TRIES {
            let number = MADE.fetch_add(1, Ordering::Relaxed);
            let name = format!("chronotap-{}-{number}.part", std::process::id());
            let path = path.with_file_name(name);
            match create_new(&path) {
                Ok(file) => return Ok(Temporary { path, file, renamed: false }),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => refused = e,
                Err(e) => return Err(e),
            }
        }
        Err(io::Error::other(format!("no temporary name is free: {refused}")))
    }

    fn fill(
        &mut self,
        durable: bool,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> io::Result<()> {
        write(&mut self.file)?;
        self.file.flush()?;
        if durable { self.file.sync_all() } else { Ok(()) }
    }

    /// A second name can only be made where nobody has it.
    fn take_free_name(&mut self, to: &Path) -> io::Result<()> {
        match fs::hard_link(&self.path, to) {
            Ok(()) => Ok(()), // dropping removes the first name
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Err(e),
            Err(_) => self.claim_and_rename(to),
        }
    }

    /// On file systems that know no second names (FAT and others): an empty file claims the
    /// name, and is replaced. Whoever is killed in between leaves an empty file, which holds
    /// nothing and is taken for such a claim the next time.
    fn claim_and_rename(&mut self, to: &Path) -> io::Result<()> {
        match create_new(to) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && !is_empty_file(to) => Err(e),
            Err(e) if e.kind() != io::ErrorKind::AlreadyExists => Err(e),
            _ => self.rename(to),
        }
    }

    fn rename(&mut self, to: &Path) -> io::Result<()> {
        fs::rename(&self.path, to)?;
        self.renamed = true;
        Ok(())
    }

    /// Well where the file of that name holds the same; it is then durable too.
    fn is_there_already(&mut self, path: &Path) -> io::Result<()> {
        let there = open(path).map_err(|_| io::ErrorKind::AlreadyExists)?;
        self.file.rewind()?;
        if !same_bytes(&self.file, &there)? {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        there.sync_all()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.renamed {
            let _ = fs::remove_file(&self.path); // the error that counts is told
        }
    }
}

/// A link is none, whatever it leads to.
fn is_empty_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| about.is_file() && about.len() == 0)
}

/// Whether two files hold the same, without holding them in memory.
fn same_bytes(one: &File, other: &File) -> io::Result<bool> {
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
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
            let mut temporary = Temporary::beside(path).unwrap();
            temporary.fill(true, |file| file.write_all(b"mine")).unwrap();
            temporary.claim_and_rename(path)
        };
        assert_eq!(claim(&taken).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        claim(&cut_off).unwrap();
        claim(&dir.path().join("free")).unwrap();
        let held = all(&dir);
        assert_eq!(
            held.iter().map(|one| one.1.as_str()).collect::<Vec<_>>(),
            ["mine", "mine", "theirs"]
        );
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
            let name = format!("chronotap-{}-{number}.part", std::process::id());
            let _ = std::os::unix::fs::symlink(&secret, dir.path().join(name));
        }
        put(&dir.path().join("new"), "mine").unwrap();
        replace(&link, |file| file.write_all(b"mine")).unwrap();
        assert_eq!(fs::read_to_string(&secret).unwrap(), "theirs");
        assert!(fs::symlink_metadata(&link).unwrap().is_file());
    }
}
