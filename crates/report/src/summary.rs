//! Results as text of at most 80 columns: what a person reads after a test.
//!
//! Long tests leave hundreds of series; here stands one line for each that differs
//! in more than its core, and no more than [`LINES`] for each test. The page has all.

use chronotap_timing::{Found, Histogram, Results, Series, Statistic, Statistics, Verdict, spoken};
use std::collections::BTreeMap;

/// The widest line.
const COLUMNS: usize = 80;
/// The widest name of a series.
const NAME: usize = 31;
/// The most series that are shown of a test.
const LINES: usize = 24;
/// The statistics of a line, in order.
const SHOWN: [Statistic; 4] = [Statistic::Mean, Statistic::Median, Statistic::P99, Statistic::Max];

/// What every test found.
pub fn summary(results: &Results) -> String {
    results.tests.iter().map(test_summary).collect::<Vec<_>>().join("\n")
}

/// What one test found.
pub fn test_summary(found: &Found) -> String {
    let mut lines = vec![title(found)];
    if let Some(why) = &found.unavailable {
        lines.extend(broken(&format!("not available: {why}"), "  "));
    }
    let rows = rows(found);
    for (at, (name, statistics)) in rows.iter().enumerate().take(LINES) {
        let (quantity, name) = name;
        if at == 0 || rows[at - 1].0.0 != *quantity {
            lines.push(format!(
                "  {:<NAME$} {:>10} {:>10} {:>10} {:>10}",
                quantity, "mean", "median", "p99", "max"
            ));
        }
        lines.push(line(name, statistics));
    }
    if rows.len() > LINES {
        lines.push(format!("  and {} more in the page", rows.len() - LINES));
    }
    for note in &found.notes {
        lines.extend(broken(note, "  "));
    }
    lines.join("\n") + "\n"
}

/// A verdict in words.
pub fn verdict_text(verdict: &Verdict) -> String {
    let mut lines = broken(&format!("Verdict: {} for {}", verdict.fitness, verdict.purpose), "");
    lines.extend(broken(&verdict.because, "  "));
    for reservation in &verdict.reservations {
        lines.extend(broken(&format!("- {reservation}"), "  "));
    }
    lines.join("\n")
}

fn title(found: &Found) -> String {
    let partly =
        if found.interrupted { " (interrupted: what was measured until then)" } else { "" };
    format!("{}{partly}", found.test)
}

type Row = ((String, String), Statistics);

/// One row for each quantity and set of conditions, all cores and runs together, in the
/// order in which they were measured.
fn rows(found: &Found) -> Vec<Row> {
    let mut order: Vec<(String, String)> = Vec::new();
    let mut pooled: BTreeMap<(String, String), Histogram> = BTreeMap::new();
    for series in found.series.iter().filter(|series| series.statistics.n > 0) {
        let name = (quantity(series), conditions(series));
        if !order.contains(&name) {
            order.push(name.clone());
        }
        pooled.entry(name).or_default().merge(&series.histogram);
    }
    let quantities: Vec<String> = order.iter().map(|(quantity, _)| quantity.clone()).collect();
    order.sort_by_key(|(quantity, _)| quantities.iter().position(|other| other == quantity));
    let of = |name: (String, String)| {
        let statistics = pooled.get(&name).map(Statistics::of).unwrap_or_default();
        (name, statistics)
    };
    order.into_iter().map(of).collect()
}

/// What was measured, in a word or two.
pub(crate) fn quantity(series: &Series) -> String {
    let described = series.quantity.describe();
    described.split(':').next().unwrap_or(described).to_owned()
}

/// The conditions but core and run; an idle machine is not mentioned.
pub(crate) fn conditions(series: &Series) -> String {
    let said = series.conditions.iter().filter(|(name, value)| {
        !matches!(name.as_str(), "core" | "run")
            && (name.as_str(), value.as_str()) != ("load", "none")
    });
    let words: Vec<String> = said.map(|(name, value)| condition(name, value)).collect();
    if words.is_empty() { "all".into() } else { words.join(", ") }
}

/// A condition in as few words as can be: the unit of a number, the name of a switch.
pub(crate) fn condition(name: &str, value: &str) -> String {
    let value = value.strip_suffix(", memory locked").unwrap_or(value);
    match name {
        _ if name.ends_with("_us") => format!("{value} us"),
        _ if name.ends_with("_hz") => format!("{value} Hz"),
        "scheduling" | "mechanism" | "clock" | "source" | "ports" | "reader" => value.to_owned(),
        "load" => format!("under {value}"),
        _ => format!("{name} {value}"),
    }
}

fn line(name: &str, statistics: &Statistics) -> String {
    let name: String = match name.chars().count() {
        n if n > NAME => name.chars().take(NAME - 2).chain("..".chars()).collect(),
        _ => name.to_owned(),
    };
    let value = |which: Statistic| which.of(statistics).map_or("-".into(), spoken);
    let values: Vec<String> = SHOWN.map(|which| format!("{:>10}", value(which))).to_vec();
    format!("  {name:<NAME$} {}", values.join(" "))
}

/// A sentence in lines, the second and later ones indented by two columns more.
pub(crate) fn broken(sentence: &str, indent: &str) -> Vec<String> {
    let mut lines = vec![indent.to_owned()];
    for word in sentence.split_whitespace() {
        let last = lines.len() - 1;
        let begun = lines[last].trim().is_empty();
        if !begun && lines[last].chars().count() + 1 + word.chars().count() > COLUMNS {
            lines.push(format!("{indent}  {word}"));
        } else {
            let space = if begun { "" } else { " " };
            lines[last] += &format!("{space}{word}");
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_time::Nanos;
    use chronotap_timing::Quantity;

    #[test]
    fn cores_share_a_line_and_no_line_is_wider_than_a_terminal() {
        let series = |core: &str, long: &str| {
            let conditions = [("core", core), ("mechanism", long), ("load", "none")];
            Series::of(Quantity::Lateness, &conditions, Histogram::of([Nanos(20_000)]))
        };
        let long = "a mechanism whose name is rather longer than a column";
        let found = Found {
            test: "waits".into(),
            series: vec![series("0", long), series("1", long), series("0", "short")],
            notes: vec!["a note ".repeat(30)],
            ..Found::default()
        };
        let text = test_summary(&found);
        assert!(text.lines().all(|line| line.chars().count() <= COLUMNS), "{text}");
        assert_eq!(text.matches("20.0 us").count(), 2 * SHOWN.len(), "{text}");
    }

    #[test]
    fn what_could_not_run_says_why() {
        let text = test_summary(&Found::unavailable("periodic", "no /dev/rtc; load rtc-cmos"));
        assert!(text.contains("not available: no /dev/rtc; load rtc-cmos"), "{text}");
    }
}
