//! A folder in which the program runs, in a world of its own, and what it told and wrote there.

use crate::shorten::{FURTHER, Most, PRINTED, WRITTEN, kind, shortened};
use crate::words;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::mem::take;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Files, each with what changes when it is written.
type Seen = BTreeMap<PathBuf, (u64, u64, i64, i64)>;

pub struct Place {
    dir: TempDir,
    /// In the place of a word of a command.
    words: Vec<(&'static str, String)>,
    seen: Seen,
    /// The kinds of file of which this output has one.
    kinds: BTreeSet<String>,
    outputs: Vec<(String, String)>,
}

impl Place {
    pub fn new() -> Place {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["work", "home", "tmp"] {
            fs::create_dir(dir.path().join(folder)).unwrap();
        }
        Place {
            dir,
            words: Vec::new(),
            seen: Seen::new(),
            kinds: BTreeSet::new(),
            outputs: Vec::new(),
        }
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join("work").join(name)
    }

    /// Puts a file or a folder with all that is in it there, under its own name.
    pub fn put(&self, path: impl AsRef<Path>) {
        copy(path.as_ref(), &self.path(path.as_ref().file_name().unwrap().to_str().unwrap()));
    }

    /// Puts all that is in a folder there.
    pub fn put_all_of(&self, folder: impl AsRef<Path>) {
        copy(folder.as_ref(), &self.path(""));
    }

    /// From now on a word of commands, in capitals, stands for this.
    pub fn word(&mut self, word: &'static str, means: impl Into<String>) {
        self.words.retain(|(known, _)| *known != word);
        self.words.push((word, means.into()));
    }

    /// Runs what stands in a list, each output of it.
    pub fn run(&mut self, list: crate::list::List) {
        for (name, commands) in list {
            self.output(name, commands);
        }
    }

    /// An output: commands, what they printed, their exit statuses, and every file that they wrote.
    pub fn output<C: AsRef<str>>(&mut self, name: &str, commands: &[C]) {
        self.seen = self.files();
        self.kinds.clear();
        let said: String = commands.iter().map(|line| self.tell(line.as_ref())).collect();
        self.outputs.push((name.to_owned(), said));
    }

    /// All outputs, by name.
    pub fn take_outputs(&mut self) -> Vec<(String, String)> {
        take(&mut self.outputs)
    }

    /// The exit status of a command, and the first line that it says.
    pub fn first_line(&self, line: &str) -> (i32, String) {
        let output = self.chronotap(line);
        let said = words::plain(&output.stderr).lines().next().unwrap_or_default().to_owned();
        (status(&output), self.normal(&said))
    }

    /// Runs the program with the words of this line. A defect, and a command that does not end, is never an output.
    pub fn chronotap(&self, line: &str) -> Output {
        let mut command = Command::new("timeout");
        command
            .args(["--foreground", &crate::most_s()])
            .arg(crate::program())
            .args(self.args(line));
        command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command.envs([("LC_ALL", "C.UTF-8"), ("TZ", "UTC"), ("RUST_BACKTRACE", "0")]);
        command
            .env("HOME", self.dir.path().join("home"))
            .env("TMPDIR", self.dir.path().join("tmp"));
        let output = command.current_dir(self.path("")).stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("a defect of chronotap"), "chronotap {line}\n{said}");
        assert!(
            (0..100).contains(&status(&output)),
            "chronotap {line}: exit status {}",
            status(&output)
        );
        output
    }

    fn tell(&mut self, line: &str) -> String {
        let args = self.args(line).join(" ");
        let output = self.chronotap(line);
        let printed = self.said("", &output.stdout);
        let remarks = self.said("! ", &output.stderr);
        let said = format!("$ chronotap {}\n{printed}{remarks}", self.normal(&args));
        format!("{said}exit status {}\n{}", status(&output), self.written())
    }

    fn said(&self, before: &str, said: &[u8]) -> String {
        let said = words::without_progress(&self.normal(&words::plain(said)));
        indented(before, &said, &PRINTED)
    }

    fn normal(&self, said: &str) -> String {
        words::normal(said, self.dir.path().to_str().unwrap())
    }

    /// The words of a line: those in capitals as what they stand for, quoted ones whole, and those with `*` as the files
    /// that are meant.
    fn args(&self, line: &str) -> Vec<String> {
        let line = self
            .words
            .iter()
            .fold(line.to_owned(), |line, (word, means)| line.replace(word, means));
        let parts = line.split('"').enumerate();
        let words = parts.flat_map(|(number, part)| match number % 2 {
            0 => part.split_whitespace().flat_map(|word| self.meant(word)).collect(),
            _ => vec![part.to_owned()],
        });
        words.collect()
    }

    fn meant(&self, word: &str) -> Vec<String> {
        let Some((before, after)) = word.split_once('*') else {
            return vec![word.to_owned()];
        };
        let (folder, begins) =
            before.rsplit_once('/').map_or(("", before), |(folder, begins)| (folder, begins));
        let (ends, below) =
            after.split_once('/').map_or((after, None), |(ends, below)| (ends, Some(below)));
        let fits = |name: &String| name.starts_with(begins) && name.ends_with(ends);
        let named = names(&self.path(folder)).into_iter().filter(fits);
        named
            .map(|name| {
                [folder, &name].join("/") + &below.map_or(String::new(), |of| format!("/{of}"))
            })
            .collect()
    }

    /// What was written since the last look, and what is gone.
    fn written(&mut self) -> String {
        let now = self.files();
        let new = now.iter().filter(|(path, state)| self.seen.get(*path) != Some(state));
        let new: Vec<PathBuf> = new.map(|(path, _)| path.clone()).collect();
        let new: String = new.iter().map(|path| self.file(path)).collect();
        let gone = self.seen.keys().filter(|path| !now.contains_key(*path));
        let gone: String = gone.map(|path| format!("gone {}\n", path.display())).collect();
        self.seen = now;
        new + &gone
    }

    fn file(&mut self, path: &Path) -> String {
        let name = self.normal(&path.display().to_string());
        let bytes = fs::read(self.path("").join(path)).unwrap();
        let text = self.normal(&words::contents(path, &bytes));
        let first = self.kinds.insert(kind(&name));
        let lines = indented("| ", &text, if first { &WRITTEN } else { &FURTHER });
        format!("file {name}\n{lines}")
    }

    fn files(&self) -> Seen {
        let mut seen = Seen::new();
        look(&self.path(""), Path::new("."), &mut seen);
        seen
    }
}

fn indented(before: &str, text: &str, most: &Most) -> String {
    shortened(text, most).iter().map(|line| format!("{before}{line}\n")).collect()
}

fn status(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

/// The names in a folder, in order.
pub fn names(folder: &Path) -> Vec<String> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn look(root: &Path, folder: &Path, seen: &mut Seen) {
    for name in names(&root.join(folder)) {
        let path = folder.join(name);
        let found = fs::symlink_metadata(root.join(&path)).unwrap();
        if found.is_dir() {
            look(root, &path, seen);
        } else if found.is_file() {
            seen.insert(path, (found.ino(), found.len(), found.mtime(), found.mtime_nsec()));
        }
    }
}

/// A file or a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        fs::copy(from, to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
        return;
    }
    fs::create_dir_all(to).unwrap();
    for name in names(from) {
        copy(&from.join(&name), &to.join(&name));
    }
}
