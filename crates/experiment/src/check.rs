//! [`Check`]: what goes along while a file is read: its text, to turn bytes into
//! lines; the problems found so far; the parameters as they were resolved; and
//! the pools of lists that the trial will own.

use crate::problem::Problem;
use crate::quantity::Fault;
use chronotap_engine::trial::{Span, pool};
use chronotap_midi::U7;
use chronotap_text::{Lines, nearest};
use chronotap_time::Nanos;
use serde::Serialize;
use std::cell::{Cell, RefCell};

/// One parameter of a trial as it will hold at its start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Parameter {
    /// Where it stands, such as `pacing.metronome.tone.note`.
    pub path: String,
    /// Its value; times carry their unit.
    pub value: String,
    /// What kind of quantity it is; empty for words and flags.
    pub unit: &'static str,
    /// The line that gives it; `None` for a default.
    pub line: Option<usize>,
}

/// Everything that reading gathers.
pub(crate) struct Check<'c> {
    file: &'c str,
    lines: Lines<'c>,
    problems: RefCell<Vec<Problem>>,
    parameters: RefCell<Vec<Parameter>>,
    pub warnings: RefCell<Vec<String>>,
    pub pools: RefCell<Pools>,
    /// While a single part is being set or perturbed, nothing is recorded.
    quiet: Cell<bool>,
}

/// Lists that parameters point into.
#[derive(Default)]
pub(crate) struct Pools {
    pub notes: Vec<U7>,
    pub times: Vec<Nanos>,
    pub tables: Vec<[U7; 128]>,
    pub markers: Vec<String>,
}

impl Pools {
    pub fn notes(&mut self, values: &[U7]) -> Span {
        pool(&mut self.notes, values)
    }

    pub fn times(&mut self, values: &[Nanos]) -> Span {
        pool(&mut self.times, values)
    }

    pub fn table(&mut self, table: [U7; 128]) -> u16 {
        self.tables.push(table);
        (self.tables.len() - 1) as u16
    }

    pub fn marker(&mut self, text: &str) -> u16 {
        self.markers.push(text.to_owned());
        (self.markers.len() - 1) as u16
    }
}

impl<'c> Check<'c> {
    pub fn new(file: &'c str, text: &'c str) -> Check<'c> {
        Check {
            file,
            lines: Lines::new(text),
            problems: RefCell::default(),
            parameters: RefCell::default(),
            warnings: RefCell::default(),
            pools: RefCell::default(),
            quiet: Cell::new(false),
        }
    }

    /// Notes a problem at a byte of the file.
    pub fn problem(&self, at: usize, message: impl Into<String>) {
        self.put(at, message.into(), None, None);
    }

    /// The same with what to write instead.
    pub fn cured(&self, at: usize, message: impl Into<String>, cure: impl Into<String>) {
        self.put(at, message.into(), Some(cure.into()), None);
    }

    /// A name that is not known; where none is near, all that would be are told.
    pub fn unknown<'a>(
        &self,
        at: usize,
        message: impl Into<String>,
        written: &str,
        names: impl IntoIterator<Item = &'a str>,
    ) {
        let names: Vec<&str> = names.into_iter().collect();
        let near = nearest(written, names.iter().copied()).map(str::to_owned);
        let cure = match (&near, names.len()) {
            (Some(_), _) | (None, 0) => None,
            _ => Some(format!("known here: {}", names.join(", "))),
        };
        self.put(at, message.into(), cure, near);
    }

    /// A word that is near a known one.
    pub fn near(&self, at: usize, message: String, nearest: String) {
        self.put(at, message, None, Some(nearest));
    }

    pub fn fault(&self, at: usize, place: &str, fault: Fault) {
        self.cured(at, format!("{place}: {}", fault.message), fault.cure);
    }

    pub fn warn(&self, at: usize, message: impl Into<String>) {
        let (line, _) = self.lines.place(at);
        self.warnings.borrow_mut().push(format!("line {line}: {}", message.into()));
    }

    pub fn line(&self, at: usize) -> usize {
        self.lines.place(at).0
    }

    pub fn is_clean(&self) -> bool {
        self.problems.borrow().is_empty()
    }

    pub fn record(&self, path: &str, value: String, unit: &'static str, at: Option<usize>) {
        if !self.quiet.get() {
            let line = at.map(|at| self.line(at));
            let parameter = Parameter { path: path.to_owned(), value, unit, line };
            self.parameters.borrow_mut().push(parameter);
        }
    }

    /// Reads without recording parameters.
    pub fn quietly<T>(&self, read: impl FnOnce() -> T) -> T {
        let before = self.quiet.replace(true);
        let result = read();
        self.quiet.set(before);
        result
    }

    pub fn into_found(self) -> (Vec<Problem>, Vec<Parameter>, Vec<String>, Pools) {
        (
            self.problems.into_inner(),
            self.parameters.into_inner(),
            self.warnings.into_inner(),
            self.pools.into_inner(),
        )
    }

    fn put(&self, at: usize, message: String, cure: Option<String>, nearest: Option<String>) {
        let (line, column) = self.lines.place(at);
        let file = self.file.to_owned();
        // What the file holds is shown; it must not steer the terminal.
        let message = message.replace(char::is_control, "?");
        self.problems.borrow_mut().push(Problem { file, line, column, message, cure, nearest });
    }
}
