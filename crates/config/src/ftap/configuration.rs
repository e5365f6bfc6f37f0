//! [`Configuration`]: all that a file says, each with its line, and what came to light while
//! it was read: mistakes, notes, and lines that are kept as they stand.

use crate::ftap::BOM;
use crate::ftap::answers::Drawn;
use crate::ftap::fault::{FtapFault, Mistake, WayOut};
use crate::ftap::keywords::{self, PARAMETERS, Parameter, SPLIT_POINT, TRIGGER};
use crate::ftap::readings::{BAD_TRIGGER, RANDOM, REPEATED, Readings, SPLIT};
use crate::ftap::remark::{Note, Remark};
use crate::ftap::statement::{Statement, statement};
use crate::ftap::trigger::{Change, Trigger};
use crate::ftap::without::{PITCH_MODE, SPLIT_LINES, part_of, part_of_mode};
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
    /// Texts that go into the data.
    pub texts_kept: Vec<Placed<String>>,
    /// What random delays are drawn from, in ms.
    pub table: Option<Placed<Vec<i64>>>,
    name: &'r str,
    texts: BTreeMap<usize, String>,
    integers: BTreeMap<&'static str, Placed<i64>>,
    arrays: BTreeMap<&'static str, Placed<Vec<i64>>>,
    notes: RefCell<Vec<Note>>,
    mistakes: RefCell<Vec<Mistake>>,
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
            texts_kept: Vec::new(),
            table: None,
            texts: BTreeMap::new(),
            integers: BTreeMap::new(),
            arrays: BTreeMap::new(),
            notes: RefCell::default(),
            mistakes: RefCell::default(),
            used: RefCell::default(),
            assumed: RefCell::default(),
        };
        let mut ids = BTreeSet::new();
        for (index, words) in text.trim_start_matches(BOM).lines().enumerate() {
            let words = words.trim();
            if !words.is_empty() {
                read.take(index + 1, words, &mut ids);
            }
        }
        read
    }

    fn take(&mut self, line: usize, words: &str, ids: &mut BTreeSet<String>) {
        self.texts.insert(line, tidy(words));
        match statement(words, self.readings) {
            Ok(Statement::Integer(parameter, value)) => {
                let Some(value) = self.admit(line, parameter, value) else { return };
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
                self.take_trigger(line, trigger);
            }
            Ok(Statement::Trigger(trigger)) => {
                self.wrong_trigger(line, FtapFault::SecondId { id: trigger.id });
            }
            Ok(Statement::Table(values)) => self.take_table(line, values),
            Ok(Statement::Text) => {
                let is = self.text(line);
                self.texts_kept.push(Placed { line, is });
            }
            Ok(Statement::Comment) => self.keep(line),
            Err(fault @ (FtapFault::NoKeyword { .. } | FtapFault::NoParameter { .. })) => {
                self.strange(line, fault);
            }
            Err(fault) if words.starts_with(TRIGGER) => self.wrong_trigger(line, fault),
            Err(fault) => self.problem(line, fault),
        }
    }

    fn take_trigger(&mut self, line: usize, mut trigger: Trigger) {
        if let Change::Set(parameter, value) = trigger.change {
            let Some(value) = self.admit(line, parameter, value) else { return };
            trigger.change = Change::Set(parameter, value);
        }
        self.triggers.push(Placed { line, is: trigger });
    }

    /// The value of a parameter as it is acted on; `None` where the line is dropped or refused.
    fn admit(&mut self, line: usize, parameter: &Parameter, value: i64) -> Option<i64> {
        if parameter.name == SPLIT_POINT && self.readings.drops(SPLIT_LINES) {
            self.note(line, Remark::SplitDropped { part: SPLIT_LINES, reading: SPLIT });
            self.keep(line);
            return None;
        }
        let Some(fault) = parameter.refusal(value) else { return Some(value) };
        let part = part_of_mode(parameter.name).filter(|_| value > 0);
        match part {
            Some(part) if self.readings.drops(part) => {
                self.note(line, Remark::Dropped { fault, part });
                Some(0)
            }
            Some(RANDOM) if self.readings.is_answered(RANDOM) => Some(value),
            Some(PITCH_MODE) if self.readings.pitch_map(value).is_some() => Some(value),
            _ => {
                self.mistake(line, fault, part.map(WayOut::Without));
                None
            }
        }
    }

    /// A line of a word that is not translated: dropped where the user lets it be, else refused.
    fn strange(&mut self, line: usize, fault: FtapFault) {
        let (FtapFault::NoKeyword { word, .. } | FtapFault::NoParameter { word, .. }) = &fault
        else {
            return;
        };
        let part = part_of(word);
        if !self.readings.drops(part) {
            return self.mistake(line, fault, Some(WayOut::Without(part)));
        }
        self.note(line, Remark::Dropped { fault, part });
        self.keep(line);
    }

    /// Drops the triggers that fit, with what is wrong with each.
    pub fn drop_triggers(
        &mut self,
        part: &'static str,
        why: impl Fn(&Placed<Trigger>) -> Option<FtapFault>,
    ) {
        let dropped: Vec<(usize, FtapFault)> =
            self.triggers.iter().filter_map(|t| Some((t.line, why(t)?))).collect();
        self.triggers.retain(|t| !dropped.iter().any(|(line, _)| *line == t.line));
        for (line, fault) in dropped {
            self.note(line, Remark::Dropped { fault, part });
            self.keep(line);
        }
    }

    /// Of a keyword that stands twice: whether this line of it holds.
    fn stands(&mut self, before: Option<usize>, line: usize, name: &str) -> bool {
        let Some(before) = before else { return true };
        let last = self.readings.is(REPEATED, "last");
        let (holds, other) = if last { (line, before) } else { (before, line) };
        self.note(other, Remark::Repeated { name: name.to_owned(), holds });
        self.keep(other);
        last
    }

    fn wrong_trigger(&mut self, line: usize, fault: FtapFault) {
        if self.readings.is(BAD_TRIGGER, "skip") {
            self.note(line, Remark::LeftOut(fault));
            return self.keep(line);
        }
        self.mistake(line, fault, Some(WayOut::Reading(BAD_TRIGGER, "skip")));
    }

    fn take_table(&mut self, line: usize, values: Vec<i64>) {
        let before = self.table.as_ref().map(|given| given.line);
        if self.stands(before, line, "RNG") {
            self.table = Some(Placed { line, is: values });
        }
    }

    fn text(&self, line: usize) -> String {
        self.texts.get(&line).cloned().unwrap_or_default()
    }

    fn keep(&mut self, line: usize) {
        let is = self.text(line);
        self.kept.push(Placed { line, is });
    }

    /// Something that the user should know of and that stops nothing; line 0: of the whole.
    pub fn note(&self, line: usize, remark: Remark) {
        self.notes.borrow_mut().push(Note { line, remark });
    }

    /// Something that keeps the file from being imported.
    pub fn problem(&self, line: usize, fault: FtapFault) {
        self.mistake(line, fault, None);
    }

    /// The same, with what would leave such a line out.
    pub fn mistake(&self, line: usize, fault: FtapFault, way_out: Option<WayOut>) {
        let file = self.name.to_owned();
        self.mistakes.borrow_mut().push(Mistake { file, line, fault, way_out });
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
        if value.is_none() && !self.is_refused(name) {
            self.problem(line, FtapFault::Needs { what: what.to_owned(), name });
        }
        value
    }

    /// Whether a line of this keyword was refused, which is told then.
    fn is_refused(&self, name: &str) -> bool {
        let mistakes = self.mistakes.borrow();
        let mut lines = mistakes.iter().filter_map(|mistake| self.texts.get(&mistake.line));
        lines.any(|line| line.split_whitespace().next() == Some(name))
    }

    /// Whether no line was refused so far.
    pub fn is_understood(&self) -> bool {
        self.mistakes.borrow().is_empty()
    }

    /// The values of an array.
    pub fn array(&self, name: &str) -> Option<&[i64]> {
        self.arrays.get(name).map(|given| &given.is[..])
    }

    /// What a random delay is drawn from, as a trial file says it.
    pub fn drawn(&self) -> String {
        match self.readings.drawn() {
            Some(Drawn::Between(from, to)) => {
                format!("{{ uniform = [\"{from} ms\", \"{to} ms\"] }}")
            }
            Some(Drawn::Table(word, way)) => {
                let Some(table) = &self.table else {
                    self.problem(0, FtapFault::NoTable { word });
                    return String::new();
                };
                let times: Vec<String> = table.is.iter().map(|ms| format!("\"{ms} ms\"")).collect();
                format!("{{ {way} = [{}] }}", times.join(", "))
            }
            None => String::new(),
        }
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
    pub fn found(self) -> (Vec<Mistake>, Vec<Note>) {
        let mut notes = self.notes.into_inner();
        notes.sort_by_key(|note| note.line);
        (self.mistakes.into_inner(), notes)
    }
}

/// A line as it may stand in a comment: one blank between words, nothing that is no text.
fn tidy(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let shown =
        |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    words.join(" ").chars().map(shown).collect()
}
