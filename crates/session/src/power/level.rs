//! Whether a study has the factor and the level that a contrast or a difference names.

use chronotap_data::tables::unknown_level;
pub use chronotap_data::tables::{Named, UnknownLevel};
use chronotap_design::{Experiment, Factor};

/// Whether a study has this factor and level.
pub(super) fn check_level(
    experiment: &Experiment,
    factor: &str,
    level: &str,
) -> Result<(), UnknownLevel> {
    let session = experiment.session_factor.iter().map(|session| &session.factor);
    let all: Vec<&Factor> =
        experiment.factors.iter().chain(session).chain(&experiment.between).collect();
    let Some(found) = all.iter().find(|one| one.name == factor) else {
        let known = all.iter().map(|factor| factor.name.clone()).collect();
        return Err(unknown_level(Named::Factor, factor, known));
    };
    let levels: Vec<String> = found.levels.iter().map(ToString::to_string).collect();
    if levels.iter().any(|one| one == level) {
        return Ok(());
    }
    Err(unknown_level(Named::Level, level, levels))
}
