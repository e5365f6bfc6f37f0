//! The kind `time`: a time with its unit. No experiment file asks for one; the program does, of the
//! experimenter, where a result is missing that a trial takes up.

use crate::study::question::kind::between;
use crate::study::question::{AnswerForm, QuestionKind, ReadQuestion};
use crate::study::words::Words;
use chronotap_config::trial_files::reading::{say, say_whole, time};
use chronotap_core::time::Nanos;
use serde_json::{Value, json};

/// What a time may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Time {
    pub least: Nanos,
    pub greatest: Nanos,
}

pub(super) static KIND: QuestionKind = QuestionKind {
    form: "time",
    keys: &[],
    read: ReadQuestion::Never,
    examples: || {
        vec![Time { least: Nanos::from_millis(1), greatest: Nanos::from_millis(2_500) }.into()]
    },
};

impl AnswerForm for Time {
    fn kind(&self) -> &'static QuestionKind {
        &KIND
    }

    fn accepts(&self, given: &str) -> bool {
        time(given).is_ok_and(|time| (self.least..=self.greatest).contains(&time.round()))
    }

    fn expected(&self, words: &Words) -> String {
        words.between("time", &say_whole(self.least), &say_whole(self.greatest))
    }

    /// Of bounds that hold all that people tap at, only that.
    fn drawn(&self, number: u64) -> String {
        let wide = self.least <= TAPPED.0 && TAPPED.1 <= self.greatest;
        let (least, greatest) = if wide { TAPPED } else { (self.least, self.greatest) };
        say(Nanos(between(number, least.0, greatest.0)))
    }

    fn shown(&self) -> Vec<(&'static str, Value)> {
        vec![("least", json!(say(self.least))), ("greatest", json!(say(self.greatest)))]
    }
}

/// Intervals that people tap at without effort.
const TAPPED: (Nanos, Nanos) = (Nanos::from_millis(300), Nanos::from_millis(1_500));
