//! Finney's Table 1 beside what was measured, in microseconds; what others found of the other tests; and what each clock of
//! the system resolves and costs, which nobody had to ask in 2001.

use crate::comparison::{on, when};
use crate::html::HtmlTable;
use crate::panels::{Labelled, labelled};
use crate::words::words;
use chronotap_timing::published;
use chronotap_timing::{MeasureSource, Quantity, Results, SampleStatistic, measures, spoken};

/// The statistics of the paper's columns.
const COLUMNS: [SampleStatistic; 3] =
    [SampleStatistic::Mean, SampleStatistic::Max, SampleStatistic::Sd];

/// A row for each configuration; empty where the clock was not tested.
pub(crate) fn table_1(test: &str, all: &[Results]) -> String {
    let caption = "Times between clock reads in microseconds; 2001: Finney (2001), Table 1, \
                   Pentium II 350 MHz, Linux 2.2";
    let head = ["configuration", "mean", "2001", "max", "2001", "SD", "2001"];
    let mut table = HtmlTable::new(caption, &head);
    for one in of_steps(test, all).into_iter().filter(|one| !one.series.is_of_a_clock()) {
        let figures = published(test, one.series);
        let mut cells = vec![name(&one)];
        for which in COLUMNS {
            let theirs = figures.iter().find(|figure| figure.of == MeasureSource::Statistic(which));
            cells.push(us(which.of(&one.series.statistics).map(|ns| ns / 1e3)));
            cells.push(us(theirs.map(|figure| figure.value)));
        }
        table.row(cells);
    }
    if table.is_empty() { String::new() } else { table.html() }
}

/// What others found of what a test measured, in their own units, each beside its own load, at its own
/// interval; empty for the clock, whose table has them in its rows, and where nothing is comparable.
pub(crate) fn others(test: &str, all: &[Results]) -> String {
    let head = ["found by", "what", "value", "on"];
    let caption = "As others found it: no limits, and each on a machine of its own";
    let mut table = HtmlTable::new(caption, &head);
    let mut rows: Vec<Vec<String>> = Vec::new();
    for one in labelled(test, all).iter().filter(|one| one.series.quantity != Quantity::ClockStep) {
        let own = measures(one.series.quantity);
        for figure in published(test, one.series) {
            let what = own.iter().find(|own| own.source == figure.of);
            let what = what.map_or(figure.of.name(), |own| own.title).to_owned();
            let why = figure.not_comparable.map(|why| format!("; not comparable: {why}"));
            let on = on(&figure) + &why.unwrap_or_default();
            let by = format!("{}, {}{}", figure.source, figure.place, when(&figure));
            rows.push(vec![by, what, figure.said(), on]);
        }
    }
    let mut told: Vec<&Vec<String>> = Vec::new();
    for row in &rows {
        if !told.contains(&row) {
            told.push(row);
            table.row(row.clone());
        }
    }
    if table.is_empty() { String::new() } else { table.html() }
}

/// A row for each clock of the system; empty where the clock was not tested.
pub(crate) fn clocks(test: &str, all: &[Results]) -> String {
    let head = ["clock", "stated resolution", "smallest step", "cost of a read", "system call"];
    let mut table = HtmlTable::new("The clocks of the system", &head);
    for one in of_steps(test, all).into_iter().filter(|one| one.series.is_of_a_clock()) {
        let figure = |name| one.series.figures.get(name).map_or("-".into(), |ns| spoken(*ns));
        let call = one.series.figures.get("in_user_space").map_or("-", |yes| match *yes > 0.0 {
            true => "no",
            false => "yes",
        });
        let clock = Vec::from([one.label, one.series.condition("clock").unwrap_or("-")]).join(" ");
        let cells = ["resolution_ns", "smallest_step_ns", "cost_ns"].map(figure);
        table.row([vec![clock.trim().to_owned()], cells.to_vec(), vec![call.into()]].concat());
    }
    if table.is_empty() { String::new() } else { table.html() }
}

fn of_steps<'a>(test: &str, all: &'a [Results]) -> Vec<Labelled<'a>> {
    let steps = labelled(test, all).into_iter();
    steps.filter(|one| one.series.quantity == Quantity::ClockStep).collect()
}

/// Priority and load, as in the paper, and what else tells the rows apart.
fn name(one: &Labelled<'_>) -> String {
    let said = words(&one.series.conditions, |name| matches!(name, "scheduling" | "load"));
    let on = one.series.condition("variant") == Some("continuous");
    let on = if on { ", reading on" } else { "" };
    format!("{} {said}{on}", one.label).trim().to_owned()
}

fn us(us: Option<f64>) -> String {
    us.map_or("-".into(), |us| match us {
        us if us < 100.0 => format!("{us:.3}"),
        us => format!("{us:.0}"),
    })
}
