//! Factors between participants whose levels are no draw: `{ levels, chosen }`, and levels with what
//! must have been answered.

use super::levels::levels;
use super::measures::compared;
use crate::study::factor::{Factor, Level};
use crate::study::group::{Needed, Origin};
use crate::study::question::{self, Answer};
use crate::study::sections::BETWEEN;
use chronotap_config::trial_files::reading::{Field, Part, brief};
use std::collections::HashMap;

/// What stands for every other answer.
const OTHERWISE: &str = "otherwise";

/// The levels of a factor between participants that is written as a table.
pub(super) fn measured(field: &Field<'_>) -> Option<(Vec<Level>, Origin)> {
    let table = field.node.table()?;
    if !table.has("levels") && !table.has("chosen") {
        return follows(field);
    }
    let part = Part::of(field, BETWEEN)?;
    let levels = part.must("levels", levels);
    let chosen = part.read("chosen", Field::flag).unwrap_or(false);
    Some((levels?, if chosen { Origin::Chosen } else { Origin::Drawn }))
}

/// Each level with what must hold.
fn follows(field: &Field<'_>) -> Option<(Vec<Level>, Origin)> {
    let all = field.keys()?;
    if all.len() < 2 {
        return field.problem("has one level", "write at least two, each with what was answered");
    }
    let mut levels = Vec::new();
    for (place, (_, given)) in all.iter().enumerate() {
        let needed = needed(given)?;
        if needed.is_empty() && place + 1 < all.len() {
            return given.problem("is not the last level", "let the last level be the other one");
        }
        levels.push(needed);
    }
    let names = all.iter().map(|(name, _)| Level::of_cell(name)).collect();
    Some((names, Origin::Follows(levels)))
}

/// One condition or several; none where every other answer is meant.
fn needed(field: &Field<'_>) -> Option<Vec<Needed>> {
    let all = field.some("conditions")?;
    if let [one] = &all[..]
        && one.text()? == OTHERWISE
    {
        return Some(Vec::new());
    }
    if all.is_empty() {
        return field.wrong("a condition such as \"training >= 6\", or \"otherwise\"");
    }
    all.iter().map(condition).collect()
}

fn condition(field: &Field<'_>) -> Option<Needed> {
    let text = field.text()?;
    if let Some(list) = joined(&text) {
        return field
            .problem("holds several conditions", format!("write them as a list: [{list}]"));
    }
    let expected = "a condition such as \"training >= 6\"";
    let Some((name, comparison, value)) = compared(&text) else { return field.wrong(expected) };
    let Some(comparison) = comparison else {
        return field.wrong("a comparison with <, <=, >, >= or =");
    };
    let (field, value) = (name.trim().to_owned(), value.trim().to_owned());
    Some(Needed { field, comparison, value })
}

/// Conditions with "and" between them as the list that they should be.
fn joined(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split(" and ").collect();
    let compares =
        |part: &&str| compared(part).is_some_and(|(_, comparison, _)| comparison.is_some());
    (parts.len() > 1 && parts.iter().all(compares)).then(|| {
        let quoted = parts.iter().map(|part| format!("\"{}\"", brief(part.trim())));
        quoted.collect::<Vec<_>>().join(", ")
    })
}

/// Refuses groups that follow from what nobody is asked, or may leave open.
pub(super) fn check(
    top: &Part<'_>,
    factors: &[Factor],
    asked: &[question::ParticipantField],
    answers: &HashMap<String, Answer>,
    fields: &[String],
) {
    for (name, _, field) in top.named("between") {
        let Some(Factor { origin: Origin::Follows(levels), .. }) =
            factors.iter().find(|factor| factor.name == *name)
        else {
            continue;
        };
        for (needed, (_, given)) in levels.iter().zip(field.keys().unwrap_or_default()) {
            for (one, place) in needed.iter().zip(given.some("conditions").unwrap_or_default()) {
                check_one(one, &place, asked, (answers, fields));
            }
        }
    }
}

fn check_one(
    needed: &Needed,
    place: &Field<'_>,
    asked: &[question::ParticipantField],
    (answers, fields): (&HashMap<String, Answer>, &[String]),
) {
    let Needed { field: name, comparison, value } = needed;
    if !fields.contains(name) {
        let message = format!("{}: [participant] does not ask \"{}\"", place.path, brief(name));
        place.page.unknown(place.at, message, name, fields.iter().map(String::as_str));
        return;
    }
    let Some(answer) = answers.get(name) else { return }; // its own mistake is told
    if asked.iter().any(|field| field.member.is_some()) {
        let cure = "let the experimenter choose: { levels = [\"a\", \"b\"], chosen = true }";
        return tell(place, "members answer for themselves, and have one group", cure);
    }
    let field = asked.iter().find(|field| field.name == *name);
    if answer.is_optional() || field.is_some_and(|field| !field.only_if.is_empty()) {
        let what = format!("{name} may be left open, and then nobody has a group");
        return tell(place, &what, "let it be asked of everybody, without optional and only_if");
    }
    if answer.sides(&[]).is_empty() {
        let cure = "ask for a number, a scale or a choice";
        return tell(place, &format!("no group follows from the answer to {name}"), cure);
    }
    let number = answer.sides(&[]).iter().all(|side| side.parse::<f64>().is_ok());
    let fits = if number { value.parse::<f64>().is_ok() } else { answer.accept(value).is_ok() };
    if !fits {
        let what = format!("nobody can answer {name} with \"{}\"", brief(value));
        return tell(place, &what, &format!("give {}", answer.expected()));
    }
    if !number && *comparison != crate::study::measure::NumberComparison::Equal {
        let cure = &format!("write \"{name} = {value}\"");
        tell(place, &format!("{name} is no number, and has no order"), cure);
    }
}

fn tell(place: &Field<'_>, what: &str, cure: &str) {
    place.page.cured(place.at, format!("{}: {what}", place.path), cure);
}
