//! `[level_words]`: what participants read for a level where a text has the name of its factor in braces.

use crate::study::experiment::Experiment;
use crate::study::factor::{Factor, Level};
use crate::study::step::{Doing, Step};
use crate::study::words::LevelWords;
use chronotap_config::trial_files::reading::{Field, Part};

/// Reads them; what is not given is as in `before`.
pub(super) fn level_words(of: &Part<'_>, study: &Experiment, before: &LevelWords) -> LevelWords {
    let mut words = before.clone();
    for (name, field) in of.read("level_words", Field::keys).unwrap_or_default() {
        let Some(factor) = study.factor(name) else {
            let message = format!("{}: there is no factor \"{name}\"", field.path);
            let known = study.factor_names();
            field.page.unknown(field.at, message, name, known.iter().map(String::as_str));
            continue;
        };
        for (level, field) in field.keys().unwrap_or_default() {
            let word = word(factor, level, &field);
            words.extend(word.map(|word| ((name.to_owned(), level.to_owned()), word)));
        }
    }
    words
}

fn word(factor: &Factor, level: &str, field: &Field<'_>) -> Option<String> {
    let known: Vec<String> = factor.levels.iter().map(Level::to_string).collect();
    if !known.iter().any(|known| known == level) {
        let message = format!("{}: {} has no level \"{level}\"", field.path, factor.name);
        field.page.unknown(field.at, message, level, known.iter().map(String::as_str));
        return None;
    }
    let word = field.text()?;
    if word.trim().is_empty() {
        return field.problem("is empty", "write what participants read, or leave it out");
    }
    Some(word)
}

/// The factors that texts name, of which a level is a word and is not among these: nobody translated it.
pub(super) fn lacking(steps: &[Step], study: &Experiment, words: &LevelWords) -> Vec<String> {
    let named = |factor: &&Factor| steps.iter().any(|step| names(step, &factor.name));
    let lacks = |factor: &&Factor| {
        let all = factor.levels.iter().map(Level::to_string);
        all.filter(|level| level.starts_with(char::is_alphabetic))
            .any(|level| !words.contains_key(&(factor.name.clone(), level)))
    };
    let factors = study.all_factors().into_iter().filter(named).filter(lacks);
    factors.map(|factor| format!("level_words.{}", factor.name)).collect()
}

/// Whether a text of a step has this name in braces.
fn names(step: &Step, name: &str) -> bool {
    let of_blocks = match &step.doing {
        Doing::Trials(trials) => trials.blocks.as_ref().and_then(|blocks| blocks.say.as_ref()),
        _ => None,
    };
    let texts = step.say.iter().chain(of_blocks).chain(step.told());
    texts.flat_map(|text| text.names()).any(|named| named == name)
}
