//! A comparison as text and as a section of a page: what is better, by how much, and
//! whether that is more than the runs differ among themselves.

use crate::html::{HtmlTable, element, escape};
use crate::words::{broken, condition, in_a_word, is_typical, told_apart, words};
use chronotap_core::text::COLUMNS;
use chronotap_timing::{
    Agreement, Apart, BetterWhen, ComparedRow, Comparison, Differing, LabelCell, Like,
    MeasureDifference, MeasureSource, MeasuredLabel, Published, measures,
};

/// The most rows of a test that are shown without choosing.
const LINES: usize = 24;

/// As text of at most 80 columns. What only one label has is counted, not shown, unless
/// there is but one; of many pauses and rates those of about 1 ms are shown, and the others are
/// said to be `elsewhere`, as in `in the page`.
pub fn comparison_text(found: &Comparison, elsewhere: &str) -> String {
    let mut lines = Vec::new();
    for (label, runs) in found.labels.iter().zip(&found.runs) {
        lines
            .push(clipped(&format!("{label}: {runs} {}", if *runs == 1 { "run" } else { "runs" })));
    }
    for rows in found.rows.chunk_by(|a, b| a.test == b.test) {
        lines.extend(test_lines(found, rows, elsewhere));
    }
    let apart = apart(found);
    lines.extend(apart.iter().flat_map(|said| [vec![String::new()], broken(said, "")].concat()));
    lines.push(String::new());
    lines.extend(broken(found.rule, ""));
    lines.join("\n")
}

/// The rows of one test, and below them what others found.
fn test_lines(found: &Comparison, rows: &[ComparedRow], elsewhere: &str) -> Vec<String> {
    let enough = found.labels.len().min(2);
    let shared = |row: &&ComparedRow| row.cells.iter().flatten().count() >= enough;
    let many = rows.iter().filter(shared).count() > LINES;
    let shown = |row: &&ComparedRow| shared(row) && (!many || is_typical(&row.conditions));
    let mut lines = Vec::new();
    for row in rows.iter().filter(shown) {
        lines.push(String::new());
        lines.extend(broken(&title(row), ""));
        lines.extend(row_lines(found, row));
    }
    let count = rows.len() - rows.iter().filter(shown).count();
    if count > 0 {
        let test = &rows[0].test;
        lines.push(format!("\n{test}: {count} more rows {elsewhere}"));
    }
    let others = others(rows.iter().filter(shared));
    if !others.is_empty() {
        lines.push(format!("\n{}, as others found it:", rows[0].test));
        lines.extend(others.iter().flat_map(|said| broken(said, "  ")));
    }
    lines
}

fn row_lines(found: &Comparison, row: &ComparedRow) -> Vec<String> {
    let cells = found.labels.iter().zip(&row.cells);
    let cells = cells.filter_map(|(label, cell)| Some((label, cell.as_ref()?)));
    let cell = |(label, cell): (&String, &LabelCell)| {
        broken(&format!("{label}: {}", cell_text(cell)), "  ")
    };
    let differing = row.differing.iter().map(|one| not_the_same(found, one));
    let differing = differing.flat_map(|said| broken(&said, "  "));
    let said = row.differences.iter().map(|one| sentence(found, one));
    let said = said.flat_map(|sentence| broken(&format!("- {sentence}"), "  "));
    differing.chain(cells.flat_map(cell)).chain(said).collect()
}

/// `not the same: SCHED_FIFO 80 (a), ordinary (b)`
fn not_the_same(found: &Comparison, one: &Differing) -> String {
    let told = found.labels.iter().zip(&one.values);
    let told = told.filter_map(|(label, value)| Some((label, value.as_ref()?)));
    let said = told.map(|(label, value)| match one.condition.as_str() {
        "refused" | "scheduling" => format!("{value} ({label})"),
        name => format!("{} ({label})", condition(name, value)),
    });
    let said = said.collect::<Vec<_>>().join("; ");
    match one.condition.as_str() {
        "refused" => format!("not the same: refused: {said}"),
        _ => format!("not the same: {said}"),
    }
}

