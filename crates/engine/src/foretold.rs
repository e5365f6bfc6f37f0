//! What a seed decides before anybody taps: at which beats the changes of a stream come, and at
//! which taps the perturbations of a channel. The random generators are those of the trial
//! itself, so what is told beforehand is what will happen, unless a rule starts the stream
//! again.

use crate::changes::ChangeCourse;
use crate::feedback::Voice;
use crate::trial::Trial;

/// Beats from 1 to `beats` at which changes of a stream come: the beat, and the change's
/// place in the stream. Ascending; empty for a stream that is not there.
pub fn changed_beats(trial: &Trial, stream: usize, seed: u64, beats: u32) -> Vec<(u32, usize)> {
    let Some(pacing) = trial.pacing.get(stream) else { return Vec::new() };
    let mut changes = ChangeCourse::new(pacing, &format!("pacing.{}", pacing.name), seed, trial);
    let mut come = Vec::new();
    for beat in 1..=beats {
        changes.place(beat, &pacing.changes, trial);
        come.extend(changes.applying().map(|change| (beat, change)));
    }
    come
}

/// Taps from 1 to `taps`, of those that a feedback channel hears, at which its perturbations
/// come: the tap, and the perturbation's place in the channel. As [`changed_beats`].
pub fn perturbed_taps(trial: &Trial, channel: usize, seed: u64, taps: u32) -> Vec<(u32, usize)> {
    let Some(feedback) = trial.feedback.get(channel) else { return Vec::new() };
    let mut voice = Voice::new(feedback, seed, trial);
    let mut come = Vec::new();
    for tap in 1..=taps {
        let here = (0..feedback.perturb.len()).filter(|i| voice.is_turn_of(*i, tap));
        come.extend(here.map(|perturbation| (tap, perturbation)));
    }
    come
}
