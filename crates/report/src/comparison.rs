//! A comparison as text and as a section of a page: what is better, by how much, and
//! whether that is more than the runs differ among themselves.

use crate::html::{Table, element, escape};
use crate::words::{COLUMNS, broken, condition, in_a_word, is_typical, told_apart, words};
use chronotap_timing::{Cell, Comparison, Difference, Like, Published, Row, Statistic, spoken};

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
    let others = others(rows.iter().filter(shown));
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

/// As a section of a page: for each quantity of a test a table, and below it what others
/// found.
pub(crate) fn section(found: &Comparison) -> String {
    let mut text = element("h2", "Side by side");
    for rows in found.rows.chunk_by(|a, b| (&a.test, a.quantity) == (&b.test, b.quantity)) {
        let many = rows.len() > LINES;
        let typical = |row: &&Row| !many || is_typical(&row.conditions);
        let (shown, more): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(typical);
        text += &table(found, &shown);
        if !more.is_empty() {
            let all = more.len();
            let more = table(found, &more);
            text += &format!("<details><summary>{all} rows more</summary>\n{more}</details>\n");
        }
        let others: String = others(rows.iter()).iter().map(|said| element("li", said)).collect();
        if !others.is_empty() {
            text += &format!("<p class=\"soft\">As others found it:</p>\n<ul>\n{others}</ul>\n");
        }
    }
    text + &format!("<p class=\"soft\">{}</p>\n", escape(found.rule))
}

/// Rows of one quantity: the conditions that tell them apart, one column for each label,
/// and what is better.
fn table(found: &Comparison, rows: &[&Row]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let told = told_apart(rows.iter().map(|row| &row.conditions));
    let common = words(&first.conditions, |name| !told.contains(&name.to_owned()));
    let caption = format!("{}, {}: {common}", first.test, in_a_word(first.quantity));
    let head = [vec![""], found.labels.iter().map(String::as_str).collect(), vec!["difference"]];
    let mut table = Table::new(&caption, &head.concat());
    for row in rows {
        let name = words(&row.conditions, |name| told.contains(&name.to_owned()));
        for statistic in Statistic::compared(row.quantity) {
            let comma = if name.is_empty() { "" } else { ", " };
            let mut cells = vec![format!("{name}{comma}{}", statistic.name())];
            cells.extend(row.cells.iter().map(|cell| value(cell.as_ref(), *statistic)));
            let said = row.differences.iter().filter(|one| one.statistic == *statistic);
            let said: Vec<String> = said.map(|one| in_short(found, one)).collect();
            cells.push(said.join("; "));
            table.row(cells);
        }
    }
    table.html()
}

/// What others found of the same, each once.
fn others<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for figure in rows.flat_map(|row| &row.published) {
        let (value, name) = (spoken(figure.value_ns), figure.statistic.name());
        let said = format!("{}{}: {name} {value} ({})", figure.source, when(figure), figure.system);
        if !all.contains(&said) {
            all.push(said);
        }
    }
    all
}

/// Under which conditions it was found, as `, ordinary, load none`.
fn when(figure: &Published) -> String {
    let told = figure.conditions.iter().filter(|(name, _)| *name != "variant");
    let said = told.map(|(name, Like::Is(value) | Like::Begins(value))| match *name {
        "load" => format!(", load {value}"),
        "rate_hz" => format!(", {value} Hz"),
        _ => format!(", {value}"),
    });
    said.collect()
}

/// `b 3.20 times less: more than the runs differ among themselves`
fn in_short(found: &Comparison, one: &Difference) -> String {
    let Some(better) = one.better() else { return "the same".into() };
    let label = found.labels.get(better).map_or("", String::as_str);
    let times = one.ratio().map_or(String::new(), |ratio| format!(" {ratio:.2} times"));
    format!("{label}{times} less: {}", one.agreement.describe())
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
