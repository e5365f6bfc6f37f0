//! [`QuestionKinds`]: the table of the kinds of question. Questions of an experiment file are read by it,
//! and its keys, the reference and the tests of the pages come from it.
//!
//! What a kind can do stands in its row, a [`QuestionKind`] in its file in `kinds/`.

mod choice;
mod choices;
mod date;
mod lines;
mod number;
mod scale;
mod text;
mod time;

pub use choice::ChoiceForm;
pub use choices::Choices;
pub use date::Date;
pub use lines::LinesForm;
pub use number::NumberForm;
pub use scale::ScaleForm;
pub use text::TextForm;
pub use time::Time;

use super::{Answer, QuestionKind, ReadQuestion};
use chronotap_config::trial_files::reading::Part;

/// Every kind, in the order of the reference.
static STANDARD: [&QuestionKind; 8] = [
    &scale::KIND,
    &choice::KIND,
    &choices::KIND,
    &number::KIND,
    &date::KIND,
    &time::KIND,
    &lines::KIND,
    &text::KIND,
];

/// A table of kinds of question.
#[derive(Clone, Debug)]
pub struct QuestionKinds {
    rows: Vec<&'static QuestionKind>,
}

impl QuestionKinds {
    /// The kinds of this crate.
    pub fn standard() -> QuestionKinds {
        QuestionKinds { rows: STANDARD.to_vec() }
    }

    /// The same and one more.
    #[must_use]
    pub fn with(mut self, kind: &'static QuestionKind) -> QuestionKinds {
        self.rows.push(kind);
        self
    }

    /// The rows, in order.
    pub fn rows(&self) -> impl Iterator<Item = &'static QuestionKind> + '_ {
        self.rows.iter().copied()
    }

    /// What may be answered to a question or field with these keys; `None` where it has a mistake.
    pub(crate) fn read(&self, part: &Part<'_>) -> Option<Answer> {
        let given: Vec<&QuestionKind> = self.rows().filter(|kind| is_given(kind, part)).collect();
        if let [first, second, ..] = given[..] {
            part.gives_both(first.keys[0].name, second.keys[0].name);
            return None;
        }
        self.rows().filter(|kind| !is_given(kind, part)).for_each(|kind| alone(kind, part));
        let otherwise = |kind: &'static QuestionKind| match kind.read {
            ReadQuestion::Otherwise(read) => Some(read()),
            ReadQuestion::Keys(_) | ReadQuestion::Never => None,
        };
        match given.first().map(|kind| kind.read) {
            Some(ReadQuestion::Keys(read)) => read(part),
            _ => self.rows().find_map(otherwise),
        }
    }
}

fn is_given(kind: &QuestionKind, part: &Part<'_>) -> bool {
    matches!(kind.read, ReadQuestion::Keys(_))
        && kind.keys.first().is_some_and(|key| part.has(key.name))
}

/// Reports keys of a kind that go with its first, which is not given.
fn alone(kind: &QuestionKind, part: &Part<'_>) {
    let Some(first) = kind.keys.first() else { return };
    let of_part = kind.keys.iter().filter(|key| key.section == part.section);
    for key in of_part.filter(|key| key.name != first.name && part.has(key.name)) {
        let (first, key) = (first.name, key.name);
        let message = format!("{} has {key} but no {first}", part.said());
        part.page.cured(part.at(key), message, format!("give a {first}, or leave {key} out"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::words::Words;

    fn examples() -> impl Iterator<Item = Answer> {
        STANDARD.iter().flat_map(|kind| (kind.examples)())
    }

    #[test]
    fn every_kind_has_a_name_of_its_own_and_examples_of_itself() {
        let mut forms: Vec<&str> = STANDARD.iter().map(|kind| kind.form).collect();
        forms.sort_unstable();
        forms.dedup();
        assert_eq!(forms.len(), STANDARD.len());
        for kind in STANDARD {
            assert!(!(kind.examples)().is_empty(), "{}", kind.form);
            assert!((kind.examples)().iter().all(|one| one.kind().form == kind.form));
        }
    }

    #[test]
    fn whatever_is_drawn_of_a_kind_is_accepted_and_not_always_the_same_where_there_is_a_choice() {
        for answer in examples() {
            let drawn: Vec<String> = (0..50).map(|n| answer.drawn(n * 7_919)).collect();
            for one in &drawn {
                assert_eq!(answer.accept(one).as_ref(), Ok(one), "{answer:?}");
            }
            let same = drawn.iter().all(|one| *one == drawn[0]);
            assert_eq!(same, answer.form::<TextForm>().is_some(), "{answer:?}");
        }
    }

    #[test]
    fn every_kind_says_what_may_be_answered_and_two_are_the_same_where_their_values_are() {
        for (one, here) in examples().enumerate() {
            assert!(!here.expected_in(&Words::default()).is_empty(), "{here:?}");
            for (other, there) in examples().enumerate() {
                assert_eq!(here == there, one == other, "{here:?}, {there:?}");
            }
        }
    }

    #[test]
    fn every_level_of_a_column_is_an_answer() {
        for answer in examples() {
            for (level, _) in answer.meaning().levels {
                assert_eq!(answer.accept(&level), Ok(level));
            }
        }
    }
}
