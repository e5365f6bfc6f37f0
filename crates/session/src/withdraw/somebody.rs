//! [`Somebody`]: a participant as files tell of them: in a name, in rows of a table, in words.

use chronotap_data::exchange::{holds, unpacked_xlsx};
use flate2::read::MultiGzDecoder;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

/// A participant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Somebody {
    /// The label, such as `07`.
    pub label: String,
    /// The same as BIDS has it: `sub-07`.
    pub id: String,
}

/// How a file tells of somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trace {
    /// It has rows of theirs.
    Rows,
    /// The same, in a Parquet file.
    Parquet,
    /// The same, in a workbook.
    Workbook,
    /// It is a report of trials with theirs.
    Report,
    /// It names them.
    Words,
    /// It cannot be read, for this reason.
    Unread(String),
}

/// The columns of tables that say whose row it is.
const WHOSE: [&str; 4] = ["participant_id", "participant", "subject", "sub"];
/// What is in the head of every report of trials.
const REPORT: &str = "content=\"chronotap report\"";
/// What says in the head of a report whose trials are in it, label by label.
const PEOPLE: &str = "<meta name=\"chronotap-participants\" content=\"";

impl Somebody {
    /// The participant of this label; `None` where it can be nobody's.
    pub(crate) fn of(label: &str) -> Option<Somebody> {
        let plain = !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric());
        plain.then(|| Somebody { label: label.to_owned(), id: format!("sub-{label}") })
    }

    /// Whether a name names them: `sub-07_task-…`, but not `sub-071`.
    pub(crate) fn is_in(&self, name: &[u8]) -> bool {
        places(name, self.id.as_bytes()).any(|place| {
            let before = place.start.checked_sub(1).and_then(|at| name.get(at));
            let other = |byte: Option<&u8>| byte.is_none_or(|byte| !byte.is_ascii_alphanumeric());
            other(before) && other(name.get(place.end))
        })
    }

    /// Whether a file or folder on the way names them.
    pub(crate) fn is_on_the_way(&self, path: &Path) -> bool {
        path.iter().any(|part| self.is_in(part.as_encoded_bytes()))
    }

    /// How a file tells of them; `None` where it does not. What is compressed is read as what it
    /// was before.
    pub(crate) fn trace(&self, path: &Path, bytes: io::Result<Vec<u8>>) -> Option<Trace> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if name.ends_with(".parquet") {
            return match holds(path, &WHOSE, &[&self.label, &self.id]) {
                Ok(holds) => holds.then_some(Trace::Parquet),
                Err(error) => Some(Trace::Unread(error.to_string())),
            };
        }
        if name.ends_with(".xlsx") {
            return match bytes.and_then(|bytes| unpacked_xlsx(&bytes)) {
                Ok(all) => self.is_in(&all).then_some(Trace::Workbook),
                Err(error) => Some(Trace::Unread(error.to_string())),
            };
        }
        let bytes = match (bytes, name.strip_suffix(".gz")) {
            (Ok(bytes), None) => Ok(bytes),
            (Ok(bytes), Some(_)) => unpacked(&bytes),
            (refused, _) => refused,
        };
        match bytes {
            Ok(bytes) => self.trace_in(name.trim_end_matches(".gz"), &bytes),
            Err(error) => Some(Trace::Unread(error.to_string())),
        }
    }

    fn trace_in(&self, name: &str, bytes: &[u8]) -> Option<Trace> {
        if self.rows_without(name, bytes).is_some() {
            return Some(Trace::Rows);
        }
        if name.ends_with(".html") && has(bytes, REPORT) {
            return self.is_reported(bytes).then_some(Trace::Report);
        }
        let label = &self.label;
        let keys =
            [format!("\"participant\":\"{label}\""), format!("\"participant\": \"{label}\"")];
        let named = self.is_in(bytes) || keys.iter().any(|key| has(bytes, key));
        named.then_some(Trace::Words)
    }

    /// Whether a report has trials of theirs; of one that does not say whose it has, nobody knows.
    fn is_reported(&self, page: &[u8]) -> bool {
        let page = String::from_utf8_lossy(page);
        let people = page.split_once(PEOPLE).and_then(|(_, rest)| rest.split_once('"'));
        people.is_none_or(|(people, _)| people.split(' ').any(|label| label == self.label))
    }

    /// A table without their rows, every other byte as it is; `None` where it has none of theirs, or
    /// is no table.
    pub(crate) fn rows_without(&self, name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        let quoted = name.ends_with(".csv");
        if !quoted && !name.ends_with(".tsv") {
            return None;
        }
        let rows = rows(bytes, quoted);
        let (heading, rows) = rows.split_first()?;
        let whose = cells(&bytes[heading.clone()], quoted);
        let is_whose = |place: &usize| WHOSE.iter().any(|name| *name == whose[*place]);
        let whose: Vec<usize> = (0..whose.len()).filter(is_whose).collect();
        let theirs = |row: &&Range<usize>| {
            let cells = cells(&bytes[(*row).clone()], quoted);
            let cell = |place: &usize| cells.get(*place);
            whose.iter().filter_map(cell).any(|cell| *cell == self.label || *cell == self.id)
        };
        let kept: Vec<u8> = rows
            .iter()
            .filter(|row| !theirs(row))
            .flat_map(|row| &bytes[row.clone()])
            .copied()
            .collect();
        let kept = [&bytes[heading.clone()], &kept].concat();
        (kept.len() < bytes.len()).then_some(kept)
    }
}

