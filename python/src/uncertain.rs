//! The statistics of runs of values with their intervals; beside each, where its interval holds
//! the truth in less than 93 % of simulated runs of this length, that share as `held`.

use crate::groups::{Grouped, Missing::AnyUnit, Missing::Meant, Missing::Refused, by_code, times};
use crate::places::{of_both, of_taps_and_pacing, placed};
use crate::statistics::Rows;
use crate::table::{Field, Table, of_groups, table_of};
use chronotap_analysis::circular::{self, mixture, of_directions};
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::fluctuation;
use chronotap_analysis::intervals::Placed;
use chronotap_analysis::no_estimate::NoEstimate;
use chronotap_analysis::reproduction::interval::of_rounds;
use chronotap_analysis::statistics::{
    CatalogueOrder, doubted, estimated_asynchronies, estimated_intervals,
    estimates_of_asynchronies, estimates_of_intervals,
};
use chronotap_analysis::uncertainty::{of_following, of_tracking};
use chronotap_analysis::wing_kristofferson::{estimate_placed, interval};
use pyo3::prelude::*;

// Each estimate, by field, and the name of its coverage.
/// Of direction.
const DIRECTION: [(&str, &str); 4] = [
    ("resultant", "resultant"),
    ("direction_rad", "direction"),
    ("sd_rad", "circular sd"),
    ("deviation_rad", "angular deviation"),
];
/// Of mixture.
const MIXTURE: [(&str, &str); 3] = [
    ("in_phase", "share in phase"),
    ("direction_rad", "direction of the mode"),
    ("concentration", "concentration"),
];
/// Of tracking.
const TRACKING: [(&str, &str); 6] = [
    ("r0", "prediction"),
    ("r1", "tracking"),
    ("ratio", "prediction over tracking"),
    ("index", "prediction less tracking"),
    ("r0_less_own", "prediction less own"),
    ("r1_less_own", "tracking less own"),
];
/// Of following.
const FOLLOWING: [(&str, &str); 3] = [
    ("first_follows", "first follows"),
    ("together", "together"),
    ("second_follows", "second follows"),
];
/// Of clock and motor, and the same without the drift.
const CLOCK_AND_MOTOR: [(&str, &str); 6] = [
    ("r1", "lag one"),
    ("clock_unbiased_ms2", "clock variance"),
    ("motor_unbiased_ms2", "motor variance"),
    ("detrended_r1", "lag one"),
    ("detrended_clock_unbiased_ms2", "detrended clock variance"),
    ("detrended_motor_unbiased_ms2", "detrended motor variance"),
];
/// Of reproduction.
const REPRODUCTION: [(&str, &str); 3] = [
    ("error_ms", "mean reproduction error"),
    ("sd_ms", "sd reproduction error"),
    ("absolute_error_ms", "mean absolute reproduction error"),
];
/// Of exponent.
const EXPONENT: [(&str, &str); 1] = [("exponent", "scaling exponent")];

/// What Python calls these statistics.
fn keys(all: CatalogueOrder) -> Vec<Field<'static>> {
    // All of them have a key: the list leaves the others out.
    all.iter().filter_map(|of| of.key).map(Field::Estimate).collect()
}

/// What a function of estimates gives: one for each statistic that it was asked for.
type Estimated = Result<Vec<Option<Estimate>>, NoEstimate>;

/// The estimates of these statistics in each group of at least one value.
fn estimated<'py>(
    py: Python<'py>,
    values: &Grouped<'py>,
    (what, all): (&'static str, CatalogueOrder),
    of: fn(&Placed, CatalogueOrder) -> Estimated,
) -> Rows<'py> {
    let fields = [&N[..], &keys(all)].concat();
    of_groups(py, [(values, Meant)], &fields, |[values], row| {
        let placed = placed(values);
        let n = placed.len();
        if n == 0 {
            return Err(nothing(what));
        }
        let found = of(&placed, all)?;
        row.count(n);
        for (of, found) in all.iter().zip(&found) {
            row.estimate(found.as_ref(), of.doubted(n));
        }
        Ok(())
    })
}

