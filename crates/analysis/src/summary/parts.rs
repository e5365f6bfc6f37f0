//! The parts of a summary that are about taps: of each input, and of each input against
//! each stream that it answers; over the whole trial and in each of its stretches.

use super::LEVELS_INTERVALS;
use crate::account::Account;
use crate::described::Described;
use crate::intervals::Placed;
use crate::matching::Matching;
use crate::observed::Observed;
use crate::reproduction::{Reproduction, describe};
use crate::wing_kristofferson::{WingKristofferson, estimate_without_slips};
use chronotap_core::time::Nanos;
use serde::Serialize;

/// A stretch: from one change of pacing to the next.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PacingSpan {
    /// Its name, as [`crate::stretches`] gives it.
    pub stretch: String,
    /// The streams that pace it.
    pub pacing: Vec<String>,
    /// Where it begins, in seconds.
    pub from_s: f64,
    /// Where it ends, in seconds.
    pub to_s: f64,
}

/// The taps of an input.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Taps {
    pub input: String,
    /// Accepted taps.
    pub taps: usize,
    /// Taps that came too soon after another to count.
    pub debounced: usize,
    /// All inter-tap intervals.
    pub intervals: Option<Described>,
    /// The intervals of the continuation, where the trial has one; `None` where it has
    /// several, whose intervals are not to be mixed.
    pub continuation: Option<Described>,
    /// Clock and motor variance of the same; `None` below [`LEVELS_INTERVALS`] intervals.
    pub wing_kristofferson: Option<WingKristofferson>,
    /// The taps in each stretch of the trial.
    pub stretches: Vec<TapsIn>,
}

/// The taps of an input in a stretch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TapsIn {
    /// The stretch's name.
    pub stretch: String,
    /// Accepted taps in it.
    pub taps: usize,
    /// The intervals of which both taps lie in it.
    pub intervals: Option<Described>,
    /// Clock and motor variance, where nothing paces it; `None` below
    /// [`LEVELS_INTERVALS`] intervals.
    pub wing_kristofferson: Option<WingKristofferson>,
}

/// The taps of an input against the beats of a pacing stream.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Synchronization {
    pub input: String,
    /// The stream's name.
    pub pacing: String,
    /// Beats that sounded.
    pub beats: usize,
    /// Beats with a tap.
    pub matched: usize,
    /// Beats without a tap.
    pub missed: usize,
    /// Beats before the first tap, which were listened to and are not missed.
    #[serde(skip_serializing_if = "is_none")]
    pub listened: usize,
    /// Taps without a beat, while the stream was pacing.
    pub extra: usize,
    /// Taps without a beat, while it was not.
    pub unpaced: usize,
    /// The share of the interval within which taps answer a beat, where the trial file says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<f64>,
    /// The asynchronies of the matched taps.
    pub asynchrony: Option<Described>,
    /// The same in each stretch that this stream paces.
    pub stretches: Vec<SynchronizationIn>,
}

/// The taps of an input against the beats of a pacing stream in a stretch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SynchronizationIn {
    /// The stretch's name.
    pub stretch: String,
    /// Beats that sounded in it.
    pub beats: usize,
    /// Of these, beats with a tap.
    pub matched: usize,
    /// Of these, beats without a tap.
    pub missed: usize,
    /// Of these, beats before the first tap, which were listened to and are not missed.
    #[serde(skip_serializing_if = "is_none")]
    pub listened: usize,
    /// Taps in it without a beat, while the stream was pacing.
    pub extra: usize,
    /// The asynchronies of the matched beats.
    pub asynchrony: Option<Described>,
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

pub(super) fn spans(observed: &Observed<'_>, account: &Account) -> Vec<PacingSpan> {
    let name = |stream: &usize| observed.pacing[*stream].name.to_string();
    let span = |stretch: &crate::stretches::Stretch| PacingSpan {
        stretch: stretch.name.clone(),
        pacing: stretch.pacing.iter().map(name).collect(),
        from_s: stretch.from.as_secs_f64(),
        to_s: stretch.to.as_secs_f64(),
    };
    account.stretches.iter().map(span).collect()
}

