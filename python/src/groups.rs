//! [`Grouped`]: values of many groups as they come from Python, [`Sorted`] by group. What is made
//! of them is not known here.

use chronotap_core::time::Nanos;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::borrow::Cow;

/// The longest time that is taken, in ms: about 104 days, exact to the nanosecond.
const LONGEST_MS: f64 = 9e9;

/// The greatest number in any unit: the squares of squares that statistics are made of stay finite.
const GREATEST: f64 = 1e75;

/// Times in ms, to the nanosecond.
pub fn times(ms: &[f64]) -> Vec<Nanos> {
    ms.iter().map(|ms| Nanos::round_from_f64(ms * 1e6)).collect()
}

/// Values, and for each the number of its group, from 0.
#[derive(FromPyObject)]
pub struct Grouped<'py> {
    #[pyo3(item(0))]
    values: PyReadonlyArray1<'py, f64>,
    #[pyo3(item(1))]
    codes: PyReadonlyArray1<'py, i64>,
    #[pyo3(item(2))]
    groups: usize,
}

impl<'py> Grouped<'py> {
    /// What can be taken where there is no interpreter.
    pub fn given(&self) -> PyResult<Given<'_>> {
        let (values, codes) = (self.values.as_slice()?, self.codes.as_slice()?);
        Ok(Given { values, codes, groups: self.groups })
    }
}

/// The same without the interpreter.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    values: &'a [f64],
    codes: &'a [i64],
    /// How many groups there are.
    pub groups: usize,
}

/// Of each group what belongs to it, by the number of the group of each. `what` names one of them.
pub fn by_code<T>(
    what: &str,
    all: impl IntoIterator<Item = T>,
    codes: &[i64],
    groups: usize,
) -> PyResult<Vec<Vec<T>>> {
    let mut by_group: Vec<Vec<T>> = (0..groups).map(|_| Vec::new()).collect();
    for (place, (one, code)) in all.into_iter().zip(codes).enumerate() {
        let group = usize::try_from(*code).ok().and_then(|code| by_group.get_mut(code));
        let missing = || format!("{what} {place} has no group: leave it out first");
        group.ok_or_else(|| PyValueError::new_err(missing()))?.push(one);
    }
    Ok(by_group)
}

/// What a value that is NaN means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// A mistake.
    Refused,
    /// A mistake, among values that need not be times or angles.
    AnyUnit,
    /// A mistake, as is a value that is less than the one before it in its group.
    Ascending,
    /// That nothing came there.
    Meant,
    /// The same among values that need not be times or angles.
    MeantInAnyUnit,
}

/// The values in the order of their groups, within each in the order in which they came.
pub struct Sorted<'a> {
    /// Where each group begins, with the end behind the last.
    starts: Vec<usize>,
    values: Cow<'a, [f64]>,
}

impl Sorted<'_> {
    /// The values of a group.
    pub fn of(&self, group: usize) -> &[f64] {
        &self.values[self.starts[group]..self.starts[group + 1]]
    }

    fn ascending(&self) -> Result<(), String> {
        let groups = self.starts.windows(2).map(|ends| &self.values[ends[0]..ends[1]]);
        let back =
            |group: &[f64]| group.windows(2).find(|pair| pair[1] < pair[0]).map(|p| (p[0], p[1]));
        let Some((before, after)) = groups.into_iter().find_map(back) else { return Ok(()) };
        Err(format!("{after} comes behind {before}: give onsets in ascending order"))
    }
}

impl<'a> Given<'a> {
    /// Sorts by group. Rows of a frame mostly stand so already; then nothing is copied.
    pub fn sorted(&self, missing: Missing) -> Result<Sorted<'a>, String> {
        self.checked(missing)?;
        let starts = self.starts()?;
        let sorted = Sorted { values: self.in_order(&starts), starts };
        if missing == Missing::Ascending {
            sorted.ascending()?;
        }
        Ok(sorted)
    }

    fn in_order(&self, starts: &[usize]) -> Cow<'a, [f64]> {
        let Given { values, codes, .. } = *self;
        if codes.is_sorted() {
            return Cow::Borrowed(values);
        }
        let (mut next, mut sorted) = (starts.to_vec(), vec![0.0; values.len()]);
        for (value, code) in values.iter().zip(codes) {
            let next = &mut next[*code as usize];
            sorted[*next] = *value;
            *next += 1;
        }
        Cow::Owned(sorted)
    }

    fn checked(&self, missing: Missing) -> Result<(), String> {
        let (n, m) = (self.values.len(), self.codes.len());
        if n != m {
            return Err(format!("{n} values and {m} groups: give one group for each value"));
        }
        let any_unit = matches!(missing, Missing::AnyUnit | Missing::MeantInAnyUnit);
        let most = if any_unit { GREATEST } else { LONGEST_MS };
        let wrong = |value: &f64| match value.is_nan() {
            true => !matches!(missing, Missing::Meant | Missing::MeantInAnyUnit),
            false => value.abs() > most,
        };
        let Some(place) = self.values.iter().position(wrong) else { return Ok(()) };
        let value = self.values[place];
        Err(match value.is_finite() {
            true => format!("value {place} is {value:e}: give values of at most {most:e}"),
            false => format!("value {place} is {value}: leave missing values out first"),
        })
    }

    fn starts(&self) -> Result<Vec<usize>, String> {
        let group = |code: &i64| usize::try_from(*code).ok().filter(|code| *code < self.groups);
        let mut starts = vec![0; self.groups + 1];
        for (place, code) in self.codes.iter().enumerate() {
            let missing = || format!("value {place} has no group: leave such values out first");
            starts[group(code).ok_or_else(missing)? + 1] += 1;
        }
        for place in 0..self.groups {
            starts[place + 1] += starts[place];
        }
        Ok(starts)
    }
}
