//! Who took part: how many, in which groups, and what was asked about them.

use super::Told;
use crate::trials::words::{counted, number, people};
use chronotap_data::tables::SourceTable;

/// What every reader asks of participants, and by which names of fields it is known.
const ASKED: [(&str, [&str; 3]); 2] =
    [("age", ["age", "birth", "born"]), ("sex or gender", ["sex", "gender", "female"])];
/// Most answers that are told one by one.
const ANSWERS: usize = 8;

pub(super) fn sentences(told: &Told<'_>) -> Vec<String> {
    let count = people(told.of.sources).len();
    let mut said = vec![match told.simulated() {
        true => format!(
            "Nobody took part: {} stood for people, and all that follows is a rehearsal.",
            counted(count, "simulated participant")
        ),
        false => format!("{} took part.", counted(count, "participant")),
    }];
    let table = told.of.sources.people().ok().flatten();
    let rows = table.as_ref().map(|table| rows(table, told));
    if let (Some(table), Some(rows)) = (&table, &rows) {
        said.extend(
            (rows.len() < table.rows.len()).then(|| {
                format!("The dataset lists {}.", counted(table.rows.len(), "participant"))
            }),
        );
        let label =
            |row: &Row| Some(row.first()?.as_deref()?.trim_start_matches("sub-").to_owned());
        let listed: Vec<String> = table.rows.iter().filter_map(label).collect();
        said.extend(super::ran::without_trials(told, &listed));
        said.extend(groups(told, table, rows));
        said.extend(answers(told, table, rows));
    }
    said.extend(super::ran::without_compared(told));
    said.push(unknown(told));
    said.retain(|sentence| !sentence.is_empty());
    said
}

type Row = Vec<Option<String>>;

fn column(table: &SourceTable, name: &str) -> Option<usize> {
    table.columns.iter().position(|column| column == name)
}

/// The rows of the people whose trials there are.
fn rows<'t>(table: &'t SourceTable, told: &Told<'_>) -> Vec<&'t Row> {
    let who = people(told.of.sources);
    let is_one = |row: &&Row| {
        let id = row.first().and_then(Option::as_deref).unwrap_or_default();
        who.contains(&Some(id.trim_start_matches("sub-")))
    };
    table.rows.iter().filter(is_one).collect()
}

/// How many people each group has.
fn groups(told: &Told<'_>, table: &SourceTable, rows: &[&Row]) -> Vec<String> {
    let between = told.of.study.iter().flat_map(|study| &study.between);
    let group = |factor: &chronotap_design::Factor| {
        let column = column(table, &factor.name)?;
        let has =
            |level: &String| rows.iter().filter(|row| row[column].as_ref() == Some(level)).count();
        let levels = factor.levels.iter().map(ToString::to_string);
        let told: Vec<String> = levels.map(|level| format!("{} {level}", has(&level))).collect();
        Some(format!("People by {}: {}.", factor.name, told.join(", ")))
    };
    between.filter_map(group).collect()
}

/// What was answered about people, in the order in which it was asked.
fn answers(told: &Told<'_>, table: &SourceTable, rows: &[&Row]) -> Vec<String> {
    let fields = told.of.study.iter().flat_map(|study| &study.fields);
    let about = fields.filter_map(|field| {
        let column = column(table, &field.name)?;
        let cells: Vec<Option<&str>> = rows.iter().map(|row| row[column].as_deref()).collect();
        let name = match field.question.trim_end_matches('.') {
            asked if asked.is_empty() || asked.ends_with('?') => field.name.replace('_', " "),
            asked => asked.to_owned(),
        };
        let whose = field.member.as_ref().map_or(String::new(), |member| format!(" ({member})"));
        Some(format!("{name}{whose}: {}", answered(&cells)?))
    });
    let about: Vec<String> = about.collect();
    let made_up = if told.simulated() { " (made up with them)" } else { "" };
    match about.is_empty() {
        true => Vec::new(),
        false => vec![format!("What they were asked{made_up}: {}.", about.join("; "))],
    }
}

/// Answers to one question: mean and SD of numbers, how many gave each of a few words; `None` of free text.
fn answered(cells: &[Option<&str>]) -> Option<String> {
    let given: Vec<&str> = cells.iter().copied().flatten().collect();
    let missing = match cells.len() - given.len() {
        0 => String::new(),
        n => format!(", {n} without an answer"),
    };
    if given.is_empty() {
        return Some("no answer".to_owned());
    }
    let numbers: Option<Vec<f64>> = given.iter().map(|cell| cell.parse().ok()).collect();
    let told = match numbers {
        Some(all) => spread(&all),
        None => {
            let words = super::distinct(given.iter().map(|cell| (*cell).to_owned()));
            let count = |word: &String| given.iter().filter(|cell| *cell == word).count();
            let told: Vec<String> =
                words.iter().map(|word| format!("{} {word}", count(word))).collect();
            (words.len() <= ANSWERS).then(|| told.join(", "))?
        }
    };
    Some(told + &missing)
}

fn spread(all: &[f64]) -> String {
    let n = all.len() as f64;
    let mean = all.iter().sum::<f64>() / n;
    let (least, most) = crate::plot::extent(all.iter().copied());
    if all.len() < 2 {
        return number(mean, 1);
    }
    let sd = (all.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
    let plain = |value: f64| number(value, usize::from(value.fract() != 0.0));
    format!("mean {} (SD {}, {} to {})", number(mean, 1), number(sd, 1), plain(least), plain(most))
}

/// What a reader asks and nobody recorded.
fn unknown(told: &Told<'_>) -> String {
    let fields = || told.of.study.iter().flat_map(|study| &study.fields);
    let names = |words: &[&str; 3]| {
        let has = |name: &str| {
            name.to_lowercase()
                .split(|c: char| !c.is_alphabetic())
                .any(|part| words.contains(&part))
        };
        fields().any(|field| has(&field.name) || has(&field.question))
    };
    let missing: Vec<String> = ASKED
        .iter()
        .filter(|(_, words)| !names(words))
        .map(|(what, _)| (*what).to_owned())
        .collect();
    match (missing.is_empty(), told.simulated()) {
        (true, _) => String::new(),
        (false, true) => format!("These data have no {}.", super::either(&missing, "and no")),
        (false, false) => format!(
            "These data do not say their {} [{}].",
            super::either(&missing, "and"),
            missing.join(", ")
        ),
    }
}
