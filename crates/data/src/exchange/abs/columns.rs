//! [`AbsColumns`]: which column of a data file holds what, and the event of a line.

use super::{AbsEvent, Happened};
use chronotap_core::midi::{Channel, U7};
use chronotap_core::text::nearest;
use chronotap_core::time::Nanos;
use std::fmt;

/// How the line begins that says the columns.
pub const DECLARED: &str = "# columns ";

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbsColumn {
    /// Milliseconds since the start of the trial, with decimals or without.
    Time,
    /// Keystroke, metronome, feedback, trigger or junk, as a word or its first letter.
    Kind,
    /// Whether something begins or ends.
    Press,
    /// MIDI channel, from 1.
    Channel,
    Note,
    Velocity,
    /// The id of a trigger.
    Id,
    /// Whatever nobody reads.
    Skipped,
}

impl AbsColumn {
    /// Every column with its name.
    pub const ALL: [(AbsColumn, &'static str); 8] = [
        (AbsColumn::Time, "time"),
        (AbsColumn::Kind, "kind"),
        (AbsColumn::Press, "press"),
        (AbsColumn::Channel, "channel"),
        (AbsColumn::Note, "note"),
        (AbsColumn::Velocity, "velocity"),
        (AbsColumn::Id, "id"),
        (AbsColumn::Skipped, "-"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        AbsColumn::ALL.iter().find(|(column, _)| *column == self).map_or("", |(_, name)| name)
    }

    /// The names that may be declared.
    pub fn names() -> impl Iterator<Item = &'static str> {
        AbsColumn::ALL.iter().map(|(_, name)| *name)
    }
}

/// Why a data file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AbsError {
    /// Neither the file nor its reader says which columns it has.
    #[error("{name}: nothing says which column holds what")]
    NoColumns { name: String },
    /// A column that is none.
    #[error("there is no column \"{column}\"")]
    Unknown {
        column: String,
        /// The valid name nearest to it.
        near: Option<&'static str>,
    },
    /// A column that was declared twice.
    #[error("the column {} stands twice", .0.name())]
    Twice(AbsColumn),
    /// A column that there must be.
    #[error("no column is {}", .0.name())]
    Lacks(AbsColumn),
    /// Nothing says which columns there are, and the events can be read in several ways.
    #[error("{name}: its columns can be read in several ways: {}", .ways.join("; "))]
    Several {
        name: String,
        /// Some of them, each as it is declared.
        ways: Vec<String>,
    },
    /// A trigger with fewer cells than columns, of which it is not certain which they are.
    #[error("{name}:{line}: {found} cells of a trigger, which may be {}", .ways.join(" or "))]
    Trigger {
        name: String,
        line: usize,
        /// How many it has.
        found: usize,
        /// What they may be, each as it is declared.
        ways: Vec<String>,
    },
    /// A line with more or fewer cells than columns.
    #[error("{name}:{line}: {found} cells, but there are {needed} columns")]
    Cells {
        name: String,
        line: usize,
        /// How many it has.
        found: usize,
        /// How many it must have.
        needed: usize,
    },
    /// A cell that does not hold what its column holds.
    #[error("{name}:{line}: \"{word}\" is no {}", .column.name())]
    Cell {
        name: String,
        line: usize,
        column: AbsColumn,
        /// What stands there, cut short.
        word: String,
    },
    /// A file without an event.
    #[error("{name}: there is no event in it")]
    Nothing { name: String },
    /// Triggers of more ids than a trial file has rules.
    #[error("{name}: the trial file of its events is refused: {why}")]
    Refused {
        name: String,
        /// Its first mistake.
        why: String,
    },
}

/// The columns of a data file, from the left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbsColumns {
    all: Vec<AbsColumn>,
    /// Those of triggers, where they are others.
    of_triggers: Option<Vec<AbsColumn>>,
}

impl fmt::Display for AbsColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names_of().collect::<Vec<_>>().join(","))?;
        let Some(own) = &self.of_triggers else { return Ok(()) };
        write!(f, " with --trigger-columns {}", AbsColumns::of(own.clone()))
    }
}

