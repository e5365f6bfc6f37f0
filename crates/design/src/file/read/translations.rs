//! `[translation.LANGUAGE]`: what participants read, in another language than that of the study.

use super::between::{Known, say};
use super::level_words::{lacking as without_words, level_words};
use super::trials;
use super::words::{language, words_in};
use crate::file::files::Shelf;
use crate::file::keys::{SHOWN_BLOCK, SHOWN_FIELD, SHOWN_QUESTION, SHOWN_STEP, TRANSLATION};
use crate::study::experiment::{Experiment, Translation};
use crate::study::question::{Answer, Meaning};
use crate::study::step::{Doing, Step};
use crate::study::text::Text;
use chronotap_config::trial_files::reading::{Field, Key, Part};
use std::collections::HashSet;

/// Reads every translation of this study.
pub(crate) fn translations(
    top: &Part<'_>,
    shelf: &Shelf<'_>,
    study: &Experiment,
) -> Vec<Translation> {
    let read = |(name, at, field): (&str, usize, Field<'_>)| {
        language(&Field { at, ..field.clone() }, name)?;
        if name == study.words.language {
            let message = format!("{} is the language of the study itself", field.path);
            field.page.cured(at, message, "name another language, or leave it out");
        }
        Some(translation(&Part::of(&field, TRANSLATION)?, name, shelf, study))
    };
    top.named("translation").into_iter().filter_map(read).collect()
}

fn translation(
    part: &Part<'_>,
    language: &str,
    shelf: &Shelf<'_>,
    study: &Experiment,
) -> Translation {
    let mut translation = Translation {
        words: words_in(part, language),
        steps: study.steps.clone(),
        questions: study.questions.clone(),
        fields: study.fields.clone(),
    };
    let mut lacking = steps(part, shelf, &mut translation.steps);
    let levels = level_words(part, study, &study.words.levels);
    lacking.extend(without_words(&translation.steps, study, &levels));
    translation.words.levels = levels;
    let mut of = Asking { key: "question", section: SHOWN_QUESTION, text: "text" };
    let questions = translation.questions.iter_mut();
    let questions = questions.map(|q| (&*q.name, q.member.as_deref(), &mut q.text, &mut q.answer));
    lacking.extend(of.read(part, questions.collect()));
    of = Asking { key: "participant", section: SHOWN_FIELD, text: "question" };
    let fields = translation.fields.iter_mut();
    let fields = fields.map(|f| (&*f.name, f.member.as_deref(), &mut f.question, &mut f.answer));
    lacking.extend(of.read(part, fields.collect()));
    if !lacking.is_empty() {
        let message = format!(
            "{} lacks {}: participants see that in the language of the study",
            part.path,
            lacking.join(", ")
        );
        part.page.warn(part.at, message);
    }
    translation
}

/// Puts translated texts into the steps; says which were not translated.
fn steps(part: &Part<'_>, shelf: &Shelf<'_>, steps: &mut [Step]) -> Vec<String> {
    let given = part.named("step");
    let mut partly = Vec::new();
    for (name, at, field) in &given {
        let known: Vec<String> = steps.iter().map(|step| step.name.clone()).collect();
        let Some(step) = steps.iter_mut().find(|step| step.name == *name) else {
            let message = format!("{}: there is no step \"{name}\"", field.path);
            field.page.unknown(*at, message, name, known.iter().map(String::as_str));
            continue;
        };
        if let Some(part) = Part::of(field, SHOWN_STEP) {
            let keys = texts_of(step).into_iter().filter(|key| !translates(&part, key));
            partly.extend(keys.map(|key| format!("step.{name}.{key}")));
            texts(&part, shelf, step);
        }
    }
    let is_given = |step: &&Step| !given.iter().any(|(name, ..)| *name == step.name);
    let lacking = steps.iter().filter(is_given).filter(|step| has_text(step));
    lacking.map(|step| format!("step.{}", step.name)).chain(partly).collect()
}

/// The keys that stand for the texts of a step, as a translation has them.
fn texts_of(step: &Step) -> Vec<&'static str> {
    let shown = step.say.as_ref().map(|text| if text.file.is_some() { "say" } else { "text" });
    let of_blocks = match &step.doing {
        Doing::Trials(trials) => trials.blocks.as_ref().and_then(|blocks| blocks.say.as_ref()),
        _ => None,
    };
    let of_blocks = of_blocks.map(|_| "block");
    let told = step.told().map(|_| "tell");
    let stopped = step.stop_if.as_ref().map(|_| "stop_text");
    shown.into_iter().chain(of_blocks).chain(told).chain(stopped).collect()
}

/// Whether a part has the text of this key; that of a file may stand in the translation itself.
fn translates(part: &Part<'_>, key: &str) -> bool {
    let is_shown = ["say", "text"].contains(&key);
    part.has(key) || (is_shown && (part.has("say") || part.has("text")))
}

fn has_text(step: &Step) -> bool {
    !texts_of(step).is_empty()
}

fn texts(part: &Part<'_>, shelf: &Shelf<'_>, step: &mut Step) {
    let block = part.read("block", |field| Part::of(field, SHOWN_BLOCK));
    let shown = ["say", "text"].into_iter().find(|key| part.has(key)).unwrap_or("text");
    replace(part, shown, &mut step.say, |known| say(part, shelf, known));
    match (&mut step.stop_if, part.read("stop_text", Field::text)) {
        (Some(stop_if), Some(text)) => stop_if.text = text,
        (None, Some(_)) => no_text(part, "stop_text"),
        (_, None) => {}
    }
    let (mut no_blocks, mut no_told) = (None, None);
    let (of_blocks, told) = match &mut step.doing {
        Doing::Trials(trials) => {
            let blocks = trials.blocks.as_mut().map(|blocks| &mut blocks.say);
            (blocks.unwrap_or(&mut no_blocks), &mut trials.tell)
        }
        _ => (&mut no_blocks, &mut no_told),
    };
    replace(part, "tell", told, |known| trials::told(part, known));
    let of_block = block.as_ref();
    replace(part, "block", of_blocks, |known| of_block.and_then(|part| say(part, shelf, known)));
}

