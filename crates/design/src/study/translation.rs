//! A study in another language. What participants read is in it; conditions, orders
//! and what is recorded are those of the study, so that the data of all languages are one dataset.

use crate::study::experiment::{Experiment, Translation};

impl Experiment {
    /// The languages that it can be shown in, its own first.
    pub fn languages(&self) -> Vec<&str> {
        let others = self.translations.iter().map(|other| other.words.language.as_str());
        std::iter::once(self.words.language.as_str()).chain(others).collect()
    }

    /// Whether there are several.
    pub fn is_translated(&self) -> bool {
        !self.translations.is_empty()
    }

    /// The same study in one of its languages; `None` where it has not this one.
    pub fn in_language(&self, language: &str) -> Option<Experiment> {
        if language == self.words.language {
            return Some(self.clone());
        }
        let other = self.translations.iter().find(|other| other.words.language == language)?;
        let Translation { words, steps, questions, fields } = other.clone();
        Some(Experiment { words, steps, questions, fields, ..self.clone() })
    }
}
