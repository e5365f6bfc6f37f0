//! Results as text of at most 80 columns: what a person reads after a test.
//!
//! Long tests leave hundreds of series; here stands one line for each that differs
//! in more than its core, and no more than [`LINES`] for each test. The page has all.

use crate::spoken::Spoken;
use crate::words::{broken, in_a_word, is_typical, told_apart, words};
use chronotap_timing::{
    Conditions, Histogram, POOLED, Quantity, Results, SampleStatistic, Statistics, TestFound,
};

/// The widest name of a series.
const NAME: usize = 37;
/// The most series that are shown of a test.
const LINES: usize = 24;
/// The statistics of a line, in order.
const SHOWN: [SampleStatistic; 4] =
    [SampleStatistic::Mean, SampleStatistic::Median, SampleStatistic::P99, SampleStatistic::Max];
/// Those of clock steps: the columns of Finney's Table 1, then p99.
const SHOWN_OF_STEPS: [SampleStatistic; 4] =
    [SampleStatistic::Mean, SampleStatistic::Max, SampleStatistic::Sd, SampleStatistic::P99];

/// What every test found.
pub fn summary(results: &Results) -> String {
    results.tests.iter().map(test_summary).collect::<Vec<_>>().join("\n")
}

/// What one test found.
pub fn test_summary(found: &TestFound) -> String {
    let mut lines = vec![title(found)];
    if let Some(why) = &found.unavailable {
        lines.extend(broken(&format!("not available: {why}"), "  "));
    }
    let groups = groups(found);
    let all: usize = groups.iter().map(|group| group.rows.len()).sum();
    let mut count = 0;
    for group in &groups {
        let some = group.rows.iter().any(|row| is_typical(&row.conditions));
        let shown = |row: &&Row| all <= LINES || !some || is_typical(&row.conditions);
        let rows: Vec<&Row> = group.rows.iter().filter(shown).take(LINES).collect();
        count += rows.len();
        lines.extend(table(group, &rows));
    }
    if count < all {
        lines.push(format!("  and {} series more in the page", all - count));
    }
    for note in &found.notes {
        lines.extend(broken(note, "  "));
    }
    lines.join("\n") + "\n"
}

/// The rows of a quantity: what they have in common above, what tells them apart before
/// the numbers.
fn table(group: &Group, rows: &[&Row]) -> Vec<String> {
    if rows.is_empty() {
        return Vec::new();
    }
    let told = told_apart(rows.iter().map(|row| &row.conditions));
    let common = words(&rows[0].conditions, |name| !told.contains(&name.to_owned()));
    let colon = if common.is_empty() { "" } else { ": " };
    let mut lines = broken(&format!("{}{colon}{common}", group.quantity), "  ");
    let heads: Vec<String> = group.shown.map(|which| format!("{:>9}", which.name())).to_vec();
    lines.push(format!("  {:<NAME$} {}", "", heads.join(" ")));
    let name = |row: &Row| words(&row.conditions, |name| told.contains(&name.to_owned()));
    lines.extend(rows.iter().map(|row| line(&name(row), group.shown, &row.statistics)));
    lines
}

/// A verdict in words.
pub fn verdict_text(verdict: &Spoken) -> String {
    let mut lines = broken(&format!("Verdict: {} for {}", verdict.fitness, verdict.purpose), "");
    lines.extend(broken(&verdict.because, "  "));
    for reservation in &verdict.reservations {
        lines.extend(broken(&format!("- {reservation}"), "  "));
    }
    lines.join("\n")
}

fn title(found: &TestFound) -> String {
    let partly =
        if found.interrupted { " (interrupted: what was measured until then)" } else { "" };
    format!("{}{partly}", found.test)
}

/// One quantity of a test.
struct Group {
    quantity: String,
    shown: [SampleStatistic; 4],
    rows: Vec<Row>,
}

