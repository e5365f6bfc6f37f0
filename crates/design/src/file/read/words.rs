//! `language` and `[words]`: what a session says besides the texts of the study.

use crate::file::keys::{KEYS, WORDS};
use crate::study::words::{Words, english, names_in};
use chronotap_config::trial_files::reading::{Field, Key, Part};

/// Reads both.
pub(crate) fn words(top: &Part<'_>) -> Words {
    let given = top.read("language", |field| language(field, &field.text()?));
    words_in(top, &given.unwrap_or(Words::default().language))
}

/// The words of a part in a language.
pub(super) fn words_in(of: &Part<'_>, language: &str) -> Words {
    let mut words = Words::default();
    language.clone_into(&mut words.language);
    let given = of.read("words", |field| Part::of(field, WORDS));
    if let Some(part) = &given {
        for key in KEYS.within(WORDS) {
            let text = part.read(key.name, |field| text(field, key));
            text.into_iter().for_each(|text| words.set(key.name, text));
        }
    }
    warn_of_english(of, given.as_ref(), &words);
    words
}

/// A language in the form of BCP 47, as far as its form goes.
pub(super) fn language(field: &Field<'_>, text: &str) -> Option<String> {
    let mut parts = text.split('-');
    let first = parts.next().unwrap_or_default();
    let fits = (2..=3).contains(&first.len())
        && first.chars().all(|c| c.is_ascii_alphabetic())
        && parts.all(|part| {
            (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric())
        });
    if fits {
        Some(text.to_owned())
    } else {
        let message = format!("{} must be a language as in web pages, not \"{text}\"", field.path);
        field.page.cured(field.at, message, "write for example \"de\" or \"pt-BR\"");
        None
    }
}

/// A text with the same names in braces as the English one.
fn text(field: &Field<'_>, key: &Key) -> Option<String> {
    let text = field.text()?;
    if text.trim().is_empty() {
        return field.problem("is empty", "write a text, or leave the key out");
    }
    let names: Vec<&str> = names_in(english(key)).collect();
    if let Some(strange) = names_in(&text).find(|name| !names.contains(name)) {
        let cure = match &names[..] {
            [] => "leave the braces out".to_owned(),
            names => format!("write {{{}}}", names.join("} and {")),
        };
        return field.problem(&format!("has {{{strange}}}, which nothing fills in"), cure);
    }
    if let Some(lacking) = names.iter().find(|name| !names_in(&text).any(|one| one == **name)) {
        return field
            .problem(&format!("lacks {{{lacking}}}"), format!("for example: {}", key.example));
    }
    Some(text)
}

/// In another language every word should be given.
fn warn_of_english(of: &Part<'_>, given: Option<&Part<'_>>, words: &Words) {
    let lacks = |key: &&Key| !given.is_some_and(|part| part.has(key.name));
    let lacking: Vec<&str> = KEYS.within(WORDS).filter(lacks).map(|key| key.name).collect();
    if words.is_english() || lacking.is_empty() {
        return;
    }
    let message = format!(
        "language is \"{}\", but participants see some words in English; [{}] lacks {}",
        words.language,
        of.path_of("words"),
        lacking.join(", ")
    );
    of.page.warn(of.at("language"), message);
}
