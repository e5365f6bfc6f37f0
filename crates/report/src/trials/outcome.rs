//! What the study came to: the sentence, the levels as a table and a picture, and each person's value.

mod contrasts;

use super::histograms::histograms;
use super::words::{capital, estimate, number};
use super::{Recorded, factorial};
use crate::html::{Table, element};
use crate::plot::{Forest, Mark, Marked};
use chronotap_data::tables::{Found, Level, outcomes};

/// So many rows are drawn.
const DRAWN: usize = 24;
const DECIMALS: usize = 2;

/// The section; empty where the study states no outcome.
pub(super) fn section(of: &Recorded<'_>) -> String {
    let all = outcomes(of.sources, of.analysis, &of.how.asked).unwrap_or_default();
    let sections = all.iter().flat_map(|found| std::iter::once(found).chain(&found.also));
    sections.map(|found| one(of, found)).collect::<String>() + &contrasts::section(&all)
}

fn one(of: &Recorded<'_>, found: &Found) -> String {
    let picture = factorial::alone(of, &found.outcome);
    let picture = picture.unwrap_or_else(|| match found.levels.len() {
        0 | 1 => people(found),
        _ => levels(found),
    });
    element("p", &capital(&found.to_string())) + &picture + &histograms(found) + &table(found)
}

/// What the axis shows.
fn label(found: &Found) -> String {
    match &*found.unit {
        "" => found.outcome.to_string(),
        unit => format!("{} ({unit})", found.outcome),
    }
}

fn levels(found: &Found) -> String {
    let over = found.outcome.over.as_deref().unwrap_or_default();
    let marked = |level: &Level| Marked {
        name: format!("{over} {}", level.name.as_deref().unwrap_or_default()),
        mark: Mark::At(level.mean, level.interval.and_then(|mean| Some(mean.ends()?.into()))),
    };
    forest(found, "Means over people with 95 % intervals", found.levels.iter().map(marked))
}

fn people(found: &Found) -> String {
    let marked = |row: &chronotap_data::tables::Row| Marked {
        name: row.participant.clone().unwrap_or_else(|| "all trials".to_owned()),
        mark: Mark::At(row.value, None),
    };
    forest(found, "Each person", found.rows.iter().map(marked))
}

fn forest(found: &Found, what: &str, rows: impl Iterator<Item = Marked>) -> String {
    let rows: Vec<Marked> = rows.take(DRAWN).collect();
    let said: Vec<String> = rows
        .iter()
        .filter_map(|row| Some(format!("{} {}", row.name, number(row.mark.value()?, DECIMALS))))
        .take(3)
        .collect();
    let more = if rows.len() > 3 { " and so on" } else { "" };
    let description = format!("{what}: {}{more}.", said.join("; "));
    let (title, label) = (capital(&found.outcome.to_string()), label(found));
    let figure = Forest { title, description, label, rows }.html();
    format!("<div class=\"plots alone\">\n{figure}</div>\n")
}

fn table(found: &Found) -> String {
    let over = found.outcome.over.as_deref().unwrap_or("");
    let heading = label(found);
    let mut table = Table::new("The outcome", &[over, "people", &heading, "SD between people"]);
    for level in &found.levels {
        let mean = level
            .interval
            .map_or_else(|| number(level.mean, DECIMALS), |interval| estimate(&interval, DECIMALS));
        let sd = level.interval.map_or_else(
            || "-".to_owned(),
            |mean| number(mean.standard_error * (level.values.len() as f64).sqrt(), DECIMALS),
        );
        let name = level.name.clone().unwrap_or_else(|| "all".to_owned());
        table.row(vec![name, level.values.len().to_string(), mean, sd]);
    }
    table.html()
}
