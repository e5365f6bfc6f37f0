//! [`trial_of`]: a trial that plays tones at given times: one trigger for each instant. So
//! whatever runs trials plays recordings too, with the same deadlines, lateness and verdict.
//!
//! Controllers are not played again: what a trigger plays is a tone.

use crate::Sounded;
use chronotap_engine::trial::{Condition, Do, Tone, Trial, Trigger, Varying};
use chronotap_experiment::TrialFile;
use chronotap_time::Nanos;

/// The most tones of one trial.
pub const MOST_TONES: usize = 60_000;

/// An excerpt has more tones than a trial can play. Take a shorter one, or fewer layers.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error(
    "{0} tones are more than one trial can play ({MOST_TONES}); choose fewer with --only or begin later with --from"
)]
pub struct TooManyTones(pub usize);

/// A trial that plays these tones, in the order of time, on outputs of these names; each so
/// much later than it says. It ends with the last tone.
///
/// # Errors
/// [`TooManyTones`].
pub fn trial_of(
    title: &str,
    tones: &[Sounded],
    outputs: &[String],
    later: Nanos,
    limit: Nanos,
) -> Result<TrialFile, TooManyTones> {
    if tones.len() > MOST_TONES {
        return Err(TooManyTones(tones.len()));
    }
    let last = tones.iter().map(|tone| tone.at + tone.length).max().unwrap_or(Nanos::ZERO);
    let together = tones.chunk_by(|one, next| one.at == next.at);
    let mut triggers: Vec<Trigger> =
        together.map(|tones| at(tones[0].at + later, tones.iter().map(play).collect())).collect();
    triggers.push(at(last + later, vec![Do::End]));
    let outputs = outputs.to_vec();
    let trial = Trial { inputs: Vec::new(), outputs, triggers, ..Trial::default() };
    Ok(TrialFile::made(title, trial, limit))
}

fn at(time: Nanos, then: Vec<Do>) -> Trigger {
    Trigger { name: "play".to_owned(), when: Condition::Time(time), then, repeats: false }
}

fn play(tone: &Sounded) -> Do {
    let velocity = Varying::constant(f64::from(tone.velocity.get()));
    let Sounded { channel, note, length: duration, .. } = *tone;
    Do::Play(tone.output, Tone { channel, note, velocity, duration })
}
