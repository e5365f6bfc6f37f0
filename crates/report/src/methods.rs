//! [`methods`]: a paragraph and a table for a paper, from each timing test: what was measured,
//! on what machine and kernel, with which rights, and the numbers with their units. It is
//! Markdown, which word processors and LaTeX (by pandoc) take.

use crate::words::{broken, conditions, in_a_word};
use chronotap_machine::facts::Facts;
use chronotap_timing::about;
use chronotap_timing::{
    Histogram, MachineMeasure, POOLED, Results, SampleSeries, Statistics, TestFound, measures,
};
use std::fmt::Write;

/// The most rows of a table; what a paper prints of hundreds is the reader's choice.
const ROWS: usize = 24;

/// For each test of each file that measured something; what could not run is left out.
pub fn methods(all: &[Results]) -> String {
    let measured = |found: &&TestFound| found.series.iter().any(|one| one.statistics.n > 0);
    let of_file = |results: &Results| {
        let Results { tests, .. } = results;
        tests.iter().filter(measured).map(|found| section(results, found)).collect::<Vec<_>>()
    };
    all.iter().flat_map(of_file).collect::<Vec<_>>().join("\n")
}

fn section(results: &Results, found: &TestFound) -> String {
    let paragraph = [what(found), machine(results), rights(found), numbers()].join(" ");
    let mut text = broken(paragraph.trim(), "").join("\n").replace("\n  ", "\n");
    text += &format!("\n\nTable: {}, {}\n\n", found.test, results.label);
    text + &table(found)
}

/// The test, by its own words.
fn what(found: &TestFound) -> String {
    let meaning = about(&found.test).map_or("", |term| term.meaning);
    let first = meaning.split(". ").next().unwrap_or_default().trim_end_matches('.');
    match first {
        "" => format!("Timing was measured with the test `{}`.", found.test),
        first => format!("Timing was measured with the test `{}`: {first}.", found.test),
    }
}

fn machine(results: &Results) -> String {
    let program = results.program.replacen("chronotap", "Chronotap", 1);
    let day = results.began.split('T').next().unwrap_or_default();
    let Some(facts) = &results.machine else {
        return format!("It ran with {program} on {day}; the machine was not recorded.");
    };
    let mut text = format!("It ran with {program} on {day}, on {}", computer(facts));
    if facts.is_guest() {
        text += " (a virtual machine or container)";
    }
    let about = results.about.iter().map(|(name, said)| format!("; {name}: {said}"));
    text + &about.collect::<String>() + "."
}

/// `AMD EPYC, processors 0-1, Linux 6.18.44 (PREEMPT_DYNAMIC)`
fn computer(facts: &Facts) -> String {
    let unknown = || "unknown".to_owned();
    let release = facts.kernel.release.clone().unwrap_or_else(unknown);
    let compiled = facts.kernel.preemption.compiled.as_deref().filter(|how| !how.is_empty());
    let preemption = compiled.map_or(String::new(), |how| format!(" ({how})"));
    let processors = facts.processors.online.clone().unwrap_or_else(unknown);
    let model = facts.processors.model.clone().unwrap_or_else(|| "a computer".into());
    format!("{model}, processors {processors}, Linux {release}{preemption}")
}

fn rights(found: &TestFound) -> String {
    match &found.grant {
        None => String::new(),
        Some(grant) => {
            format!(
                "Rights of the measuring threads: {}.",
                grant.sentences().collect::<Vec<_>>().join("; ")
            )
        }
    }
}

fn numbers() -> String {
    "SD is with n - 1; p99 is the value that 99 % of the samples do not exceed.".into()
}

/// A table for each quantity, with a row for each set of conditions, all cores and runs together.
fn table(found: &TestFound) -> String {
    let rows = pooled(found);
    let (shown, left) = rows.split_at(rows.len().min(ROWS));
    let mut tables: Vec<String> =
        shown.chunk_by(|a, b| a.0.quantity == b.0.quantity).map(of_quantity).collect();
    if !left.is_empty() {
        tables.push(format!("and {} rows more in the CSV.\n", left.len()));
    }
    tables.join("\n")
}