fn unpacked(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut whole = Vec::new();
    MultiGzDecoder::new(bytes).read_to_end(&mut whole)?;
    Ok(whole)
}

fn has(bytes: &[u8], text: &str) -> bool {
    places(bytes, text.as_bytes()).next().is_some()
}

/// Where these bytes stand among others.
fn places<'a>(bytes: &'a [u8], wanted: &'a [u8]) -> impl Iterator<Item = Range<usize>> + 'a {
    let first = wanted.first().copied();
    let starts = bytes.iter().enumerate().filter(move |(_, byte)| Some(**byte) == first);
    let whole = move |at: usize| bytes[at..].starts_with(wanted);
    starts.map(|(at, _)| at).filter(move |at| whole(*at)).map(|at| at..at + wanted.len())
}

/// The rows of a table, each with its end. Between quotation marks, where these have a meaning, a
/// row goes on behind the end of a line.
fn rows(bytes: &[u8], quoted: bool) -> Vec<Range<usize>> {
    let (mut rows, mut from, mut inside) = (Vec::new(), 0, false);
    for (at, byte) in bytes.iter().enumerate() {
        inside ^= quoted && *byte == b'"';
        if *byte == b'\n' && !inside {
            rows.push(from..at + 1);
            from = at + 1;
        }
    }
    if from < bytes.len() {
        rows.push(from..bytes.len());
    }
    rows
}

/// The cells of a row as text.
fn cells(row: &[u8], quoted: bool) -> Vec<String> {
    let (mut cells, mut inside) = (vec![Vec::new()], false);
    for byte in row.iter().filter(|byte| !matches!(byte, b'\n' | b'\r')) {
        match byte {
            b'"' if quoted => inside = !inside,
            b',' if quoted && !inside => cells.push(Vec::new()),
            b'\t' if !quoted => cells.push(Vec::new()),
            byte => cells.last_mut().expect("there is a first cell").push(*byte),
        }
    }
    cells.into_iter().map(|cell| String::from_utf8_lossy(&cell).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_names_somebody_and_not_whoever_has_a_longer_label() {
        let somebody = Somebody::of("07").unwrap();
        for name in ["sub-07", "sub-07_task-x_beh.tsv", "of sub-07.", "x_sub-07-old"] {
            assert!(somebody.is_in(name.as_bytes()), "{name}");
        }
        for name in ["sub-071", "sub-007", "asub-07", "07", "sub-7"] {
            assert!(!somebody.is_in(name.as_bytes()), "{name}");
        }
        assert_eq!(Somebody::of("../x"), None);
    }

    #[test]
    fn a_table_that_cannot_be_looked_into_is_no_table_without_them() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("taps.parquet");
        std::fs::write(&path, "no Parquet").unwrap();
        let trace = Somebody::of("07").unwrap().trace(&path, std::fs::read(&path));
        assert!(matches!(trace, Some(Trace::Unread(_))), "{trace:?}");
    }

    #[test]
    fn rows_are_taken_out_and_every_other_byte_stays() {
        let somebody = Somebody::of("07").unwrap();
        let tables = [
            (
                "a.tsv",
                "participant\tx\n06\t07\n07\t1\nsub-07\t2\n08\t3\n",
                "participant\tx\n06\t07\n08\t3\n",
            ),
            (
                "a.csv",
                "x,participant_id\r\n\"a\nb,\",sub-07\r\n1,\"08\"\r\n",
                "x,participant_id\r\n1,\"08\"\r\n",
            ),
        ];
        for (name, table, without) in tables {
            let found = somebody.rows_without(name, table.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(found).unwrap(), without);
            assert_eq!(somebody.rows_without(name, without.as_bytes()), None);
        }
        assert_eq!(somebody.rows_without("a.txt", b"participant\n07\n"), None);
    }

    #[test]
    fn a_report_says_whose_trials_it_has_and_of_an_older_one_nobody_knows() {
        let page =
            |people: &str| format!("<meta name=\"generator\" {REPORT}>{people}Participant 07");
        let somebody = Somebody::of("07").unwrap();
        let of = |people: &str| somebody.trace_in("a.html", page(people).as_bytes());
        assert_eq!(of(&format!("{PEOPLE}06 07\">")), Some(Trace::Report));
        assert_eq!(of(&format!("{PEOPLE}06 071\">")), None);
        assert_eq!(of(""), Some(Trace::Report));
    }
}
