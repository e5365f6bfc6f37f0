//! [`end`]: when and how a trial ends, in words: at a time, with a tap, with a beat of a
//! stream that a tap begins.

use crate::trial_files::foresee::{Foreseen, by_taps, foresee, waits_for};
use crate::trial_files::reading::say as say_time;
use crate::trial_files::{TrialFile, say};
use chronotap_core::time::Nanos;
use chronotap_engine::trial::{Do, RuleCondition, Start, Trial};

/// What stands behind "The trial ends".
pub(crate) fn end(file: &TrialFile, seen: &Foreseen) -> String {
    let trial = &file.trial;
    let tapped = tapped_streams(trial);
    let by_tap: Vec<String> = endings(trial)
        .filter(|index| {
            let when = &trial.rules[*index].when;
            by_taps(when) || (seen.acts[*index].is_none() && waits_for(when, &tapped))
        })
        .map(|index| ended_by(&trial.rules[index].when, trial, &tapped))
        .collect();
    let unsure = endings(trial).any(|index| seen.acts[index].is_some() && seen.unsure_rules[index]);
    match (seen.ends, by_tap.is_empty()) {
        (Some(at), true) if unsure => format!("about {}", say_time(at)),
        (Some(at), true) => format!("at {}", say_time(at)),
        (Some(at), false) => {
            format!(
                "at {} at the latest; before that with {}",
                say_time(at),
                by_tap.join(", or with ")
            )
        }
        (None, false) => format!("with {}", by_tap.join(", or with ")),
        (None, true) => {
            let closes = trial.inputs.iter().find(|input| input.ends_when_closed);
            closes.map_or("when it is interrupted".to_owned(), |input| {
                format!("when input {} is closed, or the trial interrupted", input.name)
            })
        }
    }
}

/// When a trial ends, as far as that can be known beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialEnds {
    /// Its end if nobody taps; `None` where only a tap or an interruption ends it.
    pub at: Option<Nanos>,
    /// Whether taps or an undrawn seed may move it.
    pub about: bool,
}

/// When a trial ends.
pub fn ends(file: &TrialFile) -> TrialEnds {
    let (trial, seen) = (&file.trial, foresee(&file.trial, file.seed));
    let tapped = tapped_streams(trial);
    let about = endings(trial).any(|index| {
        let when = &trial.rules[index].when;
        by_taps(when) || seen.unsure_rules[index] || waits_for(when, &tapped)
    });
    TrialEnds { at: seen.ends, about }
}

/// Whether it is known that nothing ends this trial, whoever taps: it has no rule for it, or none
/// that can ever act. An input that is closed is not thought of, nor an interruption.
pub fn never_ends(file: &TrialFile) -> bool {
    let TrialEnds { at, about } = ends(file);
    let rules = endings(&file.trial).next().is_some();
    at.is_none() && !about && (!rules || foresee(&file.trial, file.seed).complete)
}

/// The rules that end the trial.
pub(crate) fn endings(trial: &Trial) -> impl Iterator<Item = usize> + '_ {
    (0..trial.rules.len()).filter(|index| trial.rules[*index].then.contains(&Do::End))
}

/// What ends the trial, and what begins the stream that it waits for.
fn ended_by(when: &RuleCondition, trial: &Trial, tapped: &[bool]) -> String {
    let said = say::condition(when, trial);
    let begins = trial.pacing.iter().enumerate().filter(|(index, pacing)| {
        let only: Vec<bool> = (0..tapped.len()).map(|other| other == *index).collect();
        waits_for(when, &only) && matches!(pacing.start, Start::Tap { .. })
    });
    let begins: Vec<String> =
        begins.map(|(_, p)| format!("{} begins with {}", p.name, say::awaited(p, trial))).collect();
    if begins.is_empty() { said } else { format!("{said} ({})", begins.join(", ")) }
}

/// The streams that begin with a tap, or that a tap starts by a rule, or that come after
/// such a one.
fn tapped_streams(trial: &Trial) -> Vec<bool> {
    let mut tapped: Vec<bool> =
        trial.pacing.iter().map(|p| matches!(p.start, Start::Tap { .. })).collect();
    for _ in 0..trial.pacing.len() {
        for rule in &trial.rules {
            if by_taps(&rule.when) || waits_for(&rule.when, &tapped) {
                let started = rule.then.iter().filter_map(|act| match act {
                    Do::StartStream(stream) => Some(usize::from(*stream)),
                    _ => None,
                });
                started.for_each(|stream| tapped[stream] = true);
            }
        }
        for (index, pacing) in trial.pacing.iter().enumerate() {
            if let Start::After { stream, .. } = pacing.start {
                tapped[index] |= tapped[usize::from(stream)];
            }
        }
    }
    tapped
}
