//! Finney's Table 1 beside what was measured: times between clock reads by scheduling
//! and load, in microseconds.

use crate::html::Table;
use crate::panels::labelled;
use crate::words::conditions;
use chronotap_timing::{Quantity, Results, Statistic, published};

/// The statistics of the paper's columns.
const COLUMNS: [Statistic; 3] = [Statistic::Mean, Statistic::Max, Statistic::Sd];

/// A row for each series of clock steps; empty where there are none.
pub(crate) fn table_1(test: &str, all: &[Results]) -> String {
    let caption = "Times between clock reads in microseconds, beside Finney (2001), Table 1 \
                   (Pentium II 350 MHz, Linux 2.2)";
    let head = ["configuration", "mean", "2001", "max", "2001", "SD", "2001"];
    let mut table = Table::new(caption, &head);
    for one in labelled(test, all) {
        if one.series.quantity != Quantity::ClockStep {
            continue;
        }
        let figures = published(test, one.series);
        let mut cells = vec![format!("{} {}", one.label, conditions(one.series))];
        for which in COLUMNS {
            let theirs = figures.iter().find(|figure| figure.statistic == which);
            cells.push(us(which.of(&one.series.statistics)));
            cells.push(us(theirs.map(|figure| figure.value_ns)));
        }
        table.row(cells);
    }
    if table.is_empty() { String::new() } else { table.html() }
}

fn us(ns: Option<f64>) -> String {
    ns.map_or("-".into(), |ns| match ns / 1e3 {
        us if us < 100.0 => format!("{us:.3}"),
        us => format!("{us:.0}"),
    })
}
