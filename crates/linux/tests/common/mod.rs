//! Machines written down: one file each in `tests/machines/`, unfolded into a
//! directory that looks like the root of such a machine.
//!
//! A line that begins with `/` names a file. `PATH: text` holds one line, `PATH:` the
//! indented lines below it, `PATH -> TARGET` is a symbolic link. `#` begins a remark.
//! The contents are made up after the kernel's documentation of each file.

#![allow(dead_code, clippy::unwrap_used)] // each test uses some; a bad fixture has failed

use chronotap_linux::machine::{BelowRoot, Facts, Root};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A machine that was written down; its directory lives as long as this.
pub struct Machine {
    place: TempDir,
}

impl Machine {
    /// Unfolds `tests/machines/NAME.txt`.
    pub fn named(name: &str) -> Machine {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/machines/{name}.txt"));
        Machine::written(&fs::read_to_string(file).unwrap())
    }

    /// Unfolds a description.
    pub fn written(text: &str) -> Machine {
        let machine = Machine { place: tempfile::tempdir().unwrap() };
        let mut lines = text.lines().filter(|line| !line.starts_with('#')).peekable();
        while let Some(line) = lines.next() {
            if let Some((path, target)) = line.split_once(" -> ") {
                machine.link(path, target);
            } else if let Some((path, content)) = split(line) {
                let mut content = format!("{content}\n");
                while let Some(more) = lines.next_if(|line| line.starts_with("    ")) {
                    content = content.trim_start_matches('\n').to_owned() + &more[4..] + "\n";
                }
                machine.write(path, &content);
            }
        }
        machine
    }

    /// Writes a file.
    pub fn write(&self, path: &str, content: &str) {
        let path = self.root().resolve(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Makes a symbolic link.
    pub fn link(&self, path: &str, target: &str) {
        let path = self.root().resolve(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
    }

    /// A file as it is now, without the space at its end.
    pub fn content(&self, path: &str) -> String {
        fs::read_to_string(self.root().resolve(path)).unwrap().trim_end().to_owned()
    }

    /// Where it begins.
    pub fn root(&self) -> Root {
        Root::at(self.place.path())
    }

    /// What it is.
    pub fn facts(&self) -> Facts {
        Facts::read(&self.root())
    }
}

/// The path ends at the first colon with a space or nothing behind it; those of USB
/// interfaces hold colons.
fn split(line: &str) -> Option<(&str, &str)> {
    line.strip_suffix(':').map(|path| (path, "")).or_else(|| line.split_once(": "))
}
