//! Results as comma-separated values (RFC 4180), for spreadsheets and scripts: the
//! statistics in long form, and the raw histograms. Times are in nanoseconds.

use crate::comparison::on;
use chronotap_timing::published;
use chronotap_timing::{
    Comparison, Conditions, MeasuredLabel, Published, Quantity, Results, SampleSeries,
    SampleStatistic,
};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The head of [`statistics_csv`].
const STATISTICS: &str = "label,test,quantity,conditions,name,value,unit";
/// The head of [`comparison_csv`].
const COMPARISON: &str = "label,test,quantity,conditions,name,least,median,greatest,unit,runs";
/// The head of [`histogram_csv`].
const HISTOGRAM: &str = "label,test,quantity,conditions,from_ns,width_ns,count";

/// One row for each series and number: `n`, the statistics, then the series' own
/// figures, whose unit stands in their name. At the end what others found of the same, in their units.
pub fn statistics_csv(results: &Results) -> String {
    let mut text = format!("{STATISTICS}\r\n");
    for (head, series) in heads(results) {
        let _ = write!(text, "{head},n,{},count\r\n", series.statistics.n);
        for statistic in SampleStatistic::ALL {
            if let Some(ns) = statistic.of(&series.statistics) {
                let _ = write!(text, "{head},{},{ns},ns\r\n", statistic.name());
            } else if let Some(ns) = statistic.limit(&series.statistics) {
                let _ = write!(text, "{head},{}_more_than,{ns},ns\r\n", statistic.name());
            }
        }
        for (name, value) in &series.figures {
            let _ = write!(text, "{head},{},{value},\r\n", field(name));
        }
    }
    let tests = results.tests.iter();
    let figures =
        tests.flat_map(|found| found.series.iter().flat_map(|one| published(&found.test, one)));
    others(&mut text, figures, |name, value, unit| format!("{name},{value},{unit}"));
    text
}

/// A row for each published figure, each once: its source and place as the label, its machine and load among the
/// conditions. A bound, such as `<`, stands behind the name.
fn others(
    text: &mut String,
    figures: impl Iterator<Item = Published>,
    row: impl Fn(&str, f64, &str) -> String,
) {
    let mut told = BTreeSet::new();
    for figure in figures {
        let mut conditions = Conditions::from([("on".to_owned(), on(&figure))]);
        conditions.extend(
            figure.conditions.iter().map(|(name, like)| ((*name).to_owned(), like.to_string())),
        );
        let why = figure.not_comparable.map(|why| ("not comparable".to_owned(), why.to_owned()));
        conditions.extend(why);
        let label = format!("{}, {}", figure.source, figure.place);
        let bound =
            if figure.bound.is_empty() { String::new() } else { format!(" {}", figure.bound) };
        let name = field(&format!("{}{bound}", figure.of.name()));
        let head = head(&label, figure.test, figure.quantity, &conditions);
        let line = format!("{head},{}\r\n", row(&name, figure.value, figure.unit.name()));
        if told.insert(line.clone()) {
            text.push_str(&line);
        }
    }
}

/// One row for each bin that is not empty.
pub fn histogram_csv(results: &Results) -> String {
    let mut text = format!("{HISTOGRAM}\r\n");
    for (head, series) in heads(results) {
        for bin in series.histogram.bins() {
            let _ = write!(text, "{head},{},{},{}\r\n", bin.from_ns, bin.width_ns, bin.count);
        }
    }
    text
}

