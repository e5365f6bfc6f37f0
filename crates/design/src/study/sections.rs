//! The sections of an experiment file, by their names in the table of keys, and a row of that table.
//! They stand apart from the table ([`crate::file::keys`]), because the kinds of question have rows, too.

use chronotap_config::trial_files::reading::{Default, Key, KeyKind};

/// How trial files of FTAP are read.
pub(crate) const FTAP: &str = "ftap";
/// Where the value of a setting is from; told apart from paths by these keys.
pub(crate) const FROM: &str = "from";
/// A question; the kinds of question bring keys of their own.
pub(crate) const QUESTION: &str = "question.NAME";
/// A field of participants, to which the same are added.
pub(crate) const PARTICIPANT: &str = "participant.NAME";
/// The section of `{ levels, chosen }`.
pub(crate) const BETWEEN: &str = "between.NAME";
/// What a session says to its participant.
pub(crate) const WORDS: &str = "words";
/// The study in another language, and its parts that participants read.
pub(crate) const TRANSLATION: &str = "translation.LANGUAGE";
pub(crate) const SHOWN_QUESTION: &str = "translation.LANGUAGE.question.NAME";
pub(crate) const SHOWN_FIELD: &str = "translation.LANGUAGE.participant.NAME";
pub(crate) const SHOWN_STEP: &str = "translation.LANGUAGE.step.NAME";
pub(crate) const SHOWN_BLOCK: &str = "translation.LANGUAGE.step.NAME.block";
pub(crate) const TOP: &str = "";
pub(crate) const STEP: &str = "step";
pub(crate) const OUTCOME: &str = "outcome";
pub(crate) const CONTRAST: &str = "contrast";
pub(crate) const AFTER: &str = "after";
pub(crate) const STAIR: &str = "staircase.NAME";
pub(crate) const ANSWER: &str = "staircase.NAME.answer";

/// A key with its meaning.
pub(crate) const fn key(
    section: &'static str,
    name: &'static str,
    kind: KeyKind,
    default: Default,
    meaning: &'static str,
    example: &'static str,
) -> Key {
    Key::new(section, name, kind, default).means(meaning, example)
}
