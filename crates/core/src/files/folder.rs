//! [`Unfinished`]: a folder gets its name when it is whole, and never the name of another.
//!
//! Background: whoever makes a folder file by file under its own name leaves half of it when
//! something goes wrong, and cannot tell its files from those of others.
//! Solution: everything goes into a folder `chronotap-….part` beside it, for the owner alone. The
//! name is claimed by an empty folder, which the system makes only where nothing is, and the whole
//! folder takes its place. What is not finished is removed.

use super::patience::patiently;
use crate::files::writer_of;
use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder that has not got its name yet; gone when dropped.
#[derive(Debug)]
pub struct Unfinished {
    path: PathBuf,
}

/// Temporary names that are tried; more are taken only where somebody means mischief.
const TRIES: u32 = 1_000;

impl Unfinished {
    /// A new folder in the one where `to` is to stand.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn beside(to: &Path) -> io::Result<Unfinished> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        for _ in 0..TRIES {
            let number = COUNT.fetch_add(1, Ordering::Relaxed); // a count on its own needs no order
            let name = format!("chronotap-{}-{number}.part", std::process::id());
            let path = to.with_file_name(name);
            match for_the_owner().create(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| Unfinished { path }),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Where it is until then.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives it its name, and to the group what files of the program give it.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] where anything has the name; what the system refuses. Then
    /// nothing is left behind.
    pub fn finish(self, to: &Path) -> io::Result<()> {
        for_the_owner().create(to)?;
        let renamed = open_to_the_group(&self.path).and_then(|()| take_place(&self.path, to));
        if renamed.is_err() {
            let _ = fs::remove_dir(to); // the claim, which is empty
        }
        renamed
    }
}

/// Gives a folder the name that an empty one has. Not every Windows and not every disk there lets a folder take the
/// place of another; then the empty one goes first.
fn take_place(from: &Path, to: &Path) -> io::Result<()> {
    patiently(|| match fs::rename(from, to) {
        Err(_) if cfg!(windows) && fs::remove_dir(to).is_ok() => fs::rename(from, to),
        done => done,
    })
}

/// Removes folders beside this place that a program left which was killed: they may hold data of anybody, and
/// nothing else knows of them. Gives those that are gone. `has_ended` says of a process by its number whether it
/// runs no more; on a disk that several computers share, a program of another one is not seen.
pub fn remove_unfinished_beside(to: &Path, has_ended: impl Fn(u32) -> bool) -> Vec<PathBuf> {
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
    let inside = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    let left = |entry: &fs::DirEntry| {
        let program = writer_of(&entry.file_name().to_string_lossy());
        entry.file_type().is_ok_and(|kind| kind.is_dir()) && program.is_some_and(&has_ended)
    };
    let left: Vec<PathBuf> = inside.filter(left).map(|entry| entry.path()).collect();
    left.into_iter().filter(|path| fs::remove_dir_all(path).is_ok()).collect()
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path); // where it has its name, nothing is here
    }
}

fn for_the_owner() -> DirBuilder {
    #[cfg_attr(not(unix), allow(unused_mut))]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

#[cfg(unix)]
fn open_to_the_group(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o750))
}

#[cfg(not(unix))]
fn open_to_the_group(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
        fs::read_dir(dir).unwrap().map(|e| name(e).to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_folder_has_its_name_when_it_is_whole_and_else_nothing_stays() {
        let dir = tempfile::tempdir().unwrap();
        let to = dir.path().join("to");
        let begun = Unfinished::beside(&to).unwrap();
        fs::write(begun.path().join("file"), "text").unwrap();
        drop(begun);
        assert_eq!(names(dir.path()), Vec::<String>::new());
        let begun = Unfinished::beside(&to).unwrap();
        fs::write(begun.path().join("file"), "text").unwrap();
        begun.finish(&to).unwrap();
        assert_eq!((names(dir.path()), names(&to)), (vec!["to".into()], vec!["file".into()]));
    }

    #[test]
    fn what_a_killed_program_left_is_removed_and_what_another_makes_stays() {
        let dir = tempfile::tempdir().unwrap();
        let to = dir.path().join("to");
        let (ended, runs) = (7, std::process::id());
        let left = dir.path().join(format!("chronotap-{ended}-0.part"));
        fs::create_dir_all(left.join("dataset")).unwrap();
        let begun = Unfinished::beside(&to).unwrap();
        fs::create_dir(dir.path().join("chronotap-notes.part")).unwrap();
        assert_eq!(remove_unfinished_beside(&to, |process| process != runs), [left]);
        assert!(begun.path().exists() && dir.path().join("chronotap-notes.part").exists());
    }

    #[test]
    fn whatever_has_the_name_stays_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let to = dir.path().join("to");
        fs::create_dir(&to).unwrap();
        let refused = Unfinished::beside(&to).unwrap().finish(&to).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!((names(dir.path()), names(&to).len()), (vec!["to".into()], 0));
    }
}
