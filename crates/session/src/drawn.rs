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

    /// The answer to a question on this occasion: each that may be given is equally likely.
    pub fn answer(&self, name: &str, occasion: &str, answer: &Answer) -> String {
        let number = draw(&format!("{}/{occasion}/{name}", self.seed));
        match answer {
            Answer::Scale { least, greatest, .. } => between(number, *least, *greatest).to_string(),
            Answer::Choice(words) if words.is_empty() => String::new(),
            Answer::Choice(words) => words[(number % words.len() as u64) as usize].clone(),
            Answer::Number(least, greatest) => {
                let (least, greatest) = (least.ceil() as i64, greatest.floor() as i64);
                between(number, least, greatest).to_string()
            }
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

/// A number that follows from a text: the first eight bytes of its SHA-256.
pub(crate) fn draw(text: &str) -> u64 {
    u64::from_str_radix(&sha256(text.as_bytes())[..16], 16).unwrap_or(0)
}

impl Desk for Drawn {
    fn show_text(&mut self, _text: &str) -> Result<(), DeskError> {
        Ok(())
    }

    fn ask(&mut self, prompt: &Prompt<'_>) -> Result<Reply, DeskError> {
        let answer = self.answer(prompt.name, prompt.occasion, prompt.answer);
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
    fn drawn_answers_are_accepted_and_the_same_each_time() {
        let words = Answer::Choice(vec!["left".into(), "right".into()]);
        let scale = Answer::Scale { least: 1, greatest: 7, labels: Vec::new() };
        let all = [words, scale, Answer::Number(18.0, 99.0), Answer::Text];
        let answers = || {
            let drawn = Drawn::new(1, "07", 1);
            let each = (0..40).map(|n| drawn.answer("q", &n.to_string(), &all[n % all.len()]));
            each.collect::<Vec<_>>()
        };
        for (n, answer) in answers().iter().enumerate() {
            assert_eq!(all[n % all.len()].accept(answer).as_ref(), Ok(answer));
        }
        assert_eq!(answers(), answers());
        assert!((0..10).any(|k| answers()[4 * k + 1] != answers()[1]));
    }
}
