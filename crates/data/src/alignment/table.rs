//! The table that another recorder's program wrote: a line for each event, with its onset and, where it has
//! one, its code.
//!
//! Columns are separated by tabs, commas or semicolons, and the first line names them. Which columns are
//! meant, and in what unit the onsets are, is told by their names where nobody says it. An onset is read digit by
//! digit, so that nothing is rounded before it is a nanosecond.

use chronotap_analysis::alignment::ClockMark;
use chronotap_config::trial_files::performers::{DecimalError, parse_decimal};
use chronotap_core::text::most_like;
use chronotap_core::time::Nanos;
use std::path::{Path, PathBuf};

/// What the reader says about a table; what is left open is told by the names of its columns.
#[derive(Clone, Debug, Default)]
pub struct OnsetColumns {
    /// The column of the onsets.
    pub onset: Option<String>,
    /// The column of the codes.
    pub code: Option<String>,
    /// The unit of the onsets.
    pub unit: Option<OnsetUnit>,
    /// Samples in a thousand seconds.
    pub rate_mhz: Option<u32>,
    /// Whether codes are left alone, also where there are some.
    pub without_codes: bool,
}

/// In what onsets are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnsetUnit {
    Seconds,
    Milliseconds,
    Microseconds,
    Samples,
}

impl OnsetUnit {
    /// The unit of a word: `s`, `ms`, `us` or `samples`.
    pub fn of(word: &str) -> Option<OnsetUnit> {
        Some(match word {
            "s" => OnsetUnit::Seconds,
            "ms" => OnsetUnit::Milliseconds,
            "us" => OnsetUnit::Microseconds,
            "samples" => OnsetUnit::Samples,
            _ => return None,
        })
    }
}

/// The events of another recorder.
#[derive(Clone, Debug, PartialEq)]
pub struct RecorderTable {
    /// In the order of time.
    pub marks: Vec<ClockMark>,
    /// Lines that have no onset, or no number in the column of the codes.
    pub left_out: usize,
    /// The step in which its clock is read: the sample, or what all times are multiples of.
    pub step_s: f64,
    pub chosen: Chosen,
}

/// What a table was read by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    pub onset: String,
    pub code: Option<String>,
    pub unit: OnsetUnit,
}

/// Why a table of another recorder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecorderTableError {
    /// It cannot be read.
    #[error("{}: cannot read it: {source}", path.display())]
    Read {
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The column that was named is not there.
    #[error("{}: there is no column \"{named}\"; the first line has {}", path.display(), columns.join(", "))]
    NoSuchColumn {
        path: PathBuf,
        named: String,
        columns: Vec<String>,
        /// The one that was probably meant.
        nearest: Option<String>,
    },
    /// No column has a name that onsets usually have.
    #[error("{}: no column is called {}; the first line has {}", path.display(), ONSETS.join(", "), columns.join(", "))]
    NoOnsets { path: PathBuf, columns: Vec<String> },
    /// Onsets are counted in samples, and nobody said how many there are in a second.
    #[error("{}: the column \"{column}\" counts samples, and their rate is not known", path.display())]
    NoRate { path: PathBuf, column: String },
    /// A line is shorter than the first.
    #[error("{}:{line}: {found} cells, but the first line has {needed} columns", path.display())]
    Cells {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        found: usize,
        needed: usize,
    },
    /// An onset is no number, or none that a clock can read.
    #[error("{}:{line}: column {column}: \"{cell}\": {wrong}", path.display())]
    Onset {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        column: String,
        cell: String,
        wrong: DecimalError,
    },
    /// The column of the codes has no number in any line.
    #[error("{}: no line has a number in the column \"{column}\"", path.display())]
    NoCodes { path: PathBuf, column: String },
}

/// Names that columns of onsets have, the likeliest first.
const ONSETS: [&str; 9] =
    ["onset", "time", "timestamp", "onset_s", "time_s", "onset_ms", "time_ms", "sample", "latency"];
/// Names that columns of codes have.
const CODES: [&str; 5] = ["code", "value", "trigger", "trial_type", "type"];
/// What stands for a missing value.
const MISSING: [&str; 4] = ["", "n/a", "NA", "NaN"];

/// Reads the text of such a table; `path` stands in messages.
///
/// # Errors
/// [`RecorderTableError`].
pub fn parse_table(
    path: &Path,
    text: &str,
    columns: &OnsetColumns,
) -> Result<RecorderTable, RecorderTableError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (head, rest) = text.split_once('\n').unwrap_or((text, ""));
    let separator = ['\t', ',', ';'].into_iter().find(|one| head.contains(*one)).unwrap_or('\t');
    let reading = Reading::of(path, cells(head, separator), columns)?;
    let (mut marks, mut left_out) = (Vec::new(), 0);
    for (number, line) in (2..).zip(rest.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        match reading.mark(number, &cells(line, separator))? {
            Some(mark) => marks.push(mark),
            None => left_out += 1,
        }
    }
    if let (true, true, Some(code)) = (marks.is_empty(), left_out > 0, &reading.chosen.code) {
        let (path, column) = (path.to_owned(), code.clone());
        return Err(RecorderTableError::NoCodes { path, column });
    }
    marks.sort_by_key(|mark| mark.at);
    let step_s = match columns.rate_mhz.filter(|rate| *rate > 0) {
        Some(rate_mhz) => 1e3 / f64::from(rate_mhz),
        None => step_of(&marks),
    };
    Ok(RecorderTable { marks, left_out, step_s, chosen: reading.chosen })
}

