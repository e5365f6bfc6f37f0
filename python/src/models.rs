//! Models and means of independent values.

use crate::groups::{Grouped, Missing::AnyUnit, Missing::Meant, Missing::Refused, times};
use crate::places::{of_both, placed};
use crate::runs::Runs;
use crate::statistics::Rows;
use crate::table::{Field, Table, of_groups, table_of};
use chronotap_analysis::circular::{mixture, v_test};
use chronotap_analysis::correction::coupling::coupling;
use chronotap_analysis::correction::pooled::pooled;
use chronotap_analysis::correction::{self, Baseline, Correction, Means, adam};
use chronotap_analysis::estimate;
use chronotap_analysis::fluctuation::{self, Fluctuation};
use chronotap_analysis::no_estimate::NoEstimate;
use chronotap_analysis::pairs::{self, Coupling};
use chronotap_analysis::proportion;
use chronotap_analysis::psychometric::{Block, Known, Shape, psychometric};
use chronotap_analysis::statistics::doubted;
use chronotap_analysis::wing_kristofferson::{estimate_placed, interval::with_interval};
use chronotap_core::time::Nanos;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

/// Means of independent values with Student's interval.
#[pyfunction]
pub fn mean_by_group<'py>(py: Python<'py>, values: Grouped<'py>) -> Rows<'py> {
    let fields = [Field::Number("n"), Field::Estimate("mean")];
    of_groups(py, [(&values, AnyUnit)], &fields, |[values], row| {
        let found = estimate::of_mean("values", values)?;
        row.count(values.len()).estimate(Some(&found), None);
        Ok(())
    })
}

/// Differences of two means of independent values, with Welch's interval.
#[pyfunction]
pub fn difference_by_group<'py>(
    py: Python<'py>,
    first: Grouped<'py>,
    second: Grouped<'py>,
) -> Rows<'py> {
    let fields = [Field::Estimate("difference")];
    of_groups(py, [(&first, AnyUnit), (&second, AnyUnit)], &fields, |[first, second], row| {
        let found = estimate::of_difference("values", first, second)?;
        row.estimate(Some(&found), None);
        Ok(())
    })
}

/// Clock and motor variance of intervals in ms, with intervals drawn from `seed`.
#[pyfunction]
pub fn clock_and_motor_levels_by_group<'py>(
    py: Python<'py>,
    intervals: Grouped<'py>,
    seed: u64,
) -> Rows<'py> {
    let estimates = [Field::Estimate("clock_ms2"), Field::Estimate("motor_ms2")];
    let fields = [estimates[0], estimates[1], Field::Number("seed"), Field::Number("runs")];
    of_groups(py, [(&intervals, Meant)], &fields, |[intervals], row| {
        let found = estimate_placed(&placed(intervals));
        let e = with_interval(&found.ok_or(NoEstimate::NothingVaries("intervals"))?, seed)?;
        row.estimate(Some(&e.clock_ms2), None).estimate(Some(&e.motor_ms2), None);
        row.number(e.seed as f64).count(e.runs);
        Ok(())
    })
}

/// What is taken off intervals and asynchronies, as Python says it.
#[derive(FromPyObject)]
pub enum TakenOff {
    /// The means over all runs, or those of each run.
    Pooled(bool),
    /// Means known beforehand, in ms: of the intervals, and of the asynchronies to each partner.
    Known((f64, Vec<f64>)),
}

impl TakenOff {
    fn means(self) -> Means {
        match self {
            TakenOff::Pooled(true) => Means::Pooled,
            TakenOff::Pooled(false) => Means::OfEachRun,
            TakenOff::Known((interval, asynchronies)) => {
                Means::Known(Nanos::round_from_f64(interval * 1e6), times(&asynchronies))
            }
        }
    }
}

/// Phase correction in the runs of each group.
#[pyfunction]
pub fn phase_correction_by_group<'py>(
    py: Python<'py>,
    runs: Runs<'py>,
    means: TakenOff,
) -> Rows<'py> {
    let means = means.means();
    let groups = runs.by_group()?;
    let partners = groups.iter().flatten().map(|run| run.partners.len()).max().unwrap_or(1).max(1);
    let names: Vec<String> = match partners {
        1 => vec!["alpha".into()],
        more => (1..=more).map(|partner| format!("alpha_{partner}")).collect(),
    };
    let mut fields: Vec<Field<'_>> = names.iter().map(|name| Field::Estimate(name)).collect();
    fields.extend(NOISE);
    table_of(py, groups.len(), &fields, |group, row| {
        let found = correction::phase(&groups[group], &means)?;
        let own = means == Means::OfEachRun && groups[group].len() > 1;
        let held = doubted("alpha of runs less their own means", 0).filter(|_| own);
        (0..partners).for_each(|partner| {
            row.estimate(found.alpha.get(partner), held);
        });
        noise(row, &found);
        Ok(())
    })
}