impl AbsColumns {
    /// Reads their names.
    ///
    /// # Errors
    /// The first that is none or stands twice; time and kind must be there.
    pub fn parse<T: AsRef<str>>(names: &[T]) -> Result<AbsColumns, AbsError> {
        let mut columns = Vec::new();
        for name in names.iter().map(|name| name.as_ref().trim()) {
            let known = AbsColumn::ALL.iter().find(|(_, known)| *known == name);
            let Some((column, _)) = known else {
                let near = nearest(name, AbsColumn::names());
                return Err(AbsError::Unknown { column: name.to_owned(), near });
            };
            if *column != AbsColumn::Skipped && columns.contains(column) {
                return Err(AbsError::Twice(*column));
            }
            columns.push(*column);
        }
        let lacks = |column: &AbsColumn| !columns.contains(column);
        match [AbsColumn::Time, AbsColumn::Kind].into_iter().find(lacks) {
            Some(column) => Err(AbsError::Lacks(column)),
            None => Ok(AbsColumns::of(columns)),
        }
    }

    /// These, from the left.
    pub(super) fn of(all: Vec<AbsColumn>) -> AbsColumns {
        AbsColumns { all, of_triggers: None }
    }

    /// The same where the lines of triggers have these columns.
    pub fn with_triggers(self, triggers: AbsColumns) -> AbsColumns {
        AbsColumns { of_triggers: Some(triggers.all), ..self }
    }

    /// Whether a column is one of them.
    pub(super) fn has(&self, column: AbsColumn) -> bool {
        self.all.contains(&column)
    }

    /// Their names, from the left.
    fn names_of(&self) -> impl Iterator<Item = &'static str> {
        self.all.iter().map(|column| column.name())
    }

    /// How many columns nobody reads.
    pub(super) fn unread(&self) -> usize {
        let own = self.of_triggers.iter().flatten();
        self.all.iter().chain(own).filter(|column| **column == AbsColumn::Skipped).count()
    }

    /// Those of a line with these cells. A trigger has neither channel nor note, and so fewer cells
    /// where others have them; which it leaves out besides must be certain.
    fn of_line(&self, cells: &[&str], name: &str, line: usize) -> Result<Vec<AbsColumn>, AbsError> {
        if cells.len() == self.all.len() {
            return Ok(self.all.clone());
        }
        let (name, found) = (name.to_owned(), cells.len());
        let ways = self.of_trigger(cells);
        match &ways[..] {
            [one] => Ok(one.clone()),
            [] => Err(AbsError::Cells { name, line, found, needed: self.all.len() }),
            _ => {
                let shown = |way: &Vec<AbsColumn>| AbsColumns::of(way.clone()).to_string();
                Err(AbsError::Trigger { name, line, found, ways: ways.iter().map(shown).collect() })
            }
        }
    }

    /// What the cells of a trigger may be: those that were declared for triggers, else the columns
    /// without channel and note, and without some of press, velocity and what is not read.
    fn of_trigger(&self, cells: &[&str]) -> Vec<Vec<AbsColumn>> {
        if let Some(declared) = &self.of_triggers {
            let fits = declared.len() == cells.len() && is_of_trigger(declared, cells);
            return if fits { vec![declared.clone()] } else { Vec::new() };
        }
        let rest: Vec<AbsColumn> =
            self.all.iter().copied().filter(|column| !is_of_note(*column)).collect();
        let may_lack = |column: &AbsColumn| {
            matches!(column, AbsColumn::Press | AbsColumn::Velocity | AbsColumn::Skipped)
        };
        let lacking: Vec<usize> = (0..rest.len()).filter(|at| may_lack(&rest[*at])).collect();
        let mut ways: Vec<Vec<AbsColumn>> = Vec::new();
        for chosen in 0..1u32 << lacking.len().min(16) {
            let out = |at: usize| {
                lacking.iter().position(|of| *of == at).is_some_and(|bit| chosen >> bit & 1 == 1)
            };
            let way: Vec<AbsColumn> =
                (0..rest.len()).filter(|at| !out(*at)).map(|at| rest[at]).collect();
            let said = |way: &[AbsColumn]| {
                [AbsColumn::Time, AbsColumn::Id]
                    .map(|of| way.iter().position(|column| *column == of))
            };
            let is_new = !ways.iter().any(|other| said(other) == said(&way));
            if way.len() == cells.len() && is_of_trigger(&way, cells) && is_new {
                ways.push(way);
            }
        }
        ways
    }

    /// The event of a line.
    pub(super) fn event(&self, text: &str, name: &str, line: usize) -> Result<AbsEvent, AbsError> {
        let cells: Vec<&str> = text.split_whitespace().collect();
        let columns = self.of_line(&cells, name, line)?;
        let line = Line { columns: &columns, cells, name, number: line };
        let what = line.must(AbsColumn::Kind, Happened::read)?;
        let velocity = line.may(AbsColumn::Velocity, seven_bits)?;
        let press = line.may(AbsColumn::Press, press)?;
        let begins = press.unwrap_or(velocity.is_none_or(|velocity| velocity.get() > 0));
        // Only triggers have no note.
        let note = match what {
            Happened::Trigger => line.may(AbsColumn::Note, seven_bits)?,
            _ => Some(line.must(AbsColumn::Note, seven_bits)?),
        };
        Ok(AbsEvent {
            line: line.number,
            at: line.must(AbsColumn::Time, milliseconds)?,
            what,
            begins,
            channel: line.may(AbsColumn::Channel, |word| Channel::new(word.parse().ok()?))?,
            note,
            velocity,
            id: line.may(AbsColumn::Id, |word| Some(word.chars().take(40).collect()))?,
        })
    }
}

