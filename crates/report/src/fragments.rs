//! The fragments test over numbers and sizes of fragments: a table with a row for each number
//! and a column for each size, as one chooses a buffer by it.

use crate::html::HtmlTable;
use crate::panels::{Labelled, labelled};
use crate::words::words;
use chronotap_timing::{Conditions, Quantity, Results, SampleStatistic};

/// Conditions that span the table.
const SPANNED: [&str; 2] = ["fragments", "fragment_bytes"];

/// A table for each file and each other condition; empty where there is one buffer.
pub(crate) fn buffers(test: &str, all: &[Results]) -> String {
    let series = labelled(test, all);
    let cycles: Vec<&Labelled<'_>> =
        series.iter().filter(|one| one.series.quantity == Quantity::FragmentCycle).collect();
    let mut apart: Vec<(String, Vec<&Labelled<'_>>)> = Vec::new();
    for one in cycles {
        let name = name(one);
        match apart.iter_mut().find(|(other, _)| *other == name) {
            Some((_, alike)) => alike.push(one),
            None => apart.push((name, vec![one])),
        }
    }
    apart.iter().filter(|(_, alike)| alike.len() > 1).map(|(name, all)| table(name, all)).collect()
}

fn name(one: &Labelled<'_>) -> String {
    let other = words(&one.series.conditions, |name| !SPANNED.contains(&name));
    if one.label.is_empty() { other } else { format!("{}, {other}", one.label) }
}

fn table(name: &str, all: &[&Labelled<'_>]) -> String {
    let sizes = values(all, "fragment_bytes");
    let head: Vec<String> = sizes.iter().map(|size| format!("{size} bytes")).collect();
    let head: Vec<&str> =
        std::iter::once("fragments").chain(head.iter().map(String::as_str)).collect();
    let caption = format!("Cycles within 1 ms, greatest cycle, drop-outs, by buffer: {name}");
    let mut table = HtmlTable::new(&caption, &head);
    for number in values(all, "fragments") {
        let cell = |size: &u32| {
            let is = |of: &Conditions, name: &str, value: u32| number_of(of, name) == Some(value);
            let here = all.iter().find(|one| {
                let of = &one.series.conditions;
                is(of, "fragments", number) && is(of, "fragment_bytes", *size)
            });
            here.map_or("-".into(), |one| cell(one))
        };
        table.row(std::iter::once(number.to_string()).chain(sizes.iter().map(cell)).collect());
    }
    table.html()
}

fn cell(one: &Labelled<'_>) -> String {
    let figure = |name: &str| one.series.figures.get(name).copied().unwrap_or_default();
    let greatest = SampleStatistic::Max.said(&one.series.statistics);
    format!("{:.2} %, {greatest}, {}", figure("within_1_ms_share") * 100.0, figure("dropouts"))
}

/// The values of a condition, rising.
fn values(all: &[&Labelled<'_>], name: &str) -> Vec<u32> {
    let mut values: Vec<u32> =
        all.iter().filter_map(|one| number_of(&one.series.conditions, name)).collect();
    values.sort_unstable();
    values.dedup();
    values
}

fn number_of(conditions: &Conditions, name: &str) -> Option<u32> {
    conditions.get(name)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_core::time::Nanos;
    use chronotap_timing::{Histogram, Length, SampleSeries, TestFound};

    #[test]
    fn numbers_of_fragments_are_rows_and_sizes_columns() {
        let of = |fragments: &str, bytes: &str, dropouts| {
            let conditions = [("fragments", fragments), ("fragment_bytes", bytes)];
            SampleSeries::of(
                Quantity::FragmentCycle,
                &conditions,
                Histogram::of([Nanos(1_500_000)]),
            )
            .with("within_1_ms_share", 0.5)
            .with("dropouts", dropouts)
        };
        let series = vec![of("3", "256", 0.0), of("3", "1024", 1.0), of("10", "256", 2.0)];
        let mut results = Results::begin("", "here", "", Length::Quick);
        results.tests = vec![TestFound { series, ..TestFound::of("fragments") }];
        let text = buffers("fragments", std::slice::from_ref(&results));
        let place = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
        assert!(place("256 bytes") < place("1024 bytes"));
        assert!(place("50.00 %, 1.50 ms, 0") < place("50.00 %, 1.50 ms, 1"));
        assert!(place("50.00 %, 1.50 ms, 1") < place("50.00 %, 1.50 ms, 2"));
        results.tests[0].series.truncate(1);
        assert_eq!(buffers("fragments", &[results]), "", "one buffer needs no table");
    }
}
