//! `[participant]`, `[question.NAME]` and `members`: what people are asked.

use crate::keys::{PARTICIPANT, QUESTION};
use crate::question::{self, Kinds, Question};
use crate::step::{Doing, Step};
use chronotap_config::trial_files::reading::{Field, Part, well_named};
use std::collections::HashSet;

/// Reads every `[question.NAME]`; each stands for all members until
/// [`for_members`] gives every member its own.
pub(crate) fn questions(top: &Part<'_>, kinds: &Kinds) -> Vec<Question> {
    let read = |(name, at, field): (&str, usize, Field<'_>)| {
        well_named(top.page, at, name);
        let part = Part::of(&field, QUESTION)?;
        let text = part.must("text", Field::lines);
        let (name, answer) = (name.to_owned(), kinds.read(&part));
        Some(Question { name, member: None, text: text?, answer: answer? })
    };
    top.named("question").into_iter().filter_map(read).collect()
}

/// Reads every field of `[participant]`; with members, one for each of them.
pub(crate) fn fields(top: &Part<'_>, members: &[String], kinds: &Kinds) -> Vec<question::Field> {
    let mut fields = Vec::new();
    for (name, at, field) in top.named("participant") {
        well_named(top.page, at, name);
        let Some(part) = Part::of(&field, PARTICIPANT) else { continue };
        let question = part.must("question", Field::lines);
        let (Some(question), Some(answer)) = (question, kinds.read(&part)) else { continue };
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
            Doing::Say | Doing::Person | Doing::Rest(_) => {}
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
    let Some(list) = top.read("members", |f| f.list("names")) else { return Vec::new() };
    let names: Vec<String> = list.iter().filter_map(Field::name).collect();
    let different = names.iter().collect::<HashSet<_>>().len();
    if different < names.len() || names.len() < 2 {
        let message = "members must be at least two different names";
        top.page.cured(top.at("members"), message, "write members = [\"left\", \"right\"]");
    }
    names
}
