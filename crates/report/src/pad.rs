//! What a pad made of strikes, by force: missed and doubled taps beside the delays. A band of
//! which every strike was missed has no delay, and stands here all the same.

use crate::html::Table;
use crate::panels::label_of;
use chronotap_timing::{Quantity, Results, Series, Statistic};

/// A row for each band of force; empty where no pad was struck.
pub(crate) fn by_force(test: &str, all: &[Results]) -> String {
    let head = ["force", "strikes", "missed", "doubled", "mean", "SD", "median", "p99", "velocity"];
    let mut table = Table::new("The pad by force: strikes, and the delay to their messages", &head);
    for results in all {
        let found = results.tests.iter().filter(|found| found.test == test);
        let series = found.flat_map(|found| &found.series);
        for series in series.filter(|series| series.quantity == Quantity::PadDelay) {
            table.row(row(label_of(results, all), series));
        }
    }
    if table.is_empty() { String::new() } else { table.html() }
}

fn row(label: &str, series: &Series) -> Vec<String> {
    let figure = |name: &str| series.figures.get(name).copied();
    let counted = |count: &str, share: &str| match (figure(count), figure(share)) {
        (Some(count), Some(share)) => format!("{count} ({:.1} %)", share * 100.0),
        _ => "-".into(),
    };
    let force = series.condition("force").unwrap_or("all");
    let name = if label.is_empty() { force.to_owned() } else { format!("{label}: {force}") };
    let mut cells = vec![name, figure("strikes").map_or("-".into(), |count| count.to_string())];
    cells.push(counted("missed", "missed_share"));
    cells.push(counted("doubled", "doubled_share"));
    let shown = [Statistic::Mean, Statistic::Sd, Statistic::Median, Statistic::P99];
    cells.extend(shown.map(|which| which.said(&series.statistics)));
    cells.push(figure("velocity_mean").map_or("-".into(), |mean| format!("{mean:.0}")));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_core::time::Nanos;
    use chronotap_timing::{Found, Histogram, Length};

    #[test]
    fn a_band_that_was_missed_as_a_whole_has_its_row() {
        let band = |force, delays: &[i64]| {
            let delays = Histogram::of(delays.iter().map(|ms| Nanos::from_millis(*ms)));
            Series::of(Quantity::PadDelay, &[("force", force)], delays).with("strikes", 4.0)
        };
        let hard = band("all", &[3, 5]).with("doubled", 1.0).with("doubled_share", 0.25);
        let soft = band("24 dB or more below", &[]).with("missed", 4.0).with("missed_share", 1.0);
        let mut results = Results::begin("", "here", "", Length::Quick);
        results.tests = vec![Found { series: vec![hard, soft], ..Found::of("tap-to-sound") }];
        let table = by_force("tap-to-sound", &[results]);
        assert!(table.contains("4 (100.0 %)") && table.contains("1 (25.0 %)"), "{table}");
        assert!(table.contains("4.00 ms"), "the mean of 3 and 5: {table}");
    }
}
