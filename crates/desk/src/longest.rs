//! How long a trial may last in virtual time. A rehearsal takes no time, but its files take the
//! room of every event: a trial without an end would fill the disk. One that nothing ends is refused
//! before anything is made; one that a tap or a rule may end has a bound.

use anyhow::{Result, bail};
use chronotap_config::trial_files::{TrialFile, never_ends};
use chronotap_core::time::Nanos;
use chronotap_design::overview;
use chronotap_session::Study;

/// The bound where `--for` names none.
const USUAL: Nanos = Nanos::from_secs(60 * 60);

/// The bound of a trial.
pub fn of_trial(file: &TrialFile, name: &str, given: Option<Nanos>) -> Result<Nanos> {
    if given.is_none() && never_ends(file) {
        bail!("{}", refusal(&format!("{name}: nothing ends this trial")));
    }
    Ok(bound(given))
}

/// The bound that was given, or the usual one.
pub fn bound(given: Option<Nanos>) -> Nanos {
    given.unwrap_or(USUAL)
}

/// The bound of every trial of a study.
pub fn of_study(study: &Study, given: Option<Nanos>) -> Result<Nanos> {
    if let Some(longest) = given {
        return Ok(longest);
    }
    match overview(&study.experiment).endless.first() {
        Some(file) => bail!("{}", refusal(&format!("{file}: nothing ends a trial of this file"))),
        None => Ok(USUAL),
    }
}

fn refusal(what: &str) -> String {
    format!(
        "{what}, so a simulation of it would fill the disk; give it an end ([[when]] with end = true), or say for how long to simulate it, as with --for \"30 s\""
    )
}

/// What is said where trials were cut off at the bound.
pub fn cut_off(cut: usize, of: usize, longest: Nanos) -> String {
    let (trials, were) = if of == 1 { ("trial", "was") } else { ("trials", "were") };
    let bound = as_an_option(longest);
    format!(
        "{cut} of {of} {trials} {were} still running after {bound} and ended there, by no rule of the file; --for sets this bound"
    )
}

/// As one would give it to `--for`: whole minutes as such.
fn as_an_option(bound: Nanos) -> String {
    let minute = Nanos::from_secs(60).0;
    match bound.0 % minute {
        0 => format!("{} min", bound.0 / minute),
        _ => chronotap_config::trial_files::reading::say(bound),
    }
}
