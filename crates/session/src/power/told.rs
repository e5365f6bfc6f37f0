//! What studies that were rehearsed found together, in numbers: what `chronotap power` prints and writes as JSON,
//! and what a page shows.

use super::{FoundByStudy, Looked, Power, Sought, Tested};
use chronotap_analysis::proportion::{Proportion, proportion};
use chronotap_config::trial_files::performers::assumptions;
use chronotap_design::{ExpectedFinding, Experiment, InRehearsal, expected};
use serde_json::{Value, json};

/// What came of one contrast over all studies.
pub struct OverStudies {
    /// The studies that found it.
    pub found: Proportion,
    /// Studies that found the opposite of what they found on average.
    pub opposite: usize,
    /// Studies in which it could not be estimated; they count as not finding it.
    pub without: usize,
    /// Of the estimates.
    pub mean: f64,
    /// Of the estimates.
    pub sd: f64,
    /// Half of the 95 % interval, on average.
    pub reach: f64,
}

/// The same of the contrast at this place.
pub fn came(against: f64, place: usize, all: &[FoundByStudy]) -> OverStudies {
    let tested: Vec<&Tested> =
        all.iter().filter_map(|one| one.estimates[place].as_ref().ok()).collect();
    let n = tested.len() as f64;
    let mean = tested.iter().map(|of| of.estimate.value).sum::<f64>() / n;
    let squares: f64 = tested.iter().map(|of| (of.estimate.value - mean).powi(2)).sum();
    let finds = tested.iter().filter(|of| of.finds);
    let side = |value: f64| (value - against).signum();
    let opposite = finds.clone().filter(|of| side(of.estimate.value) != side(mean)).count();
    OverStudies {
        found: proportion(finds.count(), all.len()).expect("at least one study was rehearsed"),
        opposite,
        without: all.len() - tested.len(),
        mean,
        sd: (squares / (n - 1.0)).sqrt(),
        reach: tested.iter().map(|of| (of.estimate.high - of.estimate.low) / 2.0).sum::<f64>() / n,
    }
}

/// That of one number of participants, or a list of those of several.
pub fn as_json(points: &[(Power, Looked)], experiment: &Experiment) -> Value {
    let one = |(power, looked): &(Power, Looked)| {
        let cut = looked.found.iter().map(|found| found.cut).sum();
        one_as_json((power, experiment), &looked.sought, &looked.found, cut)
    };
    match points {
        [point] => one(point),
        _ => json!({ "curve": points.iter().map(one).collect::<Vec<_>>() }),
    }
}

fn one_as_json(
    (power, experiment): (&Power, &Experiment),
    sought: &[Sought],
    all: &[FoundByStudy],
    cut: usize,
) -> Value {
    let contrast = |(place, Sought { called, against, .. }): (usize, &Sought)| {
        let of = came(*against, place, all);
        let finite = |x: f64| x.is_finite().then_some(x);
        json!({ "contrast": called, "found": of.found, "opposite": of.opposite,
            "without": of.without, "mean": finite(of.mean), "sd": finite(of.sd) })
    };
    let mut told = json!({
        "studies": all.len(),
        "asked": power.studies,
        "participants": power.participants,
        "trials": all[0].trials,
        "seed": power.seed,
        "model": power.model,
        "assumes": assumptions(&power.model),
        "contrasts": sought.iter().enumerate().map(contrast).collect::<Vec<_>>(),
    });
    let cannot: Vec<Value> =
        cannot(experiment).map(|(of, why)| json!({ "effect": of.effect, "why": why })).collect();
    if !cannot.is_empty() {
        told["cannot"] = cannot.into();
    }
    if cut > 0 {
        told["cut"] = cut.into();
    }
    told
}

/// What the study was published to find, and simulated people do not.
pub fn cannot(
    experiment: &Experiment,
) -> impl Iterator<Item = (&'static ExpectedFinding, &'static str)> {
    expected(experiment).filter_map(|of| match of.rehearsed {
        InRehearsal::Cannot(why) => Some((of, why)),
        _ => None,
    })
}
