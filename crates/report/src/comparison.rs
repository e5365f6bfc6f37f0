//! A comparison as text and as a section of a page: what is better, by how much, and
//! whether that is more than the runs differ among themselves.

use crate::html::{Table, element, escape};
use crate::words::{COLUMNS, broken, condition, in_a_word, is_typical};
use chronotap_timing::{Cell, Comparison, Difference, Row, Statistic, spoken};

/// The most rows of a test that are shown without choosing.
const LINES: usize = 24;

/// As text of at most 80 columns. What only one label has is counted, not shown, unless
/// there is but one; of many pauses and rates those of about 1 ms are shown.
pub fn comparison_text(found: &Comparison) -> String {
    let mut lines = Vec::new();
    for (label, runs) in found.labels.iter().zip(&found.runs) {
        lines
            .push(clipped(&format!("{label}: {runs} {}", if *runs == 1 { "run" } else { "runs" })));
    }
    for rows in found.rows.chunk_by(|a, b| a.test == b.test) {
        lines.extend(test_lines(found, rows));
    }
    lines.push(String::new());
    lines.extend(broken(found.rule, ""));
    lines.join("\n")
}

/// The rows of one test, and below them what others found.
fn test_lines(found: &Comparison, rows: &[Row]) -> Vec<String> {
    let enough = found.labels.len().min(2);
    let shared = |row: &&Row| row.cells.iter().flatten().count() >= enough;
    let many = rows.iter().filter(shared).count() > LINES;
    let shown = |row: &&Row| shared(row) && (!many || is_typical(&row.conditions));
    let mut lines = Vec::new();
    for row in rows.iter().filter(shown) {
        lines.push(String::new());
        lines.extend(broken(&title(row), ""));
        lines.extend(row_lines(found, row));
    }
    let count = rows.len() - rows.iter().filter(shown).count();
    if count > 0 {
        let test = &rows[0].test;
        lines.push(format!("\n{test}: {count} more rows in the page (--html) and in --csv"));
    }
    let mut others: Vec<String> = Vec::new();
    for figure in rows.iter().filter(shown).flat_map(|row| &row.published) {
        let (value, name) = (spoken(figure.value_ns), figure.statistic.name());
        let said = format!("{}: {name} {value} ({})", figure.source, figure.system);
        if !others.contains(&said) {
            others.push(said);
        }
    }
    if !others.is_empty() {
        lines.push(format!("\n{}, as others found it:", rows[0].test));
        lines.extend(others.iter().flat_map(|said| broken(said, "  ")));
    }
    lines
}

fn row_lines(found: &Comparison, row: &Row) -> Vec<String> {
    let cells = found.labels.iter().zip(&row.cells);
    let cells = cells.filter_map(|(label, cell)| Some((label, cell.as_ref()?)));
    let cell = |(label, cell): (&String, &Cell)| {
        broken(&format!("{label}: {}", cell_text(row, Some(cell))), "  ")
    };
    let said = row.differences.iter().map(|one| sentence(found, one));
    let said = said.flat_map(|sentence| broken(&format!("- {sentence}"), "  "));
    cells.flat_map(cell).chain(said).collect()
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
    let quantity = in_a_word(row.quantity);
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
