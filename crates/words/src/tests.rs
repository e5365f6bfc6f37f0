//! All sentences as one list, and that no library's error is without its own.

use super::*;
use std::collections::BTreeSet;
use std::path::Path;

/// What is wrong in a file of the experimenter. The cure is a change of that file, whoever reads of
/// it: it stands with the condition, and comes from the table of the file's keys or its format.
const OF_FILES: &[&str] = &[
    "audio SampleError",
    "audio SoundFontError",
    "audio WavError",
    "config DecimalError",
    "config Problems",
    "config ScriptError",
    "config ParticipantSpecError",
    "config SoundsError",
];

/// Never shown alone: whoever wraps them knows what is to be done.
const PARTS: &[&str] = &["core NotUtf8", "data NoFit", "engine PortError"];

#[test]
fn the_terminal_s_sentences_are_as_kept() {
    assert_kept("terminal.txt", |error| Some(of(error, Surface::Terminal)));
}

#[test]
fn what_a_page_says_otherwise_is_as_kept() {
    assert_kept("page.txt", |error| otherwise(error, Surface::Page));
}

#[test]
fn what_python_says_otherwise_is_as_kept() {
    assert_kept("python.txt", |error| otherwise(error, Surface::Python));
}

fn assert_kept(file: &str, say: impl Fn(&(dyn Error + 'static)) -> Option<String>) {
    let said: String =
        examples().iter().filter_map(|error| say(&**error)).map(|said| said + "\n").collect();
    chronotap_kept::assert_file(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file),
        &said,
    );
}

/// What a surface says of an error, where the terminal says something else.
fn otherwise(error: &(dyn Error + 'static), surface: Surface) -> Option<String> {
    let said = of(error, surface);
    (said != of(error, Surface::Terminal)).then_some(said)
}

/// One value for each kind.
fn examples() -> Vec<Box<dyn Error>> {
    [files::examples(), devices::examples(), bench::examples()].into_iter().flatten().collect()
}

#[test]
fn every_sentence_is_one_and_ends_without_a_full_stop() {
    let surfaces = [Surface::Terminal, Surface::Page, Surface::Python];
    for (error, surface) in examples().iter().flat_map(|error| surfaces.map(|on| (error, on))) {
        let said = of(&**error, surface);
        let said = said.trim_end_matches("tone:"); // a port's name
        assert!(!said.is_empty() && !said.ends_with(['.', ' ', ';', ':']), "{said:?}");
    }
}

#[test]
fn every_error_type_of_a_library_has_its_sentences_here() {
    let rows = TABLES.iter().copied().flatten().copied().flatten().map(|row| short((row.name)()));
    let here: BTreeSet<String> = rows.collect();
    let others: BTreeSet<String> = OF_FILES.iter().chain(PARTS).map(|&name| name.into()).collect();
    let known: BTreeSet<String> = here.union(&others).cloned().collect();
    assert_eq!(known, of_the_libraries(), "in the tables, and in the libraries");
    assert!(here.is_disjoint(&others), "it has its sentences: strike it from the lists above");
}

/// `chronotap_rig::runner::real_time::RealTimeError` as `runner RealTimeError`.
fn short(path: &str) -> String {
    let (room, rest) = path.strip_prefix("chronotap_").unwrap().split_once("::").unwrap();
    format!("{room} {}", rest.rsplit("::").next().unwrap())
}

/// Every public type of the libraries that is an error.
fn of_the_libraries() -> BTreeSet<String> {
    let rooms = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = BTreeSet::new();
    for room in rooms.read_dir().unwrap().map(|room| room.unwrap().path()) {
        let name = room.file_name().unwrap().to_str().unwrap().to_owned();
        if name != "cli" && name != "console" {
            look_through(&room.join("src"), &mut |error| {
                found.insert(format!("{name} {error}"));
            });
        }
    }
    found
}

fn look_through(folder: &Path, found: &mut impl FnMut(&str)) {
    for path in folder.read_dir().into_iter().flatten().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            look_through(&path, found);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            for derived in text.split("thiserror::Error").skip(1) {
                declared(derived).into_iter().for_each(&mut *found);
            }
            for by_hand in text.split("\nimpl std::error::Error for ").skip(1) {
                by_hand.split([' ', '<']).take(1).for_each(&mut *found);
            }
        }
    }
}

/// The name of the public type whose derivation ends here, behind its attributes.
fn declared(text: &str) -> Option<&str> {
    let line = text.lines().skip(1).find(|line| !line.starts_with(['#', ' ', ')', '/', '"']))?;
    let name = line.strip_prefix("pub enum ").or_else(|| line.strip_prefix("pub struct "))?;
    name.split([' ', '(', ';', '<']).next()
}