/// Phase correction over the trials of each group; `trials` has the number of each run's trial. Towards a person
/// the model is that of two whom nothing paces, as in the tables of an analysis.
#[pyfunction]
pub fn correction_over_trials_by_group<'py>(
    py: Python<'py>,
    runs: Runs<'py>,
    trials: PyReadonlyArray1<'py, i64>,
    of_partners: bool,
) -> Rows<'py> {
    let groups = runs.by_trial(trials.as_slice()?)?;
    let mut fields = ["alpha", "timekeeper", "motor"].map(Field::Estimate).to_vec();
    fields.extend([Field::Number("taps"), Field::Number("trials")]);
    table_of(py, groups.len(), &fields, |group, row| {
        if of_partners {
            let alpha = coupling(&groups[group])?;
            row.estimate(Some(&alpha), None).estimate(None, None).estimate(None, None);
            let runs = || groups[group].iter().flatten();
            row.count(runs().map(|run| run.taps.len()).sum()).count(groups[group].len());
            return Ok(());
        }
        let found = pooled(&groups[group])?;
        row.estimate(Some(&found.alpha), None);
        row.estimate(Some(&found.timekeeper), None).estimate(Some(&found.motor), None);
        row.count(found.taps).count(found.trials);
        Ok(())
    })
}

/// Phase and period correction in the runs of each group. Without a `baseline` in ms it is
/// estimated with the rest.
#[pyfunction]
pub fn phase_and_period_correction_by_group<'py>(
    py: Python<'py>,
    runs: Runs<'py>,
    baseline: Option<f64>,
) -> Rows<'py> {
    let known = |ms: f64| Baseline::Known(Nanos::round_from_f64(ms * 1e6));
    let baseline = baseline.map_or(Baseline::Estimated, known);
    let groups = runs.by_group()?;
    let mut fields = vec![Field::Estimate("alpha"), Field::Estimate("beta")];
    fields.extend(NOISE);
    table_of(py, groups.len(), &fields, |group, row| {
        let found = correction::phase_and_period(&groups[group], baseline)?;
        row.estimate(found.alpha.first(), None).estimate(found.beta.as_ref(), None);
        noise(row, &found);
        Ok(())
    })
}

const NOISE: [Field<'_>; 7] = [
    Field::Number("timekeeper_sd_ms"),
    Field::Number("motor_sd_ms"),
    Field::Estimate("timekeeper"),
    Field::Estimate("motor"),
    Field::Number("intervals"),
    Field::Number("at_bound"),
    Field::Number("converged"),
];

fn noise(row: &mut Table, found: &Correction) {
    row.number(found.timekeeper_sd_ms).number(found.motor_sd_ms);
    row.estimate(found.timekeeper.as_ref(), None).estimate(found.motor.as_ref(), None);
    row.count(found.intervals).place(found.at_bound).place(found.converged);
}

/// The words for `adam::Unpredicted`, in its order.
const UNPREDICTED: [&str; 2] = ["gamma cannot be told from 0", "the pacing is too smooth"];

/// Adaptation and anticipation (ADAM) in the runs of each group.
#[pyfunction]
pub fn adaptation_and_anticipation_by_group<'py>(py: Python<'py>, runs: Runs<'py>) -> Rows<'py> {
    let groups = runs.by_group()?;
    let parameters = ["alpha", "beta", "gamma", "prediction"];
    let mut fields = parameters.map(Field::Estimate).to_vec();
    fields.push(Field::Word("no_prediction", &UNPREDICTED));
    fields.extend([Field::Number("timekeeper_sd_ms"), Field::Number("motor_sd_ms")]);
    fields.extend([Field::Estimate("timekeeper"), Field::Estimate("motor")]);
    fields.extend([Field::Number("intervals"), Field::Number("runs")]);
    table_of(py, groups.len(), &fields, |group, row| {
        let found = adam::adam(&groups[group])?;
        let doubts = |name: &str| doubted(&format!("adam {name}"), found.intervals);
        let [alpha, beta, gamma] = [found.alpha, found.beta, found.gamma].map(Some);
        for (estimate, name) in [alpha, beta, gamma, found.prediction.ok()].iter().zip(parameters) {
            row.estimate(estimate.as_ref(), doubts(name));
        }
        row.maybe(found.prediction.err().map(|why| f64::from(why as u8)));
        row.number(found.timekeeper_sd_ms).number(found.motor_sd_ms);
        row.estimate(Some(&found.timekeeper), doubts("timekeeper"));
        row.estimate(Some(&found.motor), doubts("motor"));
        row.count(found.intervals).count(found.runs);
        Ok(())
    })
}

/// Shares, each so many of so many, with Wilson's interval.
#[pyfunction]
pub fn shares_of<'py>(
    py: Python<'py>,
    counts: PyReadonlyArray1<'py, i64>,
    of: PyReadonlyArray1<'py, i64>,
) -> Rows<'py> {
    let fields = ["count", "of", "share", "low", "high"].map(Field::Number);
    let (counts, of) = (counts.as_slice()?, of.as_slice()?);
    table_of(py, counts.len().min(of.len()), &fields, |place, row| {
        let [count, of] = [counts[place], of[place]].map(|n| usize::try_from(n).unwrap_or(0));
        let found = proportion::proportion(count, of)?;
        row.count(found.count).count(found.of).number(found.share);
        row.number(found.low).number(found.high);
        Ok(())
    })
}

