//! [`Mistakes`] of all the files of an experiment, and [`Page`]: one file, in which a
//! place is a line. All mistakes are collected before any is told.

use chronotap_experiment::reading::Fault;
use chronotap_experiment::{Problem, Problems};
use chronotap_text::{Lines, nearest};
use std::cell::RefCell;

/// What was found so far, in whatever file.
#[derive(Default)]
pub(crate) struct Mistakes {
    found: RefCell<Vec<Problem>>,
    warnings: RefCell<Vec<String>>,
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
    pub fn into_warnings(self) -> Result<Vec<String>, Problems> {
        let found = self.found.into_inner();
        if found.is_empty() {
            return Ok(self.warnings.into_inner());
        }
        Err(Problems::new(found))
    }
}

/// One file and where its lines are.
pub(crate) struct Page<'p> {
    /// The file as it was named.
    pub file: &'p str,
    text: &'p str,
    lines: Lines<'p>,
    mistakes: &'p Mistakes,
}

impl<'p> Page<'p> {
    /// The page of a file with this text.
    pub fn new(mistakes: &'p Mistakes, file: &'p str, text: &'p str) -> Page<'p> {
        Page { file, text, lines: Lines::new(text), mistakes }
    }

    /// The page of another file, whose mistakes are told together with those of this one.
    pub fn beside<'q>(&self, file: &'q str, text: &'q str) -> Page<'q>
    where
        'p: 'q,
    {
        Page { file, text, lines: Lines::new(text), mistakes: self.mistakes }
    }

    /// Notes a mistake at a byte of the file, and what to write instead.
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
            (Some(_), _) => None,
            (None, 0) => Some("none is declared".to_owned()),
            _ => Some(format!("known here: {}", names.join(", "))),
        };
        self.put(at, message.into(), cure, near);
    }

    /// A fault of a quantity.
    pub fn fault(&self, at: usize, place: &str, fault: Fault) {
        self.cured(at, format!("{place}: {}", fault.message), fault.cure);
    }

    /// A doubt that keeps nothing from running.
    pub fn warn(&self, at: usize, message: impl Into<String>) {
        let said = format!("line {}: {}", self.line(at), message.into());
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

    /// Notes a mistake of another file that was found by its own checks.
    pub fn put_own(&self, problem: Problem) {
        self.mistakes.put(problem);
    }

    fn put(&self, at: usize, message: String, cure: Option<String>, nearest: Option<String>) {
        let (line, column) = self.lines.place(at);
        // What the file holds is shown; it must not steer the terminal.
        let message = message.replace(char::is_control, "?");
        let file = self.file.to_owned();
        self.mistakes.put(Problem { file, line, column, message, cure, nearest });
    }
}
