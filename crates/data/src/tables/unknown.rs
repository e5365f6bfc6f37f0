//! Why a contrast cannot be estimated: of what it names there is nothing.

use chronotap_core::text::nearest;

/// Why a contrast cannot be estimated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContrastError {
    /// It is not of the form that is asked for.
    #[error("\"{0}\" is no contrast")]
    Form(String),
    /// A level less itself.
    #[error("{0} less {0} is nothing to look for")]
    Same(String),
    /// There is no such statistic.
    #[error("there is no statistic \"{name}\"")]
    Statistic {
        /// What was asked for.
        name: String,
        /// The nearest name.
        nearest: Option<String>,
    },
    /// Something that takes numbers, over levels that are no numbers of one unit, or fewer than three.
    #[error("{0} over {1}: its levels are not three or more numbers of one unit")]
    Numbers(&'static str, String),
    /// Every level against the first, of a factor without a second level.
    #[error("each over {0}: it has no two levels")]
    Each(String),
    /// The study has no such factor or level.
    #[error("a contrast: {0}")]
    Level(#[from] UnknownLevel),
}

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

/// That a name is none of those that are known.
pub fn unknown_level(what: Named, name: &str, known: Vec<String>) -> UnknownLevel {
    let nearest = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
    UnknownLevel { what, name: name.to_owned(), nearest, known }
}
