//! FTAP's data files (`.abs`): read into the events of a recorded trial, and written from one.
//!
//! What stands in such a file is known (keystrokes, metronome, feedback, masking and triggers, in
//! milliseconds from the start of the trial), but no document that can be read says in which
//! columns. So the columns are declared: by a line `# columns ...` in the file, which the files
//! written here have, or by whoever reads it. Nothing is guessed from the look of a line.

mod columns;
mod recorded;
mod write;

pub use columns::{AbsError, Column, Columns, DECLARED};
pub use recorded::{Imported, recorded};
pub use write::abs_file;

use chronotap_core::midi::{Channel, U7};
use chronotap_core::time::Nanos;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    Keystroke,
    Metronome,
    Feedback,
    Trigger,
    /// A tone of masking, which FTAP calls junk.
    Junk,
}

impl Happened {
    /// Every kind, with its letter and its word in the file.
    pub const ALL: [(Happened, &'static str, &'static str); 5] = [
        (Happened::Keystroke, "K", "keystroke"),
        (Happened::Metronome, "M", "metronome"),
        (Happened::Feedback, "F", "feedback"),
        (Happened::Trigger, "T", "trigger"),
        (Happened::Junk, "J", "junk"),
    ];

    fn read(word: &str) -> Option<Happened> {
        let is = |(_, letter, whole): &&(Happened, &str, &str)| {
            word.eq_ignore_ascii_case(letter) || word.eq_ignore_ascii_case(whole)
        };
        Happened::ALL.iter().find(is).map(|(kind, ..)| *kind)
    }

    fn letter(self) -> &'static str {
        Happened::ALL.iter().find(|(kind, ..)| *kind == self).map_or("", |(_, letter, _)| letter)
    }
}

/// An event of a data file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The line, from 1; 0 where it was never in a file.
    pub line: usize,
    /// Since the start of the trial.
    pub at: Nanos,
    pub what: Happened,
    /// Whether something begins here; else it ends.
    pub begins: bool,
    pub channel: Option<Channel>,
    pub note: Option<U7>,
    pub velocity: Option<U7>,
    /// The id of a trigger.
    pub id: Option<String>,
}

/// What a data file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AbsFile {
    /// In the order of the file.
    pub events: Vec<Event>,
    /// Lines that are no events, such as parameters, each with its number.
    pub others: Vec<(usize, String)>,
}

/// The events of a data file called `name`; `columns` are those that the reader declares, which
/// go before those of the file.
///
/// # Errors
/// [`AbsError`], with the line.
pub fn read_abs(text: &str, name: &str, columns: Option<&Columns>) -> Result<AbsFile, AbsError> {
    let mut columns = columns.cloned();
    let (declared, mut file) = (columns.is_some(), AbsFile::default());
    for (line, words) in (1..).zip(text.lines()) {
        let words = words.trim();
        if let (Some(names), false) = (words.strip_prefix(DECLARED), declared) {
            columns = Some(Columns::parse(&names.split_whitespace().collect::<Vec<_>>())?);
        } else if is_other(words) {
            file.others.push((line, words.to_owned()));
        } else if !words.is_empty() {
            let columns =
                columns.as_ref().ok_or_else(|| AbsError::NoColumns { name: name.to_owned() })?;
            file.events.push(columns.event(words, name, line)?);
        }
    }
    match file.events.is_empty() {
        true => Err(AbsError::Nothing { name: name.to_owned() }),
        false => Ok(file),
    }
}

/// Whether a line is a comment, or begins with a keyword, which has two capitals at least.
fn is_other(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    let capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let keyword = word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.len() > 1
        && word.chars().all(capital);
    word.starts_with('#') || keyword && Happened::read(word).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "MSPB 500\n# a remark\n\n12 K D 1 60 90 -\n# columns skipped\n";

    fn columns(names: &[&str]) -> Columns {
        Columns::parse(names).unwrap()
    }

    #[test]
    fn columns_are_declared_by_the_reader_or_by_the_file_and_never_guessed() {
        let none = read_abs(FILE, "t.abs", None).unwrap_err();
        assert_eq!(none, AbsError::NoColumns { name: "t.abs".into() });
        let seven = columns(&["time", "kind", "press", "channel", "note", "velocity", "id"]);
        let file = read_abs(FILE, "t.abs", Some(&seven)).unwrap();
        let event = &file.events[0];
        assert_eq!(
            (event.line, event.at, event.what),
            (4, Nanos::from_millis(12), Happened::Keystroke)
        );
        assert_eq!((event.begins, event.note.map(U7::get), &event.id), (true, Some(60), &None));
        let others: Vec<usize> = file.others.iter().map(|(line, _)| *line).collect();
        assert_eq!(others, [1, 2, 5]);
        let own = read_abs("# columns kind - time note\nkeystroke 7 2.5 60\n", "t.abs", None);
        assert_eq!(own.unwrap().events[0].at, Nanos(2_500_000));
    }

    #[test]
    fn a_line_that_is_no_event_is_refused_with_its_place() {
        let four = columns(&["time", "kind", "note", "velocity"]);
        let refused = |line: &str| read_abs(line, "t.abs", Some(&four)).unwrap_err();
        let cell = |column, word: &str| AbsError::Cell {
            name: "t.abs".into(),
            line: 1,
            column,
            word: word.into(),
        };
        assert_eq!(refused("1 K 128 5"), cell(Column::Note, "128"));
        assert_eq!(refused("1 X 60 5"), cell(Column::Kind, "X"));
        assert_eq!(refused("-1 K 60 5"), cell(Column::Time, "-1"));
        assert_eq!(refused("1 K - 5"), cell(Column::Note, "-"));
        let cells = AbsError::Cells { name: "t.abs".into(), line: 1, found: 3, needed: 4 };
        assert_eq!(refused("1 K 60"), cells);
        assert_eq!(refused("MSPB 500"), AbsError::Nothing { name: "t.abs".into() });
        let parse = |names: &[&str]| Columns::parse(names).unwrap_err();
        let unknown = AbsError::Unknown { column: "tiem".into(), near: Some("time") };
        assert_eq!(parse(&["tiem", "kind"]), unknown);
        assert_eq!(parse(&["time", "time"]), AbsError::Twice(Column::Time));
        assert_eq!(parse(&["time"]), AbsError::Lacks(Column::Kind));
    }

    #[test]
    fn without_a_column_of_presses_a_velocity_of_0_is_a_release() {
        let four = columns(&["time", "kind", "note", "velocity"]);
        let file = read_abs("1 K 60 90\n5 K 60 0\n", "t.abs", Some(&four)).unwrap();
        assert_eq!(file.events.iter().map(|event| event.begins).collect::<Vec<_>>(), [true, false]);
    }
}
