//! [`Drawn`]: the frontend of simulated participants. Every answer is drawn from the seed, nobody
//! is waited for, and nothing is shown.

use crate::checksum::sha256;
use crate::frontend::{
    AfterPractice, Announcement, Avoid, Doubt, Frontend, FrontendError, NotReached, Pause, Prompt,
    Reply, Wish,
};
use crate::line::AnsweredBy;
use chronotap_core::time::Nanos;
use chronotap_design::Answer;

/// So often at most another answer is drawn in place of one that is to be avoided.
const MOST_DRAWN: u32 = 100;

/// So many of them as they are in people, then each that may be given.
const AS_PEOPLE: u32 = 40;
/// Ages of adults who come to a laboratory, in years, below the second.
const AGES: (f64, f64) = (18.0, 63.0);
/// Years of training lie below this: the youngest adult began at 4.
const TRAINED: f64 = 15.0;

/// Answers drawn from a seed.
#[derive(Clone, Debug)]
pub struct Drawn {
    seed: String,
}

impl Drawn {
    /// The answers of a participant in a session.
    pub fn new(seed: u64, label: &str, session: u32) -> Drawn {
        Drawn { seed: format!("{seed}/{label}/{session}") }
    }

    /// The answer to a question on this occasion: each that may be given is equally likely, but for
    /// age and years of training. It is accepted as that of a person is.
    ///
    /// # Errors
    /// [`FrontendError::Refused`], where none that is drawn may be given.
    pub fn answer(
        &self,
        name: &str,
        occasion: &str,
        answer: &Answer,
        avoid: Avoid<'_>,
    ) -> Result<String, FrontendError> {
        let number = |more: &str| draw(&format!("{}/{occasion}/{name}{more}", self.seed));
        let of = |more: &str| {
            let number = number(more);
            as_of_people(name, answer, number).unwrap_or_else(|| answer.drawn(number))
        };
        let others = (1..MOST_DRAWN).map(|again| {
            let more = format!("/{again}");
            if again < AS_PEOPLE { of(&more) } else { answer.drawn(number(&more)) }
        });
        let mut all = std::iter::once(of("")).chain(others);
        let given = all.find(|given| !avoid.has(name, given)).unwrap_or_else(|| of(""));
        answer.accept(&given).map_err(|expected| {
            let name = name.to_owned();
            FrontendError::Refused { name, given, expected }
        })
    }
}

/// The numbers `age` and `training`, in years: most people are young, and few trained for long, never for more years
/// than there were. Nothing of another question, and where the study takes no such number.
fn as_of_people(name: &str, answer: &Answer, number: u64) -> Option<String> {
    let years = match name {
        "age" => AGES.0 + (AGES.1 - AGES.0) * low(number),
        "training" => TRAINED * low(number),
        _ => return None,
    };
    let given = years.floor().to_string();
    let taken = answer.kind().form == "number" && answer.accept(&given).is_ok();
    taken.then_some(given)
}

/// Between 0 and 1, below a quarter half of the time.
fn low(number: u64) -> f64 {
    let share = (number % 10_007) as f64 / 10_007.0;
    share * share
}

/// A number that follows from a text: the first eight bytes of its SHA-256.
pub(crate) fn draw(text: &str) -> u64 {
    u64::from_str_radix(&sha256(text.as_bytes())[..16], 16).unwrap_or(0)
}

impl Frontend for Drawn {
    fn show_text(&mut self, _text: &str) -> Result<(), FrontendError> {
        Ok(())
    }

    fn ask(&mut self, prompt: &Prompt<'_>) -> Result<Reply, FrontendError> {
        let answer = self.answer(prompt.name, prompt.occasion, prompt.answer, prompt.avoid)?;
        Ok(Reply { answer, by: AnsweredBy::Draw })
    }

    fn pause(&mut self, _span: Nanos, _why: Pause) -> Result<(), FrontendError> {
        Ok(())
    }

    fn is_attended(&self) -> bool {
        false
    }

