//! `[[step]]`: which kind it is, and what all kinds have.

use super::between::{Known, asked, go, rest, say};
use super::factors::{Found, level};
use super::names::fixed_names;
use super::{Context, trials};
use crate::file::choices;
use crate::study::step::{Doing, Go, Limited, Step, StopIf};
use chronotap_config::trial_files::reading::{Field, Part, TomlEntry, Value};
use chronotap_core::text::nearest;
use std::collections::HashSet;

/// More would take noticeably long to check.
const STEPS_MAX: usize = 1_000;

/// Keys that a step without trials may have.
const WITHOUT_TRIALS: [&str; 11] =
    ["name", "say", "text", "session", "only", "ask", "rest", "go", "stop_if", "stop_text", "ends"];
/// What a step asks that asks what is to be known of the participant.
const PERSON: &str = "participant";

/// Reads every `[[step]]`.
pub(crate) fn steps(top: &Part<'_>, context: &Context<'_>) -> Vec<Step> {
    let tables = top.tables("step");
    let of_another_kind = |entry: &TomlEntry| !matches!(entry.node.value, Value::List(_));
    let is_told = top.misspells(&["step"]) || top.table.get("step").is_some_and(of_another_kind);
    if tables.is_empty() && !is_told {
        let message = "the file has no steps, so it is no experiment file";
        top.page.cured(0, message, "write [[step]], and below it what is done");
    }
    if tables.len() > STEPS_MAX {
        top.page.cured(tables[STEPS_MAX].1.at, "more than 1000 steps", "write fewer");
    }
    let mut steps: Vec<Step> = Vec::new();
    let mut names = HashSet::new();
    for (number, node, table) in tables.into_iter().take(STEPS_MAX) {
        let name = table.get("name").and_then(|entry| entry.node.text());
        let path = name.map_or(format!("step {number}"), |name| format!("step {name}"));
        let part = Part::called(top.page, table, node.at, path, "step");
        let step = step(&part, number, context);
        if !names.insert(step.name.clone()) {
            let message = format!("two steps are named \"{}\"", step.name);
            top.page.cured(part.at("name"), message, "give each its own name");
        }
        steps.push(step);
    }
    steps
}

fn step(part: &Part<'_>, number: usize, context: &Context<'_>) -> Step {
    let doing = if has_trials(part) {
        Doing::Trials(Box::new(trials::trials(part, context)))
    } else {
        without_trials(part, context)
    };
    let name = part.read("name", Field::name);
    let says = part.misspells(&["say", "text", "ask", "rest"]); // it is told which of them is meant
    if name.is_none() && !part.has("name") && !says && matches!(doing, Doing::Trials(_)) {
        let message = format!("{} has trials but no name", part.said());
        part.page.cured(part.at, message, "write for example name = \"main\"");
    }
    let stop_if = stop_if(part, &doing, context);
    let runs_conditions = matches!(&doing, Doing::Trials(trials) if trials.conditions);
    let within = &context.factors.within;
    let has_trials = matches!(doing, Doing::Trials(_));
    let known = Known::beside(known_names(part, context), within, has_trials);
    Step {
        name: name.unwrap_or_else(|| format!("step-{number}")),
        sessions: part.read("session", |f| sessions(f, context)),
        only: only(part, context, runs_conditions),
        say: say(part, context.shelf, &known),
        say_until: said_until(part, &doing),
        doing,
        stop_if,
        line: part.page.line(part.at),
    }
}

/// Whether the step has trials: it has a key of such a step, also a misspelt one, or a
/// rest after so many trials, or no key of another kind.
fn has_trials(part: &Part<'_>) -> bool {
    let keys: Vec<&str> = part.page.keys.within("step").map(|key| key.name).collect();
    let meant = |key: &str| nearest(key, keys.iter().copied()).is_some_and(of_trials);
    let given = part.table.entries.iter().map(|entry| entry.key.as_str());
    let rest = part.table.get("rest").and_then(|entry| entry.node.table());
    let other = ["say", "text", "ask", "rest"].iter().any(|key| part.has(key));
    given.into_iter().any(meant) || rest.is_some_and(|rest| rest.has("every")) || !other
}

fn of_trials(key: &str) -> bool {
    !WITHOUT_TRIALS.contains(&key)
}

fn without_trials(part: &Part<'_>, context: &Context<'_>) -> Doing {
    if asks_about_the_person(part, context) {
        return Doing::Person;
    }
    let ask = asked(part, context, Some(PERSON));
    if part.has("go") && !part.has("rest") && !ask.is_empty() {
        let message =
            format!("{}: go belongs to a step with trials or with only a text", part.said());
        part.page.cured(part.at("go"), message, "leave it out: an answer goes on");
    }
    match rest(part, false) {
        Some(rest) if ask.is_empty() => Doing::Rest(rest),
        Some(_) => {
            let message = format!("{} asks and rests", part.said());
            part.page.cured(part.at("rest"), message, "make two steps of it");
            Doing::Ask(ask)
        }
        None if ask.is_empty() => Doing::Say,
        None => Doing::Ask(ask),
    }
}