/// Psychometric functions: of each answer the level, and whether it was of the kind that grows with it.
#[pyfunction]
pub fn psychometric_by_group<'py>(
    py: Python<'py>,
    levels: Grouped<'py>,
    answers: Grouped<'py>,
    normal: bool,
    known: (f64, Option<f64>, f64),
) -> Rows<'py> {
    let shape = if normal { Shape::Normal } else { Shape::Logistic };
    let (guess, lapse, share) = known;
    let known = Known { shape, guess, lapse, share };
    let estimates = ["pse", "threshold", "jnd", "lapse"].map(Field::Estimate);
    let fields = [&[Field::Number("n")][..], &estimates].concat();
    let given = [(&levels, AnyUnit), (&answers, AnyUnit)];
    of_groups(py, given, &fields, |[levels, answers], row| {
        let found = psychometric(&blocks(levels, answers), &known)?;
        row.count(found.n);
        row.estimate(Some(&found.pse), None).estimate(Some(&found.threshold), None);
        row.estimate(Some(&found.jnd), found.jnd_held()).given(&found.lapse);
        Ok(())
    })
}

/// Answers to the same level together.
fn blocks(levels: &[f64], answers: &[f64]) -> Vec<Block> {
    let mut all: Vec<(f64, bool)> =
        levels.iter().copied().zip(answers.iter().map(|answer| *answer > 0.5)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut blocks: Vec<Block> = Vec::new();
    for (level, yes) in all {
        match blocks.last_mut().filter(|last| last.level == level) {
            Some(last) => (last.of, last.yes) = (last.of + 1, last.yes + usize::from(yes)),
            None => blocks.push(Block { level, yes: usize::from(yes), of: 1 }),
        }
    }
    blocks
}

/// Detrended fluctuation analysis by given windows, or by the usual ones.
fn line(values: &[f64], windows: Option<&[usize]>) -> Result<Fluctuation, NoEstimate> {
    match windows {
        Some(windows) => fluctuation::fluctuation_of(values, windows),
        None => fluctuation::fluctuation(values),
    }
}

/// Detrended fluctuation analysis with the points of the line of each group.
#[pyfunction]
pub fn fluctuation_by_group<'py>(
    py: Python<'py>,
    values: Grouped<'py>,
    windows: Option<Vec<usize>>,
) -> Rows<'py> {
    let fields = ["window", "fluctuation", "exponent"].map(Field::Number);
    of_groups(py, [(&values, AnyUnit)], &fields, |[values], row| {
        let found = line(values, windows.as_deref())?;
        for (window, size) in &found.points {
            row.count(*window).number(*size).number(found.exponent);
        }
        Ok(())
    })
}

/// The V test of angles against an expected direction, in radians.
#[pyfunction]
pub fn v_test_by_group<'py>(py: Python<'py>, angles: Grouped<'py>, expected: f64) -> Rows<'py> {
    let fields = ["v", "u", "p"].map(Field::Number);
    of_groups(py, [(&angles, Refused)], &fields, |[angles], row| {
        let found = v_test::v_test(angles, expected)?;
        row.number(found.v).number(found.u).number(found.p);
        Ok(())
    })
}

/// The mixture of a mode in phase and one in anti-phase, of angles in radians.
#[pyfunction]
pub fn mixture_by_group<'py>(py: Python<'py>, angles: Grouped<'py>) -> Rows<'py> {
    let names =
        ["n", "in_phase", "direction_rad", "concentration", "log_likelihood", "gain", "converged"];
    of_groups(py, [(&angles, Refused)], &names.map(Field::Number), |[angles], row| {
        let found = mixture::mixture(angles)?;
        row.count(found.n).number(found.in_phase).number(found.direction_rad);
        row.number(found.concentration).number(found.log_likelihood).number(found.gain);
        row.place(found.converged);
        Ok(())
    })
}

/// Who follows whom, from the intervals of two people, in ms.
#[pyfunction]
pub fn following_by_group<'py>(
    py: Python<'py>,
    first: Grouped<'py>,
    second: Grouped<'py>,
) -> Rows<'py> {
    const COUPLINGS: [&str; 4] = ["FirstLeads", "SecondLeads", "Mutual", "None"];
    let numbers = ["n", "first_follows", "together", "second_follows", "band"].map(Field::Number);
    let mut fields = numbers.to_vec();
    fields.push(Field::Word("coupling", &COUPLINGS));
    of_groups(py, [(&first, Meant), (&second, Meant)], &fields, |[first, second], row| {
        let [first, second] = of_both(first, "intervals of the second", second)?;
        let found = pairs::following(&first, second.intervals())?;
        row.count(found.n).number(found.first_follows).number(found.together);
        row.number(found.second_follows).number(found.band);
        row.place(match found.coupling {
            Coupling::FirstLeads => 0u8,
            Coupling::SecondLeads => 1,
            Coupling::Mutual => 2,
            Coupling::None => 3,
        });
        Ok(())
    })
}