/// Why nothing is compared of what two labels have both, each quantity once.
fn apart(found: &Comparison) -> Vec<String> {
    let said = |one: &Apart| {
        let value = |name: &str, value: &Option<String>| {
            value.as_ref().map_or(format!("no {name}"), |value| condition(name, value))
        };
        let told = one.conditions.iter().map(|(name, ours, theirs)| {
            format!("{name} ({} against {})", value(name, ours), value(name, theirs))
        });
        let told = told.collect::<Vec<_>>().join(", ");
        let why = match told.as_str() {
            "" => "several of their series would fit; compare files that have one each".into(),
            told => format!("what was asked for differs in {told}"),
        };
        let quantity = in_a_word(one.quantity);
        let (other, reference) = (label(found, one.other), label(found, one.reference));
        format!("{}, {quantity}: {other} is not compared with {reference}: {why}", one.test)
    };
    found.apart.iter().map(said).collect()
}

/// As a section of a page: for each quantity of a test a table, and below it what others
/// found.
pub(crate) fn section(found: &Comparison) -> String {
    let mut text = element("h2", "Side by side");
    for rows in found.rows.chunk_by(|a, b| (&a.test, a.quantity) == (&b.test, b.quantity)) {
        let many = rows.len() > LINES;
        let typical = |row: &&ComparedRow| !many || is_typical(&row.conditions);
        let (shown, more): (Vec<&ComparedRow>, Vec<&ComparedRow>) = rows.iter().partition(typical);
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
    let apart: String = apart(found).iter().map(|said| element("li", said)).collect();
    if !apart.is_empty() {
        text += &format!("<p>Not compared:</p>\n<ul>\n{apart}</ul>\n");
    }
    text + &format!("<p class=\"soft\">{}</p>\n", escape(found.rule))
}

/// Rows of one quantity: the conditions that tell them apart, one column for each label,
/// and what is better.
fn table(found: &Comparison, rows: &[&ComparedRow]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let told = told_apart(rows.iter().map(|row| &row.conditions));
    let common = words(&first.conditions, |name| !told.contains(&name.to_owned()));
    let caption = format!("{}, {}: {common}", first.test, in_a_word(first.quantity));
    let head = [vec![""], found.labels.iter().map(String::as_str).collect(), vec!["difference"]];
    let mut table = HtmlTable::new(&caption, &head.concat());
    for row in rows {
        let name = words(&row.conditions, |name| told.contains(&name.to_owned()));
        for differing in &row.differing {
            let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".into());
            let cells: Vec<String> = differing.values.iter().map(value).collect();
            let head = vec![named(&name, &differing.condition)];
            table.row([head, cells, vec!["not the same".into()]].concat());
        }
        for measure in measures(row.quantity) {
            let own = measure.name();
            let of = |cell: &Option<LabelCell>| measured(cell.as_ref()?, &own).map(value);
            let cells: Vec<Option<String>> = row.cells.iter().map(of).collect();
            if cells.iter().all(Option::is_none) {
                continue;
            }
            let direction = match measure.better {
                Some(BetterWhen::Less) => " (less is better)",
                Some(BetterWhen::More) => " (more is better)",
                None => "",
            };
            let head = format!("{}{direction}", named(&name, measure.title));
            let cells = cells.into_iter().map(|cell| cell.unwrap_or_else(|| "-".into()));
            let said = row.differences.iter().filter(|one| one.measure == own);
            let said: Vec<String> = said.map(|one| in_short(found, one)).collect();
            table.row([vec![head], cells.collect(), vec![said.join("; ")]].concat());
        }
    }
    table.html()
}

fn named(conditions: &str, what: &str) -> String {
    let comma = if conditions.is_empty() { "" } else { ", " };
    format!("{conditions}{comma}{what}")
}

fn measured<'a>(cell: &'a LabelCell, name: &str) -> Option<&'a MeasuredLabel> {
    cell.measures.iter().find(|one| one.measure == name)
}

/// What others found of the same, each once.
fn others<'a>(rows: impl Iterator<Item = &'a ComparedRow>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let figures = rows.flat_map(|row| row.published.iter().map(move |figure| (row, figure)));
    for (row, figure) in figures {
        let titled = |source: MeasureSource| {
            let own = measures(row.quantity).iter().find(|one| one.source == source);
            own.map_or(source.name(), |one| one.title)
        };
        let Published { source, place, .. } = figure;
        let system = on(figure);
        let (value, name) = (figure.said(), titled(figure.of));
        let why = figure.not_comparable.map(|why| format!("; not comparable: {why}"));
        let why = why.unwrap_or_default();
        let said = format!("{source}, {place}{}: {name} {value} ({system}){why}", when(figure));
        if !all.contains(&said) {
            all.push(said);
        }
    }
    all
}

