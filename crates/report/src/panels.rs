//! [`plots`]: which plots the series of a test make.
//!
//! Series of one quantity under the same conditions but for core and cure share a
//! plot, one line each; of several machines each has one line, all its cores together.
//! Series with a requested time become a plot of lateness against it, one line for
//! each mechanism; a curve, as a spectrum, becomes a plot of its own.

mod dsp;
mod fragments;
mod histogram;
mod requested;
mod way;

use crate::plot::{Axis, MOST_LINES, Plot, PlotLine, extent, shortened};
use crate::words::words;
use chronotap_timing::{POOLED, Quantity, Results, SampleSeries};

/// Conditions whose values share a plot.
const OVERLAID: [&str; 5] = ["core", "run", "thread", "cure", "force"];

/// What machines may differ in and still share a plot: rights that one was granted and another
/// was not, and where it ran. Each line's name tells its own.
const MACHINES: [&str; 4] = ["scheduling", "ports", "card", "input"];

/// A series and the label of its file, which is empty where there is one file.
#[derive(Clone, Copy)]
pub(crate) struct Labelled<'a> {
    pub label: &'a str,
    pub series: &'a SampleSeries,
}

/// All plots of a test.
pub(crate) fn plots(test: &str, all: &[Results]) -> Vec<Plot> {
    let series = labelled(test, all);
    let (requested, others): (Vec<Labelled<'_>>, Vec<Labelled<'_>>) =
        series.into_iter().partition(|one| one.series.condition("requested_us").is_some());
    // The clocks of the system are told better by a table.
    let others: Vec<Labelled<'_>> =
        others.into_iter().filter(|one| !one.series.is_of_a_clock()).collect();
    let mut plots = requested::plots(&requested);
    plots.extend(dsp::plots(&others));
    plots.extend(fragments::plots(&others));
    plots.extend(way::plots(&others));
    for panel in panels(&others) {
        plots.extend(panel.chunks(MOST_LINES).map(|lines| histogram::plot(lines)));
    }
    plots.extend(curves(&others));
    plots
}

/// Whether a condition's values share a plot. The steps of the clock are there to show
/// what scheduling does, so it lies in one plot.
fn is_overlaid(one: &Labelled<'_>, name: &str) -> bool {
    let steps = one.series.quantity == Quantity::ClockStep;
    OVERLAID.contains(&name)
        || (steps && name == "scheduling")
        || (!one.label.is_empty() && MACHINES.contains(&name))
}

/// The label of a file, where there are several.
pub(crate) fn label_of<'a>(results: &'a Results, all: &[Results]) -> &'a str {
    if all.len() > 1 { &results.label } else { "" }
}

/// The series of a test in all files; empty ones say nothing.
pub(crate) fn labelled<'a>(test: &str, all: &'a [Results]) -> Vec<Labelled<'a>> {
    let mut series = Vec::new();
    for results in all {
        let label = label_of(results, all);
        for found in results.tests.iter().filter(|found| found.test == test) {
            let some = found.series.iter().filter(|series| series.statistics.n > 0);
            series.extend(some.map(|series| Labelled { label, series }));
        }
    }
    series
}

/// One line of a histogram's plot: what it is called, and of which series it is made.
pub(crate) struct Overlay<'a> {
    pub name: String,
    pub quantity: Quantity,
    pub conditions: String,
    pub series: Vec<&'a SampleSeries>,
}

/// Lines by plot.
fn panels<'a>(all: &[Labelled<'a>]) -> Vec<Vec<Overlay<'a>>> {
    let mut panels: Vec<Vec<Overlay<'a>>> = Vec::new();
    for one in all {
        let (conditions, name) = (panel(one), line(one));
        let same = |panel: &&mut Vec<Overlay<'_>>| {
            let first = &panel[0];
            first.quantity == one.series.quantity && first.conditions == conditions
        };
        let overlay = |conditions| Overlay {
            name: name.clone(),
            quantity: one.series.quantity,
            conditions,
            series: vec![one.series],
        };
        match panels.iter_mut().find(same) {
            None => panels.push(vec![overlay(conditions)]),
            Some(panel) => match panel.iter_mut().find(|line| line.name == name) {
                Some(line) => line.series.push(one.series),
                None => panel.push(overlay(conditions)),
            },
        }
    }
    panels
}

/// What all lines of its plot have in common.
fn panel(one: &Labelled<'_>) -> String {
    // Steps of the clock are all those of one clock, read in one way or another.
    let known = |name: &str| one.series.quantity == Quantity::ClockStep && name == "clock";
    in_words(one, |name| !is_overlaid(one, name) && !known(name))
}