/// The greatest step that all times are multiples of, in seconds.
fn step_of(marks: &[ClockMark]) -> f64 {
    let common = |step: u64, mark: &ClockMark| {
        let (mut one, mut other) = (step, mark.at.0.unsigned_abs());
        while other > 0 {
            (one, other) = (other, one % other);
        }
        one
    };
    marks.iter().fold(0, common) as f64 * 1e-9
}

/// How the lines of a table are read.
struct Reading<'a> {
    path: &'a Path,
    names: Vec<String>,
    onset: usize,
    code: Option<usize>,
    rate_mhz: u32,
    chosen: Chosen,
}

impl<'a> Reading<'a> {
    fn of(
        path: &'a Path,
        names: Vec<String>,
        told: &OnsetColumns,
    ) -> Result<Self, RecorderTableError> {
        let onset = match &told.onset {
            Some(named) => place(path, &names, named)?,
            None => guessed(&names, &ONSETS).ok_or_else(|| RecorderTableError::NoOnsets {
                path: path.to_owned(),
                columns: names.clone(),
            })?,
        };
        let code = match &told.code {
            _ if told.without_codes => None,
            Some(named) => Some(place(path, &names, named)?),
            None => guessed(&names, &CODES),
        };
        let unit = told.unit.unwrap_or_else(|| unit_of(&names[onset]));
        let column = names[onset].clone();
        let chosen = Chosen { onset: column.clone(), code: code.map(|at| names[at].clone()), unit };
        let no_rate = || RecorderTableError::NoRate { path: path.to_owned(), column };
        let rate_mhz = match unit {
            OnsetUnit::Samples => told.rate_mhz.filter(|rate| *rate > 0).ok_or_else(no_rate)?,
            _ => 1,
        };
        Ok(Reading { path, names, onset, code, rate_mhz, chosen })
    }

    /// The event of a line; none where its onset is missing, or the number that a code has.
    fn mark(&self, line: usize, cells: &[String]) -> Result<Option<ClockMark>, RecorderTableError> {
        let needed = self.names.len();
        if cells.len() < needed {
            let (path, found) = (self.path.to_owned(), cells.len());
            return Err(RecorderTableError::Cells { path, line, found, needed });
        }
        let onset = cells[self.onset].as_str();
        let code = self.code.map(|code| code_of(&cells[code]));
        if MISSING.contains(&onset) || code == Some(None) {
            return Ok(None);
        }
        let wrong = |wrong| RecorderTableError::Onset {
            path: self.path.to_owned(),
            line,
            column: self.chosen.onset.clone(),
            cell: onset.to_owned(),
            wrong,
        };
        let at = self.time(onset).map_err(wrong)?;
        Ok(Some(ClockMark { at, code: code.flatten() }))
    }

    fn time(&self, cell: &str) -> Result<Nanos, DecimalError> {
        let places = match self.chosen.unit {
            OnsetUnit::Seconds | OnsetUnit::Samples => 9,
            OnsetUnit::Milliseconds => 6,
            OnsetUnit::Microseconds => 3,
        };
        let number = parse_decimal(cell, places)?;
        if self.chosen.unit != OnsetUnit::Samples {
            return Ok(Nanos(number));
        }
        let rate = i128::from(self.rate_mhz);
        let ns = (i128::from(number) * 1_000 + rate / 2).div_euclid(rate);
        i64::try_from(ns).map(Nanos).map_err(|_| DecimalError::TooLarge)
    }
}

