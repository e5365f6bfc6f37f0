//! [`foresee`]: what a trial will do as far as it does not depend on the
//! participant. The engine itself is run on a copy of the trial in which nobody
//! taps, so that what is told beforehand cannot differ from what will happen.
//! What taps or an undrawn seed could change is marked as uncertain.

use chronotap_core::time::Nanos;
use chronotap_engine::Engine;
use chronotap_engine::action::{Action, ActionKind};
use chronotap_engine::foretold::changed_beats;
use chronotap_engine::trial::{
    Change, Do, Number, Occasions, Pacing, PatternStep, RuleCondition, SetPacing, Shift, Start,
    Trial,
};
use std::sync::Arc;

/// How far ahead it looks, in trial time and in work.
const HORIZON: Nanos = Nanos(86_400 * 1_000_000_000);
const STEPS_MAX: u32 = 500_000;
/// So many beats are told at most.
const TOLD_MAX: usize = 200;
/// Among so many beats of an endless stream drawn changes are looked for.
const DRAWN_AMONG: u32 = 10_000;
/// A tap that no trial waits long enough for.
const NEVER: u32 = u32::MAX;

/// What is known beforehand.
pub(crate) struct Foreseen {
    /// First beat of each stream, where it does not wait for a tap.
    pub begins: Vec<Option<Nanos>>,
    /// Whether a stream's beats may fall elsewhere.
    pub unsure_streams: Vec<bool>,
    /// Beats worth telling, by stream and number: listed changes, last beats.
    pub beats: Vec<(usize, u32, Option<Nanos>)>,
    /// With a seed: the changes that are drawn, by stream, beat and place in the stream.
    pub drawn: Vec<(usize, u32, usize)>,
    /// When each rule acts if nobody taps.
    pub acts: Vec<Option<Nanos>>,
    /// Whether a rule's time may be another.
    pub unsure_rules: Vec<bool>,
    /// When the trial ends if nobody taps.
    pub ends: Option<Nanos>,
    /// Whether everything that could come without taps was seen to come.
    pub complete: bool,
}

/// Looks ahead. `seed` is the file's; without one, what is drawn is uncertain.
pub(crate) fn foresee(trial: &Trial, seed: Option<u64>) -> Foreseen {
    let drawn = seed.map_or_else(Vec::new, |seed| drawn_changes(trial, seed));
    let mut seen = Foreseen {
        begins: vec![None; trial.pacing.len()],
        unsure_streams: trial.pacing.iter().map(|p| varies(p, seed)).collect(),
        beats: worth_telling(trial, &drawn),
        drawn,
        acts: vec![None; trial.rules.len()],
        unsure_rules: trial.rules.iter().map(|t| by_taps(&t.when)).collect(),
        ends: None,
        complete: false,
    };
    spread_doubt(trial, seed, &mut seen);
    run(trial, seed.unwrap_or(1), &mut seen);
    seen
}

/// The trial without masking, where neither taps nor chance move its beats and its end; `None` where they may.
pub fn settled(trial: &Trial) -> Option<Trial> {
    let seen = foresee(trial, None);
    let bears = |act: &Do| {
        let paces = matches!(act, Do::Pacing(..) | Do::StartStream(_) | Do::StopStream(_));
        paces || matches!(act, Do::Ramp(_) | Do::End)
    };
    let rules = trial.rules.iter().zip(&seen.unsure_rules);
    let unsure = rules.filter(|(_, unsure)| **unsure).any(|(rule, _)| rule.then.iter().any(bears));
    let moved = seen.unsure_streams.contains(&true) || unsure || seen.ends.is_none();
    (!moved).then(|| without_masking(trial))
}

/// The changes that come where a seed has them, of every stream.
fn drawn_changes(trial: &Trial, seed: u64) -> Vec<(usize, u32, usize)> {
    let of = |(stream, pacing): (usize, &Pacing)| {
        let beats = pacing.beats.map_or(DRAWN_AMONG, |beats| beats.min(DRAWN_AMONG));
        let listed = |change: &usize| matches!(pacing.changes[*change].at, Occasions::Listed(_));
        let all = if pacing.changes.iter().all(|c| matches!(c.at, Occasions::Listed(_))) {
            Vec::new()
        } else {
            changed_beats(trial, stream, seed, beats)
        };
        let drawn = all.into_iter().filter(|(_, change)| !listed(change));
        drawn.map(|(beat, change)| (stream, beat, change)).take(TOLD_MAX).collect::<Vec<_>>()
    };
    trial.pacing.iter().enumerate().flat_map(of).collect()
}

