//! [`Configuration`]: all that a file says, each with its line, and what came to light while
//! it was read: mistakes, notes, and lines that are kept as they stand.

use crate::fault::Fault;
use crate::keywords::{self, PARAMETERS, TRIGGER};
use crate::readings::{BAD_TRIGGER, REPEATED, Readings};
use crate::statement::{Statement, statement};
use crate::trigger::Trigger;
use chronotap_experiment::Problem;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Something and the line it stands on, from 1.
#[derive(Clone, Debug)]
pub(crate) struct Placed<T> {
    pub line: usize,
    pub is: T,
}

/// A trigger and its index among all.
pub(crate) type Setter<'c> = (usize, &'c Placed<Trigger>);

/// A file that was read.
pub(crate) struct Configuration<'r> {
    pub readings: &'r Readings,
    pub triggers: Vec<Placed<Trigger>>,
    /// Lines that are not acted on, as they stand.
    pub kept: Vec<Placed<String>>,
    name: &'r str,
    texts: BTreeMap<usize, String>,
    integers: BTreeMap<&'static str, Placed<i64>>,
    arrays: BTreeMap<&'static str, Placed<Vec<i64>>>,
    notes: RefCell<Vec<(usize, String)>>,
    problems: RefCell<Vec<Problem>>,
    used: RefCell<BTreeSet<usize>>,
    assumed: RefCell<BTreeSet<&'static str>>,
}

