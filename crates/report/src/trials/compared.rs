//! The conditions compared: of each measure the mean over participants with its interval, as a
//! table, and the most asked for as pictures. It takes no test: how many there are to be, and
//! which, belongs to the design.

use super::words::{bounded, cell as condition, counted, estimate, in_order, number, pair, place};
use super::{Recorded, models};
use crate::html::{Table, element};
use crate::plot::{Forest, Marked};
use chronotap_analysis::estimate::{Estimate, of_mean};
use chronotap_tables::Condition;
use std::collections::BTreeMap;

/// A column: its heading, its measure, decimals, and whether it is drawn too.
type Column = (&'static str, &'static str, usize, bool);
const COLUMNS: [Column; 9] = [
    ("mean asynchrony (ms)", "mean_asynchrony_ms", 1, true),
    ("SD of asynchronies (ms)", "sd_asynchrony_ms", 1, true),
    ("mean interval (ms)", "mean_interval_ms", 1, true),
    ("CV of intervals", "cv_interval", 4, true),
    ("R", "resultant", 3, false),
    ("share of beats with a tap", "hit_rate", 3, false),
    ("constant error of reproduction (ms)", "mean_reproduction_error_ms", 1, true),
    ("variable error of reproduction (ms)", "sd_reproduction_error_ms", 1, true),
    ("absolute error of reproduction (ms)", "mean_absolute_reproduction_error_ms", 1, false),
];
/// So many conditions are drawn.
const DRAWN: usize = 16;

/// What is compared: a condition, and what is measured against what in which part of it.
struct Group<'a> {
    name: String,
    rows: Vec<&'a Condition>,
}

/// The section; empty where there is only one trial.
pub(super) fn section(of: &Recorded<'_>) -> String {
    if of.analysis.counts.used < 2 {
        return String::new();
    }
    let groups = groups(of);
    let people = groups.iter().map(|group| people(group)).max().unwrap_or(0);
    let over = if people > 1 { "participants" } else { "trials" };
    let mut html =
        element("p", &format!("Means over {over}, with intervals for 95 % by Student's t."));
    html += &table(of, &groups, people > 1);
    if people > 1 {
        let pictures: String =
            COLUMNS.iter().filter(|column| column.3).map(|c| picture(c, &groups)).collect();
        html += &format!("<div class=\"plots\">\n{pictures}</div>\n");
    }
    html
}

/// Whole trials, and stretches that nothing paces.
fn groups<'a>(of: &'a Recorded<'_>) -> Vec<Group<'a>> {
    let mut found: BTreeMap<String, Vec<&Condition>> = BTreeMap::new();
    let shown = |row: &&Condition| row.stretch.is_none() || row.against.is_none();
    let rows: Vec<&Condition> = of.analysis.conditions.iter().filter(shown).collect();
    let differ =
        |value: &dyn Fn(&Condition) -> String| rows.iter().any(|row| value(row) != value(rows[0]));
    let several = differ(&|row| pair(&row.input, row.against.as_deref()));
    for row in &rows {
        let what = several.then(|| pair(&row.input, row.against.as_deref()));
        found.entry(name(of, row, what)).or_default().push(row);
    }
    let mut groups: Vec<Group<'_>> =
        found.into_iter().map(|(name, rows)| Group { name, rows }).collect();
    groups.sort_by(|a, b| in_order(&a.name).cmp(&in_order(&b.name)));
    groups
}

/// As in the table of the design.
fn name(of: &Recorded<'_>, row: &Condition, what: Option<String>) -> String {
    let which = condition(of.sources, row.who[3].as_deref(), &row.levels);
    let stretch = row.stretch.as_ref().map(|stretch| format!("in {stretch}"));
    [Some(which), what, stretch].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The rows of each participant: one for each session.
fn of_each<'a>(group: &Group<'a>) -> BTreeMap<Option<&'a str>, Vec<&'a Condition>> {
    let mut each: BTreeMap<_, Vec<&Condition>> = BTreeMap::new();
    for row in &group.rows {
        each.entry(row.who[0].as_deref()).or_default().push(row);
    }
    each
}

fn people(group: &Group<'_>) -> usize {
    of_each(group).len()
}

fn table(of: &Recorded<'_>, groups: &[Group<'_>], over_people: bool) -> String {
    let who = if over_people { "participants" } else { "trials" };
    let valued = |measure: &str| groups.iter().any(|group| !values(group, measure).is_empty());
    let columns: Vec<&Column> = COLUMNS.iter().filter(|(_, measure, ..)| valued(measure)).collect();
    let head: Vec<&str> = columns.iter().map(|(heading, ..)| *heading).collect();
    let mut table = Table::new("Each condition", &[&["condition", who][..], &head].concat());
    for group in groups {
        let trials: usize = group.rows.iter().map(|row| row.trials).sum();
        let count = if over_people { people(group) } else { trials };
        let mut cells = vec![group.name.clone(), count.to_string()];
        cells.extend(
            columns.iter().map(|(_, measure, decimals, _)| cell(of, group, measure, *decimals)),
        );
        table.row(cells);
    }
    table.html()
}

/// A value of each participant: the mean over trials; of several sessions, the mean of their means.
fn values(group: &Group<'_>, measure: &str) -> Vec<f64> {
    let mean = |rows: Vec<&Condition>| {
        let means: Vec<f64> =
            rows.iter().filter_map(|row| row.means[place(measure)].mean).collect();
        (!means.is_empty()).then(|| means.iter().sum::<f64>() / means.len() as f64)
    };
    of_each(group).into_values().filter_map(mean).collect()
}

fn cell(of: &Recorded<'_>, group: &Group<'_>, measure: &str, decimals: usize) -> String {
    let values = values(group, measure);
    if let Ok(found) = of_mean("participants", &values) {
        return estimate(&bounded(measure, found), decimals);
    }
    // One participant in one session: the SD between trials says how sure the mean is.
    let row = match (&values[..], &group.rows[..]) {
        (_, [row]) => row,
        ([value], _) => return number(*value, decimals),
        _ => return "-".into(),
    };
    models::over_trials(of, row, measure, decimals)
}

fn picture((heading, measure, decimals, _): &Column, groups: &[Group<'_>]) -> String {
    let with = |group: &Group<'_>| {
        let found = of_mean("participants", &values(group, measure)).ok()?;
        Some((group.name.clone(), bounded(measure, found)))
    };
    let found: Vec<_> = groups.iter().filter_map(with).collect();
    if found.len() < 2 {
        return String::new();
    }
    let said: Vec<String> = found
        .iter()
        .take(3)
        .map(|(name, found)| format!("{name} {}", number(found.value, *decimals)))
        .collect();
    let more = match found.len() {
        n if n > DRAWN => format!("; {} of {} are drawn", DRAWN, counted(n, "condition")),
        n if n > 3 => " and so on".into(),
        _ => String::new(),
    };
    let marked = |(name, found): (String, Estimate)| Marked {
        name,
        value: found.value,
        interval: Some((found.low, found.high)),
    };
    Forest {
        title: capital(heading),
        description: format!("Means over participants: {}{more}.", said.join("; ")),
        label: (*heading).to_owned(),
        rows: found.into_iter().take(DRAWN).map(marked).collect(),
    }
    .html()
}

/// With a capital, as a sentence begins.
fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