/// One row for each label and number: its least, median and greatest value over the runs of
/// that label. First what the papers print, in their units; then every statistic. At the end what others
/// found of the same, whose runs are not told.
pub fn comparison_csv(found: &Comparison) -> String {
    let mut text = format!("{COMPARISON}\r\n");
    for row in &found.rows {
        let cells = found.labels.iter().zip(&row.cells);
        for (label, cell) in cells.filter_map(|(label, cell)| Some((label, cell.as_ref()?))) {
            // A row that is joined with others' differs from them in what it says here.
            let mut conditions = row.conditions.clone();
            let column = found.labels.iter().position(|other| other == label);
            for differing in &row.differing {
                let own = column.and_then(|at| differing.values.get(at)?.clone());
                own.map(|own| conditions.insert(differing.condition.clone(), own));
            }
            let head = head(label, &row.test, row.quantity, &conditions);
            let runs = cell.runs;
            for one in &cell.measures {
                let _ = write!(text, "{head},{}\r\n", measured(one, runs));
            }
            for (name, [least, median, greatest]) in &cell.over_runs {
                let _ = write!(text, "{head},{name},{least},{median},{greatest},ns,{runs}\r\n");
            }
        }
    }
    let figures = found.rows.iter().flat_map(|row| row.published.iter().copied());
    others(&mut text, figures, |name, value, unit| {
        format!("{name},{value},{value},{value},{unit},")
    });
    text
}

/// The last fields of a measure's row. What is only known to be more than a table's end has
/// that in its name.
fn measured(one: &MeasuredLabel, runs: usize) -> String {
    let amounts = [one.least, one.median, one.greatest];
    let more = if amounts.iter().any(|amount| amount.beyond) { "_more_than" } else { "" };
    let [least, median, greatest] = amounts.map(|amount| amount.value);
    let (name, unit) = (&one.measure, one.unit.name());
    format!("{name}{more},{least},{median},{greatest},{unit},{runs}")
}

/// Each series with the first four fields of its rows.
fn heads(results: &Results) -> impl Iterator<Item = (String, &SampleSeries)> {
    let pairs = results.tests.iter().flat_map(|found| std::iter::repeat(found).zip(&found.series));
    pairs.map(|(found, series)| {
        (head(&results.label, &found.test, series.quantity, &series.conditions), series)
    })
}

/// The first four fields of a row.
fn head(label: &str, test: &str, quantity: Quantity, conditions: &Conditions) -> String {
    let conditions: Vec<String> =
        conditions.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let quantity = serde_json::to_value(quantity).unwrap_or_default();
    let quantity = quantity.as_str().unwrap_or_default();
    [label, test, quantity, &conditions.join("; ")].map(field).join(",")
}

/// A field, quoted where it must be. What a spreadsheet would take for a formula is
/// given an apostrophe before it, since labels and port names come from outside.
fn field(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_timing::{Histogram, Length, TestFound};
    use proptest::prelude::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("say \"hi\""), "\"say \"\"hi\"\"\"");
        assert_eq!(field("=1+1"), "'=1+1");
    }

    /// Vignati et al. (2022) print a mean of 6.5 us for PREEMPT_RT.
    #[test]
    fn what_others_found_stands_once_at_the_end_in_its_own_unit() {
        let wakeups = |core: &str| {
            let conditions = [("core", core), ("scheduling", "SCHED_FIFO 90")];
            SampleSeries::of(Quantity::Lateness, &conditions, Histogram::new())
        };
        let mut results = Results::begin("chronotap", "here", "", Length::Quick);
        let series = vec![wakeups("0"), wakeups("1")];
        results.tests.push(TestFound { test: "wakeup".into(), series, ..TestFound::default() });
        let text = statistics_csv(&results);
        let theirs =
            text.lines().filter(|line| line.contains("Vignati") && line.contains(",mean,"));
        let theirs: Vec<&str> = theirs.filter(|line| line.contains("PREEMPT_RT")).collect();
        assert_eq!(theirs.len(), 1, "{text}");
        assert!(theirs[0].ends_with(",mean,6.5,us"), "{theirs:?}");
        assert!(text.lines().next().is_some_and(|head| head.starts_with("label,")), "{text}");
    }

    proptest! {
        #[test]
        fn whatever_stands_in_a_field_it_stays_one_field(text in "[a-z,\"\r\n=]{0,20}") {
            let written = field(&text);
            let inner = match written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
                Some(quoted) => quoted.replace("\"\"", "\""),
                None => {
                    prop_assert!(!written.contains([',', '"', '\n', '\r']));
                    written
                }
            };
            let guarded = format!("'{text}");
            prop_assert!(inner == text || inner == guarded);
        }
    }
}
