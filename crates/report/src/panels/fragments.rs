//! Senoner's picture of the fragments test: each cycle and each computing of a run over
//! its time, between the ideal and what is heard as a drop-out.

use super::Labelled;
use crate::plot::{Axis, Plot, PlotLine};
use chronotap_timing::{Quantity, SampleSeries, spoken};

/// One picture for each run.
pub(super) fn plots(all: &[Labelled<'_>]) -> Vec<Plot> {
    let of = |quantity| move |one: &&Labelled<'_>| one.series.quantity == quantity;
    let cycles = all.iter().filter(of(Quantity::FragmentCycle));
    let computing = |cycle: &Labelled<'_>| {
        let mut loops = all.iter().filter(of(Quantity::FragmentLoop));
        loops
            .find(|one| {
                one.label == cycle.label && one.series.conditions == cycle.series.conditions
            })
            .map(|one| one.series)
    };
    cycles.filter_map(|cycle| picture(cycle, computing(cycle))).collect()
}

/// Whether it is drawn here.
pub(super) fn draws(series: &SampleSeries) -> bool {
    matches!(series.quantity, Quantity::FragmentCycle | Quantity::FragmentLoop)
}

fn picture(cycle: &Labelled<'_>, computing: Option<&SampleSeries>) -> Option<Plot> {
    let series = cycle.series;
    let end = series.curve.last()?.0;
    let millis = |name: &str| series.figures.get(name).map(|ns| ns / 1e6);
    let (fragment, buffer) = (millis("fragment_ns")?, millis("buffer_ns")?);
    let level = |name: &str, ms: f64| PlotLine::through(name, vec![(0.0, ms), (end, ms)]);
    let mut lines = vec![PlotLine::through("from one write to the next", series.curve.clone())];
    lines.extend(computing.map(|loops| PlotLine::through("computing", loops.curve.clone())));
    lines.push(level("a fragment (ideal)", fragment));
    lines.push(level("the whole buffer (above: heard)", buffer));
    let points = lines.iter().flat_map(|line| line.points.iter().map(|(_, ms)| *ms));
    let most = points.fold(0.0, f64::max);
    Some(Plot {
        title: format!("Fragments over time: {}", conditions(cycle)),
        description: describe(series, computing),
        x: Axis::linear("seconds", 0.0, end),
        y: Axis::linear("milliseconds", 0.0, most * 1.1),
        lines,
    })
}

fn conditions(one: &Labelled<'_>) -> String {
    super::with_label(one, |_| true)
}

fn describe(series: &SampleSeries, computing: Option<&SampleSeries>) -> String {
    let figure = |of: &SampleSeries, name: &str| of.figures.get(name).copied().unwrap_or_default();
    let share = |of: &SampleSeries, name: &str| format!("{:.2} %", 100.0 * figure(of, name));
    let greatest = series.statistics.max_ns.map_or("-".into(), |ns| spoken(ns as f64));
    let mut text = format!(
        "within 1 ms {}, within 2 ms {}; greatest {greatest}; overruns {}, late and not heard {}, \
         drop-outs {}",
        share(series, "within_1_ms_share"),
        share(series, "within_2_ms_share"),
        figure(series, "overruns"),
        figure(series, "late_writes"),
        figure(series, "dropouts")
    );
    if let Some(loops) = computing {
        text += &format!(
            "; computing within 0.1 ms {}, within 0.2 ms {}",
            share(loops, "within_0_1_ms_share"),
            share(loops, "within_0_2_ms_share")
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_core::time::Nanos;
    use chronotap_timing::Histogram;

    #[test]
    fn the_picture_has_both_measured_lines_and_both_ideal_ones() {
        let of = |quantity, ms: f64| SampleSeries {
            curve: vec![(0.0, ms), (1.0, ms), (2.0, ms * 2.0)],
            ..SampleSeries::of(quantity, &[("load", "none")], Histogram::of([Nanos(1)]))
        };
        let cycle = of(Quantity::FragmentCycle, 1.45)
            .with("fragment_ns", 1.45e6)
            .with("buffer_ns", 4.35e6)
            .with("within_1_ms_share", 0.995)
            .with("overruns", 2.0);
        let loops = of(Quantity::FragmentLoop, 1.16);
        let all = [Labelled { label: "", series: &cycle }, Labelled { label: "", series: &loops }];
        let found = plots(&all);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].lines.len(), 4);
        assert!(found[0].description.contains("within 1 ms 99.50 %"));
        assert!(found[0].description.contains("overruns 2"));
        assert!(found[0].y.to > 4.35 && found[0].x.to == 2.0);
        assert!(draws(&cycle) && draws(&loops));
    }
}
