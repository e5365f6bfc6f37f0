//! `[exclude]`: whose data every analysis leaves out, by what they answered.

use crate::study::question::Answer;
use chronotap_analysis::statistics::find;
use chronotap_config::trial_files::reading::{Field, Part, brief};
use chronotap_data::tables::{ExcludeRule, Need};
use std::collections::HashMap;

/// The rules, in the order of the file.
pub(super) fn exclude(top: &Part<'_>, answers: &HashMap<String, Answer>) -> Vec<ExcludeRule> {
    let rule = |(reason, at, field): (&str, usize, Field<'_>)| {
        if reason.trim().is_empty() || reason.chars().any(char::is_control) {
            let message = format!("exclude: \"{}\" is no reason", brief(reason));
            top.page.cured(at, message, "write one in a few words: it stands in the report");
        }
        let given = field.some("conditions")?;
        let needs = given.iter().map(|one| need(one, answers)).collect::<Option<Vec<_>>>()?;
        match needs.is_empty() {
            true => field.wrong(EXPECTED),
            false => Some(ExcludeRule { reason: reason.to_owned(), needs }),
        }
    };
    top.named("exclude").into_iter().filter_map(rule).collect()
}

const EXPECTED: &str = "a condition on an answer, such as \"catch != blue\" or \"age > 70\"";

fn need(field: &Field<'_>, answers: &HashMap<String, Answer>) -> Option<Need> {
    let text = field.text()?.replace("==", "=");
    if let Some((one, other)) = text.split_once(" and ")
        && let (Some(_), Some(_)) = (Need::parse(one), Need::parse(other))
    {
        let cure = format!("write [\"{}\", \"{}\"]", brief(one.trim()), brief(other.trim()));
        return tell(field, "two conditions stand in one text", &cure);
    }
    let Some(need) = Need::parse(&text) else { return field.wrong(EXPECTED) };
    let Some(answer) = answers.get(&need.name) else {
        let message = format!("{}: the study does not ask \"{}\"", field.path, brief(&need.name));
        if find(&need.name).is_some() {
            let cure = "[exclude] leaves out people by answers; `redo` in a step repeats a trial by its statistics";
            field.page.cured(field.at, message, cure);
            return None;
        }
        field.page.unknown(field.at, message, &need.name, answers.keys().map(String::as_str));
        return None;
    };
    let sides = answer.sides(&[]);
    let number = !sides.is_empty() && sides.iter().all(|side| side.parse::<f64>().is_ok());
    if need.sign.orders() && !number {
        return tell(
            field,
            &format!("{} is no number, and has no order", need.name),
            "compare it with = or !=",
        );
    }
    let fits = match number {
        true => need.value.parse::<f64>().is_ok(),
        false => answer.accept(&need.value).is_ok(),
    };
    if !fits {
        let what = format!("nobody can answer {} with \"{}\"", need.name, brief(&need.value));
        return tell(field, &what, &format!("give {}", answer.expected()));
    }
    Some(need)
}

fn tell(place: &Field<'_>, what: &str, cure: &str) -> Option<Need> {
    place.page.cured(place.at, format!("{}: {what}", place.path), cure);
    None
}