/// The beats of changes and the last beat of a finite stream.
fn worth_telling(trial: &Trial, drawn: &[(usize, u32, usize)]) -> Vec<(usize, u32, Option<Nanos>)> {
    let mut beats: Vec<_> = drawn.iter().map(|(stream, beat, _)| (*stream, *beat, None)).collect();
    for (stream, pacing) in trial.pacing.iter().enumerate() {
        let last = pacing.beats.unwrap_or(u32::MAX);
        for change in &pacing.changes {
            if let Occasions::Listed(numbers) = &change.at {
                let reached = numbers.iter().filter(|number| **number <= last);
                beats.extend(reached.map(|number| (stream, *number, None)));
            }
        }
        beats.extend(pacing.beats.map(|last| (stream, last, None)));
    }
    beats.sort_unstable();
    beats.dedup();
    beats.truncate(TOLD_MAX);
    beats
}

/// Whether a tap can bring the condition about.
pub(crate) fn by_taps(condition: &RuleCondition) -> bool {
    match condition {
        RuleCondition::Tap { .. }
        | RuleCondition::TapsAfter { .. }
        | RuleCondition::Note { .. }
        | RuleCondition::Silence { .. } => true,
        RuleCondition::All(list) | RuleCondition::Any(list) => list.iter().any(by_taps),
        RuleCondition::Time(_) | RuleCondition::Beat { .. } => false,
    }
}

/// Whether the condition cannot come to hold without a tap, or a want of taps.
pub(crate) fn needs_taps(condition: &RuleCondition) -> bool {
    match condition {
        RuleCondition::All(list) => list.iter().any(needs_taps),
        RuleCondition::Any(list) => list.iter().all(needs_taps),
        other => by_taps(other),
    }
}

fn varies(pacing: &Pacing, seed: Option<u64>) -> bool {
    let random = |at: &Occasions| match at {
        Occasions::Listed(_) => false,
        Occasions::Every { from, to, .. } => from != to,
        Occasions::Chance { .. } => true,
    };
    let sizes = |c: &Change| [c.phase_shift, c.onset_shift, c.interval_step];
    let chosen = |c: &Change| sizes(c).iter().any(|size| matches!(size, Shift::Chosen(..)));
    let changes = pacing.changes.iter().any(|c| random(&c.at) || chosen(c));
    let drawn = pacing.jitter.is_some() || changes;
    pacing.adapt.is_some() || matches!(pacing.start, Start::Tap { .. }) || (drawn && seed.is_none())
}

/// What depends on something uncertain is uncertain.
fn spread_doubt(trial: &Trial, seed: Option<u64>, seen: &mut Foreseen) {
    for _ in 0..=trial.pacing.len() + trial.rules.len() {
        let before = (seen.unsure_streams.clone(), seen.unsure_rules.clone());
        for (index, rule) in trial.rules.iter().enumerate() {
            seen.unsure_rules[index] |= waits_for(&rule.when, &seen.unsure_streams);
            for act in &rule.then {
                if let Some((stream, drawn)) = moves(act) {
                    let doubt = seen.unsure_rules[index] || (drawn && seed.is_none());
                    seen.unsure_streams[usize::from(stream)] |= doubt;
                }
            }
        }
        for (index, pacing) in trial.pacing.iter().enumerate() {
            if let Start::After { stream, .. } = pacing.start {
                seen.unsure_streams[index] |= seen.unsure_streams[usize::from(stream)];
            }
        }
        if before == (seen.unsure_streams.clone(), seen.unsure_rules.clone()) {
            return;
        }
    }
}

/// Whether a condition waits for a beat of one of these streams.
pub(crate) fn waits_for(condition: &RuleCondition, streams: &[bool]) -> bool {
    match condition {
        RuleCondition::Beat { stream, .. } => streams[usize::from(*stream)],
        RuleCondition::All(list) | RuleCondition::Any(list) => {
            list.iter().any(|c| waits_for(c, streams))
        }
        RuleCondition::Time(_)
        | RuleCondition::Tap { .. }
        | RuleCondition::TapsAfter { .. }
        | RuleCondition::Note { .. }
        | RuleCondition::Silence { .. } => false,
    }
}

/// The stream whose beats an action moves, and whether at random.
pub(crate) fn moves(act: &Do) -> Option<(u16, bool)> {
    match act {
        Do::Pacing(stream, set) => match set {
            SetPacing::Interval(_) | SetPacing::Sinusoid(_) | SetPacing::Beats(_) => {
                Some((*stream, false))
            }
            SetPacing::Jitter(jitter) => Some((*stream, jitter.is_some())),
            SetPacing::Audible(_)
            | SetPacing::Channel(_)
            | SetPacing::Note(_)
            | SetPacing::Velocity(_)
            | SetPacing::Duration(_)
            | SetPacing::AccentVelocity(_)
            | SetPacing::AccentNote(_)
            | SetPacing::AdaptPhase(_)
            | SetPacing::AdaptPeriod(_)
            | SetPacing::AdaptAtMost(_) => None, // a correction needs a tap
        },
        Do::Ramp(ramp) => match ramp.of {
            Number::PacingInterval(stream) | Number::PacingTempo(stream) => Some((stream, false)),
            Number::PacingVelocity(_)
            | Number::AccentVelocity(_)
            | Number::AdaptPhase(_)
            | Number::AdaptPeriod(_)
            | Number::FeedbackDelay(_)
            | Number::FeedbackFraction(_)
            | Number::FeedbackVelocity(_)
            | Number::FeedbackScale(_)
            | Number::FeedbackTranspose(_)
            | Number::MaskingRate(_) => None,
        },
        Do::StartStream(stream) | Do::StopStream(stream) => Some((*stream, false)),
        Do::Feedback(..)
        | Do::Masking(..)
        | Do::Debounce(..)
        | Do::Play(..)
        | Do::Mark(_)
        | Do::End => None,
    }
}