/// Puts the text of a key in the place of that of the study, where there is one; `read` is told
/// which names it may have.
fn replace(
    part: &Part<'_>,
    key: &str,
    of: &mut Option<Text>,
    read: impl FnOnce(&Known) -> Option<Text>,
) {
    let known = of.iter().flat_map(Text::names).map(str::to_owned).collect::<Vec<_>>();
    match (of, read(&Known::names(known))) {
        (Some(of), Some(text)) => *of = text,
        (None, _) if part.has(key) => no_text(part, key),
        _ => {}
    }
}

fn no_text(part: &Part<'_>, key: &str) {
    let message = format!("{} translates a text that the step does not have", part.path_of(key));
    part.page.cured(part.at(key), message, "leave it out, or give the step such a text");
}

/// Questions of a kind: under which key they are given, and under which one their text.
struct Asking {
    key: &'static str,
    section: &'static str,
    text: &'static str,
}

/// A question by its name, that of the member whom it is asked of, its text, and what may be answered.
type Asked<'e> = (&'e str, Option<&'e str>, &'e mut String, &'e mut Answer);

impl Asking {
    /// Puts translated words into questions; says which were not translated.
    fn read(&self, part: &Part<'_>, questions: Vec<Asked<'_>>) -> Vec<String> {
        let given = part.named(self.key);
        let own = |(name, member, ..): &Asked<'_>| {
            let member = member.map(|member| format!(".{member}")).unwrap_or_default();
            name.strip_suffix(&*member).unwrap_or(name).to_owned()
        };
        let known: Vec<String> = questions.iter().map(own).collect();
        for (name, at, field) in &given {
            if !known.iter().any(|known| known == name) {
                let message = format!("{}: the study does not ask \"{name}\"", field.path);
                field.page.unknown(*at, message, name, known.iter().map(String::as_str));
            }
        }
        let mut lacking = Vec::new();
        for (question, name) in questions.into_iter().zip(&known) {
            match given.iter().find(|(given, ..)| given == name) {
                Some((_, _, field)) => {
                    let keys = self.put(field, question).into_iter();
                    lacking.extend(keys.map(|key| format!("{}.{name}.{key}", self.key)));
                }
                None => lacking.push(format!("{}.{name}", self.key)),
            }
        }
        lacking.dedup();
        lacking
    }

    /// Puts what is given of one question into it; the keys of what is not.
    fn put(&self, field: &Field<'_>, (_, _, text, answer): Asked<'_>) -> Vec<&'static str> {
        let Some(part) = Part::of(field, self.section) else { return Vec::new() };
        let own = |key: &&Key| key.section == self.section && has_words(answer);
        let own = answer.kind().keys.iter().filter(own).map(|key| key.name);
        let lacking = [self.text].into_iter().chain(own).filter(|key| !part.has(key)).collect();
        if let Some(given) = part.read(self.text, Field::lines) {
            *text = given;
        }
        let keys = part.page.keys.within(self.section).map(|key| key.name);
        for key in keys.filter(|key| *key != self.text && part.has(key)) {
            let words = part.read(key, |field| shown(field, key, answer));
            words.into_iter().for_each(|given| *answer = given);
        }
        lacking
    }
}

/// Whether there are words to choose from that another language has others for: not numbers alone.
fn has_words(answer: &Answer) -> bool {
    let Meaning { levels, remark } = answer.meaning();
    let is_word = |text: &String| text.contains(char::is_alphabetic);
    answer.reworded(&[]).is_err_and(|texts| texts > 0)
        && (is_word(&remark) || levels.iter().any(|(_, word)| is_word(word)))
}

/// The answer that is chosen from these words, of which there are as many as the study has.
fn shown(field: &Field<'_>, key: &str, answer: &Answer) -> Option<Answer> {
    let word = |field: &Field<'_>| field.text().map(|word| word.trim().to_owned());
    let words = field.list("texts")?.iter().map(word).collect::<Option<Vec<_>>>()?;
    if key != "labels" && words.iter().collect::<HashSet<_>>().len() < words.len() {
        return field.problem("names a choice twice", "name each once");
    }
    if key == "choices" && words.iter().any(|word| word.contains(';')) {
        let cure = "leave it out: it stands between the choices that were made";
        return field.problem("has a choice with a semicolon", cure);
    }
    // A word must not be shown for one choice and recorded for another.
    let own = answer.meaning().levels;
    let other = |(place, word): (usize, &String)| {
        own.iter().position(|(own, _)| own == word) != Some(place)
            && own.iter().any(|(own, _)| own == word)
    };
    if key == "choice" && words.iter().enumerate().any(other) {
        return field.problem(
            "shows a word for another choice of the study",
            "keep the order of the study",
        );
    }
    match answer.kind().keys.first().map(|first| first.name) {
        Some(first) if first == key || (first == "scale" && key == "labels") => {}
        _ => return field.problem("is of another kind of question", "leave it out"),
    }
    answer
        .reworded(&words)
        .map_err(|of| {
            let message = format!("has {} texts, and the study {of}", words.len());
            field.problem::<Answer>(&message, "write one for each, in the order of the study")
        })
        .ok()
}
