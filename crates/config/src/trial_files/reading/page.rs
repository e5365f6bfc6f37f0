//! [`Mistakes`]: all that is wrong in any of several files, collected before any of it is
//! told, so that files are mended in one go. [`Page`]: one of the files while it is read, in
//! which a place is a line; the keys it may hold; and the parameters as they were resolved.

use super::keys::Keys;
use super::problem::{Problem, Problems};
use super::quantity::QuantityFault;
use chronotap_core::text::{Lines, nearest};
use serde::Serialize;
use std::cell::{Cell, RefCell};

/// What was found so far, in whatever file.
#[derive(Debug, Default)]
pub struct Mistakes {
    found: RefCell<Vec<Problem>>,
    warnings: RefCell<Vec<String>>,
}

/// One parameter as it will hold.
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

/// One file and where its lines are.
#[derive(Debug)]
pub struct Page<'p> {
    /// The file as it was named.
    pub file: &'p str,
    /// The keys that it may hold.
    pub keys: &'p Keys,
    text: &'p str,
    lines: Lines<'p>,
    mistakes: &'p Mistakes,
    parameters: RefCell<Vec<Parameter>>,
    /// Whether it stands beside the file that was named, so that its doubts say which file they are of.
    is_beside: bool,
    /// While parameters are not recorded: that a single part is set or perturbed is none.
    quiet: Cell<bool>,
}

impl Mistakes {
    /// Notes a mistake.
    pub fn put(&self, problem: Problem) {
        self.found.borrow_mut().push(problem);
    }

    /// Whether there are none yet.
    pub fn is_clean(&self) -> bool {
        self.found.borrow().is_empty()
    }

    /// The doubts, or all the mistakes: each file's in the order of its lines, the files
    /// in the order in which a mistake was first found in them.
    ///
    /// # Errors
    /// The mistakes, if there are any.
    pub fn into_warnings(self) -> Result<Vec<String>, Problems> {
        if self.is_clean() {
            return Ok(self.warnings.into_inner());
        }
        Err(self.into_problems())
    }

    /// The mistakes, of which there must be at least one.
    pub fn into_problems(self) -> Problems {
        Problems::new(self.found.into_inner())
    }
}

impl<'p> Page<'p> {
    /// The page of a file with this text.
    pub fn new(mistakes: &'p Mistakes, keys: &'p Keys, file: &'p str, text: &'p str) -> Page<'p> {
        let (lines, parameters) = (Lines::new(text), RefCell::default());
        let (is_beside, quiet) = (false, Cell::new(true));
        Page { file, keys, text, lines, mistakes, parameters, is_beside, quiet }
    }

    /// The same, which keeps the parameters as they are resolved.
    pub fn recording(self) -> Page<'p> {
        self.quiet.set(false);
        self
    }

    /// The page of another file, whose mistakes are told together with those of this one.
    pub fn beside<'q>(&self, file: &'q str, text: &'q str) -> Page<'q>
    where
        'p: 'q,
    {
        Page { is_beside: true, ..Page::new(self.mistakes, self.keys, file, text) }
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
        if names.is_empty() && !self.mistakes.is_clean() {
            return; // the mistake is told that kept it from being declared
        }
        let near = nearest(written, names.iter().copied()).map(str::to_owned);
        let cure = match (&near, names.len()) {
            (Some(_), _) => None,
            (None, 0) => Some("none is declared".to_owned()),
            _ => Some(format!("known here: {}", names.join(", "))),
        };
        self.put(at, message.into(), cure, near);
    }

    /// A word that is near a known one.
    pub fn near(&self, at: usize, message: String, nearest: String) {
        self.put(at, message, None, Some(nearest));
    }

    /// A fault of a quantity.
    pub fn fault(&self, at: usize, place: &str, fault: QuantityFault) {
        self.cured(at, format!("{place}: {}", fault.message), fault.cure);
    }

    /// A doubt that keeps nothing from running.
    pub fn warn(&self, at: usize, message: impl Into<String>) {
        let (line, message) = (self.line(at), message.into());
        let said = match self.is_beside {
            true => format!("{}:{line}: {message}", self.file),
            false => format!("line {line}: {message}"),
        };
        self.mistakes.warnings.borrow_mut().push(said);
    }

    /// The byte at which a line begins.
    pub fn start_of(&self, line: usize) -> usize {
        let before = self.text.split_inclusive('\n').take(line.saturating_sub(1));
        before.map(str::len).sum()
    }

    /// The line of a byte, from 1.
    pub fn line(&self, at: usize) -> usize {
        self.lines.line(at)
    }

    /// Whether no mistake was found yet, in this file or one beside it.
    pub fn is_clean(&self) -> bool {
        self.mistakes.is_clean()
    }

    /// Notes a mistake of another file that was found by its own checks.
    pub fn put_own(&self, problem: Problem) {
        self.mistakes.put(problem);
    }

    /// Keeps a parameter as it was resolved; `at` is where the file gives it.
    pub fn record(&self, path: &str, value: String, unit: &'static str, at: Option<usize>) {
        if self.quiet.get() {
            return;
        }
        let line = at.map(|at| self.line(at));
        let parameter = Parameter { path: path.to_owned(), value, unit, line };
        self.parameters.borrow_mut().push(parameter);
    }

    /// Whether parameters are recorded.
    pub fn records(&self) -> bool {
        !self.quiet.get()
    }

    /// Reads without recording parameters.
    pub fn quietly<T>(&self, read: impl FnOnce() -> T) -> T {
        let before = self.quiet.replace(true);
        let result = read();
        self.quiet.set(before);
        result
    }

    /// The parameters that were recorded.
    pub fn into_parameters(self) -> Vec<Parameter> {
        self.parameters.into_inner()
    }

    fn put(&self, at: usize, message: String, cure: Option<String>, nearest: Option<String>) {
        let (line, column) = self.lines.place(at);
        // What the file holds is shown; it must not steer the terminal.
        let message = message.replace(char::is_control, "?");
        let file = self.file.to_owned();
        self.mistakes.put(Problem { file, line, column, message, cure, nearest });
    }
}
