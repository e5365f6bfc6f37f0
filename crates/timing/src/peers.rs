//! What other programs measured, as [`Results`]: cyclictest's histogram and its JSON,
//! and `rtla timerlat hist`. So another machine's run, or Xenomai's, can stand beside
//! ours.
//!
//! The readers take text and are pure. What a file does not tell is not guessed:
//! samples beyond the end of its table are counted at the table's end and named in
//! a note. The files are read as they are printed by rt-tests 2.4 and by the rtla of
//! Linux 6; lines that these do not print are refused by number.

mod cyclictest;
mod json;
mod rtla;
mod table;

use crate::{Found, Length, Results, ResultsError};

/// A file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PeerError {
    /// No known program prints this. Make one of the named files.
    #[error(
        "{file}: no results that are known here: `chronotap timing --json`, \
         `cyclictest --histogram=1000` (also --histofall, --histfile, --json), \
         `rtla timerlat hist`"
    )]
    Unknown {
        /// The file.
        file: String,
    },
    /// A line is damaged, or of another program.
    #[error("{file}:{line}: expected {expected}, found {found:?}")]
    Line {
        /// The file.
        file: String,
        /// Its line, from 1.
        line: usize,
        /// What should stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// Something is absent without which there is nothing to compare.
    #[error("{file}: {what}; {cure}")]
    Missing {
        /// The file.
        file: String,
        /// What.
        what: String,
        /// How to make a file that has it.
        cure: String,
    },
    /// A results file of our own cannot be read.
    #[error("{file}: {error}")]
    Results {
        /// The file.
        file: String,
        /// Why.
        error: ResultsError,
    },
}

/// Reads the text of any results file, ours or another program's. `file` is its name,
/// for messages, and the label of the results.
///
/// # Errors
/// [`PeerError`].
pub fn read(file: &str, text: &str) -> Result<Results, PeerError> {
    let has = |start: &str| text.lines().any(|line| line.trim_start().starts_with(start));
    if text.trim_start().starts_with('{') {
        return json::read(file, text);
    }
    if has("# RTLA timerlat histogram") {
        return rtla::read(file, text);
    }
    if has("# Histogram") || has("# Min Latencies:") || has("T: 0") {
        return cyclictest::read(file, text);
    }
    Err(PeerError::Unknown { file: file.to_owned() })
}

/// Results of one test, `wakeup`, by another program.
fn results(file: &str, program: &str, began: &str, found: Found) -> Results {
    let mut results = Results::begin(program, file, began, Length::Normal);
    results.tests.push(Found { test: "wakeup".into(), ..found });
    results
}

/// A numbered line of a file.
#[derive(Clone, Copy)]
struct Line<'a> {
    file: &'a str,
    number: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn all(file: &'a str, text: &'a str) -> impl Iterator<Item = Line<'a>> {
        text.lines().enumerate().map(move |(index, text)| Line { file, number: index + 1, text })
    }

    fn refuse(&self, expected: &str, found: &str) -> PeerError {
        PeerError::Line {
            file: self.file.to_owned(),
            line: self.number,
            expected: expected.to_owned(),
            found: found.chars().take(60).collect(),
        }
    }

    /// Its words after `skip` as whole numbers.
    fn numbers(&self, text: &str) -> Result<Vec<u64>, PeerError> {
        let number = |word: &str| word.parse().map_err(|_| self.refuse("a whole number", word));
        text.split_whitespace().map(number).collect()
    }
}
