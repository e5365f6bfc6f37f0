//! Whether a study has the factor and the level that a contrast or a difference names.

use chronotap_core::text::nearest;
use chronotap_design::{Experiment, Factor};

/// The study has no such factor, or the factor no such level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the study has no {what} \"{name}\"")]
pub struct UnknownLevel {
    /// What it should be.
    pub what: Named,
    /// What was asked for.
    pub name: String,
    /// The nearest of those that are there.
    pub nearest: Option<String>,
    /// All that are there.
    pub known: Vec<String>,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A factor of the study.
    Factor,
    /// A level of a factor.
    Level,
}

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Named::Factor => "factor",
            Named::Level => "level",
        })
    }
}

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
        return Err(unknown(Named::Factor, factor, known));
    };
    let levels: Vec<String> = found.levels.iter().map(ToString::to_string).collect();
    if levels.iter().any(|one| one == level) {
        return Ok(());
    }
    Err(unknown(Named::Level, level, levels))
}

fn unknown(what: Named, name: &str, known: Vec<String>) -> UnknownLevel {
    let nearest = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
    UnknownLevel { what, name: name.to_owned(), nearest, known }
}