/// The trial with every beat heard, nobody tapping, and nothing that takes time
/// to no purpose.
fn stripped(trial: &Trial) -> Trial {
    let mut copy = trial.clone();
    copy.codes = None; // one that recurs would let an end be waited for that only a tap brings
    for pacing in &mut copy.pacing {
        pacing.audible = true;
        pacing.pattern = vec![PatternStep::Tone];
        pacing.step_notes.clear();
        pacing.changes.iter_mut().for_each(|change| change.mute = false);
        pacing.changes.iter_mut().for_each(|change| change.mute = false);
        pacing.tone.duration = Nanos(1);
    }
    copy = unhindered(&copy);
    for rule in &mut copy.rules {
        rule.then.retain(|act| !matches!(act, Do::Pacing(_, SetPacing::Audible(_))));
    }
    copy
}

/// The trial without masking, and with nothing that waits for a want of taps.
pub(crate) fn unhindered(trial: &Trial) -> Trial {
    let mut copy = without_masking(trial);
    copy.rules.iter_mut().for_each(|rule| without_silence(&mut rule.when));
    copy
}

/// The trial without masking.
pub(crate) fn without_masking(trial: &Trial) -> Trial {
    let mut copy = trial.clone();
    copy.masking.iter_mut().for_each(|mask| mask.start = Nanos(HORIZON.0 * 2));
    copy
}

fn without_silence(condition: &mut RuleCondition) {
    match condition {
        RuleCondition::Silence { input, .. } => {
            *condition = RuleCondition::Tap { input: *input, number: NEVER };
        }
        RuleCondition::All(list) | RuleCondition::Any(list) => {
            list.iter_mut().for_each(without_silence)
        }
        _ => {}
    }
}

fn run(trial: &Trial, seed: u64, seen: &mut Foreseen) {
    let mut engine = Engine::new(Arc::new(stripped(trial)), seed);
    for _ in 0..STEPS_MAX {
        let next = engine.next_deadline().filter(|at| *at <= HORIZON);
        let Some(next) = next.filter(|_| !all_seen(trial, seen)) else {
            seen.complete = next.is_none() || seen.ends.is_some() || all_seen(trial, seen);
            return;
        };
        engine.advance(next, &mut |action| note(action, seen));
    }
}

fn note(action: &Action, seen: &mut Foreseen) {
    match action.kind {
        ActionKind::Pacing(stream) => {
            let stream = usize::from(stream);
            if action.number == 1 {
                seen.begins[stream].get_or_insert(action.deadline);
            }
            let told = seen.beats.iter_mut();
            for (_, _, at) in told.filter(|(of, n, _)| (*of, *n) == (stream, action.number)) {
                at.get_or_insert(action.deadline);
            }
        }
        ActionKind::Rule(index) => {
            seen.acts[usize::from(index)].get_or_insert(action.deadline);
        }
        ActionKind::End(_) => seen.ends = Some(action.deadline),
        _ => {}
    }
}

/// Whether nothing more can come that does not wait for a tap.
fn all_seen(trial: &Trial, seen: &Foreseen) -> bool {
    let rules = trial.rules.iter().zip(&seen.acts);
    let streams = trial.pacing.iter().zip(&seen.begins);
    rules.into_iter().all(|(rule, at)| at.is_some() || needs_taps(&rule.when))
        && seen.beats.iter().all(|(of, _, at)| at.is_some() || waits(&trial.pacing[*of], trial))
        && streams.into_iter().all(|(pacing, at)| at.is_some() || waits(pacing, trial))
}

/// Whether a stream's start depends on a tap or a rule.
pub(crate) fn waits(pacing: &Pacing, trial: &Trial) -> bool {
    match pacing.start {
        Start::At(_) => false,
        Start::After { stream, .. } => {
            let before = &trial.pacing[usize::from(stream)];
            before.beats.is_none() || waits(before, trial)
        }
        Start::Tap { .. } | Start::Rule => true,
    }
}
