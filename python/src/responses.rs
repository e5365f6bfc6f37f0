//! Models of what follows a change: of the pacing (perturbations), of the feedback (delays,
//! single altered tones), of the tempo (tracking).

use crate::groups::{Grouped, Missing::Meant, Missing::Refused, by_code, times};
use crate::places::of_taps_and_pacing;
use crate::statistics::Rows;
use crate::table::{Field, of_groups, table_of};
use chronotap_analysis::delayed_feedback::{self, FeedbackCondition, FeedbackTrial};
use chronotap_analysis::isolated;
use chronotap_analysis::perturbation::{
    self, PacingPerturbation, PerturbationKind, Response, ResponseWindow,
};
use chronotap_analysis::statistics::doubted;
use chronotap_analysis::tracking;
use chronotap_core::time::Nanos;
use numpy::ndarray::ArrayView1;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

fn nanos(ms: f64) -> Nanos {
    Nanos::round_from_f64(ms * 1e6)
}

/// A kind of perturbation by its name.
fn kind_of(word: &str) -> PyResult<PerturbationKind> {
    match word {
        "phase shift" => Ok(PerturbationKind::PhaseShift),
        "onset shift" => Ok(PerturbationKind::OnsetShift),
        "step" => Ok(PerturbationKind::Step),
        other => Err(PyValueError::new_err(format!(
            "kind = {other:?}: there are 'phase shift', 'onset shift' and 'step'"
        ))),
    }
}

/// The response to each perturbation (the place of the first beat that it moved, from 0, and
/// its size in ms) in the asynchronies by beat of each group, in ms, NaN where no tap answers: a
/// row for each response that there is.
#[pyfunction]
pub fn responses_by_group<'py>(
    py: Python<'py>,
    asynchronies: Grouped<'py>,
    perturbations: Vec<(usize, f64)>,
    kind: &str,
    course: (usize, usize),
) -> Rows<'py> {
    let kind = kind_of(kind)?;
    let course = ResponseWindow { before: course.0, after: course.1 };
    let name = |of: &'static str| (0..=course.after).map(move |lag| format!("{of}_{lag}"));
    let names: Vec<String> = name("asynchrony_ms").chain(name("shift_ms")).collect();
    let mut fields = ["beat", "size_ms", "baseline_ms"].map(Field::Number).to_vec();
    fields.extend(names.iter().map(|name| Field::Number(name)));
    of_groups(py, [(&asynchronies, Meant)], &fields, |[cells], row| {
        let known = |ms: &f64| (!ms.is_nan()).then(|| nanos(*ms));
        let cells: Vec<Option<Nanos>> = cells.iter().map(known).collect();
        for (beat, size_ms) in &perturbations {
            let perturbation = PacingPerturbation { kind, beat: *beat, size: nanos(*size_ms) };
            let Ok(found) = perturbation::response(&cells, &perturbation, course) else { continue };
            row.count(*beat + 1).number(found.size_ms).number(found.baseline_ms);
            for cell in found.asynchronies_ms.iter().chain(&found.shifts_ms) {
                row.maybe(*cell);
            }
        }
        Ok(())
    })
}

/// Responses as they come back from Python: their sizes, and by lag the asynchronies less the
/// baseline and the shifts, all in ms, NaN where there is none; for each the number of its group.
#[derive(FromPyObject)]
pub struct Responses<'py> {
    #[pyo3(item(0))]
    sizes: PyReadonlyArray1<'py, f64>,
    #[pyo3(item(1))]
    asynchronies: PyReadonlyArray2<'py, f64>,
    #[pyo3(item(2))]
    shifts: PyReadonlyArray2<'py, f64>,
    #[pyo3(item(3))]
    codes: PyReadonlyArray1<'py, i64>,
    #[pyo3(item(4))]
    groups: usize,
}

/// Asynchronies and shifts of one response.
type Row<'a> = (ArrayView1<'a, f64>, ArrayView1<'a, f64>);

impl Responses<'_> {
    fn by_group(&self, kind: &str) -> PyResult<Vec<Vec<Response>>> {
        let kind = kind_of(kind)?;
        let known = |cell: &f64| (!cell.is_nan()).then_some(*cell);
        let (asynchronies, shifts) = (self.asynchronies.as_array(), self.shifts.as_array());
        let rows = asynchronies.outer_iter().zip(shifts.outer_iter());
        let response = |(size_ms, (asynchronies, shifts)): (&f64, Row<'_>)| Response {
            kind,
            size_ms: *size_ms,
            baseline_ms: 0.0, // taken off already
            asynchronies_ms: asynchronies.iter().map(known).collect(),
            shifts_ms: shifts.iter().map(known).collect(),
        };
        let all = self.sizes.as_slice()?.iter().zip(rows).map(response);
        by_code("response", all, self.codes.as_slice()?, self.groups)
    }
}

/// The mean shift at each lag as a share of the perturbation: a row for each lag.
#[pyfunction]
pub fn response_curve_by_group<'py>(
    py: Python<'py>,
    kind: &str,
    given: Responses<'py>,
) -> Rows<'py> {
    let groups = given.by_group(kind)?;
    let fields = [
        Field::Number("lag"),
        Field::Number("n"),
        Field::Number("share"),
        Field::Number("low"),
        Field::Number("high"),
    ];
    table_of(py, groups.len(), &fields, |group, row| {
        let there = |lag: usize| {
            let shift = |response: &&Response| response.shifts_ms.get(lag).copied().flatten();
            groups[group].iter().filter(|response| shift(response).is_some()).count()
        };
        for (lag, found) in perturbation::curve(&groups[group]).iter().enumerate() {
            row.count(lag).count(there(lag)).spread(found.as_ref().ok());
        }
        Ok(())
    })
}

