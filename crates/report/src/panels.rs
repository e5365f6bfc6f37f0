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

use crate::plot::{Axis, Line, MOST_LINES, Plot, shortened};
use crate::words::words;
use chronotap_timing::{Quantity, Results, Series};

/// Conditions whose values share a plot.
const OVERLAID: [&str; 4] = ["core", "run", "thread", "cure"];
/// Of several machines these are not told apart.
const POOLED: [&str; 3] = ["core", "run", "thread"];

/// A series and the label of its file, which is empty where there is one file.
#[derive(Clone, Copy)]
pub(crate) struct Labelled<'a> {
    pub label: &'a str,
    pub series: &'a Series,
}

/// All plots of a test.
pub(crate) fn plots(test: &str, all: &[Results]) -> Vec<Plot> {
    let series = labelled(test, all);
    let (requested, others): (Vec<Labelled<'_>>, Vec<Labelled<'_>>) =
        series.into_iter().partition(|one| one.series.condition("requested_us").is_some());
    let others: Vec<Labelled<'_>> = others.into_iter().filter(|one| !is_clock(one)).collect();
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

/// Whether it describes a clock of the system, which a table does better.
pub(crate) fn is_clock(one: &Labelled<'_>) -> bool {
    one.series.figures.contains_key("resolution_ns")
}

/// Whether a condition's values share a plot. The steps of the clock are there to show
/// what scheduling does, so it lies in one plot.
fn is_overlaid(one: &Labelled<'_>, name: &str) -> bool {
    let steps = one.series.quantity == Quantity::ClockStep;
    OVERLAID.contains(&name) || (steps && name == "scheduling")
}

/// The series of a test in all files; empty ones say nothing.
pub(crate) fn labelled<'a>(test: &str, all: &'a [Results]) -> Vec<Labelled<'a>> {
    let mut series = Vec::new();
    for results in all {
        let label = if all.len() > 1 { results.label.as_str() } else { "" };
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
    pub series: Vec<&'a Series>,
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

fn in_words(one: &Labelled<'_>, wanted: impl Fn(&str) -> bool) -> String {
    words(&one.series.conditions, wanted)
}

/// Curves that belong to series, as spectra.
fn curves(all: &[Labelled<'_>]) -> Vec<Plot> {
    let mut groups: Vec<(String, Vec<Line>)> = Vec::new();
    let spectra =
        |one: &&Labelled<'_>| !one.series.curve.is_empty() && !fragments::draws(one.series);
    for one in all.iter().filter(spectra) {
        let key = panel(one);
        let new = Line::through(&line(one), one.series.curve.clone());
        match groups.iter_mut().find(|(k, lines)| *k == key && lines.len() < MOST_LINES) {
            Some((_, lines)) => lines.push(new),
            None => groups.push((key, vec![new])),
        }
    }
    groups.into_iter().map(|(conditions, lines)| spectrum(&conditions, lines)).collect()
}

fn spectrum(conditions: &str, lines: Vec<Line>) -> Plot {
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

/// The least and the greatest of finite values.
fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    let extent = finite.fold((f64::MAX, f64::MIN), |(least, most), v| (least.min(v), most.max(v)));
    if extent.0 > extent.1 { (0.0, 1.0) } else { extent }
}
