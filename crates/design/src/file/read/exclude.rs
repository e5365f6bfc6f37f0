//! `[exclude]`: whose data every analysis leaves out, by what they answered.

use crate::study::question::Answer;
use chronotap_analysis::statistics::find;
use chronotap_config::trial_files::reading::{Field, Part, brief};
use chronotap_data::tables::{ExcludeRule, Need};
use std::collections::HashMap;

/// The rules, in the order of the file; `fields` are asked once.
pub(super) fn exclude(
    top: &Part<'_>,
    answers: &HashMap<String, Answer>,
    fields: &[String],
) -> Vec<ExcludeRule> {
    let rule = |(reason, at, field): (&str, usize, Field<'_>)| {
        if reason.trim().is_empty() || reason.chars().any(char::is_control) {
            let message = format!("exclude: \"{}\" is no reason", brief(reason));
            top.page.cured(at, message, "write one in a few words: it stands in the report");
        }
        let given = field.some("conditions")?;
        let needs = given.iter().map(|one| need(one, answers)).collect::<Option<Vec<_>>>()?;
        if needs.is_empty() {
            return field.wrong(EXPECTED);
        }
        doubt(&field, &needs, answers);
        together(&field, &needs, answers, fields);
        Some(ExcludeRule { reason: reason.to_owned(), needs })
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

/// Doubts conditions that no answer meets, or every answer. A study that was begun goes on with them.
fn doubt(field: &Field<'_>, needs: &[Need], answers: &HashMap<String, Answer>) {
    let tried = |need: &Need| {
        let answer = &answers[&need.name];
        let value: Option<f64> = need.value.parse().ok();
        let met = answer.sides(value.as_slice());
        (met.iter().filter(|side| need.holds(side)).count(), met.len(), answer)
    };
    for need in needs {
        let (met, all, answer) = tried(need);
        if all > 0 && met == 0 {
            let expected = answer.expected();
            warn(field, &format!("\"{need}\" leaves out nobody: answers are {expected}"));
        }
    }
    let every = |need: &Need| {
        let (met, all, answer) = tried(need);
        all > 0 && met == all && !answer.is_optional()
    };
    if needs.iter().all(every) {
        let all: Vec<String> = needs.iter().map(|need| format!("\"{need}\"")).collect();
        let all = all.join(" and ");
        warn(field, &format!("{all} leaves out everybody who answers: each answer meets it"));
    }
}

/// Doubts conditions on what is asked once that no answer meets together.
fn together(
    field: &Field<'_>,
    needs: &[Need],
    answers: &HashMap<String, Answer>,
    fields: &[String],
) {
    for name in fields {
        let of: Vec<&Need> = needs.iter().filter(|need| need.name == *name).collect();
        let values: Vec<f64> = of.iter().filter_map(|need| need.value.parse().ok()).collect();
        let sides = answers.get(name).map_or_else(Vec::new, |answer| answer.sides(&values));
        let meets = |one: &Need| sides.iter().any(|side| one.holds(side));
        let meets_all = sides.iter().any(|side| of.iter().all(|need| need.holds(side)));
        if of.len() > 1 && !meets_all && of.iter().all(|need| meets(need)) {
            let all: Vec<String> = of.iter().map(|need| format!("\"{need}\"")).collect();
            let all = all.join(" and ");
            let cure = "write each under a reason of its own if one of them is enough";
            warn(field, &format!("{all} leave out nobody: no answer meets all of them; {cure}"));
        }
    }
}

fn warn(field: &Field<'_>, what: &str) {
    field.page.warn(field.at, format!("{}: {what}", field.path));
}

fn tell(place: &Field<'_>, what: &str, cure: &str) -> Option<Need> {
    place.page.cured(place.at, format!("{}: {what}", place.path), cure);
    None
}
