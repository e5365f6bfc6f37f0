//! [`Drawn`]: the desk of simulated participants. Every answer is drawn from the seed, nobody
//! is waited for, and nothing is shown.

use crate::checksum::sha256;
use crate::desk::{Desk, DeskError, Doubt, Pause, Prompt, Reply, Told, Wish};
use crate::line::AnsweredBy;
use chronotap_design::Answer;
use chronotap_experiment::reading::say;
use chronotap_time::Nanos;

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
    /// [`DeskError::Refused`], where none that is drawn may be given.
    pub fn answer(&self, name: &str, occasion: &str, answer: &Answer) -> Result<String, DeskError> {
        let given = self.draw(name, occasion, answer);
        answer.accept(&given).map_err(|expected| {
            let name = name.to_owned();
            DeskError::Refused { name, given, expected }
        })
    }

    fn draw(&self, name: &str, occasion: &str, answer: &Answer) -> String {
        let number = draw(&format!("{}/{occasion}/{name}", self.seed));
        match answer {
            Answer::Scale { least, greatest, .. } => between(number, *least, *greatest).to_string(),
            Answer::Choice(words) if words.is_empty() => String::new(),
            Answer::Choice(words) => words[(number % words.len() as u64) as usize].clone(),
            Answer::Number(least, greatest) => number_between(number, *least, *greatest),
            Answer::Time(least, greatest) => {
                // Of bounds that hold all that people tap at, only that.
                let wide = *least <= TAPPED.0 && TAPPED.1 <= *greatest;
                let (least, greatest) = if wide { TAPPED } else { (*least, *greatest) };
                say(Nanos(between(number, least.0, greatest.0)))
            }
            Answer::Text => "simulated".into(),
        }
    }
}

/// Intervals that people tap at without effort.
const TAPPED: (Nanos, Nanos) = (Nanos::from_millis(300), Nanos::from_millis(1_500));

fn between(number: u64, least: i64, greatest: i64) -> i64 {
    let span = greatest.saturating_sub(least).max(0).unsigned_abs() + 1;
    least + i64::try_from(number % span).unwrap_or(0)
}

/// A whole number where there is one; else one of a thousand between the two.
fn number_between(number: u64, least: f64, greatest: f64) -> String {
    let (first, last) = (least.ceil(), greatest.floor());
    if first <= last && first.abs().max(last.abs()) < EXACT {
        return between(number, first as i64, last as i64).to_string();
    }
    let share = (number % 1_001) as f64 / 1_000.0;
    // Not by the difference of the two, which may be too large for a number.
    (least * (1.0 - share) + greatest * share).clamp(least, greatest).to_string()
}

/// Below this every whole number is one of floating point.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A number that follows from a text: the first eight bytes of its SHA-256.
pub(crate) fn draw(text: &str) -> u64 {
    u64::from_str_radix(&sha256(text.as_bytes())[..16], 16).unwrap_or(0)
}

impl Desk for Drawn {
    fn show_text(&mut self, _text: &str) -> Result<(), DeskError> {
        Ok(())
    }

    fn ask(&mut self, prompt: &Prompt<'_>) -> Result<Reply, DeskError> {
        let answer = self.answer(prompt.name, prompt.occasion, prompt.answer)?;
        Ok(Reply { answer, by: AnsweredBy::Draw })
    }

    fn pause(&mut self, _span: Nanos, _why: Pause) -> Result<(), DeskError> {
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

    fn choose(&mut self) -> Result<Wish, DeskError> {
        Ok(Wish::Stop)
    }

    fn confirm(&mut self, _doubt: &Doubt) -> Result<bool, DeskError> {
        Ok(true)
    }

    fn tell(&mut self, _told: &Told<'_>) {}
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let answer = Answer::Number(least, greatest);
            for seed in 0..200 {
                let drawn = Drawn::new(seed, "07", 1).answer("q", "once", &answer).unwrap();
                let number: f64 = drawn.parse().unwrap();
                assert!((least..=greatest).contains(&number), "{number} of {least}, {greatest}");
            }
        }
    }

    #[test]
    fn what_cannot_be_answered_is_refused_as_it_is_to_a_person() {
        let nothing = Answer::Choice(Vec::new());
        let refused = Drawn::new(1, "07", 1).answer("q", "once", &nothing);
        assert!(matches!(refused, Err(DeskError::Refused { .. })), "{refused:?}");
    }

    #[test]
    fn drawn_answers_are_accepted_and_the_same_each_time() {
        let words = Answer::Choice(vec!["left".into(), "right".into()]);
        let scale = Answer::Scale { least: 1, greatest: 7, labels: Vec::new() };
        let all = [words, scale, Answer::Number(18.0, 99.0), Answer::Text];
        let answers = || {
            let drawn = Drawn::new(1, "07", 1);
            let each = (0..40).map(|n| drawn.answer("q", &n.to_string(), &all[n % all.len()]));
            each.collect::<Result<Vec<_>, _>>().unwrap()
        };
        for (n, answer) in answers().iter().enumerate() {
            assert_eq!(all[n % all.len()].accept(answer).as_ref(), Ok(answer));
        }
        assert_eq!(answers(), answers());
        assert!((0..10).any(|k| answers()[4 * k + 1] != answers()[1]));
    }
}
