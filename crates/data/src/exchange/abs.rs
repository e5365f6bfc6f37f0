//! FTAP's data files (`.abs`): read into the events of a recorded trial, and written from one.
//!
//! What stands in such a file is known (keystrokes, metronome, feedback, masking and triggers, in
//! milliseconds from the start of the trial), but no document that can be read says in which
//! columns. So the columns are declared: by a line `# columns ...` in the file, which the files
//! written here have, or by whoever reads it. Nothing is guessed from the look of a line; where one
//! order of columns alone fits all that is known of such files, it can be inferred ([`inferred`]).

mod columns;
mod infer;
mod recorded;
mod write;

pub use columns::{AbsColumn, AbsColumns, AbsError, DECLARED};
pub use recorded::{ImportedTrial, recorded};
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
pub struct AbsEvent {
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
    pub events: Vec<AbsEvent>,
    /// Lines that are no events, such as parameters, each with its number.
    pub others: Vec<(usize, String)>,
}

/// The events of a data file called `name`; `columns` are those that the reader declares, which
/// go before those of the file.
///
/// # Errors
/// [`AbsError`], with the line.
pub fn read_abs(text: &str, name: &str, columns: Option<&AbsColumns>) -> Result<AbsFile, AbsError> {
    let mut columns = columns.cloned();
    let (declared, mut file) = (columns.is_some(), AbsFile::default());
    for (line, words) in (1..).zip(text.lines()) {
        let words = words.trim();
        if let (Some(names), false) = (words.strip_prefix(DECLARED), declared) {
            columns = Some(AbsColumns::parse(&names.split_whitespace().collect::<Vec<_>>())?);
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

/// The columns of a data file called `name` that says none, where there is one way alone to read
/// its events.
///
/// # Errors
/// [`AbsError`]: there is no way, or there are several, which it has.
pub fn inferred(text: &str, name: &str) -> Result<AbsColumns, AbsError> {
    let lines = text.lines().map(str::trim).filter(|words| !words.is_empty() && !is_other(words));
    let mut ways = infer::infer(&lines.collect::<Vec<_>>());
    let name = name.to_owned();
    match (ways.pop(), ways.len()) {
        (None, _) => Err(AbsError::NoColumns { name }),
        (Some(one), 0) => Ok(one),
        (Some(last), _) => {
            let ways = ways.iter().chain([&last]).take(infer::WAYS_TOLD);
            Err(AbsError::Several { name, ways: ways.map(ToString::to_string).collect() })
        }
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

    fn columns(names: &[&str]) -> AbsColumns {
        AbsColumns::parse(names).unwrap()
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
        assert_eq!(refused("1 K 128 5"), cell(AbsColumn::Note, "128"));
        assert_eq!(refused("1 X 60 5"), cell(AbsColumn::Kind, "X"));
        assert_eq!(refused("-1 K 60 5"), cell(AbsColumn::Time, "-1"));
        assert_eq!(refused("1 K - 5"), cell(AbsColumn::Note, "-"));
        let cells = AbsError::Cells { name: "t.abs".into(), line: 1, found: 3, needed: 4 };
        assert_eq!(refused("1 K 60"), cells);
        assert_eq!(refused("MSPB 500"), AbsError::Nothing { name: "t.abs".into() });
        let parse = |names: &[&str]| AbsColumns::parse(names).unwrap_err();
        let unknown = AbsError::Unknown { column: "tiem".into(), near: Some("time") };
        assert_eq!(parse(&["tiem", "kind"]), unknown);
        assert_eq!(parse(&["time", "time"]), AbsError::Twice(AbsColumn::Time));
        assert_eq!(parse(&["time"]), AbsError::Lacks(AbsColumn::Kind));
    }

    #[test]
    fn a_trigger_has_fewer_columns_where_it_is_certain_which() {
        let seven = columns(&["time", "kind", "press", "channel", "note", "velocity", "id"]);
        let read = |line: &str, columns: &AbsColumns| read_abs(line, "t.abs", Some(columns));
        for line in ["50 T 7", "50 T 1 7", "50 T 1 90 7", "50 T - - - - 7"] {
            let event = read(line, &seven).unwrap().events[0].clone();
            assert_eq!(
                (event.at, event.id.as_deref()),
                (Nanos::from_millis(50), Some("7")),
                "{line}"
            );
            assert_eq!((event.begins, event.note), (true, None), "{line}");
        }
        let cells = AbsError::Cells { name: "t.abs".into(), line: 1, found: 3, needed: 7 };
        assert_eq!(read("50 K 7", &seven).unwrap_err(), cells, "only a trigger has fewer");
        let open = columns(&["time", "kind", "-", "id", "-", "channel", "note"]);
        let ways = vec!["time,kind,id,-".to_owned(), "time,kind,-,id".to_owned()];
        let (name, line, found) = ("t.abs".to_owned(), 1, 4);
        let several = AbsError::Trigger { name, line, found, ways };
        assert_eq!(read("50 T 7 8", &open).unwrap_err(), several);
        let said = open.with_triggers(columns(&["time", "kind", "-", "id"]));
        assert_eq!(read("50 T 7 8", &said).unwrap().events[0].id.as_deref(), Some("8"));
    }

    #[test]
    fn columns_are_inferred_where_one_order_alone_fits_and_else_all_are_told() {
        let text = "MSPB 500\n12 K D 1 60 90 -\n50 T 7\n55 T - - - - 8\n80 K U 1 60 40 -\n";
        let found = inferred(text, "t.abs").unwrap();
        assert_eq!(found.to_string(), "time,kind,press,channel,note,velocity,id");
        let several = inferred("12 K D 1 60 90\n80 K U 1 60 90\n", "t.abs").unwrap_err();
        assert!(matches!(several, AbsError::Several { ways, .. } if ways.len() == 2));
        let none = AbsError::NoColumns { name: "t.abs".into() };
        assert_eq!(inferred("12 K 60\n80 K 62\n", "t.abs").unwrap_err(), none);
    }

    #[test]
    fn without_a_column_of_presses_a_velocity_of_0_is_a_release() {
        let four = columns(&["time", "kind", "note", "velocity"]);
        let file = read_abs("1 K 60 90\n5 K 60 0\n", "t.abs", Some(&four)).unwrap();
        assert_eq!(file.events.iter().map(|event| event.begins).collect::<Vec<_>>(), [true, false]);
    }
}
