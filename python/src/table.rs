//! [`Table`]: what models say of many groups, as the columns of a frame: the cells of each row in
//! the order of its [`Field`]s. A group of which a model says nothing has a row of its own, in
//! which every cell is missing and `why_not` says why.

use crate::batches::in_batches;
use crate::columns::column;
use crate::groups::{Grouped, Missing, Sorted};
use crate::statistics::Rows;
use crate::words::Words;
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::no_estimate::NoEstimate;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::convert::Infallible;

/// So many groups are worked on at a time by a processor.
const BATCH: usize = 16;

/// One result of a model.
#[derive(Clone, Copy)]
pub enum Field<'a> {
    /// A number or a truth value.
    Number(&'a str),
    /// An estimate: a column for each of its parts.
    Estimate(&'a str),
    /// An estimate of which the value and the ends are told.
    Spread(&'a str),
    /// One of these words.
    Word(&'a str, &'a [&'a str]),
}

/// What follows the name of an estimate in the columns of its parts.
const PARTS: [&str; 5] = ["", "_standard_error", "_low", "_high", "_held"];

impl<'a> Field<'a> {
    fn name(self) -> &'a str {
        let (Field::Number(name)
        | Field::Estimate(name)
        | Field::Spread(name)
        | Field::Word(name, _)) = self;
        name
    }

    /// What follows the name in each column.
    fn parts(self) -> &'static [&'static str] {
        match self {
            Field::Estimate(_) => &PARTS,
            Field::Spread(_) => &["", "_low", "_high"],
            Field::Number(_) | Field::Word(..) => &[""],
        }
    }
}

/// Rows of cells.
#[derive(Default)]
pub struct Table {
    cells: Vec<f64>,
    /// For each row its group.
    groups: Vec<i64>,
    /// For each row the reason, where there is no estimate.
    why_not: Vec<Option<String>>,
}

impl Table {
    /// Appends a number.
    pub fn number(&mut self, value: f64) -> &mut Table {
        self.cells.push(value);
        self
    }

    /// Appends a count.
    pub fn count(&mut self, value: usize) -> &mut Table {
        self.number(value as f64)
    }

    /// Appends a number that may be missing.
    pub fn maybe(&mut self, value: Option<f64>) -> &mut Table {
        self.number(value.unwrap_or(f64::NAN))
    }

    /// Appends a truth value, or the place of a word.
    pub fn place(&mut self, value: impl Into<u8>) -> &mut Table {
        self.number(f64::from(value.into()))
    }

    /// Appends an estimate, with its interval where not all values are the same, and, where it is to be said, how
    /// often its interval held the truth.
    pub fn estimate(&mut self, found: Option<&Estimate>, held: Option<f64>) -> &mut Table {
        let sure = found.and_then(|e| e.ends().map(|[low, high]| [e.standard_error, low, high]));
        self.maybe(found.map(|e| e.value));
        self.cells.extend(sure.unwrap_or([f64::NAN; 3]));
        self.maybe(held.filter(|_| sure.is_some()))
    }

    /// Appends a number that may have been given and not estimated: its interval is then a point.
    pub fn given(&mut self, found: &Estimate) -> &mut Table {
        let Estimate { value, standard_error, low, high } = *found;
        self.cells.extend([value, standard_error, low, high]);
        self.maybe(None)
    }

    /// Appends the value and the ends of an estimate.
    pub fn spread(&mut self, found: Option<&Estimate>) -> &mut Table {
        self.maybe(found.map(|e| e.value));
        self.cells.extend(found.and_then(Estimate::ends).unwrap_or([f64::NAN; 2]));
        self
    }

    /// Ends the rows of a group that began behind `before` cells.
    fn end(&mut self, group: usize, before: usize, width: usize, found: Result<(), NoEstimate>) {
        let why_not = found.err().map(|why| why.to_string());
        if why_not.is_some() {
            self.cells.truncate(before);
            self.cells.resize(before + width, f64::NAN);
        }
        let rows = (self.cells.len() - before) / width;
        self.groups.extend(std::iter::repeat_n(group as i64, rows));
        self.why_not.resize(self.why_not.len() + rows, why_not);
    }

    fn append(&mut self, other: Table) {
        self.cells.extend(other.cells);
        self.groups.extend(other.groups);
        self.why_not.extend(other.why_not);
    }

    /// The number of each row's group, the fields, and the reasons.
    fn into_python<'py>(self, py: Python<'py>, fields: &[Field<'_>]) -> Rows<'py> {
        let list = PyList::empty(py);
        list.append(column(py, "group", self.groups, None, None)?)?;
        let parts =
            fields.iter().flat_map(|field| field.parts().iter().map(|part| (*field, *part)));
        let width = width_of(fields);
        for (place, (field, part)) in parts.enumerate() {
            let cells = self.cells.iter().skip(place).step_by(width).copied();
            list.append(one(py, field, part, cells)?)?;
        }
        let mut reasons = Words::default();
        self.why_not.iter().for_each(|why| reasons.push(why.as_deref()));
        list.append(column(py, "why_not", reasons.codes, None, Some(reasons.words))?)?;
        Ok(list)
    }
}

fn width_of(fields: &[Field<'_>]) -> usize {
    fields.iter().map(|field| field.parts().len()).sum()
}

/// The column of a part of a field.
fn one<'py>(
    py: Python<'py>,
    field: Field<'_>,
    part: &str,
    cells: impl Iterator<Item = f64>,
) -> PyResult<Bound<'py, PyTuple>> {
    if let Field::Word(name, words) = field {
        let code = |cell: f64| if cell.is_nan() { -1 } else { cell as i32 };
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        return column(py, name, cells.map(code).collect::<Vec<i32>>(), None, Some(words));
    }
    column(py, &format!("{}{part}", field.name()), cells.collect(), None, None)
}

/// Calls `work` for each group, on all processors and without the interpreter.
pub fn table_of<'py>(
    py: Python<'py>,
    groups: usize,
    fields: &[Field<'_>],
    work: impl Fn(usize, &mut Table) -> Result<(), NoEstimate> + Sync,
) -> Rows<'py> {
    let width = width_of(fields);
    let part = |range: std::ops::Range<usize>| {
        let mut part = Table::default();
        for group in range {
            let before = part.cells.len();
            let found = work(group, &mut part);
            part.end(group, before, width, found);
        }
        Ok::<_, Infallible>(part)
    };
    let parts = in_batches(py, groups, BATCH, part)?;
    let mut table = Table::default();
    parts.unwrap_or_else(|never| match never {}).into_iter().for_each(|part| table.append(part));
    table.into_python(py, fields)
}

/// The same with the values of each group, of several columns.
pub fn of_groups<'py, const K: usize>(
    py: Python<'py>,
    given: [(&Grouped<'py>, Missing); K],
    fields: &[Field<'_>],
    work: impl Fn([&[f64]; K], &mut Table) -> Result<(), NoEstimate> + Sync,
) -> Rows<'py> {
    let groups = given.first().map_or(Ok(0), |(first, _)| Ok::<_, PyErr>(first.given()?.groups))?;
    let sorted = sorted_of(py, given)?;
    table_of(py, groups, fields, |group, table| {
        let values: [&[f64]; K] = std::array::from_fn(|place| sorted[place].of(group));
        work(values, table)
    })
}

/// Columns of values, each by group.
pub fn sorted_of<'a, 'py: 'a>(
    py: Python<'py>,
    given: impl IntoIterator<Item = (&'a Grouped<'py>, Missing)>,
) -> PyResult<Vec<Sorted<'a>>> {
    let one = |(of, missing): (&'a Grouped<'py>, Missing)| {
        let of = of.given()?;
        py.detach(|| of.sorted(missing)).map_err(PyValueError::new_err)
    };
    given.into_iter().map(one).collect()
}
