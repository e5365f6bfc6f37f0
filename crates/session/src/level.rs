//! Whether a study has the factor and the level that a contrast or a difference names.

use chronotap_data::tables::unknown_level;
pub use chronotap_data::tables::{Named, UnknownLevel};
use chronotap_design::{Experiment, Factor};

/// The word by which a session is told from others; its level is its number.
pub(crate) const SESSION: &str = "session";

/// Whether a study has this factor and level.
pub(crate) fn check_level(
    experiment: &Experiment,
    factor: &str,
    level: &str,
) -> Result<(), UnknownLevel> {
    let known = factors(experiment);
    let Some((_, levels)) = known.iter().find(|(name, _)| name == factor) else {
        let names = known.into_iter().map(|(name, _)| name).collect();
        return Err(unknown_level(Named::Factor, factor, names));
    };
    if levels.iter().any(|one| one == level) {
        return Ok(());
    }
    Err(unknown_level(Named::Level, level, levels.clone()))
}

/// Everything by whose levels trials differ: the factors, and the session by its number where there are several.
pub(crate) fn factors(experiment: &Experiment) -> Vec<(String, Vec<String>)> {
    let levels = |factor: &Factor| factor.levels.iter().map(ToString::to_string).collect();
    let stated = experiment.all_factors().into_iter();
    let stated = stated.map(|factor| (factor.name.clone(), levels(factor)));
    let numbers = (1..=experiment.sessions).map(|session| session.to_string()).collect();
    let sessions = (experiment.sessions > 1).then(|| (SESSION.to_owned(), numbers));
    stated.chain(sessions).collect()
}
