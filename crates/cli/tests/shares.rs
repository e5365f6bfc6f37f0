//! Work that several computers share: however it is split, the whole is what one computer makes, to the byte.

mod analyze;
mod power;
mod simulate;

use chronotap_testkit_cli::program::{Output, Workspace, start};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

const TRIAL: &str = "[pacing.m]\ninterval = \"500 ms\"\n[feedback.f]\ndelay = \"0 ms\"\n\
    [[when]]\nbeat = 8\nend = true\n";

/// A place with this study as `s.toml`, whose trials are of eight beats.
fn place_of(study: &str) -> Workspace {
    let place = Workspace::of(PROGRAM);
    place.file("s.toml", study);
    place.file("t.toml", TRIAL);
    place
}

/// Runs a command whose words may have spaces, written as `?`.
fn run(place: &Workspace, line: &str) -> Output {
    let words: Vec<String> = line.split_whitespace().map(|word| word.replace('?', " ")).collect();
    start(place.chronotap(words.iter().map(String::as_str))).wait()
}

/// What a command prints that succeeds.
fn printed(place: &Workspace, line: &str) -> String {
    let said = run(place, line);
    assert_eq!(said.code, Some(0), "{line}: {said:?}");
    said.out
}

/// What a command says that cannot do its work, without its ends of lines.
fn refused(place: &Workspace, line: &str) -> String {
    let said = run(place, line);
    assert_eq!(said.code, Some(2), "{line}: {said:?}");
    said.err.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn simulated(place: &Workspace, data: &str, more: &str) {
    let line = format!("simulate s.toml --data {data} --quiet {more}");
    let mut command = place.chronotap(line.split(' ').filter(|word| !word.is_empty()));
    command.env("SOURCE_DATE_EPOCH", "1795179845"); // or each is of the second in which it was made
    let said = start(command).wait();
    assert_eq!(said.code, Some(0), "{said:?}");
}

/// All files of a folder, with what is in them.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false => {
                    let bytes = fs::read(&path).unwrap();
                    all.insert(path.strip_prefix(folder).unwrap().to_owned(), bytes);
                }
            }
        }
    }
    all
}

/// The first holds the same files as the second, to the byte.
fn assert_same(one: &BTreeMap<PathBuf, Vec<u8>>, other: &BTreeMap<PathBuf, Vec<u8>>, what: &str) {
    let names = |tree: &BTreeMap<PathBuf, Vec<u8>>| tree.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(one), names(other), "{what}");
    one.iter().for_each(|(path, bytes)| {
        assert!(*bytes == other[path], "{what}: {} differs", path.display());
    });
}