pub(super) fn taps(observed: &Observed<'_>, account: &Account) -> Vec<Taps> {
    let inputs = observed.taps.iter().enumerate();
    let taps = inputs.map(|(place, input)| {
        let onsets = account.onsets(place);
        let stretches = taps_in(account, place, &onsets);
        let alone = account.continuation().map(|place| stretches[place].clone());
        Taps {
            input: input.name.to_string(),
            taps: onsets.len(),
            debounced: input.taps.len() - onsets.len(),
            intervals: Described::intervals(&account.intervals(place, &onsets)),
            continuation: alone.as_ref().and_then(|alone| alone.intervals.clone()),
            wing_kristofferson: alone.and_then(|alone| alone.wing_kristofferson),
            stretches,
        }
    });
    taps.collect()
}

fn taps_in(account: &Account, input: usize, onsets: &[Nanos]) -> Vec<TapsIn> {
    let places: Vec<usize> = onsets.iter().map(|onset| account.stretch(*onset)).collect();
    let within = |(place, stretch): (usize, &crate::stretches::Stretch)| {
        let inside = places.iter().zip(onsets).filter(|(of, _)| **of == place);
        let inside: Vec<Nanos> = inside.map(|(_, onset)| *onset).collect();
        let between = account.intervals(input, &inside);
        let levels =
            || estimate_without_slips(between.intervals()).filter(|l| l.n >= LEVELS_INTERVALS);
        TapsIn {
            stretch: stretch.name.clone(),
            taps: inside.len(),
            intervals: Described::intervals(&between),
            wing_kristofferson: stretch.pacing.is_empty().then(levels).flatten(),
        }
    };
    account.stretches.iter().enumerate().map(within).collect()
}

pub(super) fn synchronizations(observed: &Observed<'_>, account: &Account) -> Vec<Synchronization> {
    let mut found = Vec::new();
    for (input, taps) in observed.taps.iter().enumerate() {
        for (stream, pacing) in observed.pacing.iter().enumerate() {
            let Some(matching) = account.matching(input, stream) else { continue };
            found.push(Synchronization {
                input: taps.name.to_string(),
                pacing: pacing.name.to_string(),
                beats: pacing.beats.len(),
                matched: matching.pairs.len(),
                missed: matching.missed.len(),
                listened: matching.listened.len(),
                extra: matching.extra.len(),
                unpaced: matching.unpaced.len(),
                window: observed.answers.windows.get(stream).copied().flatten(),
                asynchrony: Described::asynchronies(&Placed::all(matching.asynchronies())),
                stretches: synchronizations_in(observed, account, (input, stream), matching),
            });
        }
    }
    found
}

pub(super) fn reproductions(observed: &Observed<'_>, account: &Account) -> Vec<Reproduction> {
    let mut found = Vec::new();
    for (input, taps) in observed.taps.iter().enumerate() {
        for (stream, pacing) in observed.pacing.iter().enumerate() {
            let Some(rounds) = account.rounds(input, stream) else { continue };
            found.push(describe(taps.name, pacing.name, rounds, &account.onsets(input)));
        }
    }
    found
}

fn synchronizations_in(
    observed: &Observed<'_>,
    account: &Account,
    (input, stream): (usize, usize),
    matching: &Matching,
) -> Vec<SynchronizationIn> {
    let onsets = account.onsets(input);
    let beats = &observed.pacing[stream].beats;
    let of_beat: Vec<usize> = beats.iter().map(|beat| account.stretch(beat.at)).collect();
    let within = |place: usize| {
        let here = matching.pairs.iter().filter(|pair| of_beat[pair.beat] == place);
        let asynchronies: Vec<Nanos> = here.map(|pair| pair.asynchrony).collect();
        let extra = matching.extra.iter().filter(|tap| account.stretch(onsets[**tap]) == place);
        let (matched, beats) =
            (asynchronies.len(), of_beat.iter().filter(|of| **of == place).count());
        let listened = matching.listened.iter().filter(|beat| of_beat[**beat] == place).count();
        SynchronizationIn {
            stretch: account.stretches[place].name.clone(),
            beats,
            matched,
            missed: beats - matched - listened,
            listened,
            extra: extra.count(),
            asynchrony: Described::asynchronies(&Placed::all(asynchronies)),
        }
    };
    let paced = |place: &usize| account.stretches[*place].pacing.contains(&stream);
    (0..account.stretches.len()).filter(paced).map(within).collect()
}
