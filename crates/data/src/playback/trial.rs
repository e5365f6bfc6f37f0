//! [`trial_of`]: a trial that plays tones at given times: one rule for each instant. So
//! whatever runs trials plays recordings too, with the same deadlines, lateness and verdict.
//!
//! Controllers are not played again: what a rule plays is a tone.

use crate::playback::Sounded;
use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_engine::trial::{Do, Rule, RuleCondition, Tone, Trial, Varying};

/// The most tones of one trial.
pub const MOST_TONES: usize = 60_000;

/// An excerpt has more tones than a trial can play.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0} tones are more than one trial can play ({MOST_TONES})")]
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
    let mut rules: Vec<Rule> =
        together.map(|tones| at(tones[0].at + later, tones.iter().map(play).collect())).collect();
    rules.push(at(last + later, vec![Do::End]));
    let outputs = outputs.to_vec();
    let trial = Trial { inputs: Vec::new(), outputs, rules, ..Trial::default() };
    Ok(TrialFile::made(title, trial, limit))
}

fn at(time: Nanos, then: Vec<Do>) -> Rule {
    Rule { name: "play".to_owned(), when: RuleCondition::Time(time), then, repeats: false }
}

fn play(tone: &Sounded) -> Do {
    let velocity = Varying::constant(f64::from(tone.velocity.get()));
    let Sounded { channel, note, length: duration, .. } = *tone;
    Do::Play(tone.output, Tone { channel, note, velocity, duration })
}
