//! The way from a tap to its sound: the mean of each step as a bar that begins where the
//! step before it ended, and the total below.

use super::Labelled;
use crate::plot::{Axis, Plot, PlotLine};
use chronotap_timing::PathStep;
use chronotap_timing::{Quantity, SampleSeries, spoken};

/// One picture for each run.
pub(super) fn plots(all: &[Labelled<'_>]) -> Vec<Plot> {
    let steps = || all.iter().filter(|one| one.series.quantity == Quantity::TapToSound);
    let totals = steps().filter(|one| is(one, PathStep::Total));
    totals
        .filter_map(|total| {
            let same: Vec<&Labelled<'_>> = steps()
                .filter(|one| one.label == total.label && conditions(one) == conditions(total))
                .collect();
            picture(total, &same)
        })
        .collect()
}

fn is(one: &Labelled<'_>, step: PathStep) -> bool {
    one.series.condition("step") == Some(step.name())
}

/// What all steps of a run have in common.
fn conditions(one: &Labelled<'_>) -> String {
    super::with_label(one, |name| name != "step")
}

fn picture(total: &Labelled<'_>, all: &[&Labelled<'_>]) -> Option<Plot> {
    let ordered = PathStep::ALL.iter().filter_map(|step| all.iter().find(|one| is(one, *step)));
    let (mut lines, mut said, mut end, mut ends) = (Vec::new(), Vec::new(), 0.0f64, vec![0.0f64]);
    for one in ordered {
        let ms = one.series.statistics.mean_ns? / 1e6;
        let begin = if is(one, PathStep::Total) { 0.0 } else { end };
        end = begin + ms;
        ends.push(end);
        let name = format!("{}: {}", name(one.series), spoken(ms * 1e6));
        // The first step is on top.
        let height = (PathStep::ALL.len() - lines.len()) as f64;
        lines.push(PlotLine::through(&name, vec![(begin, height), (end, height)]));
        said.push(name);
    }
    let (least, most) =
        (ends.iter().copied().fold(0.0, f64::min), ends.iter().copied().fold(0.0, f64::max));
    Some(Plot {
        title: format!("From tap to sound: {}", conditions(total)),
        description: format!("Means; {}", said.join("; ")),
        x: Axis::linear("milliseconds", least, most * 1.05),
        y: Axis::linear("step, the first on top", 0.0, PathStep::ALL.len() as f64 + 0.5),
        lines,
    })
}

fn name(series: &SampleSeries) -> &str {
    series.condition("step").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_core::time::Nanos;
    use chronotap_timing::Histogram;

    #[test]
    fn each_step_begins_where_the_one_before_it_ended() {
        let series = PathStep::ALL.map(|step| {
            let ms = if step == PathStep::Total { 15 } else { 3 };
            let histogram = Histogram::of([Nanos::from_millis(ms)]);
            SampleSeries::of(Quantity::TapToSound, &[("step", step.name())], histogram)
        });
        let all = series.each_ref().map(|series| Labelled { label: "", series });
        let found = plots(&all);
        assert_eq!((found.len(), found[0].lines.len()), (1, 6));
        let spans: Vec<[f64; 2]> = found[0]
            .lines
            .iter()
            .map(|line| [line.points[0].0.round(), line.points[1].0.round()])
            .collect();
        assert_eq!(
            spans,
            [[0.0, 3.0], [3.0, 6.0], [6.0, 9.0], [9.0, 12.0], [12.0, 15.0], [0.0, 15.0]]
        );
        assert!(found[0].description.contains("program: 3.00 ms"), "{}", found[0].description);
    }
}
