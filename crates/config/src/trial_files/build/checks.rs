//! What shows only when the whole file is read: streams that wait for each
//! other, rules that could never act, ramps of something that is no number.

use super::Names;
use super::rule::{Placed, every_action};
use crate::trial_files::reading::{Page, Part, say};
use chronotap_core::time::Nanos;
use chronotap_engine::trial::{
    Condition, Delay, Do, Number, Pitch, SetFeedback, SetPacing, Start, Trial, Velocity,
};

/// Everything that a check of the whole looks at.
pub(super) struct Whole<'a, 'c> {
    pub page: &'c Page<'c>,
    pub trial: &'a Trial,
    pub streams: &'a [Part<'c>],
    pub rules: &'a [Placed<'c>],
    pub names: &'a Names,
}

/// Runs every check of the whole.
pub(super) fn whole(w: &Whole<'_, '_>) {
    something(w);
    for index in 0..w.trial.pacing.len() {
        starts(w, index);
    }
    for placed in w.rules {
        conditions(w, placed, &placed.rule.when);
    }
    for (at, act) in every_action(w.rules) {
        acts(w, at, *act);
    }
}

fn something(w: &Whole<'_, '_>) {
    let t = w.trial;
    if t.pacing.is_empty()
        && t.feedback.is_empty()
        && t.masking.is_empty()
        && t.rules.is_empty()
        && w.page.is_clean()
    {
        w.page.cured(
            0,
            "the trial does nothing",
            "give it at least one [pacing.NAME] with an interval, one [feedback.NAME], or one [masking.NAME]",
        );
    }
}

fn starts(w: &Whole<'_, '_>, index: usize) {
    let part = &w.streams[index];
    own_tempo(w, index);
    match w.trial.pacing[index].start {
        Start::After { stream, .. } if circles(w.trial, index) => {
            let message = format!(
                "{} waits for itself, by way of {}",
                part.said(),
                w.names.pacing[stream as usize]
            );
            w.page.cured(part.at("start"), message, "let one of the streams start at a time");
        }
        Start::After { stream, .. } => {
            let before = &w.trial.pacing[stream as usize];
            let ends = before.beats.is_some() || sets_beats(w, stream);
            if !ends {
                let message = format!(
                    "{} waits for the end of {}, which is endless",
                    part.said(),
                    before.name
                );
                w.page.cured(
                    part.at("start"),
                    message,
                    format!("give [pacing.{}] a number of beats", before.name),
                );
            }
        }
        Start::Rule => {
            let started = |(_, act): (usize, &Do)| *act == Do::StartStream(index as u16);
            if !every_action(w.rules).any(started) {
                let message = format!("no rule starts {}", part.said());
                let cure = format!("write start = \"{}\" in a [[when]]", w.names.pacing[index]);
                w.page.cured(part.at("start"), message, cure);
            }
        }
        _ => {}
    }
}

/// A stream whose interval is taken from taps can only begin once they have come.
fn own_tempo(w: &Whole<'_, '_>, index: usize) {
    let (part, pacing) = (&w.streams[index], &w.trial.pacing[index]);
    let Some(own) = pacing.own_tempo else { return };
    let fits = |input: u16, number: u32| input == own.input && number >= own.last;
    let known = matches!(pacing.start, Start::Tap { input, number, .. } if fits(input, number));
    let name = &w.names.pacing[index];
    let cure = match &w.names.inputs[..] {
        [_] => format!("write start = {{ tap = {}, delay = \"one interval\" }}", own.last),
        all => {
            let input = &all[usize::from(own.input)];
            format!("write start = {{ tap.{input} = {}, delay = \"one interval\" }}", own.last)
        }
    };
    if !known {
        let message =
            format!("{} begins before tap {}, which gives its interval", part.said(), own.last);
        w.page.cured(part.at("start"), message, cure.clone());
    }
    let starts = |(_, act): &(usize, &Do)| **act == Do::StartStream(index as u16);
    if let Some((at, _)) = every_action(w.rules).find(starts) {
        let message = format!("{name} takes its interval from taps, so no rule can start it");
        w.page.cured(at, message, cure);
    }
}

/// Whether following `after` from a stream comes back to it.
fn circles(trial: &Trial, from: usize) -> bool {
    let mut at = from;
    for _ in 0..trial.pacing.len() {
        let Start::After { stream, .. } = trial.pacing[at].start else { return false };
        at = stream as usize;
        if at == from {
            return true;
        }
    }
    false
}

fn sets_beats(w: &Whole<'_, '_>, stream: u16) -> bool {
    every_action(w.rules)
        .any(|(_, act)| matches!(act, Do::Pacing(of, SetPacing::Beats(_)) if *of == stream))
}

fn conditions(w: &Whole<'_, '_>, placed: &Placed<'_>, condition: &Condition) {
    match condition {
        Condition::All(list) | Condition::Any(list) => {
            list.iter().for_each(|inner| conditions(w, placed, inner));
        }
        Condition::Beat { stream, number } => {
            let pacing = &w.trial.pacing[*stream as usize];
            if let Some(beats) = pacing.beats.filter(|b| b < number && !sets_beats(w, *stream)) {
                let message = format!(
                    "{} waits for beat {number} of {}, which has only {beats} beats",
                    placed.part.said(),
                    pacing.name
                );
                w.page.cured(
                    placed.part.at("beat"),
                    message,
                    "raise beats, or wait for an earlier beat",
                );
            }
        }
        Condition::TapsAfter { stream, .. } => never_over(w, placed, *stream),
        _ => {}
    }
}

