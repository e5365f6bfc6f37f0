//! [`Translation`]: a study in another language. What participants read is in it; conditions, orders
//! and what is recorded are those of the study, so that the data of all languages are one dataset.

use crate::experiment::Experiment;
use crate::question::{Field, Question};
use crate::step::Step;
use crate::words::Words;

/// What participants read in one language, in place of what the study has.
#[derive(Clone, Debug, PartialEq)]
pub struct Translation {
    pub words: Words,
    /// The steps of the study, with other texts.
    pub steps: Vec<Step>,
    /// Its questions, with other texts and words to choose from.
    pub questions: Vec<Question>,
    /// Its fields, the same.
    pub fields: Vec<Field>,
}

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
