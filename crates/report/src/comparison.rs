//! A comparison as text and as a section of a page: what is better, by how much, and
//! whether that is more than the runs differ among themselves.

use crate::html::{Table, element, escape};
use crate::summary::condition;
use chronotap_timing::{Cell, Comparison, Difference, Row, Statistic, spoken};

/// The widest line.
const COLUMNS: usize = 80;

/// As text of at most 80 columns.
pub fn comparison_text(found: &Comparison) -> String {
    let mut lines = Vec::new();
    for (label, runs) in found.labels.iter().zip(&found.runs) {
        lines.push(format!("{label}: {runs} {}", if *runs == 1 { "run" } else { "runs" }));
    }
    for row in &found.rows {
        lines.push(String::new());
        lines.extend(broken(&title(row), ""));
        for (label, cell) in found.labels.iter().zip(&row.cells) {
            lines.push(clipped(&format!("  {:<24} {}", label, cell_text(row, cell.as_ref()))));
        }
        lines.extend(row.published.iter().flat_map(|figure| {
            let value = spoken(figure.value_ns);
            broken(
                &format!(
                    "{}: {} {value} ({})",
                    figure.source,
                    figure.statistic.name(),
                    figure.system
                ),
                "  ",
            )
        }));
        let said = row.differences.iter().map(|one| sentence(found, one));
        lines.extend(said.flat_map(|sentence| broken(&format!("- {sentence}"), "  ")));
    }
    lines.push(String::new());
    lines.extend(broken(found.rule, ""));
    lines.join("\n")
}

/// As a section of a page.
pub(crate) fn section(found: &Comparison) -> String {
    let mut text = element("h2", "Side by side");
    let head = [vec!["what"], found.labels.iter().map(String::as_str).collect(), vec!["published"]];
    let mut table = Table::new("Median over runs, by label; less is better", &head.concat());
    for row in &found.rows {
        for statistic in Statistic::compared(row.quantity) {
            let mut cells = vec![format!("{}: {}", title(row), statistic.name())];
            cells.extend(row.cells.iter().map(|cell| value(cell.as_ref(), *statistic)));
            let of = row.published.iter().filter(|figure| figure.statistic == *statistic);
            let published = of.map(|one| format!("{} ({})", spoken(one.value_ns), one.source));
            cells.push(published.collect::<Vec<_>>().join("; "));
            table.row(cells);
        }
    }
    text += &table.html();
    text += &element("h2", "What differs");
    for row in found.rows.iter().filter(|row| !row.differences.is_empty()) {
        text += &element("h3", &title(row));
        let sentences = row.differences.iter().map(|one| element("li", &sentence(found, one)));
        text += &format!("<ul>\n{}</ul>\n", sentences.collect::<String>());
    }
    text + &format!("<p class=\"soft\">{}</p>\n", escape(found.rule))
}

fn title(row: &Row) -> String {
    let conditions: Vec<String> =
        row.conditions.iter().map(|(name, value)| condition(name, value)).collect();
    let quantity = row.quantity.describe().split(':').next().unwrap_or_default();
    format!("{}, {quantity}: {}", row.test, conditions.join(", "))
}

fn cell_text(row: &Row, cell: Option<&Cell>) -> String {
    let Some(cell) = cell else { return "not measured".into() };
    let figures = Statistic::compared(row.quantity).iter();
    let said: Vec<String> =
        figures.map(|which| format!("{} {}", which.name(), value(Some(cell), *which))).collect();
    format!("{}, n {}", said.join(", "), cell.statistics.n)
}

/// The median over runs, with their range where there are several.
fn value(cell: Option<&Cell>, which: Statistic) -> String {
    match cell.and_then(|cell| Some((cell.runs, cell.over_runs.get(which.name())?))) {
        None => "-".into(),
        Some((1, [_, median, _])) => spoken(*median),
        Some((_, [least, median, most])) => {
            format!("{} ({} to {})", spoken(*median), spoken(*least), spoken(*most))
        }
    }
}

/// `b has the shorter p99, 3.2 times (25.0 us to 7.8 us): ...`
fn sentence(found: &Comparison, one: &Difference) -> String {
    let name = one.statistic.name();
    let label = |at: usize| found.labels.get(at).map_or("", String::as_str);
    let told = one.agreement.describe();
    let Some(better) = one.better() else {
        return format!("{name}: {} and {} are the same", label(one.reference), label(one.other));
    };
    let (less, more) = (one.reference_ns.min(one.other_ns), one.reference_ns.max(one.other_ns));
    let times = one.ratio().map_or(String::new(), |ratio| format!(", {ratio:.2} times"));
    let (less, more) = (spoken(less), spoken(more));
    format!("{name}: {} is better{times} ({less} against {more}): {told}", label(better))
}

fn clipped(line: &str) -> String {
    line.chars().take(COLUMNS).collect()
}

fn broken(sentence: &str, indent: &str) -> Vec<String> {
    crate::summary::broken(sentence, indent)
}
