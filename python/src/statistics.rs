//! The statistics of the analysis crate for many groups of values at once: one call, without
//! the interpreter, on all processors. A statistic that its data cannot give is NaN here; the
//! package says so as None or as a missing cell. Statistics with an interval are in `models`
//! and `uncertain`.

use crate::batches::in_batches;
use crate::columns::column;
use crate::groups::{Grouped, Missing};
use crate::places::placed;
use chronotap_analysis::autocorrelation;
use chronotap_analysis::circular;
use chronotap_analysis::fluctuation;
use chronotap_analysis::intervals::Placed;
use chronotap_analysis::lateness;
use chronotap_analysis::series::Series;
use chronotap_analysis::statistics::{Material, Needs, Statistic, columns, tables};
use chronotap_analysis::wing_kristofferson::{
    self, Detrended, estimate_placed, estimate_with_slips,
};
use chronotap_core::time::Nanos;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::collections::HashMap;
use std::convert::Infallible;

/// So many groups are worked on at a time by a processor.
const BATCH: usize = 256;

/// The columns of a table with one row for each group.
pub type Rows<'py> = PyResult<Bound<'py, PyList>>;

/// Whole numbers as groups: for each the number of its group, from 0 in the order in which they
/// first come, and the place at which each group first comes. Rows of one group mostly stand
/// together, so that a number is looked up only where it changes.
#[pyfunction]
pub fn groups_of<'py>(
    py: Python<'py>,
    labels: PyReadonlyArray1<'py, i64>,
) -> PyResult<[Bound<'py, PyArray1<i64>>; 2]> {
    let labels = labels.as_slice()?;
    let (codes, firsts) = py.detach(|| {
        let (mut known, mut firsts) = (HashMap::new(), Vec::new());
        let (mut last, mut code) = (None, 0);
        let of = |(place, label): (usize, &i64)| {
            if last != Some(*label) {
                last = Some(*label);
                code = *known.entry(*label).or_insert_with(|| {
                    firsts.push(place as i64);
                    firsts.len() as i64 - 1
                });
            }
            code
        };
        let codes: Vec<i64> = labels.iter().enumerate().map(of).collect();
        (codes, firsts)
    });
    Ok([codes.into_pyarray(py), firsts.into_pyarray(py)])
}

/// Asynchronies in ms, described.
#[pyfunction]
pub fn asynchronies<'py>(py: Python<'py>, values: Grouped<'py>) -> Rows<'py> {
    described(py, &values, |of| matches!(of, Needs::Asynchronies(..)))
}

/// Inter-tap intervals in ms, described.
#[pyfunction]
pub fn intervals_of<'py>(py: Python<'py>, values: Grouped<'py>) -> Rows<'py> {
    described(py, &values, |of| matches!(of, Needs::Intervals(..)))
}

/// What is known of one statistic: its name, the heading of its column, what it is of, whether it has
/// an interval, the least and greatest that there can be, what it is, who defined it.
type Known = (&'static str, String, &'static str, bool, [f64; 2], &'static str, &'static str);

/// Every statistic once, in the order of tables.
#[pyfunction]
pub fn statistics_known() -> Vec<Known> {
    let known = |of: &'static Statistic| {
        let range = [of.range.least, of.range.most];
        (of.name, of.column(), of.needs.word(), of.is_estimated(), range, of.about, of.source)
    };
    all().map(known).collect()
}

fn all() -> impl Iterator<Item = &'static Statistic> {
    let only_summary = columns().iter().filter(|one| !tables().contains(one));
    tables().iter().chain(only_summary).copied()
}

/// How many values there are, and then the statistics that need this, as Python calls them.
fn described<'py>(py: Python<'py>, values: &Grouped<'py>, needs: fn(&Needs) -> bool) -> Rows<'py> {
    let named = |of: &'static Statistic| Some((of.key?, of));
    let wanted = all().filter(|of| needs(&of.needs));
    let (keys, all): (Vec<&str>, Vec<&Statistic>) = wanted.filter_map(named).unzip();
    let names = [&["n"][..], &keys].concat();
    of_times(py, values, &names, |placed, row| {
        row.push(placed.len() as f64);
        let series = Series::of(placed);
        // Each of them needs one of the two.
        let material = Material {
            intervals: Some((&series, None)),
            asynchronies: Some((&series, None)),
            ..Material::default()
        };
        row.extend(all.iter().map(|of| maybe(material.measure(of).value)));
    })
}

/// Clock and motor variance of intervals in ms.
#[pyfunction]
pub fn clock_and_motor<'py>(
    py: Python<'py>,
    values: Grouped<'py>,
    leave_out_slips: bool,
) -> Rows<'py> {
    let names = [
        "n",
        "excluded",
        "pairs",
        "r1",
        "clock_ms2",
        "motor_ms2",
        "clock_unbiased_ms2",
        "motor_unbiased_ms2",
        "admissible",
        "detrended_r1",
        "detrended_clock_unbiased_ms2",
        "detrended_motor_unbiased_ms2",
        "detrended_admissible",
    ];
    let of = if leave_out_slips { estimate_placed } else { estimate_with_slips };
    of_times(py, &values, &names, |placed, row| {
        let found = of(placed);
        row.extend(found.map_or([NONE; 13], levels));
    })
}

