//! [`Drawn`]: the frontend of simulated participants. Every answer is drawn from the seed, nobody
//! is waited for, and nothing is shown.

use crate::checksum::sha256;
use crate::frontend::{
    AfterPractice, Announcement, Doubt, Frontend, FrontendError, NotReached, Pause, Prompt, Reply,
    Wish,
};
use crate::line::AnsweredBy;
use chronotap_core::time::Nanos;
use chronotap_design::Answer;

/// So often at most another answer is drawn in place of one that would end the session.
const MOST_DRAWN: u32 = 100;

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

    /// The answer to a question on this occasion: each that may be given is equally likely. It is
    /// accepted as that of a person is.
    ///
    /// # Errors
    /// [`FrontendError::Refused`], where none that is drawn may be given.
    pub fn answer(
        &self,
        name: &str,
        occasion: &str,
        answer: &Answer,
        stops: &[String],
    ) -> Result<String, FrontendError> {
        let of = |more: &str| answer.drawn(draw(&format!("{}/{occasion}/{name}{more}", self.seed)));
        let others = (1..MOST_DRAWN).map(|again| of(&format!("/{again}")));
        let mut all = std::iter::once(of("")).chain(others);
        let given = all.find(|given| !stops.contains(given)).unwrap_or_else(|| of(""));
        answer.accept(&given).map_err(|expected| {
            let name = name.to_owned();
            FrontendError::Refused { name, given, expected }
        })
    }
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
        let answer = self.answer(prompt.name, prompt.occasion, prompt.answer, prompt.stops)?;
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
    use chronotap_design::question::{Choice, Number, Scale, Text};

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
            let answer = Number { least, greatest }.into();
            for seed in 0..200 {
                let drawn = Drawn::new(seed, "07", 1).answer("q", "once", &answer, &[]).unwrap();
                let number: f64 = drawn.parse().unwrap();
                assert!((least..=greatest).contains(&number), "{number} of {least}, {greatest}");
            }
        }
    }

    #[test]
    fn what_cannot_be_answered_is_refused_as_it_is_to_a_person() {
        let nothing = Choice(Vec::new()).into();
        let refused = Drawn::new(1, "07", 1).answer("q", "once", &nothing, &[]);
        assert!(matches!(refused, Err(FrontendError::Refused { .. })), "{refused:?}");
    }

    #[test]
    fn drawn_answers_are_accepted_and_the_same_each_time() {
        let words = Choice(vec!["left".into(), "right".into()]);
        let scale = Scale { least: 1, greatest: 7, labels: Vec::new() };
        let number = Number { least: 18.0, greatest: 99.0 };
        let all: [Answer; 4] = [words.into(), scale.into(), number.into(), Text.into()];
        let answers = || {
            let drawn = Drawn::new(1, "07", 1);
            let each = (0..40).map(|n| drawn.answer("q", &n.to_string(), &all[n % all.len()], &[]));
            each.collect::<Result<Vec<_>, _>>().unwrap()
        };
        for (n, answer) in answers().iter().enumerate() {
            assert_eq!(all[n % all.len()].accept(answer).as_ref(), Ok(answer));
        }
        assert_eq!(answers(), answers());
        assert!((0..10).any(|k| answers()[4 * k + 1] != answers()[1]));
    }
}