/// The gain of the phase correction response.
#[pyfunction]
pub fn gain_by_group<'py>(py: Python<'py>, kind: &str, given: Responses<'py>) -> Rows<'py> {
    let groups = given.by_group(kind)?;
    let slopes = ["overall", "later", "earlier", "asymmetry"].map(Field::Estimate);
    let fields = [[Field::Number("n")].as_slice(), &slopes].concat();
    table_of(py, groups.len(), &fields, |group, row| {
        let found = perturbation::gain(&groups[group])?;
        row.count(found.n).estimate(Some(&found.overall), None);
        for slope in [&found.later, &found.earlier, &found.asymmetry] {
            row.estimate(slope.as_ref(), None);
        }
        Ok(())
    })
}

/// How fast what is left of a perturbation becomes smaller, with intervals drawn from `seed`.
#[pyfunction]
pub fn relaxation_by_group<'py>(
    py: Python<'py>,
    kind: &str,
    given: Responses<'py>,
    seed: u64,
) -> Rows<'py> {
    let groups = given.by_group(kind)?;
    let numbers = [Field::Number("half_life_taps"), Field::Number("seed")];
    let fields = [Field::Estimate("factor"), numbers[0], numbers[1]];
    table_of(py, groups.len(), &fields, |group, row| {
        let found = perturbation::relaxation(&groups[group], seed)?;
        row.estimate(Some(&found.factor), doubted("relaxation", groups[group].len()));
        row.maybe(found.half_life_taps).number(seed as f64);
        Ok(())
    })
}

/// The effect of each condition of feedback against that without delay and with the expected
/// pitch, of each group: of each trial the delay in ms, the pitch condition, the intervals in ms;
/// and the number of its group.
#[pyfunction]
pub fn effects_by_group<'py>(
    py: Python<'py>,
    trials: Vec<(f64, String, PyReadonlyArray1<'py, f64>)>,
    codes: Vec<i64>,
    groups: usize,
) -> Rows<'py> {
    let mut pitches: Vec<String> = Vec::new();
    let mut all = Vec::with_capacity(trials.len());
    for (delay_ms, pitch, intervals) in trials {
        if !pitches.contains(&pitch) {
            pitches.push(pitch.clone());
        }
        let condition = FeedbackCondition { delay: nanos(delay_ms), pitch };
        let intervals = times(intervals.as_slice()?);
        all.push(FeedbackTrial { condition, intervals, notes: 0, errors: 0 });
    }
    let by_group = by_code("trial", all, &codes, groups)?;
    let words: Vec<&str> = pitches.iter().map(String::as_str).collect();
    let mut fields = vec![Field::Number("delay_ms"), Field::Word("pitch", &words)];
    fields.extend(["trials", "too_short"].map(Field::Number));
    fields.extend(["interval_ms", "slowing_percent", "cv", "cv_change"].map(Field::Spread));
    table_of(py, groups, &fields, |group, row| {
        for effect in delayed_feedback::effects(&by_group[group]) {
            let pitch = words.iter().position(|word| *word == effect.condition.pitch);
            row.number(effect.condition.delay.as_millis_f64()).maybe(pitch.map(|at| at as f64));
            row.count(effect.trials).count(effect.too_short);
            row.spread(effect.interval_ms.as_ref().ok());
            row.spread(effect.slowing_percent.as_ref().ok());
            row.spread(effect.cv.as_ref().ok()).spread(effect.cv_change.as_ref().ok());
        }
        Ok(())
    })
}

/// What single altered tones do to the next intervals, in ms: of each interval with which others
/// it is compared, and the places of the altered tones in their group. A row for each lag.
#[pyfunction]
pub fn isolated_by_group<'py>(
    py: Python<'py>,
    intervals: Grouped<'py>,
    matches: Grouped<'py>,
    altered: Grouped<'py>,
    last_lag: usize,
) -> Rows<'py> {
    let counts = ["lag", "matched", "unmatched"].map(Field::Number);
    let fields = [counts.as_slice(), &[Field::Spread("difference_ms")]].concat();
    let given = [(&intervals, Refused), (&matches, Refused), (&altered, Refused)];
    of_groups(py, given, &fields, |[intervals, matches, altered], row| {
        let matches: Vec<u32> = matches.iter().map(|of| *of as u32).collect();
        let altered: Vec<usize> = altered.iter().map(|place| *place as usize).collect();
        for at in isolated::responses(&times(intervals), &matches, &altered, last_lag)? {
            row.count(at.lag).count(at.matched).count(at.unmatched);
            row.spread(at.difference_ms.as_ref().ok());
        }
        Ok(())
    })
}

/// Whether intervals predict those of the pacing or follow them, in ms, NaN where a tap was missed.
#[pyfunction]
pub fn tracking_by_group<'py>(
    py: Python<'py>,
    taps: Grouped<'py>,
    pacing: Grouped<'py>,
) -> Rows<'py> {
    let names = ["n", "r0", "r1", "ratio", "index", "own", "r0_less_own", "r1_less_own"];
    let given = [(&taps, Meant), (&pacing, Refused)];
    of_groups(py, given, &names.map(Field::Number), |[taps, pacing], row| {
        let (taps, pacing) = of_taps_and_pacing(taps, pacing)?;
        let found = tracking::tracking(&taps, &pacing)?;
        row.count(found.n).number(found.r0).number(found.r1).maybe(found.ratio);
        row.number(found.index).number(found.own);
        row.maybe(found.r0_less_own).maybe(found.r1_less_own);
        Ok(())
    })
}