fn levels(found: wing_kristofferson::WingKristofferson) -> [f64; 13] {
    let detrended = |of: fn(Detrended) -> f64| found.detrended.map_or(NONE, of);
    [
        found.n as f64,
        found.excluded as f64,
        found.pairs as f64,
        found.r1,
        found.clock_ms2,
        found.motor_ms2,
        found.clock_unbiased_ms2,
        found.motor_unbiased_ms2,
        truth(found.admissible),
        detrended(|d| d.r1),
        detrended(|d| d.clock_unbiased_ms2),
        detrended(|d| d.motor_unbiased_ms2),
        detrended(|d| truth(d.admissible)),
    ]
}

/// Directions in radians, described.
#[pyfunction]
pub fn directions<'py>(py: Python<'py>, values: Grouped<'py>) -> Rows<'py> {
    let names = [
        "n",
        "resultant",
        "direction_rad",
        "sd_rad",
        "deviation_rad",
        "logit",
        "rayleigh_z",
        "rayleigh_p",
    ];
    grouped(py, &values, Missing::Refused, &names, |angles, row| {
        let Some(c) = circular::describe(angles) else {
            return row.extend([0.0, NONE, NONE, NONE, NONE, NONE, NONE, NONE]);
        };
        let [z, p] = c.rayleigh.map_or([NONE; 2], |rayleigh| [rayleigh.z, rayleigh.p]);
        let (n, direction, sd) = (c.n as f64, maybe(c.direction_rad), maybe(c.sd_rad));
        row.extend([n, c.resultant, direction, sd, c.deviation_rad, maybe(c.logit()), z, p]);
    })
}

/// The autocorrelation of values at a lag.
#[pyfunction]
pub fn autocorrelations<'py>(py: Python<'py>, values: Grouped<'py>, lag: usize) -> Rows<'py> {
    grouped(py, &values, Missing::MeantInAnyUnit, &["n", "r", "band"], |values, row| {
        let n = values.iter().filter(|value| !value.is_nan()).count();
        let r = autocorrelation::autocorrelation_with_gaps(values, lag);
        row.extend([n as f64, maybe(r), maybe(autocorrelation::band(n))]);
    })
}

/// The scaling exponent of detrended fluctuation analysis.
#[pyfunction]
pub fn fluctuations<'py>(py: Python<'py>, values: Grouped<'py>) -> Rows<'py> {
    grouped(py, &values, Missing::AnyUnit, &["n", "exponent"], |values, row| {
        let exponent = fluctuation::fluctuation(values).map_or(NONE, |found| found.exponent);
        row.extend([values.len() as f64, exponent]);
    })
}

/// Lateness in µs, described; farther than `limit_us` from its deadline, early or late, is counted.
#[pyfunction]
pub fn lateness_of<'py>(py: Python<'py>, values: Grouped<'py>, limit_us: f64) -> Rows<'py> {
    let names = ["n", "mean_us", "min_us", "median_us", "p99_us", "max_us", "over_limit"];
    let limit = micros(&limit_us);
    grouped(py, &values, Missing::Refused, &names, |values, row| {
        let times: Vec<Nanos> = values.iter().map(micros).collect();
        let found = lateness::describe(&times, limit);
        row.extend(found.map_or([0.0, NONE, NONE, NONE, NONE, NONE, 0.0], |l| {
            let (n, over) = (l.n as f64, l.over_limit as f64);
            [n, l.mean_us, l.min_us, l.median_us, l.p99_us, l.max_us, over]
        }));
    })
}

/// A time in µs, to the nanosecond.
pub fn micros(us: &f64) -> Nanos {
    Nanos::round_from_f64(us * 1e3)
}

/// What stands for a statistic that the data do not give.
const NONE: f64 = f64::NAN;

fn maybe(value: Option<f64>) -> f64 {
    value.unwrap_or(NONE)
}

fn truth(value: bool) -> f64 {
    f64::from(u8::from(value))
}

/// The same of times in ms, to the nanosecond; NaN is one that is missing.
fn of_times<'py>(
    py: Python<'py>,
    values: &Grouped<'py>,
    names: &[&str],
    describe: impl Fn(&Placed, &mut Vec<f64>) + Sync,
) -> Rows<'py> {
    grouped(py, values, Missing::Meant, names, |values, row| describe(&placed(values), row))
}

/// Calls `describe` for the values of each group, in their order: it appends a cell for each name.
fn grouped<'py>(
    py: Python<'py>,
    values: &Grouped<'py>,
    missing: Missing,
    names: &[&str],
    describe: impl Fn(&[f64], &mut Vec<f64>) + Sync,
) -> Rows<'py> {
    let given = values.given()?;
    let sorted = py.detach(|| given.sorted(missing)).map_err(PyValueError::new_err)?;
    let batches = in_batches(py, given.groups, BATCH, |range| {
        let mut cells = Vec::with_capacity(range.len() * names.len());
        range.for_each(|group| describe(sorted.of(group), &mut cells));
        Ok::<_, Infallible>(cells)
    })?;
    let cells = batches.unwrap_or_else(|never| match never {}).concat();
    let list = PyList::empty(py);
    for (place, name) in names.iter().enumerate() {
        let cells = cells.iter().skip(place).step_by(names.len()).copied().collect();
        list.append(column(py, name, cells, None, None)?)?;
    }
    Ok(list)
}
