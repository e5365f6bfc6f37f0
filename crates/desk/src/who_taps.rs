//! Who taps in a trial, as the command line says: several commands ask.

use crate::args::TapperOptions;
use anyhow::Result;
use chronotap_config::trial_files::TrialFile;
use chronotap_simulate::Tapper;

/// Who taps, as the command line says; `otherwise` where it says nothing.
pub fn tapper(who: &TapperOptions, file: &TrialFile, otherwise: Option<&str>) -> Result<Tapper> {
    Ok(match (&who.performer, who.simulate.as_deref().or(otherwise)) {
        (Some(path), _) => Tapper::scripted(path, &file.trial)?,
        (None, Some(model)) => Tapper::simulated(model, file)?,
        (None, None) => Tapper::Nobody,
    })
}