/// Refuses to wait for taps after a stream that has no end.
fn never_over(w: &Whole<'_, '_>, placed: &Placed<'_>, stream: u16) {
    let stops = |(_, act): (usize, &Do)| *act == Do::StopStream(stream);
    let pacing = &w.trial.pacing[stream as usize];
    if pacing.beats.is_none() && !sets_beats(w, stream) && !every_action(w.rules).any(stops) {
        let (said, name) = (placed.part.said(), &pacing.name);
        let message = format!("{said} counts taps after the end of {name}, which is endless");
        let cure = format!("give [pacing.{name}] a number of beats, or stop it in a [[when]]");
        w.page.cured(placed.part.at("taps_after"), message, cure);
    }
}

fn acts(w: &Whole<'_, '_>, at: usize, act: Do) {
    match act {
        Do::Pacing(of, set) => {
            let stream = &w.trial.pacing[of as usize];
            let adapts = matches!(
                set,
                SetPacing::AdaptPhase(_) | SetPacing::AdaptPeriod(_) | SetPacing::AdaptAtMost(_)
            );
            pacing(w, at, of, adapts, matches!(set, SetPacing::Interval(_)));
            if let (SetPacing::Beats(Some(beats)), Some(onsets)) = (set, stream.onsets)
                && beats > onsets.len
            {
                let message = format!("{} has only {} onsets", stream.name, onsets.len);
                w.page.cured(at, message, "set fewer beats");
            }
        }
        Do::Ramp(ramp) => match ramp.of {
            Number::PacingInterval(of) | Number::PacingTempo(of) => pacing(w, at, of, false, true),
            Number::AdaptPhase(of) | Number::AdaptPeriod(of) => pacing(w, at, of, true, false),
            of => forms(w, at, of, ramp.exponential),
        },
        Do::Play(_, tone) if tone.duration <= Nanos::ZERO => {
            w.page.problem(at, format!("a tone of {} is none", say(tone.duration)));
        }
        _ => {}
    }
}

fn pacing(w: &Whole<'_, '_>, at: usize, of: u16, adapts: bool, interval: bool) {
    let stream = &w.trial.pacing[of as usize];
    if adapts && stream.adapt.is_none() {
        let message =
            format!("[pacing.{}] does not adapt, so there is nothing to change", stream.name);
        w.page.cured(at, message, "give the stream adapt = { phase = 0.0 } to begin with");
    }
    if interval && stream.onsets.is_some() {
        let message =
            format!("[pacing.{}] gives onsets and has no interval to change", stream.name);
        w.page.cured(at, message, "write interval or tempo instead of onsets");
    }
}

/// The value of the form that a ramp needs, in every form a channel may have:
/// as declared, and as any rule sets it.
fn forms(w: &Whole<'_, '_>, at: usize, of: Number, exponential: bool) {
    let Some((index, key, form)) = needed(of) else { return };
    let channel = &w.trial.feedback[index as usize];
    let declared = [
        SetFeedback::Delay(channel.delay),
        SetFeedback::Velocity(channel.velocity),
        SetFeedback::Pitch(channel.pitch),
    ];
    let set = every_action(w.rules).filter_map(|(_, act)| match act {
        Do::Feedback(of, set) if *of == index => Some(*set),
        _ => None,
    });
    let values: Vec<Option<f64>> =
        declared.into_iter().chain(set).filter_map(|set| value(of, set)).collect();
    if values.iter().all(Option::is_none) {
        let message =
            format!("[feedback.{}] {key} is never {form}, so it cannot be ramped", channel.name);
        w.page.cured(at, message, format!("declare {key} = {form}, or set it so first"));
    } else if exponential && values.iter().flatten().all(|value| *value <= 0.0) {
        let message = format!("an exponential ramp of {key} cannot begin at 0 or below");
        w.page.cured(at, message, "write shape = \"linear\", or begin above 0");
    } else if values.iter().any(Option::is_none) {
        w.page.warn(at, format!("the ramp of {key} acts only while {key} is {form}"));
    }
}

const fn needed(of: Number) -> Option<(u16, &'static str, &'static str)> {
    Some(match of {
        Number::FeedbackDelay(i) => (i, "delay", "a constant time"),
        Number::FeedbackFraction(i) => (i, "delay", "{ fraction = ... }"),
        Number::FeedbackVelocity(i) => (i, "velocity", "{ fixed = ... }"),
        Number::FeedbackScale(i) => (i, "velocity", "{ scale = ... }"),
        Number::FeedbackTranspose(i) => (i, "pitch", "{ transpose = ... }"),
        _ => return None,
    })
}

/// `None`: another parameter. `Some(None)`: the parameter in another form.
fn value(of: Number, set: SetFeedback) -> Option<Option<f64>> {
    Some(match (of, set) {
        (Number::FeedbackDelay(_), SetFeedback::Delay(Delay::Constant(v))) => Some(v.from),
        (Number::FeedbackFraction(_), SetFeedback::Delay(Delay::Fraction(v))) => Some(v.from),
        (Number::FeedbackVelocity(_), SetFeedback::Velocity(Velocity::Fixed(v))) => Some(v.from),
        (Number::FeedbackScale(_), SetFeedback::Velocity(Velocity::Scale(v))) => Some(v.from),
        (Number::FeedbackTranspose(_), SetFeedback::Pitch(Pitch::Transpose(v))) => Some(v.from),
        (Number::FeedbackDelay(_) | Number::FeedbackFraction(_), SetFeedback::Delay(_)) => None,
        (Number::FeedbackVelocity(_) | Number::FeedbackScale(_), SetFeedback::Velocity(_)) => None,
        (Number::FeedbackTranspose(_), SetFeedback::Pitch(_)) => None,
        _ => return None,
    })
}