/// On which machine and system, and beside which load, at what interval and by which clock.
pub(crate) fn on(figure: &Published) -> String {
    let parts = [figure.system, figure.under];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// Under which conditions it was found, as `, ordinary, load none`.
pub(crate) fn when(figure: &Published) -> String {
    let told = figure.conditions.iter().filter(|(name, _)| *name != "variant");
    let said = told.map(|(name, like)| match (*name, *like) {
        ("plugin", Like::Has(one, other)) => format!(", {one} {other}"),
        (_, Like::Has(one, other)) => format!(", {one}, {other}"),
        ("load", Like::Is(value) | Like::Begins(value)) => format!(", load {value}"),
        (name, Like::Is(value) | Like::Begins(value)) => format!(", {}", condition(name, value)),
    });
    said.collect()
}

/// `b is better, 3.20 times: more than the runs differ among themselves`
fn in_short(found: &Comparison, one: &MeasureDifference) -> String {
    match which(found, one) {
        None => one.agreement.describe().into(),
        Some(which) => format!("{which}{}: {}", times(one), one.agreement.describe()),
    }
}

/// `b is better` where the runs tell it, `b looks better` where they leave it open; or `b has less`
/// where it cannot be said what that means.
fn which(found: &Comparison, one: &MeasureDifference) -> Option<String> {
    let said = match one.better {
        Some(_) if one.agreement == Agreement::Exceeds => "is better",
        Some(_) => "looks better",
        None => "has less",
    };
    one.better.or(one.less).map(|at| format!("{} {said}", label(found, at)))
}

/// `, 3.20 times`; never `1.00 times`, which says nothing.
fn times(one: &MeasureDifference) -> String {
    match one.ratio {
        None => String::new(),
        Some(ratio) if ratio < 1.01 => ", by less than 1 %".into(),
        Some(ratio) => format!(", {ratio:.2} times"),
    }
}

fn title(row: &ComparedRow) -> String {
    let conditions = words(&row.conditions, |_| true);
    format!("{}, {}: {conditions}", row.test, in_a_word(row.quantity))
}

fn cell_text(cell: &LabelCell) -> String {
    let said = cell.measures.iter().map(|one| format!("{} {}", one.title, value(one)));
    format!("{}, n {}", said.collect::<Vec<_>>().join(", "), cell.statistics.n)
}

/// The median over runs, with their range where there are several.
fn value(one: &MeasuredLabel) -> String {
    let [least, median, greatest] =
        [one.least, one.median, one.greatest].map(|amount| amount.said(one.unit));
    match one.values.len() {
        0 | 1 => median,
        _ => format!("{median} ({least} to {greatest})"),
    }
}

/// `p99: b is better, 3.2 times (7.8 us against 25.0 us): ...`
fn sentence(found: &Comparison, one: &MeasureDifference) -> String {
    let name = one.title;
    let Some(which) = which(found, one) else {
        let (ours, theirs) = (label(found, one.reference), label(found, one.other));
        return match one.agreement {
            Agreement::Same => format!("{name}: {ours} and {theirs} are the same"),
            other => format!("{name}: {ours} and {theirs}: {}", other.describe()),
        };
    };
    let of = |at: usize| {
        let amount = if at == one.reference { one.reference_value } else { one.other_value };
        amount.said(one.unit)
    };
    let first = one.better.or(one.less).unwrap_or(one.reference);
    let second = if first == one.reference { one.other } else { one.reference };
    let (times, first, second) = (times(one), of(first), of(second));
    format!("{name}: {which}{times} ({first} against {second}): {}", one.agreement.describe())
}

fn label(found: &Comparison, at: usize) -> &str {
    found.labels.get(at).map_or("", String::as_str)
}

fn clipped(line: &str) -> String {
    line.chars().take(COLUMNS).collect()
}