/// The estimates of a run, behind other fields.
fn fields<'a>(before: &[Field<'a>], names: &[(&'a str, &str)]) -> Vec<Field<'a>> {
    let estimates = names.iter().map(|(field, _)| Field::Estimate(field));
    before.iter().copied().chain(estimates).collect()
}

/// Appends the estimates of a run of `n` values, in the order of their names.
fn put<const N: usize>(
    row: &mut Table,
    n: usize,
    found: [Option<Estimate>; N],
    names: &[(&str, &str); N],
) {
    for (found, (_, name)) in found.iter().zip(names) {
        row.estimate(found.as_ref(), doubted(name, n));
    }
}

const N: [Field<'_>; 1] = [Field::Number("n")];

/// Asynchronies in ms.
#[pyfunction]
pub fn asynchrony_estimates_by_group<'py>(py: Python<'py>, values: Grouped<'py>) -> Rows<'py> {
    estimated(py, &values, ("asynchronies", estimated_asynchronies()), estimates_of_asynchronies)
}

/// Inter-tap intervals in ms.
#[pyfunction]
pub fn interval_estimates_by_group<'py>(py: Python<'py>, values: Grouped<'py>) -> Rows<'py> {
    estimated(py, &values, ("intervals", estimated_intervals()), estimates_of_intervals)
}

/// Directions in radians.
#[pyfunction]
pub fn direction_estimates_by_group<'py>(py: Python<'py>, angles: Grouped<'py>) -> Rows<'py> {
    of_groups(py, [(&angles, Refused)], &fields(&N, &DIRECTION), |[angles], row| {
        let described = circular::describe(angles).ok_or(nothing("taps"))?;
        let e = of_directions(angles, &described)?;
        let all = [e.resultant, e.direction_rad, e.sd_rad, e.deviation_rad];
        put(row.count(e.n), e.n, all, &DIRECTION);
        Ok(())
    })
}

/// Clock and motor variance of intervals in ms, by formula, as they are and without their drift.
#[pyfunction]
pub fn clock_and_motor_estimates_by_group<'py>(py: Python<'py>, values: Grouped<'py>) -> Rows<'py> {
    of_groups(py, [(&values, Meant)], &fields(&[], &CLOCK_AND_MOTOR), |[values], row| {
        let placed = placed(values);
        let e = interval::bounds(&placed)?;
        let detrended = interval::detrended_bounds(&placed).ok();
        let d = detrended.map_or([None; 3], |d| [Some(d.r1), Some(d.clock_ms2), d.motor_ms2]);
        let n = estimate_placed(&placed).map_or(0, |levels| levels.n);
        let all = [Some(e.r1), Some(e.clock_ms2), e.motor_ms2, d[0], d[1], d[2]];
        put(row, n, all, &CLOCK_AND_MOTOR);
        Ok(())
    })
}

/// The mixture of a mode in phase and one in anti-phase, of angles in radians.
#[pyfunction]
pub fn mixture_estimates_by_group<'py>(py: Python<'py>, angles: Grouped<'py>) -> Rows<'py> {
    of_groups(py, [(&angles, Refused)], &fields(&[], &MIXTURE), |[angles], row| {
        let found = mixture::mixture(angles)?;
        let e = mixture::intervals_of(angles, &found)?;
        let all = [e.in_phase, e.direction_rad, e.concentration].map(Some);
        put(row, angles.len(), all, &MIXTURE);
        Ok(())
    })
}

/// Errors of reproduction in ms, those of each round; for each round the number of its group.
#[pyfunction]
pub fn reproduction_estimates_by_group<'py>(
    py: Python<'py>,
    rounds: Vec<Vec<f64>>,
    codes: Vec<i64>,
    groups: usize,
) -> Rows<'py> {
    let rounds = by_code("round", rounds, &codes, groups)?;
    let fields = fields(&[Field::Number("rounds")], &REPRODUCTION);
    table_of(py, groups, &fields, |group, row| {
        let e = of_rounds(&rounds[group])?;
        let all = [Some(e.error_ms), e.sd_ms, e.absolute_error_ms];
        put(row.count(e.rounds), e.rounds, all, &REPRODUCTION);
        Ok(())
    })
}

/// The scaling exponent of detrended fluctuation analysis, each interval drawn from `seed`.
#[pyfunction]
pub fn exponent_estimate_by_group<'py>(
    py: Python<'py>,
    values: Grouped<'py>,
    seed: u64,
) -> Rows<'py> {
    of_groups(py, [(&values, AnyUnit)], &fields(&[], &EXPONENT), |[values], row| {
        let n = values.len();
        let e = fluctuation::with_interval(&fluctuation::fluctuation(values)?, n, seed)?;
        put(row, n, [Some(e.exponent)], &EXPONENT);
        Ok(())
    })
}

/// Prediction and tracking, from intervals in ms of taps, NaN where one was missed, and of the pacing.
#[pyfunction]
pub fn tracking_estimates_by_group<'py>(
    py: Python<'py>,
    taps: Grouped<'py>,
    pacing: Grouped<'py>,
) -> Rows<'py> {
    let given = [(&taps, Meant), (&pacing, Refused)];
    of_groups(py, given, &fields(&N, &TRACKING), |[taps, pacing], row| {
        let (taps, pacing) = of_taps_and_pacing(taps, pacing)?;
        let e = of_tracking(&taps, &pacing)?;
        let all = [e.r0, e.r1, e.ratio, e.index, e.r0_less_own, e.r1_less_own];
        put(row.count(e.n), taps.len(), all, &TRACKING);
        Ok(())
    })
}

/// Who follows whom, from intervals in ms of two people, NaN where one missed a tap.
#[pyfunction]
pub fn following_estimates_by_group<'py>(
    py: Python<'py>,
    first: Grouped<'py>,
    second: Grouped<'py>,
) -> Rows<'py> {
    let given = [(&first, Meant), (&second, Meant)];
    of_groups(py, given, &fields(&N, &FOLLOWING), |[first, second], row| {
        let [first, second] = of_both(first, "intervals of the second", second)?;
        let e = of_following(&first, second.intervals())?;
        let all = [e.first_follows, e.together, e.second_follows];
        put(row.count(e.n), first.len(), all, &FOLLOWING);
        Ok(())
    })
}

/// That there is nothing at all.
fn nothing(what: &'static str) -> NoEstimate {
    NoEstimate::TooFew { what, needed: 1, found: 0 }
}
