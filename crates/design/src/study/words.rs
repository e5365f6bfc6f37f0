//! [`Words`]: what a session says to its participant besides the texts and questions of the
//! study, so that all of it can be of one language. `[words]` of the experiment file gives them;
//! what it leaves out is English. The English words stand in the table of keys, as their defaults.

use chronotap_config::trial_files::reading::Key;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The language of what is not given.
const ENGLISH: &str = "en";

/// What participants read for levels, each by the name of its factor and its own.
pub(crate) type LevelWords = BTreeMap<(String, String), String>;

/// What a session says to its participant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    /// The language, as BCP 47 has it: `en`, `de`, `pt-BR`.
    pub language: String,
    texts: BTreeMap<String, String>,
    /// Needed by whom fills in texts alone.
    #[serde(skip)]
    pub(crate) levels: LevelWords,
}

impl Words {
    pub(crate) fn in_english(texts: BTreeMap<String, String>) -> Words {
        Words { language: ENGLISH.to_owned(), texts, levels: LevelWords::new() }
    }

    /// The text of a key of `[words]`.
    pub fn get(&self, name: &str) -> &str {
        self.texts.get(name).map_or("", String::as_str)
    }

    pub(crate) fn with(self, levels: LevelWords) -> Words {
        Words { levels, ..self }
    }

    /// A factor and its level, as participants read it.
    pub(crate) fn shown(&self, (factor, level): (String, String)) -> (String, String) {
        let key = (factor, level);
        let word = self.levels.get(&key).cloned();
        let (factor, level) = key;
        (factor, word.unwrap_or(level))
    }

    /// The same with the value of each name in braces.
    pub fn filled(&self, name: &str, values: &[(&str, &str)]) -> String {
        let text = self.get(name).to_owned();
        values.iter().fold(text, |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
    }

    /// The same for a text with `{least}` and `{greatest}`.
    pub fn between(&self, name: &str, least: &impl ToString, greatest: &impl ToString) -> String {
        let (least, greatest) = (least.to_string(), greatest.to_string());
        self.filled(name, &[("least", &least), ("greatest", &greatest)])
    }

    pub(crate) fn set(&mut self, name: &str, text: String) {
        self.texts.insert(name.to_owned(), text);
    }

    /// Whether what is not given is in the language of the rest.
    pub(crate) fn is_english(&self) -> bool {
        let language = self.language.to_ascii_lowercase();
        language == ENGLISH || language.starts_with("en-")
    }
}

/// What a key's text is where it is not given.
pub(crate) fn english(key: &Key) -> &'static str {
    key.default.words().trim_matches('"')
}

/// The names in braces of a text.
pub(crate) fn names_in(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_braces_are_filled() {
        let least_and_greatest = [("least", "1"), ("greatest", "7")];
        assert_eq!(Words::default().filled("range", &least_and_greatest), "1 to 7");
    }
}
