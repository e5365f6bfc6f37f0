//! [`Memory`]: what the files and datasets of a folder turned out to be, so that the next look need
//! not read what has not changed.
//!
//! Background: to read a study takes milliseconds, to see that none of its files has changed takes
//! microseconds. But a list that is out of date would let somebody begin what is complete.
//! Solution: with what was found stands the mark of every file and folder that was looked at for
//! it ([`Notes`]), also of those that were not there. It holds as long as every mark is the same.
//! Why it works: a mark is taken before its file is read, and has the time of the last change,
//! which nobody can set. What changed shortly before is not remembered, since within one tick of
//! the file system's clock it could change again unseen. Nor is what had something wrong, since a
//! disk that refused may not do so again.

use super::notes::Notes;
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{MonotonicClock, utc};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The coarsest tick of a file system's clock is two seconds (FAT).
const SETTLED: Nanos = Nanos::from_secs(3);

/// What was found at each path.
#[derive(Debug)]
pub(in crate::server) struct Memory<T> {
    known: Mutex<HashMap<PathBuf, Known<T>>>,
    settled: Nanos,
}

#[derive(Debug)]
struct Known<T> {
    found: T,
    notes: Notes,
}

/// One look at a folder. What it does not come across is forgotten at its end.
pub(super) struct Look<T> {
    before: HashMap<PathBuf, Known<T>>,
    now: HashMap<PathBuf, Known<T>>,
    settled: Nanos,
}

impl<T> Default for Memory<T> {
    fn default() -> Memory<T> {
        Memory { known: Mutex::default(), settled: SETTLED }
    }
}

impl<T> Memory<T> {
    /// One that takes every change to be long ago, as tests need it.
    #[cfg(test)]
    pub(super) fn for_which_all_is_settled() -> Memory<T> {
        Memory { settled: Nanos::from_secs(-3600), ..Memory::default() }
    }

    /// Looks at a folder. A second look at the same time waits, and has less to read.
    pub(super) fn look<R>(&self, look: impl FnOnce(&mut Look<T>) -> R) -> R {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::take(&mut *known);
        let mut this = Look { before, now: HashMap::new(), settled: self.settled };
        let seen = look(&mut this);
        *known = this.now;
        seen
    }
}

impl<T: Clone> Look<T> {
    /// What is at a path: as it is known, or as `read` finds it. That notes what it looks at, and
    /// says with what it found whether all was well.
    pub(super) fn at(&mut self, path: &Path, read: impl FnOnce(&Notes) -> (T, bool)) -> T {
        if let Some(known) = self.before.remove(path).filter(|known| known.notes.hold()) {
            let found = known.found.clone();
            self.now.insert(path.to_owned(), known);
            return found;
        }
        let before = utc(MonotonicClock::raw()) - self.settled;
        let notes = Notes::default();
        let (found, well) = read(&notes);
        if well && notes.are_older_than(before) {
            self.now.insert(path.to_owned(), Known { found: found.clone(), notes });
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn memory() -> Memory<String> {
        Memory::for_which_all_is_settled()
    }

    /// What is in a file, and whether it was read for that.
    fn look(memory: &Memory<String>, path: &Path) -> (String, bool) {
        let mut read = false;
        let found = memory.look(|look| {
            look.at(path, |notes| {
                notes.note(path);
                read = true;
                (fs::read_to_string(path).unwrap_or_default(), true)
            })
        });
        (found, read)
    }

    fn of(text: &str, read: bool) -> (String, bool) {
        (text.to_owned(), read)
    }

    #[test]
    fn a_file_is_read_again_once_it_changed_was_replaced_or_went_and_never_else() {
        let dir = tempfile::tempdir().unwrap();
        let (path, other) = (dir.path().join("a"), dir.path().join("b"));
        let memory = memory();
        assert_eq!(look(&memory, &path), of("", true));
        assert_eq!(look(&memory, &path), of("", false), "it is known not to be there");
        fs::write(&path, "one").unwrap();
        assert_eq!(look(&memory, &path), of("one", true));
        assert_eq!(look(&memory, &path), of("one", false));
        fs::write(&path, "three").unwrap();
        assert_eq!(look(&memory, &path), of("three", true));
        fs::write(&other, "other").unwrap(); // as many bytes, another file
        fs::rename(&other, &path).unwrap();
        assert_eq!(look(&memory, &path), of("other", true));
        fs::remove_file(&path).unwrap();
        assert_eq!(look(&memory, &path), of("", true));
    }

    #[test]
    fn what_has_just_changed_or_was_wrong_is_not_remembered() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        fs::write(&path, "one").unwrap();
        let fresh = Memory::default();
        assert_eq!([look(&fresh, &path), look(&fresh, &path)], [of("one", true), of("one", true)]);
        let memory = memory();
        let mut wrong = 0;
        for _ in 0..2 {
            memory.look(|look| {
                look.at(&path, |_| {
                    wrong += 1;
                    (String::new(), false)
                })
            });
        }
        assert_eq!(wrong, 2);
    }

    #[test]
    fn what_a_look_does_not_come_across_is_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let memory = memory();
        look(&memory, &dir.path().join("a"));
        look(&memory, &dir.path().join("b"));
        assert_eq!(memory.known.lock().unwrap().len(), 1);
    }
}