/// The cells of a line, without spaces around them and without quotation marks that enclose them.
fn cells(line: &str, separator: char) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for letter in line.trim_end_matches('\r').chars() {
        match letter {
            '"' => quoted = !quoted,
            _ if letter == separator && !quoted => cells.push(String::new()),
            _ => cells.last_mut().into_iter().for_each(|cell| cell.push(letter)),
        }
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

fn place(path: &Path, names: &[String], named: &str) -> Result<usize, RecorderTableError> {
    let missing = || RecorderTableError::NoSuchColumn {
        path: path.to_owned(),
        named: named.to_owned(),
        columns: names.to_vec(),
        nearest: most_like(named, names).map(str::to_owned),
    };
    names.iter().position(|name| name == named).ok_or_else(missing)
}

/// The first of the usual names that a column has, whatever its capitals.
fn guessed(names: &[String], usual: &[&str]) -> Option<usize> {
    let place = |usual: &&str| names.iter().position(|name| name.eq_ignore_ascii_case(usual));
    usual.iter().find_map(place)
}

fn unit_of(name: &str) -> OnsetUnit {
    let name = name.to_ascii_lowercase();
    if ["sample", "samples", "latency"].contains(&&*name) {
        OnsetUnit::Samples
    } else if name.ends_with("_ms") {
        OnsetUnit::Milliseconds
    } else if name.ends_with("_us") {
        OnsetUnit::Microseconds
    } else {
        OnsetUnit::Seconds
    }
}

/// The code that a recorder means by a text: the number at its end, as in `10`, `S 10`, `Stimulus/S  10` and `10.0`.
pub fn code_of(cell: &str) -> Option<u32> {
    let cell = cell.strip_suffix(".0").unwrap_or(cell);
    let digits = cell.len() - cell.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    cell[cell.len() - digits..].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::read_table;

    fn read(text: &str, columns: &OnsetColumns) -> Result<RecorderTable, RecorderTableError> {
        parse_table(Path::new("eeg.tsv"), text, columns)
    }

    fn mark(ns: i64, code: impl Into<Option<u32>>) -> ClockMark {
        ClockMark { at: Nanos(ns), code: code.into() }
    }

    #[test]
    fn onsets_are_exact_to_the_nanosecond_in_every_unit() {
        let rate = OnsetColumns { rate_mhz: Some(2_048_000), ..OnsetColumns::default() };
        for (text, columns, ns) in [
            ("onset\n12.345678901\n", OnsetColumns::default(), 12_345_678_901),
            ("time_ms\n12345.678901\n", OnsetColumns::default(), 12_345_678_901),
            ("sample\n2049\n", rate.clone(), 1_000_488_281),
            ("latency\n-1\n", rate, -488_281),
        ] {
            assert_eq!(read(text, &columns).unwrap().marks, [mark(ns, None)], "{text}");
        }
    }

    #[test]
    fn a_code_is_the_number_at_the_end_of_its_cell_and_lines_without_one_are_left_out() {
        let text =
            "onset,value\r\n3,S 10\r\n1,\"Stimulus/S  2\"\r\n2,boundary\r\nn/a,3\r\n4,20.0\r\n";
        let table = read(text, &OnsetColumns::default()).unwrap();
        let s = 1_000_000_000;
        assert_eq!(table.marks, [mark(s, 2), mark(3 * s, 10), mark(4 * s, 20)]);
        assert_eq!((table.left_out, table.step_s), (2, 1.0));
        assert_eq!(table.chosen.code.as_deref(), Some("value"));
    }

    #[test]
    fn a_column_that_is_named_wrongly_is_told_with_the_nearest_and_samples_need_a_rate() {
        let named = OnsetColumns { code: Some("cod".into()), ..OnsetColumns::default() };
        let refused = read("onset\tcode\tnote\n1\t2\tx\n", &named).unwrap_err();
        assert!(
            matches!(&refused, RecorderTableError::NoSuchColumn { nearest: Some(near), .. } if near == "code"),
            "{refused}"
        );
        let refused = read("begin;code\n1;2\n", &OnsetColumns::default()).unwrap_err();
        assert!(matches!(refused, RecorderTableError::NoOnsets { .. }), "{refused}");
        let refused = read("sample;code\n1;2\n", &OnsetColumns::default()).unwrap_err();
        assert!(matches!(refused, RecorderTableError::NoRate { .. }), "{refused}");
    }

    #[test]
    fn unicode_text_and_lines_of_an_old_mac_are_read_and_a_workbook_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("eeg.txt");
        let read = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            read_table(&path, &OnsetColumns::default())
        };
        let units = "\u{feff}onset\tcode\r\n1.5\t7\r\n".encode_utf16();
        let unicode: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
        for bytes in [&unicode[..], b"onset,code\r1.5,7\r"] {
            let marks = read(bytes).unwrap().marks;
            assert_eq!(marks.len(), 1);
            assert_eq!((marks[0].at, marks[0].code), (Nanos::from_millis(1500), Some(7)));
        }
        let Err(RecorderTableError::Read { source, .. }) = read(b"PK\x03\x04 and more") else {
            panic!("a workbook was read")
        };
        let what = chronotap_core::files::NotUtf8::of(&source).unwrap().what;
        assert_eq!(what, Some(chronotap_core::files::Foreign::Workbook));
    }

    #[test]
    fn what_is_no_onset_is_told_with_its_line() {
        let refused = read("onset\tcode\n1\t2\n\nsoon\t3\n", &OnsetColumns::default()).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "eeg.tsv:4: column onset: \"soon\": expected a decimal number such as 1.25"
        );
        let refused = read("onset\tcode\n1\n", &OnsetColumns::default()).unwrap_err();
        assert!(matches!(refused, RecorderTableError::Cells { line: 2, .. }), "{refused}");
        let refused = read("onset\tcode\n1\tlow\n", &OnsetColumns::default()).unwrap_err();
        assert!(matches!(refused, RecorderTableError::NoCodes { .. }), "{refused}");
    }
}