/// What ends the text of a step. That of one with trials, a rest or questions ends at a tap.
fn said_until(part: &Part<'_>, doing: &Doing) -> Go {
    let given = if *doing == Doing::Say { go(part) } else { None };
    if given == Some(Go::AtOnce) {
        let message = format!("{}: nobody can read a text that ends at once", part.said());
        part.page.cured(part.at("go"), message, "write \"tap\", \"key\" or \"experimenter\"");
    }
    given.unwrap_or(Go::Tap)
}

/// `ask = "participant"`, where no question has this name.
fn asks_about_the_person(part: &Part<'_>, context: &Context<'_>) -> bool {
    let given = part.table.get("ask").and_then(|entry| entry.node.text());
    let asks = given == Some(PERSON) && !context.questions.iter().any(|name| name == PERSON);
    if asks {
        let _ = part.read("ask", Field::text); // it is a known key
        if context.fields.is_empty() {
            let message = format!("{} asks what [participant] asks, which is nothing", part.said());
            part.page.cured(part.at("ask"), message, "write [participant], or leave the step out");
        }
        if part.has("rest") {
            let message = format!("{} asks and rests", part.said());
            part.page.cured(part.at("rest"), message, "make two steps of it");
        }
    }
    asks
}

/// `stop_if`: of the questions of the step those answers that end the session.
fn stop_if(part: &Part<'_>, doing: &Doing, context: &Context<'_>) -> Option<StopIf> {
    let given = part.read("stop_if", Field::keys);
    let text = part.read("stop_text", Field::text);
    let ends = part.read("ends", |f| f.choice(&choices::ENDS)).unwrap_or_default();
    let asked: &[String] = match doing {
        Doing::Ask(names) => names,
        Doing::Person => &context.fields,
        Doing::Say | Doing::Rest(_) | Doing::Trials(_) => &[],
    };
    let Some(given) = given else {
        for key in ["stop_text", "ends"].into_iter().filter(|key| part.has(key)) {
            let message = format!("{}: {key} belongs to stop_if", part.said());
            let cure = "say which answers end the session, or leave it out";
            part.page.cured(part.at(key), message, cure);
        }
        return None;
    };
    let mut answers = Vec::new();
    for (name, field) in given {
        if !asked.iter().any(|one| one == name) {
            let message = format!("{}: the step does not ask \"{name}\"", field.path);
            field.page.unknown(field.at, message, name, asked.iter().map(String::as_str));
            continue;
        }
        let of = field.some("answers").unwrap_or_default();
        let of = of.iter().filter_map(|one| an_answer(one, name, context)).collect();
        answers.push((name.to_owned(), of));
    }
    let text = text.unwrap_or_else(|| "Thank you. The session ends here.".to_owned());
    Some(StopIf { answers, text, ends })
}

/// An answer that may be given.
fn an_answer(field: &Field<'_>, name: &str, context: &Context<'_>) -> Option<String> {
    let text = field.text()?;
    match context.answers.get(name).map(|answer| answer.accept(&text)) {
        Some(Err(expected)) => {
            let message = format!("{}: nobody can answer {name} with \"{text}\"", field.path);
            field.page.cured(field.at, message, format!("give {expected}"));
            None
        }
        Some(Ok(answer)) => Some(answer),
        None => Some(text),
    }
}

fn sessions(field: &Field<'_>, context: &Context<'_>) -> Option<Vec<u32>> {
    let numbers = field.some("numbers")?;
    let number = |f: &Field<'_>| f.whole(1, context.sessions.into()).map(|n| n as u32);
    let mut sessions = numbers.iter().map(number).collect::<Option<Vec<u32>>>()?;
    sessions.sort_unstable();
    sessions.dedup();
    Some(sessions)
}

/// `only`: factors and their levels.
fn only(part: &Part<'_>, context: &Context<'_>, runs_conditions: bool) -> Vec<Limited> {
    let mut limits = Vec::new();
    for (name, field) in part.read("only", Field::keys).unwrap_or_default() {
        let Some((found, factor)) = context.factors.known(&field, field.at, name) else {
            continue;
        };
        if matches!(found, Found::Within(_)) && !runs_conditions {
            let message = format!("{}: {name} varies from trial to trial", part.said());
            let cure = "limit such a step by a factor between participants or of the sessions";
            part.page.cured(field.at, message, cure);
        }
        let levels = field.some("levels").unwrap_or_default();
        let levels = levels.iter().filter_map(|f| level(f, factor));
        let levels = levels.map(|place| factor.levels[place].to_string()).collect();
        limits.push(Limited { factor: name.to_owned(), levels });
    }
    limits
}

/// The factors whose levels are known when a step's own text is shown.
fn known_names(part: &Part<'_>, context: &Context<'_>) -> Vec<String> {
    let mut names = fixed_names(context);
    // A level within participants is known where `only` leaves one.
    for (name, field) in part
        .table
        .get("only")
        .and_then(|e| e.node.table())
        .map_or(&[][..], |t| &t.entries[..])
        .iter()
        .map(|e| (&e.key, &e.node))
    {
        let one = !matches!(&field.value, Value::List(list) if list.len() != 1);
        if one && context.factors.within.iter().any(|factor| factor.name == *name) {
            names.push(name.clone());
        }
    }
    names
}
