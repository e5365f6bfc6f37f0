//! [`Setting`]s: what an experiment sets in a trial file, and where the value is from.

use chronotap_config::trial_files::reading::say;
use chronotap_core::time::Nanos;

/// One key of the trial file and where its value is from.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The path of the key: the shape of the trial file, elements of lists by their `name`.
    pub path: Vec<String>,
    /// Where the value is from.
    pub source: SettingSource,
    /// The line of the experiment file.
    pub line: usize,
}

/// Where the value of a setting is from.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingSource {
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
    /// The factor whose level it takes, or multiplies a result by.
    pub fn factor(&self) -> Option<&str> {
        match &self.source {
            SettingSource::Factor(factor) => Some(factor),
            SettingSource::Result(Carried { times: Times::Factor(factor), .. }) => Some(factor),
            SettingSource::Result(_) | SettingSource::Toml(_) => None,
        }
    }

    /// The path as it stands in a file: `pacing.metronome.interval`.
    pub fn said(&self) -> String {
        self.path.join(".")
    }
}

/// A value as TOML: a time in quotes with its unit, or a plain number.
pub(crate) fn toml(value: f64, timed: bool) -> String {
    let written = written(value, timed);
    if timed { toml_edit::Value::from(written).to_string() } else { written }
}

/// The same as people read it, without quotes.
pub(crate) fn written(value: f64, timed: bool) -> String {
    if timed {
        return say(Nanos::round_from_f64(value));
    }
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return format!("{}", value as i64);
    }
    format!("{value}")
}
