//! What stands before, between and after trials: texts, questions, rests, and what they wait for.

use super::Context;
use crate::file::choices;
use crate::file::files::Shelf;
use crate::study::factor::Factor;
use crate::study::step::{Doing, Every, Go, HITS, Rest, Step};
use crate::study::text::{Text, is_name};
use chronotap_analysis::statistics::find;
use chronotap_config::trial_files::reading::{DAY, Field, Part, Value, time};
use chronotap_core::time::Nanos;

/// `say` or `text`; the names in it must be known.
pub(super) fn say(part: &Part<'_>, shelf: &Shelf<'_>, known: &Known) -> Option<Text> {
    if part.has("say") && part.has("text") {
        part.gives_both("say", "text");
    }
    if let Some(field) = part.field("text") {
        let text = Text { file: None, text: field.lines()? };
        for name in text.names() {
            unknown_name(&field, field.at, name, known);
        }
        statistic_named(&field, field.at, &text.text);
        return Some(text);
    }
    let field = part.field("say")?;
    let (name, text) = shelf.shown(&field)?;
    let said = shelf.said(&name);
    let page = part.page.beside(&said, &text);
    for (at, _) in text.match_indices('{') {
        let named = text[at + 1..].split_once('}').map(|(name, _)| name);
        statistic_named(&Field { page: &page, ..field.clone() }, at, &text[at..]);
        if let Some(name) = named.filter(|name| is_name(name)) {
            let field = Field { page: &page, ..field.clone() };
            unknown_name(&field, at, name, known);
        }
    }
    Some(Text { file: Some(name), text: text.clone() })
}

/// The names that a text may have in braces.
pub(super) struct Known {
    pub names: Vec<String>,
    /// Factors whose level is not known there, because it varies, each with its first level.
    varying: Vec<(String, String)>,
    /// Whether `only` could leave one level of them.
    limits: bool,
}

impl Known {
    pub(super) fn names(names: Vec<String>) -> Known {
        Known { names, varying: Vec::new(), limits: false }
    }

    /// The same beside factors within participants.
    pub(super) fn beside(names: Vec<String>, within: &[Factor], limits: bool) -> Known {
        let varies = |factor: &&Factor| !names.contains(&factor.name);
        let named = |of: &Factor| Some((of.name.clone(), of.levels.first()?.to_string()));
        let varying = within.iter().filter(varies).filter_map(named).collect();
        Known { names, varying, limits }
    }

    /// What to write where the level of `factor` varies.
    fn cure(&self, factor: &str, level: &str) -> String {
        let block =
            format!("block = {{ by = \"{factor}\", order = \"latin\", text = \"{{{factor}}}\" }}");
        match self.limits {
            true => format!(
                "show it before each block, as in {block}, or limit the step to one level, as in \
                 only = {{ {factor} = \"{level}\" }}"
            ),
            false => format!("show it before each block of the step with trials, as in {block}"),
        }
    }
}

pub(super) fn unknown_name(field: &Field<'_>, at: usize, name: &str, known: &Known) {
    let names = &known.names;
    if let Some((factor, level)) = known.varying.iter().find(|(factor, _)| factor == name) {
        let message =
            format!("{}: the level of {factor} varies where {{{factor}}} is shown", field.path);
        field.page.cured(at, message, known.cure(factor, level));
    } else if !names.iter().any(|known| known == name) {
        let message = format!("the text names {{{name}}}, which has no level in {}", field.path);
        if name == HITS {
            let cure = "write {NAME.hits}, with the name of a step that practises until hits";
            return field.page.cured(at, message, cure);
        }
        field.page.unknown(at, message, name, names.iter().map(String::as_str));
    }
}

/// Doubts the first braces of a text around a statistic, which would be shown as they stand.
pub(super) fn statistic_named(field: &Field<'_>, at: usize, text: &str) {
    let named = text.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
    let Some(known) = named.and_then(|(name, _)| find(name.trim())) else { return };
    if is_name(known.name) {
        return; // it is told as a name that has no level
    }
    let name = known.name;
    let message = format!(
        "{}: {{{name}}} is shown as it stands: write {{STEP.early}}, and keep = {{ early = \"{name}\" }} in \
         that step",
        field.path
    );
    field.page.warn(at, message);
}

