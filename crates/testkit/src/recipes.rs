//! What a new kind of something touches: each recipe of docs/adding.md is counted on one kind that
//! followed it. The toys (`a_toy_kind.rs`, `a_toy_statistic.rs`, `a_toy_question.rs`) show that a
//! stranger can add one from outside; they do not see a file in the house that knows a kind by its
//! name, as this does. Only a test of the house, nothing to be used.
//!
//! Not here: the list of sinks has a single row, and a command, a key and an error are told apart by
//! the compiler, not by a name.

use crate::arrows::tokens::tokens;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const HOUSE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A kind that followed a recipe.
struct Followed {
    /// What it is one of.
    recipe: &'static str,
    /// How code names it.
    names: &'static [&'static str],
    /// All files that may.
    files: &'static [&'static str],
}

/// One of each recipe. A file more is a recipe that is longer for everybody.
const FOLLOWED: [Followed; 4] = [
    Followed {
        recipe: "statistic",
        names: &["NPVI"],
        files: &["analysis/src/statistics/list.rs", "analysis/src/statistics/list/npvi.rs"],
    },
    Followed {
        recipe: "kind of question",
        names: &["Date", "date::KIND"],
        files: &[
            "design/src/study/question.rs",
            "design/src/study/question/kinds.rs",
            "design/src/study/question/kinds/date.rs",
        ],
    },
    Followed {
        recipe: "kind of port",
        names: &["RawName", "RawPort", "NoPath", "raw::KIND"],
        files: &[
            "linux/src/ports.rs",
            "linux/src/ports/kinds.rs",
            "linux/src/ports/line/name.rs", // a line is opened by a path, too
            "linux/src/ports/raw.rs",
            "linux/src/ports/raw/kind.rs",
            "words/src/devices/ports.rs", // its error's cure
        ],
    },
    Followed {
        recipe: "kind of file with taps of another program",
        names: &["teensytap"],
        files: &["data/src/exchange/taps.rs", "data/src/exchange/taps/kinds.rs"],
    },
];

/// Calls `take` with each file of Rust in a folder.
pub(crate) fn each(folder: &Path, take: &mut dyn FnMut(&Path)) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            each(&path, take);
        } else if path.extension().is_some_and(|end| end == "rs") {
            take(&path);
        }
    }
}

/// Whether the code of a file has one of these names; comments and texts do not count.
fn names_one(code: &str, names: &[&str]) -> bool {
    if !names.iter().any(|name| code.contains(name)) {
        return false;
    }
    let words: Vec<&str> = tokens(code).iter().map(|token| token.text).collect();
    let is_there = |name: &&str| {
        let name = tokens(name);
        words.windows(name.len()).any(|some| some.iter().zip(&name).all(|(a, b)| *a == b.text))
    };
    names.iter().any(is_there)
}

#[test]
fn a_kind_is_named_in_no_file_that_its_recipe_does_not_have() {
    let crates = Path::new(HOUSE).join("crates");
    let mut found = FOLLOWED.each_ref().map(|_| BTreeSet::new());
    for folder in fs::read_dir(&crates).unwrap().map(|entry| entry.unwrap().path().join("src")) {
        each(&folder, &mut |path| {
            let code = fs::read_to_string(path).unwrap();
            for (followed, found) in FOLLOWED.iter().zip(&mut found) {
                if names_one(&code, followed.names) {
                    found.insert(path.strip_prefix(&crates).unwrap().display().to_string());
                }
            }
        });
    }
    for (followed, found) in FOLLOWED.iter().zip(found) {
        let expected: BTreeSet<String> = followed.files.iter().map(|f| (*f).to_owned()).collect();
        assert_eq!(found, expected, "files that know {:?}, a {}", followed.names, followed.recipe);
    }
}

#[test]
fn a_name_is_found_in_code_alone_and_as_a_whole() {
    assert!(names_one("use crate::raw::KIND;", &["raw::KIND"]));
    assert!(!names_one("// raw::KIND\nuse raw::KINDS; \"raw::KIND\"", &["raw::KIND"]));
}