    fn beckoned(&mut self) -> bool {
        true
    }

    fn wish(&mut self) -> Option<Wish> {
        None
    }

    fn choose(&mut self) -> Result<Wish, FrontendError> {
        Ok(Wish::Stop)
    }

    fn confirm(&mut self, _doubt: &Doubt) -> Result<bool, FrontendError> {
        Ok(true)
    }

    fn missed(&mut self, _practice: &NotReached) -> Result<AfterPractice, FrontendError> {
        Ok(AfterPractice::GoOn)
    }

    fn tell(&mut self, _told: &Announcement<'_>) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_design::question::{ChoiceForm, NumberForm, ScaleForm, TextForm};

    #[test]
    fn a_number_is_drawn_within_its_bounds_also_where_no_whole_one_lies() {
        let bounds = [
            (0.2, 0.8),
            (-0.5, -0.25),
            (2.999, 3.001),
            (0.1, 1.9),
            (1e300, 1.7e308),
            (-1.7e308, 1.7e308),
            (1e16, 1e17),
            (0.1 + 0.2, 0.3 + 1e-16),
        ];
        for (least, greatest) in bounds {
            let answer = NumberForm { least, greatest }.into();
            for seed in 0..200 {
                let drawn = Drawn::new(seed, "07", 1)
                    .answer("q", "once", &answer, Avoid::default())
                    .unwrap();
                let number: f64 = drawn.parse().unwrap();
                assert!((least..=greatest).contains(&number), "{number} of {least}, {greatest}");
            }
        }
    }

    /// Adults below 63, of whom half are below 30 (18 + 45/4).
    #[test]
    fn nobody_trained_for_more_years_than_there_were() {
        let within =
            |least: f64, greatest: f64| -> Answer { NumberForm { least, greatest }.into() };
        let of = |seed: u64, name: &str, answer: &Answer| -> f64 {
            let drawn = Drawn::new(seed, "07", 1);
            drawn.answer(name, "participant", answer, Avoid::default()).unwrap().parse().unwrap()
        };
        let (age, training) = (within(18.0, 99.0), within(0.0, 80.0));
        let people = || (0..400).map(|s| (of(s, "age", &age), of(s, "training", &training)));
        assert!(people().all(|(age, years)| years <= age - 4.0 && (18.0..63.0).contains(&age)));
        let young = people().filter(|(age, _)| *age < 30.0).count();
        assert!((170..=250).contains(&young), "{young} of 400");
        let children = within(6.0, 12.0);
        assert!((0..50).all(|seed| (6.0..=12.0).contains(&of(seed, "age", &children))));
    }

    #[test]
    fn what_cannot_be_answered_is_refused_as_it_is_to_a_person() {
        let nothing = ChoiceForm(Vec::new()).into();
        let refused = Drawn::new(1, "07", 1).answer("q", "once", &nothing, Avoid::default());
        assert!(matches!(refused, Err(FrontendError::Refused { .. })), "{refused:?}");
    }

    #[test]
    fn drawn_answers_are_accepted_and_the_same_each_time() {
        let words = ChoiceForm(vec!["left".into(), "right".into()]);
        let scale = ScaleForm { least: 1, greatest: 7, labels: Vec::new() };
        let number = NumberForm { least: 18.0, greatest: 99.0 };
        let all: [Answer; 4] = [words.into(), scale.into(), number.into(), TextForm.into()];
        let answers = || {
            let drawn = Drawn::new(1, "07", 1);
            let each = (0..40)
                .map(|n| drawn.answer("q", &n.to_string(), &all[n % all.len()], Avoid::default()));
            each.collect::<Result<Vec<_>, _>>().unwrap()
        };
        for (n, answer) in answers().iter().enumerate() {
            assert_eq!(all[n % all.len()].accept(answer).as_ref(), Ok(answer));
        }
        assert_eq!(answers(), answers());
        assert!((0..10).any(|k| answers()[4 * k + 1] != answers()[1]));
    }
}
