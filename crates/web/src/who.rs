//! [`Who`]: who taps in a trial of a page.

use crate::refused::Refused;
use chronotap_config::trial_files::TrialFile;
use chronotap_config::trial_files::performers::{Script, Tappers};
use chronotap_engine::signal::Performer;

/// Who taps.
#[derive(Clone, Copy)]
pub(crate) enum Who<'a> {
    /// A simulated person, by a description.
    Simulated(&'a str),
    /// Somebody at the page, at these ms from the start of the trial.
    AtPage(&'a [f64]),
}

impl Who<'_> {
    pub fn performer(self, file: &TrialFile, seed: u64) -> Result<Box<dyn Performer>, Refused> {
        Ok(match self {
            Who::Simulated(spec) => Box::new(Tappers::at_trial(spec, file, seed)?),
            Who::AtPage(taps_ms) => Box::new(Script::parse(&presses(taps_ms), "taps", &[])?),
        })
    }
}

/// The taps as a table of key presses: the middle C of a keyboard, held shortly.
fn presses(taps_ms: &[f64]) -> String {
    let row = |ms: &f64| format!("{:.6}\t0.03\t60\t80\n", ms / 1e3);
    let rows = taps_ms.iter().filter(|ms| ms.is_finite() && **ms >= 0.0).map(row);
    std::iter::once("onset\tduration\tnote\tvelocity\n".to_owned()).chain(rows).collect()
}
