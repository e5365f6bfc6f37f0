//! What other programs measured, as [`Results`]: cyclictest's histogram and its JSON,
//! `rtla timerlat hist`, and Xenomai's `latency`. So another machine's run, or Xenomai's, can stand beside
//! ours.
//!
//! The readers take text and are pure. What a file does not tell is not guessed:
//! samples beyond the end of its table are counted at the table's end and named in
//! a note. The files are read as they are printed by rt-tests 2.4, by the rtla of
//! Linux 6 and by Xenomai 3; lines that these do not print are refused by number.

mod cyclictest;
mod json;
mod rtla;
mod table;
mod xenomai;

use crate::{Length, Results, ResultsError, TestFound};

/// A file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PeerError {
    /// No known program prints this.
    #[error("{file}: no results that are known here")]
    Unknown { file: String },
    /// A line is damaged, or of another program.
    #[error("{file}:{line}: expected {expected}, found {found:?}")]
    Line {
        file: String,
        /// Its line, from 1.
        line: usize,
        /// What should stand there.
        expected: String,
        found: String,
    },
    /// Something is absent without which there is nothing to compare.
    #[error("{file}: {lacks}")]
    Missing { file: String, lacks: Lacks },
    /// A results file of our own cannot be read.
    #[error("{file}: {error}")]
    Results { file: String, error: ResultsError },
}

/// What a file of another program lacks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lacks {
    /// cyclictest printed no histogram, or did not come to its end.
    #[error("there is no histogram in it, or its end is missing")]
    Histogram,
    /// A thread in cyclictest's JSON has none.
    #[error("thread {0} has no histogram")]
    HistogramOf(u32),
    /// rtla printed its table without the line that names the columns.
    #[error("the header of the table is missing")]
    Header,
    /// Xenomai's latency did not come to its end.
    #[error("the line RTS at its end is missing")]
    End,
    /// Its buckets are no microseconds.
    #[error("its mean does not fit to buckets of a microsecond")]
    Buckets,
    /// What is printed below a table is not what stands in it: it was cut, or its rows are wider than they say.
    #[error("{of}: {what} is printed as {printed}, and the table has {rows}")]
    Agreement {
        /// The column.
        of: String,
        /// What is printed and can be counted.
        what: &'static str,
        printed: String,
        /// The same of the table.
        rows: String,
    },
    /// Several runs stand in one file.
    #[error("another run begins at line {line}")]
    OneRun {
        /// From 1.
        line: usize,
    },
    /// No machine has so many threads.
    #[error("more than 1024 threads")]
    Sense,
    /// A thread's numbers cannot be.
    #[error("thread {thread} is impossible: expected {expected}")]
    SenseOf {
        thread: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// A column's numbers cannot be.
    #[error("core {core}, {seen_by}: impossible, expected {expected}")]
    SenseOfColumn {
        core: String,
        /// Who saw the latency.
        seen_by: String,
        /// What should stand there.
        expected: &'static str,
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
    refuse_a_second_run(file, text)?;
    if has("# RTLA timerlat histogram") {
        return rtla::read(file, text);
    }
    if has("RTS|") || has("== Sampling period:") {
        return xenomai::read(file, text);
    }
    if has("# Histogram") || has("# Min Latencies:") || has("T: 0") {
        return cyclictest::read(file, text);
    }
    Err(PeerError::Unknown { file: file.to_owned() })
}

/// An error where a second run follows, as where it was added with `>>`: its rows would be counted with the first's.
fn refuse_a_second_run(file: &str, text: &str) -> Result<(), PeerError> {
    let begins = |line: &str| {
        let of_others = ["# RTLA timerlat histogram", "== Sampling period:"];
        line == "# Histogram" || of_others.iter().any(|start| line.starts_with(start))
    };
    let ends = |line: &str| line.starts_with("# Min Latencies:") || line.starts_with("RTS|");
    for which in [&begins as &dyn Fn(&str) -> bool, &ends] {
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| which(line.trim()));
        if let Some((line, _)) = lines.nth(1) {
            return Err(missing(file, Lacks::OneRun { line }));
        }
    }
    Ok(())
}

/// Results of one test, `wakeup`, by another program.
fn results(file: &str, program: &str, began: &str, found: TestFound) -> Results {
    let mut results = Results::begin(program, file, began, Length::Normal);
    results.tests.push(TestFound { test: "wakeup".into(), ..found });
    results
}

fn missing(file: &str, lacks: Lacks) -> PeerError {
    PeerError::Missing { file: file.to_owned(), lacks }
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