/// The columns: n, then those measures that any row has, in their units.
fn of_quantity(rows: &[(&SampleSeries, Statistics)]) -> String {
    let Some((first, _)) = rows.first() else { return String::new() };
    let has = |measure: &&MachineMeasure| {
        rows.iter().any(|(one, all)| measure.amount(one, all).is_some())
    };
    let shown: Vec<&MachineMeasure> = measures(first.quantity).iter().filter(has).collect();
    let name = |measure: &&MachineMeasure| match measure.unit.name() {
        "count" => measure.title.to_owned(),
        unit => format!("{} ({unit})", measure.title),
    };
    let names: Vec<String> = shown.iter().map(name).collect();
    let line = "|---".repeat(names.len() + 2);
    let mut text =
        format!("| {} | n | {} |\n{line}|\n", in_a_word(first.quantity), names.join(" | "));
    for (series, all) in rows {
        let cells: Vec<String> = shown.iter().map(|measure| cell(measure, series, all)).collect();
        let (name, n) = (conditions(series), all.n);
        // A string takes every write.
        let _ = writeln!(text, "| {name} | {n} | {} |", cells.join(" | "));
    }
    text
}

/// A value without its unit, which stands above.
fn cell(measure: &MachineMeasure, series: &SampleSeries, all: &Statistics) -> String {
    let said = measure.amount(series, all).map_or("-".into(), |amount| amount.said(measure.unit));
    let unit = format!(" {}", measure.unit.name());
    said.strip_suffix(unit.as_str()).map_or(said.clone(), str::to_owned)
}

/// Of the first series of each set of conditions, with the samples of all.
fn pooled(found: &TestFound) -> Vec<(&SampleSeries, Statistics)> {
    let mut all: Vec<(&SampleSeries, Histogram)> = Vec::new();
    let alike = |one: &SampleSeries, other: &SampleSeries| {
        let told = |series: &SampleSeries| {
            let mut told = series.conditions.clone();
            POOLED.iter().for_each(|name| drop(told.remove(*name)));
            told
        };
        one.quantity == other.quantity && told(one) == told(other)
    };
    for series in found.series.iter().filter(|series| series.statistics.n > 0) {
        match all.iter_mut().find(|(first, _)| alike(first, series)) {
            Some((_, histogram)) => histogram.merge(&series.histogram),
            None => all.push((series, series.histogram.clone())),
        }
    }
    all.into_iter().map(|(series, histogram)| (series, Statistics::of(&histogram))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_core::text::COLUMNS;
    use chronotap_core::time::Nanos;
    use chronotap_timing::{Length, Quantity};

    fn results() -> Results {
        let series = |core: &str, us: &[i64]| {
            let conditions = [("core", core), ("interval_us", "1000"), ("load", "none")];
            let times = us.iter().map(|us| Nanos::from_micros(*us));
            SampleSeries::of(Quantity::Lateness, &conditions, Histogram::of(times))
        };
        let series = vec![series("0", &[10, 20]), series("1", &[30, 40])];
        let mut results =
            Results::begin("chronotap 1.2", "here", "2026-01-02T03:04:05Z", Length::Quick);
        let found = TestFound { series, ..TestFound::of("wakeup") };
        results.tests = vec![found, TestFound::unavailable("periodic", "no /dev/rtc")];
        results.about.insert("pad".into(), "RT-30".into());
        results
    }

    #[test]
    fn a_test_has_a_paragraph_and_a_table_with_units() {
        let text = methods(&[results()]);
        let flat = text.replace('\n', " ");
        assert!(flat.contains("test `wakeup`: One thread for each core sleeps"), "{text}");
        assert!(flat.contains("Chronotap 1.2 on 2026-01-02"), "{text}");
        assert!(text.contains("| lateness | n | max (us) | mean (us) | median (us) |"), "{text}");
        // Four samples of both cores: 40 and 25 us.
        assert!(text.contains("| 1000 us | 4 | 40.0 | 25.0 |"), "{text}");
        assert!(!text.contains("periodic"), "{text}");
        let lines = text.lines().take_while(|line| !line.starts_with("Table"));
        assert!(lines.clone().all(|line| line.chars().count() <= COLUMNS), "{text}");
    }

    #[test]
    fn the_machine_is_named() {
        let text = methods(&[Results { machine: Some(Facts::default()), ..results() }]);
        assert!(text.replace('\n', " ").contains("pad: RT-30."), "{text}");
    }
}
