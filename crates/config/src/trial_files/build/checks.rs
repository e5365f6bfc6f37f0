//! What shows only when the whole file is read: streams that wait for each
//! other, rules that could never act, ramps of something that is no number.

use super::Names;
use super::rule::{Placed, every_action};
use crate::trial_files::reading::{Page, Part, say};
use chronotap_core::time::Nanos;
use chronotap_engine::trial::{
    Delay, Do, Number, Pacing, Pitch, Ramp, RuleCondition, SetFeedback, SetPacing, Start, Trial,
    Velocity,
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
        Start::At(_) | Start::Tap { .. } => {}
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

fn conditions(w: &Whole<'_, '_>, placed: &Placed<'_>, condition: &RuleCondition) {
    match condition {
        RuleCondition::All(list) | RuleCondition::Any(list) => {
            list.iter().for_each(|inner| conditions(w, placed, inner));
        }
        RuleCondition::Beat { stream, number } => {
            let pacing = &w.trial.pacing[*stream as usize];
            let unread = w.streams[*stream as usize].has("beats_from") && !w.page.is_clean();
            let beats = pacing.beats.filter(|b| b < number && !sets_beats(w, *stream) && !unread);
            if let Some(beats) = beats {
                let message = format!(
                    "{} waits for beat {number} of {}, which has only {beats} beats",
                    placed.part.said(),
                    pacing.name
                );
                let cure = format!("{}, or wait for an earlier beat", more_beats(w, *stream));
                w.page.cured(placed.part.at("beat"), message, cure);
            }
        }
        RuleCondition::TapsAfter { stream, .. } => never_over(w, placed, *stream),
        RuleCondition::Time(_)
        | RuleCondition::Tap { .. }
        | RuleCondition::Note { .. }
        | RuleCondition::Silence { .. } => {}
    }
}

/// What gives a stream more beats.
fn more_beats(w: &Whole<'_, '_>, stream: u16) -> &'static str {
    let part = &w.streams[usize::from(stream)];
    match ["beats", "repeat", "beats_from", "onsets"].into_iter().find(|key| part.has(key)) {
        Some("repeat") => "raise repeat.times",
        Some("beats_from") => "add beats to the table of beats_from",
        Some("onsets") => "add onsets",
        _ => "raise beats",
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
        Do::Pacing(of, set) => sets(w, at, of, set),
        Do::Ramp(ramp) => ramps(w, at, ramp),
        Do::Play(_, tone) => {
            if tone.duration <= Nanos::ZERO {
                w.page.problem(at, format!("a tone of {} is none", say(tone.duration)));
            }
        }
        Do::Feedback(..)
        | Do::Masking(..)
        | Do::Debounce(..)
        | Do::Mark(_)
        | Do::StartStream(_)
        | Do::StopStream(_)
        | Do::End => {}
    }
}

fn sets(w: &Whole<'_, '_>, at: usize, of: u16, set: SetPacing) {
    let stream = &w.trial.pacing[usize::from(of)];
    match set {
        SetPacing::AdaptPhase(_) | SetPacing::AdaptPeriod(_) | SetPacing::AdaptAtMost(_) => {
            adapts(w, at, stream);
        }
        SetPacing::Interval(_) => has_interval(w, at, stream),
        SetPacing::Beats(beats) => {
            if let (Some(beats), Some(onsets)) = (beats, stream.onsets)
                && beats > onsets.len
            {
                let message = format!("{} has only {} onsets", stream.name, onsets.len);
                w.page.cured(at, message, "set fewer beats");
            }
        }
        SetPacing::Audible(_)
        | SetPacing::Channel(_)
        | SetPacing::Note(_)
        | SetPacing::Velocity(_)
        | SetPacing::Duration(_)
        | SetPacing::AccentVelocity(_)
        | SetPacing::AccentNote(_)
        | SetPacing::Jitter(_)
        | SetPacing::Sinusoid(_) => {}
    }
}