/// Whether a column holds what a trigger does not have.
fn is_of_note(column: AbsColumn) -> bool {
    matches!(column, AbsColumn::Channel | AbsColumn::Note)
}

/// Whether these cells, read so, are those of a trigger.
fn is_of_trigger(columns: &[AbsColumn], cells: &[&str]) -> bool {
    columns.iter().zip(cells).all(|(column, cell)| match column {
        AbsColumn::Time => milliseconds(cell).is_some(),
        AbsColumn::Kind => Happened::read(cell) == Some(Happened::Trigger),
        AbsColumn::Press => *cell == "-" || press(cell).is_some(),
        AbsColumn::Velocity => *cell == "-" || seven_bits(cell).is_some(),
        AbsColumn::Channel | AbsColumn::Note => false,
        AbsColumn::Id | AbsColumn::Skipped => true,
    })
}

/// A line in its cells.
struct Line<'a> {
    columns: &'a [AbsColumn],
    cells: Vec<&'a str>,
    name: &'a str,
    number: usize,
}

impl Line<'_> {
    /// The cell of a column; `-` stands for none.
    fn cell(&self, column: AbsColumn) -> Option<&str> {
        let at = self.columns.iter().position(|other| *other == column)?;
        Some(self.cells[at])
    }

    fn may<T>(
        &self,
        column: AbsColumn,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, AbsError> {
        let Some(word) = self.cell(column).filter(|word| *word != "-") else { return Ok(None) };
        read(word).map(Some).ok_or_else(|| self.wrong(column, word))
    }

    fn must<T>(&self, column: AbsColumn, read: impl Fn(&str) -> Option<T>) -> Result<T, AbsError> {
        let none = self.cell(column).unwrap_or("-");
        self.may(column, read)?.ok_or_else(|| self.wrong(column, none))
    }

    fn wrong(&self, column: AbsColumn, word: &str) -> AbsError {
        let word = word.chars().take(40).flat_map(char::escape_default).collect();
        AbsError::Cell { name: self.name.to_owned(), line: self.number, column, word }
    }
}

pub(super) fn seven_bits(word: &str) -> Option<U7> {
    U7::new(word.parse().ok()?)
}

pub(super) fn press(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "1" | "on" | "d" | "down" => Some(true),
        "0" | "off" | "u" | "up" => Some(false),
        _ => None,
    }
}

/// Milliseconds of at most a day, to the nanosecond.
pub(super) fn milliseconds(word: &str) -> Option<Nanos> {
    let (whole, part) = word.split_once('.').unwrap_or((word, ""));
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    if whole.is_empty() || part.len() > 6 || !digits(whole) || !digits(part) {
        return None;
    }
    let ms: i64 = whole.parse().ok().filter(|ms| *ms <= 86_400_000)?;
    let ns: i64 = format!("{part:0<6}").parse().ok()?;
    Some(Nanos(ms * 1_000_000 + ns))
}
