//! `[participant]`, `[question.NAME]` and `members`: what people are asked.

use crate::file::keys::{PARTICIPANT, QUESTION};
use crate::study::question::{self, Answer, OnlyIf, Question, QuestionKinds};
use crate::study::step::{Doing, Step};
use chronotap_config::trial_files::reading::{Field, Part, well_named};
use std::collections::{HashMap, HashSet};

/// Reads every `[question.NAME]`; each stands for all members until
/// [`for_members`] gives every member its own.
pub(crate) fn questions(top: &Part<'_>, kinds: &QuestionKinds) -> Vec<Question> {
    let one = |(name, at, field): (&str, usize, Field<'_>)| {
        well_named(top.page, at, name);
        let part = Part::of(&field, QUESTION)?;
        let text = part.must("text", Field::lines);
        let (name, answer) = (name.to_owned(), read(&part, kinds));
        let only_if = only_if(&part);
        Some(Question { name, member: None, text: text?, answer: answer?, only_if })
    };
    top.named("question").into_iter().filter_map(one).collect()
}

/// Reads every field of `[participant]`; with members, one for each of them.
pub(crate) fn fields(
    top: &Part<'_>,
    members: &[String],
    kinds: &QuestionKinds,
) -> Vec<question::ParticipantField> {
    let mut fields = Vec::new();
    for (name, at, field) in top.named("participant") {
        well_named(top.page, at, name);
        let Some(part) = Part::of(&field, PARTICIPANT) else { continue };
        let question = part.must("question", Field::lines);
        let only_if = only_if(&part);
        let (Some(question), Some(answer)) = (question, read(&part, kinds)) else { continue };
        let one = question::ParticipantField {
            name: name.to_owned(),
            member: None,
            question,
            answer,
            only_if,
        };
        if members.is_empty() {
            fields.push(one);
            continue;
        }
        fields.extend(members.iter().map(|member| question::ParticipantField {
            name: format!("{name}.{member}"),
            member: Some(member.clone()),
            only_if: of_member(&one.only_if, member),
            ..one.clone()
        }));
    }
    fields
}

/// What may be answered, and whether nothing may be.
fn read(part: &Part<'_>, kinds: &QuestionKinds) -> Option<Answer> {
    let optional = part.read("optional", Field::flag).unwrap_or(false);
    kinds.read(part).map(|answer| answer.optional(optional))
}

/// `only_if`: answers to other questions. Whether there are such is looked at when all are read.
fn only_if(part: &Part<'_>) -> Vec<OnlyIf> {
    let given = part.read("only_if", Field::keys).unwrap_or_default();
    let of = |(name, field): (&str, Field<'_>)| {
        let answers = field.some("answers")?.iter().map(Field::text).collect::<Option<_>>()?;
        Some(OnlyIf { name: name.to_owned(), answers })
    };
    given.into_iter().filter_map(of).collect()
}

/// Each member is asked by their own answers.
fn of_member(only_if: &[OnlyIf], member: &str) -> Vec<OnlyIf> {
    let own = |of: &OnlyIf| OnlyIf { name: format!("{}.{member}", of.name), ..of.clone() };
    only_if.iter().map(own).collect()
}

/// Refuses an `only_if` of a question that there is not, or of an answer that nobody can give.
pub(crate) fn check_only_if(top: &Part<'_>, answers: &HashMap<String, Answer>) {
    let known = || answers.keys().map(String::as_str);
    for (kind, section) in [("question", QUESTION), ("participant", PARTICIPANT)] {
        for (name, _, field) in top.named(kind) {
            let Some(part) = Part::of(&field, section) else { continue };
            for (other, given) in part.read("only_if", Field::keys).unwrap_or_default() {
                let Some(answer) = answers.get(other).filter(|_| other != name) else {
                    let message = format!("{}: there is no other question \"{other}\"", given.path);
                    given.page.unknown(given.at, message, other, known());
                    continue;
                };
                for one in given.some("answers").unwrap_or_default() {
                    let Some(text) = one.text() else { continue };
                    if let Err(expected) = answer.accept(&text) {
                        let message =
                            format!("{}: nobody can answer {other} with \"{text}\"", one.path);
                        one.page.cured(one.at, message, format!("give {expected}"));
                    }
                }
            }
        }
    }
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
        only_if: of_member(&question.only_if, member),
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
