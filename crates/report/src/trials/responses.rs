//! Responses to perturbations of the pacing: a curve with its band for each kind, and gain and
//! relaxation with their intervals.

use super::taken::Taken;
use super::words::{counted, doubt, estimate};
use crate::html::HtmlTable;
use crate::plot::{Axis, LineForm, Plot, PlotLine};
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::no_estimate::NoEstimate;
use chronotap_analysis::perturbation::{PerturbationKind, Response, curve, gain, relaxation};
use chronotap_analysis::statistics::doubted;

const KINDS: [(PerturbationKind, &str); 3] = [
    (PerturbationKind::PhaseShift, "phase shifts"),
    (PerturbationKind::OnsetShift, "onset shifts"),
    (PerturbationKind::Step, "tempo steps"),
];
/// Of the resampling behind the interval of the relaxation: the same page every time.
const SEED: u64 = 1;

/// The responses of one kind.
fn of_kind(taken: &[Taken<'_>], kind: PerturbationKind) -> Vec<Response> {
    let all = taken.iter().flat_map(|one| &one.pair.responses);
    all.filter(|response| response.kind == kind).cloned().collect()
}

/// A picture for each kind that has two responses at least.
pub(super) fn pictures(taken: &[Taken<'_>]) -> String {
    KINDS.iter().map(|(kind, name)| picture(&of_kind(taken, *kind), name)).collect()
}

fn picture(responses: &[Response], name: &str) -> String {
    let found = curve(responses);
    let points = || {
        let at = found.iter().enumerate();
        at.filter_map(|(lag, found)| Some((lag as f64, found.as_ref().ok()?)))
    };
    if points().count() < 2 {
        return String::new();
    }
    let line: Vec<(f64, f64)> = points().map(|(lag, found)| (lag, found.value)).collect();
    let band: Vec<(f64, f64)> = points().map(|(_, found)| (found.low, found.high)).collect();
    let least = band.iter().map(|(low, _)| *low).fold(-0.2, f64::min).max(-2.0);
    let most = band.iter().map(|(_, high)| *high).fold(1.2, f64::max).min(3.0);
    let last = line.last().map_or(1.0, |(lag, _)| *lag);
    let said = found.get(1).and_then(|at| at.as_ref().ok());
    let said = said.map_or(String::new(), |at| format!(" Lag 1: {}.", estimate(at, 3)));
    Plot {
        title: format!("Responses to {name}"),
        description: format!(
            "Mean shift of the taps as a share of the perturbation, with 95 % bands, over {}.{said}",
            counted(responses.len(), "response")
        ),
        x: Axis::linear("taps after the perturbation (lag)", 0.0, last),
        y: Axis::linear("share of the perturbation", least, most),
        lines: vec![PlotLine { name: format!("mean of {name}"), points: line, form: LineForm::Band(band) }],
    }
    .html()
}

/// Gain and relaxation of each kind; empty where there are no perturbations.
pub(super) fn table(taken: &[Taken<'_>]) -> String {
    let told: usize = taken.iter().map(|one| one.pair.perturbations).sum();
    if told == 0 {
        return String::new();
    }
    let head = [
        "perturbations",
        "responses",
        "share at lag 1",
        "gain (slope on the size)",
        "relaxation per tap",
    ];
    let mut table = HtmlTable::new("Responses to perturbations, 95 % intervals", &head);
    for (kind, name) in KINDS {
        let responses = of_kind(taken, kind);
        if responses.is_empty() {
            continue;
        }
        let or_why = |found: Result<Estimate, NoEstimate>| {
            found.map_or_else(|why| why.to_string(), |found| estimate(&found, 3))
        };
        let first = curve(&responses).into_iter().nth(1);
        let first = first.map_or_else(|| "-".into(), or_why);
        let gained = or_why(gain(&responses).map(|found| found.overall));
        let relaxed = relaxation(&responses, SEED).map(|found| found.factor);
        let held = doubted("relaxation", responses.len());
        let doubt = doubt(held).filter(|_| relaxed.is_ok());
        let relaxed = or_why(relaxed) + &doubt.unwrap_or_default();
        table.row(vec![name.into(), responses.len().to_string(), first, gained, relaxed]);
    }
    if table.is_empty() { String::new() } else { table.html() }
}