/// What tells a line from the others.
fn line(one: &Labelled<'_>) -> String {
    let steps = one.series.quantity == Quantity::ClockStep;
    // Of several machines these are not told apart.
    let pooled = |name: &str| POOLED.contains(&name) && (steps || !one.label.is_empty());
    let told = |name: &str| is_overlaid(one, name) && !pooled(name);
    let own = in_words(one, told);
    // So much of it that what follows is seen.
    let label = shortened(one.label, if own.is_empty() { 46 } else { 28 });
    match (label.as_str(), own.as_str()) {
        ("", "") => "all".into(),
        ("", own) => own.into(),
        (label, "") => label.into(),
        (label, own) => format!("{label}, {own}"),
    }
}

/// The same with the label of the file before them, where there is one.
fn with_label(one: &Labelled<'_>, wanted: impl Fn(&str) -> bool) -> String {
    let (label, said) = (one.label, in_words(one, wanted));
    if label.is_empty() { said } else { format!("{label}, {said}") }
}

fn in_words(one: &Labelled<'_>, wanted: impl Fn(&str) -> bool) -> String {
    words(&one.series.conditions, wanted)
}

/// Adds a point to the line of this name, which begins with its first.
fn add_point(lines: &mut Vec<PlotLine>, name: &str, point: (f64, f64)) {
    match lines.iter_mut().find(|line| line.name == name) {
        Some(line) => line.points.push(point),
        None => lines.push(PlotLine::through(name, vec![point])),
    }
}

/// Plots of as many lines as can be told apart, by rising x.
fn in_plots(mut lines: Vec<PlotLine>, plot: impl Fn(Vec<PlotLine>) -> Plot) -> Vec<Plot> {
    lines.iter_mut().for_each(|line| line.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    lines.chunks(MOST_LINES).map(|lines| plot(lines.to_vec())).collect()
}

/// Curves that belong to series, as spectra.
fn curves(all: &[Labelled<'_>]) -> Vec<Plot> {
    let mut groups: Vec<(String, Vec<PlotLine>)> = Vec::new();
    let spectra =
        |one: &&Labelled<'_>| !one.series.curve.is_empty() && !fragments::draws(one.series);
    for one in all.iter().filter(spectra) {
        let key = panel(one);
        let new = PlotLine::through(&line(one), one.series.curve.clone());
        match groups.iter_mut().find(|(k, lines)| *k == key && lines.len() < MOST_LINES) {
            Some((_, lines)) => lines.push(new),
            None => groups.push((key, vec![new])),
        }
    }
    groups.into_iter().map(|(conditions, lines)| spectrum(&conditions, lines)).collect()
}

fn spectrum(conditions: &str, lines: Vec<PlotLine>) -> Plot {
    let points = || lines.iter().flat_map(|line| &line.points);
    let (x_from, x_to) = extent(points().map(|(x, _)| *x));
    let (y_from, y_to) = extent(points().map(|(_, y)| *y));
    Plot {
        title: format!("Spectrum: {conditions}"),
        description: "The beats as an oscillator: power by distance from its frequency; the \
                      narrower the line and the lower what is beside it, the better"
            .into(),
        x: Axis::linear("distance from the carrier (Hz)", x_from, x_to),
        y: Axis::linear("power (dB)", y_from, y_to),
        lines,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_core::time::Nanos;
    use chronotap_timing::{Histogram, Length, TestFound};

    #[test]
    fn machines_share_a_figure_whatever_their_rights() {
        let machine = |label: &str, scheduling: &str| {
            let conditions = [("rate_hz", "1024"), ("scheduling", scheduling), ("cure", "off")];
            let times = Histogram::of([Nanos(-10_000), Nanos(10_000)]);
            let series = vec![SampleSeries::of(Quantity::IntervalDeviation, &conditions, times)];
            let mut results = Results::begin("", label, "", Length::Quick);
            results.tests = vec![TestFound { series, ..TestFound::of("periodic") }];
            results
        };
        let all = [machine("omega", "SCHED_FIFO 80, memory locked"), machine("beta", "ordinary")];
        let found = plots("periodic", &all);
        assert_eq!(found.len(), 1);
        let names: Vec<&str> = found[0].lines.iter().map(|line| line.name.as_str()).collect();
        assert_eq!(names, ["omega, cure off, SCHED_FIFO 80", "beta, cure off, ordinary"]);
    }
}
