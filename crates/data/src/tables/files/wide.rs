//! [`Wide`]: one row for each trial, input and stream, with everything that is known beside it: the
//! levels of factors also as numbers, what was answered about trial and person, the verdicts, and all
//! measures of the whole trial. Programs for statistics open it without a recipe.

use super::trials::{about_rest, headings_of_rest, put_rows};
use super::which::{about_which, which};
use crate::tables::cells::{end, heading, number, prefix, text};
use crate::tables::columns::described;
use crate::tables::quantity::{Quantity, quantities};
use crate::tables::source::{Source, SourceTable, participant_id};
use crate::tables::{Analysis, Sources, TablesError, TrialRow, is_own_column};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};

/// What stands in a row before verdicts and measures.
pub(super) struct Wide<'a> {
    sources: &'a Sources,
    quantities: Vec<Quantity>,
    /// Of trials, and of people.
    beside: [Beside; 2],
}

impl Wide<'_> {
    /// # Errors
    /// [`TablesError`] where a table of the dataset cannot be read.
    pub fn of(sources: &Sources) -> Result<Wide<'_>, TablesError> {
        let beside = [of_trials(sources)?, of_people(sources)?];
        Ok(Wide { sources, quantities: of_sources(sources), beside })
    }

    /// Its columns.
    fn headings(&self) -> impl Iterator<Item = String> {
        let own = self.quantities.iter().map(|quantity| quantity.column.clone());
        let beside = self.beside.iter().flat_map(|beside| beside.columns.clone());
        which(self.sources).into_iter().chain(own).chain(beside)
    }

    fn put(&self, out: &mut Vec<u8>, source: &Source) {
        out.extend_from_slice(&prefix(source));
        let level = |quantity: &Quantity| quantity.of(source.levels[quantity.factor].as_deref());
        self.quantities.iter().for_each(|quantity| number(out, level(quantity)));
        self.beside.iter().for_each(|beside| beside.put(out, source));
    }

    /// A row for each trial of the dataset.
    pub fn rows_of_trials(&self) -> Vec<u8> {
        let mut out = Vec::new();
        heading(&mut out, self.headings());
        for source in &self.sources.trials {
            self.put(&mut out, source);
            end(&mut out);
        }
        out
    }

    /// The whole table: a row for each trial, input and stream.
    ///
    /// # Errors
    /// What the file refuses.
    pub fn write(&self, file: &mut File, analysis: &Analysis) -> io::Result<()> {
        let mut out = Vec::new();
        heading(&mut out, self.headings().chain(headings_of_rest()));
        file.write_all(&out)?;
        put_rows(file, &whole(analysis), analysis, |out, source| {
            self.put(out, &self.sources.trials[source]);
        })
    }

    /// What its columns hold.
    pub fn about(&self) -> Value {
        let mut about = about_which(self.sources);
        about.extend(self.quantities.iter().map(|quantity| {
            let what =
                format!("The factor `{}` as a number.", self.sources.factors[quantity.factor]);
            (quantity.column.clone(), described(&what, quantity.unit()))
        }));
        self.beside.iter().for_each(|beside| about.extend(beside.about.clone()));
        about.extend(about_rest());
        Value::Object(about)
    }
}

/// The rows of trials over their whole length.
pub(super) fn whole(analysis: &Analysis) -> Vec<&TrialRow> {
    analysis.rows.iter().filter(|row| row.stretch.is_none()).collect()
}

/// The factors that are numbers.
fn of_sources(sources: &Sources) -> Vec<Quantity> {
    let levels = sources.levels();
    quantities(&sources.factors, |factor| levels[factor].iter().copied())
}

/// Cells of other tables of the dataset that belong to trials.
struct Beside {
    /// The tables, in words.
    from: &'static str,
    /// What they are found by.
    key: fn(&Source) -> Option<String>,
    columns: Vec<String>,
    rows: HashMap<String, Vec<Option<String>>>,
    about: Map<String, Value>,
}

impl Beside {
    fn none(from: &'static str, key: fn(&Source) -> Option<String>) -> Beside {
        Beside { from, key, columns: Vec::new(), rows: HashMap::new(), about: Map::new() }
    }

    fn put(&self, out: &mut Vec<u8>, source: &Source) {
        let row = (self.key)(source).and_then(|key| self.rows.get(&key));
        for place in 0..self.columns.len() {
            text(out, row.and_then(|row| row.get(place)?.as_deref()));
        }
    }

    /// Adds the cells of a table whose rows are known by this column.
    fn take(&mut self, table: &SourceTable, by: &str, known: &[String]) -> Result<(), TablesError> {
        let by = table.column(by)?;
        let wanted = |name: &&String| !is_own_column(name) && !known.contains(name);
        let of: Vec<(usize, usize)> = table
            .columns
            .iter()
            .enumerate()
            .filter(|(_, name)| wanted(name))
            .map(|(from, name)| (from, self.place(name)))
            .collect();
        self.describe(table);
        for row in &table.rows {
            let Some(key) = &row[by] else { continue };
            let mut cells = vec![None; self.columns.len()];
            of.iter().for_each(|(from, to)| cells[*to].clone_from(&row[*from]));
            self.rows.insert(key.clone(), cells);
        }
        Ok(())
    }

    /// The place of a column; a new one comes behind the others.
    fn place(&mut self, name: &str) -> usize {
        self.columns.iter().position(|column| column == name).unwrap_or_else(|| {
            self.columns.push(name.to_owned());
            self.columns.len() - 1
        })
    }

    /// What the file beside a table says of the columns. Who has none goes without.
    fn describe(&mut self, table: &SourceTable) {
        let text = chronotap_core::files::read_to_string(&table.path.with_extension("json"));
        let all: Map<String, Value> =
            text.ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        for name in &self.columns {
            let about = all.get(name).cloned();
            let about = about.unwrap_or_else(|| described(&format!("As in {}.", self.from), ""));
            self.about.entry(name.clone()).or_insert(about);
        }
    }
}

/// What the tables of trials have beside place and factors: answers, staircases, time, marks.
fn of_trials(sources: &Sources) -> Result<Beside, TablesError> {
    let key = |source: &Source| Some(source.shown.clone());
    let mut beside = Beside::none("the table of trials (sub-*_beh.tsv)", key);
    let known: Vec<String> = sources.factors.iter().cloned().chain(["seed".to_owned()]).collect();
    for table in sources.tables_of_trials()? {
        beside.take(&table, "events_file", &known)?;
    }
    Ok(beside)
}

/// What the table of participants has beside the factors between them: what was answered about them.
fn of_people(sources: &Sources) -> Result<Beside, TablesError> {
    let key = |source: &Source| source.participant_id();
    let mut beside = Beside::none("participants.tsv", key);
    let known = ["k", "withdrawn", "attrition", "excluded"].map(str::to_owned);
    let known: Vec<String> = sources.factors.iter().cloned().chain(known).collect();
    if let Some(table) = sources.people()? {
        beside.take(&table, "participant_id", &known)?;
    }
    let rows = std::mem::take(&mut beside.rows);
    beside.rows = rows.into_iter().map(|(label, row)| (participant_id(&label), row)).collect();
    Ok(beside)
}
