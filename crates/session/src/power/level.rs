//! Whether a study has the factor and the level that a contrast or a difference names.

use chronotap_data::tables::unknown_level;
pub use chronotap_data::tables::{Named, UnknownLevel};
use chronotap_design::Experiment;

/// Whether a study has this factor and level.
pub(super) fn check_level(
    experiment: &Experiment,
    factor: &str,
    level: &str,
) -> Result<(), UnknownLevel> {
    let Some(found) = experiment.factor(factor) else {
        return Err(unknown_level(Named::Factor, factor, experiment.factor_names()));
    };
    let levels: Vec<String> = found.levels.iter().map(ToString::to_string).collect();
    if levels.iter().any(|one| one == level) {
        return Ok(());
    }
    Err(unknown_level(Named::Level, level, levels))
}
