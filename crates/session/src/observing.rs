//! [`tapper`]: who taps in a trial of a study: as the equipment says, but an observer, who gives the
//! answer that it comes to. What is to be heard, and which key is right, a staircase knows.

use crate::Study;
use crate::described;
use crate::outcome::StaircaseSetting as Setting;
use chronotap_config::trial_files::TrialFile;
use chronotap_config::trial_files::performers::{KeyAnswer, Model, StaircaseLevel};
use chronotap_config::trial_files::reading::time;
use chronotap_core::midi::U7;
use chronotap_core::time::Nanos;
use chronotap_design::{AnswerCounts, AnswersFrom, GivenValue, PlannedTrial, Staircase};
use chronotap_engine::random::Random;
use chronotap_engine::trial::Interval;
use chronotap_simulate::Tapper;
use std::borrow::Cow;

/// A trial that is about to begin.
pub struct Coming<'a> {
    pub file: &'a TrialFile,
    pub planned: &'a PlannedTrial,
    /// The staircase that sets its level, and what it sets.
    pub staircase: Option<(&'a str, &'a Setting)>,
    pub seed: u64,
    /// The level of each factor, by which a description may differ.
    pub levels: Vec<(&'a str, Cow<'a, str>)>,
    /// The participant's label.
    pub label: &'a str,
}

/// Who taps in it.
pub fn tapper<'t>(study: &Study, tapper: &'t Tapper, coming: &Coming<'_>) -> Cow<'t, Tapper> {
    let Tapper::Simulated(description) = tapper else { return Cow::Borrowed(tapper) };
    let seed = study.experiment.seed;
    let described = described::at(description, (coming.seed, &coming.levels), seed, coming.label);
    let description = &described.unwrap_or_else(|_| description.clone()); // it was checked
    let answer = model(description, coming.file)
        .filter(|model| model.is_observer() && coming.file.answers.pairs.is_empty())
        .and_then(|model| answer(study, model, coming));
    match answer {
        Some(answer) => Cow::Owned(Tapper::Answering(description.clone(), Box::new(answer))),
        None => Cow::Owned(Tapper::Simulated(description.clone())),
    }
}

/// What an observer of this description answers in a trial; `None` where no staircase says what is to
/// be judged.
fn answer(study: &Study, mut model: Model, coming: &Coming<'_>) -> Option<KeyAnswer> {
    let keys = keys(study);
    let judged = judged(study, coming);
    let note = match &judged {
        Some((staircase, level)) => {
            let AnswerCounts::Note(right) = staircase.correct;
            let lowest = keys.first() == Some(&right);
            let mut random = Random::named(coming.seed, "observer");
            discerns(&mut model, staircase, coming.file);
            let is_right = model.observer.is_right(*level, staircase.start, lowest, &mut random);
            if is_right { right } else { another(&keys, right) }
        }
        None if keys.is_empty() => return None,
        None => {
            model.note = keys;
            return Some(KeyAnswer::guess(&model, &coming.file.trial, coming.seed));
        }
    };
    let from =
        judged.map_or((Nanos::ZERO, Nanos::ZERO), |(staircase, _)| window(&staircase.answer));
    Some(KeyAnswer::new(model, &coming.file.trial, note, from, coming.seed))
}

/// Gives who discerns a share of intervals, and has no other threshold, that of the intervals which a staircase
/// changes: of several in a row each is another look at them, so that the noise shrinks with the root of their
/// number (Drake & Botte 1993).
fn discerns(model: &mut Model, staircase: &Staircase, file: &TrialFile) {
    let [section, name, ..] = &staircase.path[..] else { return };
    let of_stream =
        file.trial.pacing.iter().find(|stream| section == "pacing" && stream.name == *name);
    let observer = &mut model.observer;
    let (Some(stream), true) = (of_stream, staircase.timed && observer.discern > 0.0) else {
        return;
    };
    let (Interval::Exact(interval), Some(beats)) = (stream.interval, stream.beats) else { return };
    let looks = f64::from(beats.saturating_sub(1).max(1)).sqrt();
    let threshold = observer.discern * interval.round().0 as f64 / looks;
    observer.threshold.get_or_insert(StaircaseLevel::Time(Nanos::round_from_f64(threshold)));
}

/// The model of one simulated participant, where it is one.
fn model(description: &str, file: &TrialFile) -> Option<Model> {
    let inputs: Vec<String> = file.trial.inputs.iter().map(|input| input.name.clone()).collect();
    Model::from_spec(description, &inputs).ok()
}

/// The staircase whose parameter the trial has, and its level: that of the staircase itself, or one
/// that the study sets, as in examples before it.
fn judged<'s>(study: &'s Study, coming: &Coming<'_>) -> Option<(&'s Staircase, f64)> {
    if let Some((name, (_, level))) = coming.staircase {
        let staircase = study.staircase(name)?;
        return Some((staircase, value(level)?));
    }
    let set = |staircase: &'s Staircase| {
        let given = coming.planned.settings.iter().find(|given| given.path == staircase.path)?;
        let GivenValue::Toml(toml) = &given.value else { return None };
        Some((staircase, value(toml).filter(|level| *level != 0.0)?))
    };
    study.experiment.staircases.iter().find_map(set)
}

/// A level as TOML has it: a time in nanoseconds, or a plain number.
pub fn value(toml: &str) -> Option<f64> {
    let text = toml.trim().trim_matches('"');
    text.parse().ok().or_else(|| Some(time(text).ok()?.round().0 as f64))
}

/// The keys that are right in one staircase or another, from the lowest.
fn keys(study: &Study) -> Vec<U7> {
    let right = |staircase: &Staircase| match staircase.correct {
        AnswerCounts::Note(note) => note,
    };
    let mut keys: Vec<U7> = study.experiment.staircases.iter().map(right).collect();
    keys.sort();
    keys.dedup();
    keys
}

/// A key that is wrong: another that is right elsewhere, or else one that never is.
fn another(keys: &[U7], right: U7) -> U7 {
    let other = keys.iter().copied().find(|key| *key != right);
    other.unwrap_or(U7::clamped(if right.get() < 126 { i64::from(right.get()) + 2 } else { 0 }))
}

/// How long after the last tone answers are taken, and not before which time of the trial.
fn window(answer: &AnswersFrom) -> (Nanos, Nanos) {
    match answer {
        AnswersFrom::LastTone => (Nanos::ZERO, Nanos::ZERO),
        AnswersFrom::After { delay, .. } => (*delay, Nanos::ZERO),
        AnswersFrom::Time(from) => (Nanos::ZERO, *from),
    }
}
