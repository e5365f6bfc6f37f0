//! Conditions in words, for the timeline and for warnings.

use crate::note;
use crate::quantity::say;
use chronotap_engine::trial::{Condition, Trial};

/// A condition as one would say it: `beat 21 of metronome`.
pub(crate) fn condition(condition: &Condition, trial: &Trial) -> String {
    let input = |index: u16| match trial.inputs.len() {
        1 => String::new(),
        _ => format!(" of {}", trial.inputs[usize::from(index)].name),
    };
    match condition {
        Condition::Time(at) => format!("time {}", say(*at)),
        Condition::Beat { stream, number } => {
            format!("beat {number} of {}", trial.pacing[usize::from(*stream)].name)
        }
        Condition::Tap { input: of, number } => format!("tap {number}{}", input(*of)),
        Condition::Note { input: of, note } => {
            format!("a tap on {}{}", note::say(*note), of.map_or(String::new(), input))
        }
        Condition::Silence { input: of, length } => {
            format!("no tap{} for {}", input(*of), say(*length))
        }
        Condition::All(list) => joined(list, trial, " and "),
        Condition::Any(list) => joined(list, trial, " or "),
    }
}

fn joined(list: &[Condition], trial: &Trial, word: &str) -> String {
    let parts: Vec<String> = list
        .iter()
        .map(|one| match one {
            Condition::All(_) | Condition::Any(_) => format!("({})", condition(one, trial)),
            _ => condition(one, trial),
        })
        .collect();
    parts.join(word)
}
