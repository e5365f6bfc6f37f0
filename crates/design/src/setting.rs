//! [`Setting`]s: what an experiment sets in a trial file, and where the value is from.

/// One key of the trial file and where its value is from.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The path of the key: the shape of the trial file, elements of lists by their `name`.
    pub path: Vec<String>,
    /// Where the value is from.
    pub source: Source,
    /// The line of the experiment file.
    pub line: usize,
}

/// Where the value of a setting is from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// It stands in the experiment file; as TOML.
    Toml(String),
    /// The level of this factor.
    Factor(String),
    /// The result of an earlier step.
    Result(Carried),
}

/// A result of an earlier step that becomes a value of this one.
#[derive(Clone, Debug, PartialEq)]
pub struct Carried {
    /// The step that keeps it.
    pub step: String,
    /// The name under which it is kept.
    pub result: String,
    /// By what it is multiplied.
    pub times: Times,
    /// Least and greatest value that is taken, after the multiplication: nanoseconds for a
    /// time, else the plain number. Outside, the session stops and asks.
    pub within: Option<(f64, f64)>,
}

/// By what a result is multiplied.
#[derive(Clone, Debug, PartialEq)]
pub enum Times {
    /// By this number.
    Number(f64),
    /// By the level of this factor.
    Factor(String),
}

impl Setting {
    /// The path as it stands in a file: `pacing.metronome.interval`.
    pub fn said(&self) -> String {
        self.path.join(".")
    }
}
