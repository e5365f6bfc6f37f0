//! What the study came to: the sentence, the levels as a table and a picture, and each person's value.

mod contrasts;

use super::histograms::histograms;
use super::words::{capital, estimate, in_short, number};
use super::{RecordedTrials, factorial};
use crate::html::{HtmlTable, element};
use crate::plot::{Forest, ForestMark, Marked};
use chronotap_data::tables::{LevelMean, OutcomeFound, Stands, named as left_out, outcomes};

/// So many rows are drawn.
const DRAWN: usize = 24;
const DECIMALS: usize = 2;

/// The section; empty where the study states no outcome.
pub(super) fn section(of: &RecordedTrials<'_>) -> String {
    let all = outcomes(of.sources, of.analysis, &of.how.asked).unwrap_or_default();
    let sections = all.iter().flat_map(|found| std::iter::once(found).chain(&found.also));
    sections.map(|found| one(of, found)).collect::<String>() + &contrasts::section(&all)
}

fn one(of: &RecordedTrials<'_>, found: &OutcomeFound) -> String {
    if found.rows.is_empty() {
        return element("p", &capital(&written(found, found.to_string())));
    }
    let picture = factorial::alone(of, &found.outcome);
    let picture = picture.unwrap_or_else(|| match found.levels.len() {
        0 | 1 => people(found),
        _ => levels(found),
    });
    let answer = found.plain().map_or(String::new(), |answer| strong(&answer));
    let sentence = capital(&written(found, found.to_string()));
    let seen = picture + &histograms(found);
    answer + &element("p", &sentence) + &beside(&seen, &table(found))
}

/// Figure and table, side by side where the page is wide enough for both.
fn beside(figure: &str, table: &str) -> String {
    format!("<div class=\"beside\">\n<div>\n{figure}</div>\n<div>\n{table}</div>\n</div>\n")
}

/// The answer in the words of the study.
fn strong(answer: &str) -> String {
    format!("<p>{}</p>\n", element("strong", answer).trim_end())
}

/// What the axis shows.
fn label(found: &OutcomeFound) -> String {
    let of = written(found, found.outcome.to_string());
    if found.unit.is_empty() { of } else { format!("{of} ({})", found.unit) }
}

/// With the outcome's short words as people write them: `a little: SD asynchrony`.
fn written(found: &OutcomeFound, words: String) -> String {
    let of = &found.outcome.of;
    words.replacen(of, &in_short(of), 1)
}

fn levels(found: &OutcomeFound) -> String {
    let over = found.outcome.over.as_deref().unwrap_or_default();
    let named = |level: &str| format!("{over} {level}");
    let marked = |level: &LevelMean| Marked {
        name: named(level.name.as_deref().unwrap_or_default()),
        mark: ForestMark::At(level.mean, level.interval.and_then(|mean| Some(mean.ends()?.into()))),
    };
    let (all, lack) = found.of_the_same();
    let compared =
        found.contrast.as_ref().map(|of| [&of.less, &of.level].map(|level| named(level)));
    let what = match &lack[..] {
        [] => "Means over people with 95 % intervals".to_owned(),
        lack => format!("Means over people with 95 % intervals, without {}", left_out(lack)),
    };
    forest(found, (&what, compared.as_ref()), all.iter().map(marked))
}

fn people(found: &OutcomeFound) -> String {
    let marked = |row: &chronotap_data::tables::OutcomeRow| Marked {
        name: row.participant.clone().unwrap_or_else(|| "all trials".to_owned()),
        mark: ForestMark::At(row.value, None),
    };
    forest(found, ("Each person", None), found.rows.iter().map(marked))
}

/// The rows drawn. Told in words are those that the sentence compares, else the first ones.
fn forest(
    found: &OutcomeFound,
    (what, compared): (&str, Option<&[String; 2]>),
    rows: impl Iterator<Item = Marked>,
) -> String {
    let all: Vec<Marked> = rows.collect();
    let is_told = |row: &&Marked| compared.is_none_or(|names| names.contains(&row.name));
    let said: Vec<String> = all
        .iter()
        .filter(is_told)
        .filter_map(|row| {
            let value = number(row.mark.value()?, DECIMALS);
            Some(format!("{} {value} {}", row.name, found.unit).trim_end().to_owned())
        })
        .take(3)
        .collect();
    let more = match all.len() - said.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let rows: Vec<Marked> = all.into_iter().take(DRAWN).collect();
    let description = format!("{what}: {}{more}.", said.join("; "));
    let label = label(found);
    let title = capital(&written(found, found.outcome.to_string()));
    let figure = Forest { title, description, label, rows }.html();
    format!("<div class=\"plots alone\">\n{figure}</div>\n")
}

fn table(found: &OutcomeFound) -> String {
    let over = found.outcome.over.as_deref().unwrap_or("");
    let heading = label(found);
    let (levels, lack) = found.of_the_same();
    let of = match found.outcome.stands {
        Stands::Outcome => "The outcome".to_owned(),
        Stands::Planned => format!("The planned contrast \u{201c}{}\u{201d}", found.outcome.name),
        Stands::Asked => "A contrast that was not planned".to_owned(),
    };
    let means = "means over people, in which each condition of a person weighs the same";
    let title = match &lack[..] {
        [] => format!("{of}: {means}"),
        lack => {
            format!("{of}: {means}, of those who have every level (not {})", left_out(lack))
        }
    };
    let mut table = HtmlTable::new(&title, &[over, "people", &heading, "SD between people"]);
    for level in &levels {
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