impl<'r> Configuration<'r> {
    /// Reads every line of a file called `name`.
    pub fn read(text: &str, name: &'r str, readings: &'r Readings) -> Configuration<'r> {
        readings.begin();
        let mut read = Configuration {
            readings,
            name,
            triggers: Vec::new(),
            kept: Vec::new(),
            texts: BTreeMap::new(),
            integers: BTreeMap::new(),
            arrays: BTreeMap::new(),
            notes: RefCell::default(),
            problems: RefCell::default(),
            used: RefCell::default(),
            assumed: RefCell::default(),
        };
        let mut ids = BTreeSet::new();
        for (index, words) in text.lines().enumerate() {
            let words = words.trim();
            if !words.is_empty() {
                read.take(index + 1, words, &mut ids);
            }
        }
        read
    }

    fn take(&mut self, line: usize, words: &str, ids: &mut BTreeSet<String>) {
        self.texts.insert(line, tidy(words));
        match statement(words) {
            Ok(Statement::Integer(parameter, value)) => {
                let before = self.integers.get(parameter.name).map(|given| given.line);
                if self.stands(before, line, parameter.name) {
                    self.integers.insert(parameter.name, Placed { line, is: value });
                }
            }
            Ok(Statement::Array(name, values)) => {
                let before = self.arrays.get(name).map(|given| given.line);
                if self.stands(before, line, name) {
                    self.arrays.insert(name, Placed { line, is: values });
                }
            }
            Ok(Statement::Trigger(trigger)) if ids.insert(trigger.id.clone()) => {
                self.triggers.push(Placed { line, is: trigger });
            }
            Ok(Statement::Trigger(trigger)) => {
                let message = format!("a TRIGGER before has the id {} too", trigger.id);
                self.wrong_trigger(line, Fault::new(message, "give each its own id"));
            }
            Ok(Statement::Kept(why)) => {
                why.into_iter().for_each(|why| self.note(line, why));
                self.keep(line);
            }
            Err(fault) if words.starts_with(TRIGGER) => self.wrong_trigger(line, fault),
            Err(fault) => self.problem(line, fault),
        }
    }

    /// Of a keyword that stands twice: whether this line of it holds.
    fn stands(&mut self, before: Option<usize>, line: usize, name: &str) -> bool {
        let Some(before) = before else { return true };
        let last = self.readings.is(REPEATED, "last");
        let (holds, other) = if last { (line, before) } else { (before, line) };
        self.note(other, format!("{name} stands on line {holds} too, and that line holds"));
        self.keep(other);
        last
    }

    fn wrong_trigger(&mut self, line: usize, fault: Fault) {
        if self.readings.is(BAD_TRIGGER, "skip") {
            self.note(line, format!("left out: {}", fault.message));
            return self.keep(line);
        }
        let cure =
            format!("{}, or leave such lines out with --reading {BAD_TRIGGER}=skip", fault.cure);
        self.problem(line, Fault { cure, ..fault });
    }

    fn keep(&mut self, line: usize) {
        let is = self.texts.get(&line).cloned().unwrap_or_default();
        self.kept.push(Placed { line, is });
    }

    /// Something that the user should know of and that stops nothing; line 0: of the whole.
    pub fn note(&self, line: usize, text: impl Into<String>) {
        self.notes.borrow_mut().push((line, text.into()));
    }

    /// Something that keeps the file from being imported.
    pub fn problem(&self, line: usize, fault: Fault) {
        let Fault { message, cure, near } = fault;
        let (file, column) = (self.name.to_owned(), usize::from(line > 0));
        let (cure, nearest) = (Some(cure), near);
        self.problems.borrow_mut().push(Problem { file, line, column, message, cure, nearest });
    }

    /// The value of an integer parameter: of the file, else of the user, else what is read
    /// where there is none.
    pub fn value(&self, name: &str) -> Option<i64> {
        let parameter = keywords::parameter(name)?;
        let given = self.integers.get(parameter.name).map(|given| given.is);
        given.or_else(|| self.readings.value(parameter.name)).or(parameter.unset)
    }

    /// The same where the trial needs it for what stands on `line`; a mistake if there is none.
    pub fn needed(&self, name: &'static str, line: usize, what: &str) -> Option<i64> {
        let value = self.value(name);
        if value.is_none() {
            let message = format!("{what} needs {name}, which is not in the file");
            let cure = format!("add a line {name}, or give its value with --reading {name}=NUMBER");
            self.problem(line, Fault::new(message, cure));
        }
        value
    }

    /// The values of an array.
    pub fn array(&self, name: &str) -> Option<&[i64]> {
        self.arrays.get(name).map(|given| &given.is[..])
    }

    /// The triggers that set a parameter, in file order.
    pub fn setters(&self, name: &str) -> Vec<Setter<'_>> {
        let sets = |t: &Trigger| t.sets().is_some_and(|(parameter, _)| parameter.name == name);
        self.triggers.iter().enumerate().filter(|(_, trigger)| sets(&trigger.is)).collect()
    }

    /// Whether the file or the user gives this parameter, or a trigger sets it.
    pub fn speaks_of(&self, fits: impl Fn(&str) -> bool) -> bool {
        let set = self.triggers.iter().filter_map(|trigger| trigger.is.sets());
        let given = self.integers.keys().copied().chain(self.readings.values());
        given.chain(set.map(|(parameter, _)| parameter.name)).any(fits)
    }

    /// The line of a parameter; that of its first trigger where it has none; else 0.
    pub fn line(&self, name: &str) -> usize {
        let set = || self.setters(name).first().map_or(0, |(_, trigger)| trigger.line);
        self.integers.get(name).map_or_else(set, |given| given.line)
    }

    /// Where a value comes from, for a comment; its line then counts as used.
    pub fn source(&self, name: &'static str) -> String {
        let line = self.integers.get(name).map(|given| given.line);
        if let Some(line) = line.or_else(|| self.arrays.get(name).map(|given| given.line)) {
            return self.of_line(line);
        }
        match self.readings.value(name) {
            Some(value) => format!("--reading {name}={value}"),
            None => {
                self.assumed.borrow_mut().insert(name);
                format!("{name} is not in the file")
            }
        }
    }

    /// A line for a comment, which then counts as used.
    pub fn of_line(&self, line: usize) -> String {
        self.used.borrow_mut().insert(line);
        let text: String = self.texts.get(&line).map(String::as_str).unwrap_or_default().into();
        format!("line {line}: {text}")
    }

    /// Lines of known keywords that nothing has made use of.
    pub fn unused(&self) -> Vec<String> {
        let used = self.used.borrow();
        let integers = self.integers.values().map(|given| given.line);
        let arrays = self.arrays.values().map(|given| given.line);
        let mut lines: Vec<usize> = integers.chain(arrays).filter(|l| !used.contains(l)).collect();
        lines.sort_unstable();
        drop(used);
        lines.into_iter().map(|line| self.of_line(line)).collect()
    }

    /// Parameters that the file does not give and that were read all the same, as `NAME VALUE`.
    pub fn assumed(&self) -> Vec<String> {
        let assumed = self.assumed.borrow();
        let of = |parameter: &&keywords::Parameter| assumed.contains(parameter.name);
        let said = |parameter: &keywords::Parameter| {
            format!("{} {}", parameter.name, parameter.unset.unwrap_or_default())
        };
        PARAMETERS.iter().filter(of).map(said).collect()
    }

    /// What was found: the mistakes, and the notes in the order of their lines.
    pub fn found(self) -> (Vec<Problem>, Vec<String>) {
        let mut notes = self.notes.into_inner();
        notes.sort_by_key(|(line, _)| *line);
        let said = |(line, text): (usize, String)| match line {
            0 => text,
            line => format!("line {line}: {text}"),
        };
        (self.problems.into_inner(), notes.into_iter().map(said).collect())
    }
}

/// A line as it may stand in a comment: one blank between words, nothing that is no text.
fn tidy(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let shown =
        |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    words.join(" ").chars().map(shown).collect()
}