/// One set of conditions, all cores and runs together.
struct Row {
    conditions: Conditions,
    statistics: Statistics,
}

/// The quantities and their rows, in the order in which they were measured.
fn groups(found: &TestFound) -> Vec<Group> {
    let mut pooled: Vec<(Quantity, Conditions, Histogram)> = Vec::new();
    for series in found.series.iter().filter(|series| series.statistics.n > 0) {
        let mut conditions = series.conditions.clone();
        conditions.retain(|name, _| !POOLED.contains(&name.as_str()));
        let same = |(quantity, other, _): &&mut (Quantity, Conditions, Histogram)| {
            *quantity == series.quantity && *other == conditions
        };
        match pooled.iter_mut().find(same) {
            Some((_, _, all)) => all.merge(&series.histogram),
            None => pooled.push((series.quantity, conditions, series.histogram.clone())),
        }
    }
    let mut groups: Vec<Group> = Vec::new();
    for (quantity, conditions, all) in pooled {
        let steps = quantity == Quantity::ClockStep;
        let shown = if steps { SHOWN_OF_STEPS } else { SHOWN };
        let quantity = in_a_word(quantity);
        let row = Row { conditions, statistics: Statistics::of(&all) };
        match groups.iter_mut().find(|group| group.quantity == quantity) {
            Some(group) => group.rows.push(row),
            None => groups.push(Group { quantity, shown, rows: vec![row] }),
        }
    }
    groups
}

/// A name that is too wide stands above its numbers.
fn line(name: &str, shown: [SampleStatistic; 4], statistics: &Statistics) -> String {
    let value = |which: SampleStatistic| which.said(statistics);
    let values: Vec<String> = shown.map(|which| format!("{:>9}", value(which))).to_vec();
    let values = values.join(" ");
    match name.chars().count() > NAME {
        true => format!("{}\n  {:<NAME$} {values}", broken(name, "  ").join("\n"), ""),
        false => format!("  {name:<NAME$} {values}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_core::text::COLUMNS;
    use chronotap_core::time::Nanos;
    use chronotap_timing::SampleSeries;

    #[test]
    fn cores_share_a_line_and_no_line_is_wider_than_a_terminal() {
        let series = |core: &str, long: &str| {
            let conditions = [("core", core), ("mechanism", long), ("load", "none")];
            SampleSeries::of(Quantity::Lateness, &conditions, Histogram::of([Nanos(20_000)]))
        };
        let long = "a mechanism whose name is rather longer than a column";
        let found = TestFound {
            test: "waits".into(),
            series: vec![series("0", long), series("1", long), series("0", "short")],
            notes: vec!["a note ".repeat(30)],
            ..TestFound::default()
        };
        let text = test_summary(&found);
        assert!(text.lines().all(|line| line.chars().count() <= COLUMNS), "{text}");
        assert_eq!(text.matches("20.0 us").count(), 2 * SHOWN.len(), "{text}");
    }

    #[test]
    fn clock_steps_have_the_columns_of_finneys_table() {
        let conditions = [("load", "none"), ("scheduling", "ordinary")];
        let steps = Histogram::of([1_000, 3_000].map(Nanos));
        let series = vec![SampleSeries::of(Quantity::ClockStep, &conditions, steps)];
        let text =
            test_summary(&TestFound { test: "clock".into(), series, ..TestFound::default() });
        let heads: Vec<&str> = text.lines().nth(2).unwrap_or_default().split_whitespace().collect();
        assert_eq!(heads, ["mean", "max", "SD", "p99"], "{text}");
        assert!(text.contains("2.00 us   3.00 us   1.41 us"), "{text}");
    }

    #[test]
    fn what_could_not_run_says_why() {
        let text = test_summary(&TestFound::unavailable("periodic", "no /dev/rtc; load rtc-cmos"));
        assert!(text.contains("not available: no /dev/rtc; load rtc-cmos"), "{text}");
    }
}
