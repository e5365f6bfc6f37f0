//! [`Folder`]: where tables are gathered. They have their place when all of them are there: until then they lie in a
//! folder `chronotap-….part`, by whose name the next program knows what one that was killed left of everybody.

use chronotap_core::files::{Disk, System, Unfinished, create_folder};
use std::fs;
use std::io;
use std::path::Path;

/// A folder that has not its name yet.
#[derive(Debug)]
pub(super) struct Folder {
    /// `None` once it has.
    unfinished: Option<Unfinished>,
    /// Whether it lies in the folder that was there, which is empty and may be the current one.
    within: bool,
}

/// What is in it, the last one first where it is complete.
const PARTS: [&str; 4] = ["taps", "trials", "participants", "gather.json"];

impl Folder {
    pub fn of(out: &Path) -> io::Result<Folder> {
        let within = out.is_dir();
        if let Some(parent) = out.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            create_folder(parent)?;
        }
        let beside = if within { out.join(PARTS[0]) } else { out.to_owned() };
        Ok(Folder { unfinished: Some(Unfinished::beside(&beside)?), within })
    }

    /// Where the tables are written.
    pub fn path(&self) -> &Path {
        self.unfinished.as_ref().map_or(Path::new(""), Unfinished::path)
    }

    /// Gives everything its place.
    pub fn finish(&mut self, out: &Path) -> io::Result<()> {
        let Some(unfinished) = self.unfinished.take() else { return Ok(()) };
        if !self.within {
            return unfinished.finish(out);
        }
        let there = PARTS.iter().filter(|part| unfinished.path().join(part).exists());
        let moved = there
            .clone()
            .try_for_each(|part| System.rename(&unfinished.path().join(part), &out.join(part)));
        moved.inspect_err(|_| self.remove(out))
    }

    /// Removes what got its place.
    pub fn remove(&self, out: &Path) {
        for part in PARTS.map(|part| out.join(part)) {
            let _ = if part.is_dir() { fs::remove_dir_all(&part) } else { fs::remove_file(&part) };
        }
        if !self.within {
            let _ = fs::remove_dir(out);
        }
    }
}