/// Refuses a text that names a result which no step keeps.
pub(super) fn results_in_texts(top: &Part<'_>, steps: &[Step]) {
    let trials = |step: &Step| match &step.doing {
        Doing::Trials(trials) => Some(trials.clone()),
        _ => None,
    };
    let kept = |step: &Step| -> Vec<String> {
        let of = |name: &str| format!("{}.{name}", step.name);
        let trials = trials(step);
        let hits = trials.iter().filter(|all| all.counts_hits()).map(|_| of(HITS));
        let kept = trials.iter().flat_map(|all| &all.keep).map(|keep| of(&keep.name));
        kept.chain(hits).collect()
    };
    let kept: Vec<String> = steps.iter().flat_map(kept).collect();
    for step in steps {
        let told = trials(step).and_then(|all| all.tell);
        let of_blocks = trials(step).and_then(|all| all.blocks.and_then(|blocks| blocks.say));
        for text in step.say.iter().chain(&of_blocks).chain(&told) {
            for (of, name) in text.results() {
                let named = format!("{of}.{name}");
                if !kept.contains(&named) {
                    let message =
                        format!("a text of {} names {{{named}}}, which no step keeps", step.name);
                    let known = kept.iter().map(String::as_str);
                    top.page.unknown(top.at("step"), message, &named, known);
                }
            }
        }
    }
}

/// `ask`: names of questions. What else may stand there where it stands alone is told as a name that is near.
pub(super) fn asked(part: &Part<'_>, context: &Context<'_>, alone: Option<&str>) -> Vec<String> {
    part.read("ask", |f| names_of(f, "question", &context.questions, alone)).unwrap_or_default()
}

/// One of the declared names, or a list of them.
pub(super) fn names_of(
    field: &Field<'_>,
    what: &str,
    declared: &[String],
    alone: Option<&str>,
) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for one in field.some("names")? {
        let Some(name) = one.text() else { continue };
        if !declared.contains(&name) {
            let message = format!("{}: there is no {what} \"{name}\"", one.path);
            let known = declared.iter().map(String::as_str).chain(alone);
            one.page.unknown(one.at, message, &name, known);
        }
        names.push(name);
    }
    Some(names)
}

/// What starts a trial or ends a rest.
pub(super) fn go(part: &Part<'_>) -> Option<Go> {
    part.given("go", |f| f.choice(&choices::GO))
}

/// What is written for the length of a rest, without its table; a number alone is one of seconds.
fn length_alone(field: &Field<'_>) -> Option<String> {
    let length = match &field.node.value {
        Value::Text(text) => text.trim().to_owned(),
        Value::Integer(_) | Value::Decimal(_) => format!("{} s", field.node),
        _ => return None,
    };
    time(&length).is_ok().then_some(length)
}

fn wanted_alone(field: &Field<'_>) -> String {
    match &field.node.value {
        Value::Text(text) => format!("must be a table, not \"{text}\""),
        _ => format!("must be a table, not {}", field.node),
    }
}

/// The line to write, with the length that was meant.
fn with_its_length(length: &str, between_trials: bool) -> String {
    if between_trials {
        format!("write rest = {{ every = 9, for = \"{length}\" }} for a rest after every 9 trials")
    } else {
        format!("write rest = {{ for = \"{length}\" }}")
    }
}

/// The number of `8 trials`.
fn counts_trials(text: &str) -> Option<u32> {
    let (number, unit) = text.trim().split_once(char::is_whitespace)?;
    number.parse().ok().filter(|_| matches!(unit.trim(), "trial" | "trials"))
}

/// `rest`; between trials it says when.
pub(super) fn rest(part: &Part<'_>, between_trials: bool) -> Option<Rest> {
    let inner = part.read("rest", |f| match length_alone(f) {
        Some(length) => f.problem(&wanted_alone(f), with_its_length(&length, between_trials)),
        None => Part::of(f, "step.rest"),
    })?;
    let every = |f: &Field<'_>| match &f.node.value {
        Value::Text(text) if text.trim().parse::<u32>().is_ok() => {
            let number = text.trim();
            let cure = format!("write {number} for trials, or \"{number} min\" for a time");
            f.problem(&format!("= \"{number}\" is neither a number nor a time"), cure)
        }
        Value::Text(text) if counts_trials(text).is_some() => {
            let number = counts_trials(text).unwrap_or_default();
            f.problem(
                &format!("= \"{text}\" is no time"),
                format!("write {number} for {number} trials"),
            )
        }
        // The times that are shown for others are too short for a rest.
        Value::Text(text) if !text.contains(|c: char| c.is_ascii_digit()) => f.problem(
            &format!("= \"{text}\" is neither a number nor a time"),
            "write a number of trials, as in every = 9, or a time, as in every = \"10 min\"",
        ),
        Value::Text(_) => f.time_within(Nanos::from_secs(1), Nanos(DAY)).map(Every::Time),
        _ => f.count().map(Every::Trials),
    };
    let every =
        if between_trials { inner.must("every", every) } else { inner.given("every", every) };
    if every.is_some() && !between_trials {
        let message = format!("{}: every belongs to a step with trials", inner.said());
        inner.page.cured(inner.at("every"), message, "leave it out");
    }
    let length = inner.read("for", Field::time).unwrap_or_default();
    // What starts the trials of a step does not end its rests.
    let of_step = if between_trials { None } else { go(part) };
    let go = go(&inner).or(of_step).unwrap_or(Go::Key);
    Some(Rest { every, length, go })
}
