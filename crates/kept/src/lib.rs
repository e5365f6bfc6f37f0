#![forbid(unsafe_code)]
//! References that git keeps as text: what the program prints, its lists of sentences, tables of the manual that it
//! makes itself. A test compares them, and shows the lines that differ; with `SNAPSHOTS=overwrite` in the environment,
//! which is what `make accept` sets, it writes them anew, and the change is reviewed as text.
//!
//! It stands apart from `testkit` because tests of every floor use it, and it is built of [`snapbox`] alone. The name
//! of a test that uses it ends with [`NAME`]: so `make accept` finds it, and runs no other.

use snapbox::Data;
use snapbox::assert::{Action, Assert, DEFAULT_ACTION_ENV, Error};
use snapbox::data::DataFormat;
use snapbox::report::Palette;
use std::path::Path;
use std::sync::Mutex;

/// How the name of a test ends that compares with what is kept.
pub const NAME: &str = "_as_kept";

/// One page at a time is read, changed and written.
static PAGES: Mutex<()> = Mutex::new(());

/// The file is this text.
///
/// # Panics
/// It differs, or cannot be read or written; or the name of the test is one that `make accept` does not find.
#[track_caller]
pub fn assert_file(path: impl AsRef<Path>, text: &str) {
    assert_is_found();
    if let Err(differs) = file(path.as_ref(), text) {
        panic!("{differs}");
    }
}

/// A page has this text between the first `before` and the next `after`; its end, where that is empty.
///
/// # Panics
/// As [`assert_file`]; or the page lacks one of the marks.
#[track_caller]
pub fn assert_block(path: impl AsRef<Path>, before: &str, text: &str, after: &str) {
    assert_is_found();
    let alone = PAGES.lock();
    let page = std::fs::read_to_string(&path).unwrap_or_default();
    let wanted = with_block(&page, before, text, after);
    let wanted =
        wanted.unwrap_or_else(|mark| panic!("{}: without {mark:?}", path.as_ref().display()));
    let compared = file(path.as_ref(), &wanted);
    drop(alone);
    if let Err(differs) = compared {
        panic!("{differs}");
    }
}

/// Compares a file with a text, or writes it.
///
/// # Errors
/// What differs, line by line; or why it could not be written.
pub fn file(path: &Path, text: &str) -> Result<(), Error> {
    assert!(!text.contains('\r'), "{}: a carriage return, which cannot be seen", path.display());
    let differs = compared(path, text);
    if differs.is_err() && are_made_anew() {
        return Data::text(text).write_to_path(path);
    }
    differs
}

/// Whether references are written anew.
pub fn are_made_anew() -> bool {
    Action::with_env_var(DEFAULT_ACTION_ENV) == Some(Action::Overwrite)
}

fn compared(path: &Path, text: &str) -> Result<(), Error> {
    let assert = Assert::new().palette(Palette::plain()).normalize_paths(false);
    let kept = Data::read_from(path, Some(DataFormat::Text)).raw();
    assert.try_eq(Some(&"now; `make accept` writes it"), Data::text(text), kept)
}

/// The page with another text between two marks, or the mark that it lacks.
fn with_block<'m>(
    page: &str,
    before: &'m str,
    text: &str,
    after: &'m str,
) -> Result<String, &'m str> {
    let (head, rest) = page.split_once(before).ok_or(before)?;
    let tail = if after.is_empty() { "" } else { &rest[rest.find(after).ok_or(after)?..] };
    Ok([head, before, text, tail].concat())
}

/// Each test runs in a thread of its name; where there is but one, it has none.
fn assert_is_found() {
    let thread = std::thread::current();
    let name = thread.name().filter(|&name| name != "main");
    assert!(
        name.is_none_or(|name| name.ends_with(NAME)),
        "the name of this test is to end with {NAME}"
    );
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use super::*;

    #[test]
    fn a_block_stands_between_its_marks_and_to_the_end_where_there_is_no_second() {
        let page = "head\n| a |\nold\n\ntail";
        assert_eq!(
            with_block(page, "| a |\n", "new\n", "\n").unwrap(),
            "head\n| a |\nnew\n\n\ntail"
        );
        assert_eq!(with_block(page, "| a |\n", "new\n", "").unwrap(), "head\n| a |\nnew\n");
        assert_eq!(with_block(page, "| b |\n", "new\n", ""), Err("| b |\n"));
        assert_eq!(with_block(page, "| a |\n", "new\n", "x"), Err("x"));
    }

    #[test]
    fn what_differs_is_shown_line_by_line() {
        let place = tempfile::tempdir().unwrap();
        let kept = place.path().join("kept.txt");
        std::fs::write(&kept, "one\n[..]\nthree\n").unwrap();
        assert!(compared(&kept, "one\n[..]\nthree\n").is_ok());
        let differs = compared(&kept, "one\ntwo\nthree\n").unwrap_err().to_string();
        assert!(differs.contains("[..]") && differs.contains("two"), "{differs}");
    }
}
