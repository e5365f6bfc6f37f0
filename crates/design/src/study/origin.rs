//! [`Origin`]: where a participant's level of a factor between participants is from: a draw, the
//! experimenter's word, or what was answered about the person. A level that is not drawn is
//! *measured*: it is settled before the first session begins, and nothing balances it.

use crate::study::measure::NumberComparison;
use std::collections::BTreeMap;

/// Answers to the fields of `[participant]`, by their names.
pub type FieldAnswers = BTreeMap<String, String>;

/// Where a level between participants is from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// The levels that the fewest participants have; among equals a draw.
    #[default]
    Drawn,
    /// The experimenter's word.
    Chosen,
    /// Answers: for each level, in their order, what must hold of them. The first level of which
    /// everything holds is the participant's.
    Follows(Vec<Vec<Needed>>),
}

/// What must hold of an answer, such as `training >= 6`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needed {
    /// The field of `[participant]`.
    pub field: String,
    pub comparison: NumberComparison,
    /// A number, or for `=` an answer, as it is recorded.
    pub value: String,
}

impl Needed {
    /// Whether it holds; it does not where nothing was answered.
    pub(crate) fn holds(&self, answers: &FieldAnswers) -> bool {
        let Some(answer) = answers.get(&self.field) else { return false };
        match (answer.parse(), self.value.parse()) {
            (Ok(answer), Ok(value)) => self.comparison.holds(answer, value),
            _ => self.comparison == NumberComparison::Equal && *answer == self.value,
        }
    }
}

impl Origin {
    /// The fields whose answers decide.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        let needed = match self {
            Origin::Follows(levels) => &levels[..],
            Origin::Drawn | Origin::Chosen => &[],
        };
        needed.iter().flatten().map(|needed| needed.field.as_str())
    }
}