fn ramps(w: &Whole<'_, '_>, at: usize, ramp: Ramp) {
    let stream = |of: u16| &w.trial.pacing[usize::from(of)];
    let of = match ramp.of {
        Number::PacingInterval(of) | Number::PacingTempo(of) => {
            return has_interval(w, at, stream(of));
        }
        Number::AdaptPhase(of) | Number::AdaptPeriod(of) => return adapts(w, at, stream(of)),
        Number::PacingVelocity(_) | Number::AccentVelocity(_) | Number::MaskingRate(_) => return,
        Number::FeedbackDelay(channel) => {
            OfForm { channel, key: "delay", form: "a constant time", value: constant_delay }
        }
        Number::FeedbackFraction(channel) => {
            OfForm { channel, key: "delay", form: "{ fraction = ... }", value: fraction }
        }
        Number::FeedbackVelocity(channel) => {
            OfForm { channel, key: "velocity", form: "{ fixed = ... }", value: fixed_velocity }
        }
        Number::FeedbackScale(channel) => {
            OfForm { channel, key: "velocity", form: "{ scale = ... }", value: scale }
        }
        Number::FeedbackTranspose(channel) => {
            OfForm { channel, key: "pitch", form: "{ transpose = ... }", value: transposition }
        }
    };
    forms(w, at, &of, ramp.exponential);
}

fn adapts(w: &Whole<'_, '_>, at: usize, stream: &Pacing) {
    if stream.adapt.is_none() {
        let message =
            format!("[pacing.{}] does not adapt, so there is nothing to change", stream.name);
        w.page.cured(at, message, "give the stream adapt = { phase = 0.0 } to begin with");
    }
}

fn has_interval(w: &Whole<'_, '_>, at: usize, stream: &Pacing) {
    if stream.onsets.is_some() {
        let message =
            format!("[pacing.{}] gives onsets and has no interval to change", stream.name);
        w.page.cured(at, message, "write interval or tempo instead of onsets");
    }
}

/// A number of a feedback channel that is there only while a parameter has one of its forms.
struct OfForm {
    channel: u16,
    key: &'static str,
    form: &'static str,
    /// `None`: another parameter. `Some(None)`: the parameter in another form.
    value: fn(SetFeedback) -> Option<Option<f64>>,
}

/// The value of the form that a ramp needs, in every form a channel may have:
/// as declared, and as any rule sets it.
fn forms(w: &Whole<'_, '_>, at: usize, of: &OfForm, exponential: bool) {
    let OfForm { channel: index, key, form, value } = of;
    let channel = &w.trial.feedback[usize::from(*index)];
    let declared = [
        SetFeedback::Delay(channel.delay),
        SetFeedback::Velocity(channel.velocity),
        SetFeedback::Pitch(channel.pitch),
    ];
    let set = every_action(w.rules).filter_map(|(_, act)| match act {
        Do::Feedback(of, set) if of == index => Some(*set),
        _ => None,
    });
    let values: Vec<Option<f64>> = declared.into_iter().chain(set).filter_map(value).collect();
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

fn constant_delay(set: SetFeedback) -> Option<Option<f64>> {
    let SetFeedback::Delay(delay) = set else { return None };
    Some(if let Delay::Constant(v) = delay { Some(v.from) } else { None })
}

fn fraction(set: SetFeedback) -> Option<Option<f64>> {
    let SetFeedback::Delay(delay) = set else { return None };
    Some(if let Delay::Fraction(v) = delay { Some(v.from) } else { None })
}

fn fixed_velocity(set: SetFeedback) -> Option<Option<f64>> {
    let SetFeedback::Velocity(velocity) = set else { return None };
    Some(if let Velocity::Fixed(v) = velocity { Some(v.from) } else { None })
}

fn scale(set: SetFeedback) -> Option<Option<f64>> {
    let SetFeedback::Velocity(velocity) = set else { return None };
    Some(if let Velocity::Scale(v) = velocity { Some(v.from) } else { None })
}

fn transposition(set: SetFeedback) -> Option<Option<f64>> {
    let SetFeedback::Pitch(pitch) = set else { return None };
    Some(if let Pitch::Transpose(v) = pitch { Some(v.from) } else { None })
}
