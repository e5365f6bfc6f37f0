//! `[participant]`, `[question.NAME]` and `members`: what people are asked.

use crate::field::{Field, well_named};
use crate::part::Part;
use crate::question::{self, Answer, Question};
use crate::step::{Doing, Step};
use std::collections::HashSet;
use std::fmt::Display;

/// Reads every `[question.NAME]`; each stands for all members until
/// [`for_members`] gives every member its own.
pub(crate) fn questions(top: &Part<'_>) -> Vec<Question> {
    let read = |(name, at, field): (&str, usize, Field<'_>)| {
        well_named(top.page, at, name);
        let part = Part::of(&field, "question.NAME")?;
        let text = part.must("text", Field::lines);
        let (name, answer) = (name.to_owned(), answer(&part));
        Some(Question { name, member: None, text: text?, answer: answer? })
    };
    top.named("question").into_iter().filter_map(read).collect()
}

/// Reads every field of `[participant]`; with members, one for each of them.
pub(crate) fn fields(top: &Part<'_>, members: &[String]) -> Vec<question::Field> {
    let mut fields = Vec::new();
    for (name, at, field) in top.named("participant") {
        well_named(top.page, at, name);
        let Some(part) = Part::of(&field, "participant.NAME") else { continue };
        let question = part.must("question", Field::lines);
        let (Some(question), Some(answer)) = (question, answer(&part)) else { continue };
        let one = question::Field { name: name.to_owned(), member: None, question, answer };
        if members.is_empty() {
            fields.push(one);
            continue;
        }
        fields.extend(members.iter().map(|member| question::Field {
            name: format!("{name}.{member}"),
            member: Some(member.clone()),
            ..one.clone()
        }));
    }
    fields
}

/// Gives each member every question, and lets steps and blocks ask it of each.
pub(crate) fn for_members(
    members: &[String],
    questions: Vec<Question>,
    steps: &mut [Step],
) -> Vec<Question> {
    if members.is_empty() {
        return questions;
    }
    let spread = |ask: &mut Vec<String>| {
        let each = |name: &String| -> Vec<String> {
            members.iter().map(|member| format!("{name}.{member}")).collect()
        };
        *ask = ask.iter().flat_map(each).collect();
    };
    for step in steps {
        match &mut step.doing {
            Doing::Ask(ask) => spread(ask),
            Doing::Trials(trials) => {
                spread(&mut trials.ask);
                trials.blocks.iter_mut().for_each(|blocks| spread(&mut blocks.ask));
            }
            Doing::Say | Doing::Rest(_) => {}
        }
    }
    let of = |question: &Question, member: &String| Question {
        name: format!("{}.{member}", question.name),
        member: Some(member.clone()),
        ..question.clone()
    };
    let all = questions.iter().flat_map(|question| members.iter().map(move |m| of(question, m)));
    all.collect()
}

/// Reads `members`.
pub(crate) fn members(top: &Part<'_>) -> Vec<String> {
    let Some(list) = top.read("members", Field::list) else { return Vec::new() };
    let names: Vec<String> = list.iter().filter_map(Field::name).collect();
    let different = names.iter().collect::<HashSet<_>>().len();
    if different < names.len() || names.len() < 2 {
        let message = "members must be at least two different names";
        top.page.cured(top.at("members"), message, "write members = [\"left\", \"right\"]");
    }
    names
}

/// What may be answered: a scale, a choice, a number, or text.
fn answer(part: &Part<'_>) -> Option<Answer> {
    let forms = ["scale", "choice", "number"];
    let given: Vec<&str> = forms.into_iter().filter(|form| part.has(form)).collect();
    if let [first, second, ..] = given[..] {
        let message = format!("{} gives both {first} and {second}", part.said());
        part.page.cured(part.at(second), message, "keep one of them");
        return None;
    }
    if part.has("labels") && !part.has("scale") {
        let message = format!("{} has labels but no scale", part.said());
        part.page.cured(part.at("labels"), message, "give a scale, or leave labels out");
    }
    match given.first() {
        Some(&"scale") => scale(part),
        Some(&"choice") => part.read("choice", |f| {
            // Spaces around an answer are dropped, so that a choice has none.
            let word = |f: &Field<'_>| f.text().map(|word| word.trim().to_owned());
            let words = f.list()?.iter().map(word).collect::<Option<Vec<_>>>()?;
            if words.iter().collect::<HashSet<_>>().len() < words.len() {
                return f.problem("names a choice twice", "name each once");
            }
            Some(Answer::Choice(words))
        }),
        Some(_) => part.read("number", |f| {
            let [least, greatest] = f.pair()?;
            let (least, greatest) = rising(f, [least.number()?, greatest.number()?], "[18, 99]")?;
            Some(Answer::Number(least, greatest))
        }),
        None => Some(Answer::Text),
    }
}

/// The ends of a range, of which the second is the greater one.
fn rising<T: PartialOrd + Display>(
    field: &Field<'_>,
    [least, greatest]: [T; 2],
    example: &str,
) -> Option<(T, T)> {
    if least == greatest {
        let cure = format!("write two numbers, the lesser first, such as {example}");
        return field.problem(&format!("begins and ends with {least}"), cure);
    }
    if least > greatest {
        let cure = format!("write [{greatest}, {least}]");
        return field.problem("puts the greater number first", cure);
    }
    Some((least, greatest))
}

fn scale(part: &Part<'_>) -> Option<Answer> {
    let ends = |f: &Field<'_>| {
        let [least, greatest] = f.pair()?;
        let whole = |f: &Field<'_>| match f.number()? {
            n if n.fract() == 0.0 && n.abs() <= 1000.0 => Some(n as i64),
            _ => f.wrong("a whole number from -1000 to 1000", "7"),
        };
        rising(f, [whole(&least)?, whole(&greatest)?], "[1, 7]")
    };
    let (least, greatest) = part.read("scale", ends)?;
    let texts = |f: &Field<'_>| f.list()?.iter().map(Field::text).collect::<Option<Vec<_>>>();
    let labels = part.read("labels", texts).unwrap_or_default();
    let numbers = (greatest - least + 1) as usize;
    if ![0, 2, numbers].contains(&labels.len()) {
        let message = format!("{} has {} labels", part.path, labels.len());
        part.page.cured(part.at("labels"), message, format!("write 2 for the ends, or {numbers}"));
    }
    Some(Answer::Scale { least, greatest, labels })
}
