//! The words in which a participant is asked for: a preset, then what differs, as
//! in `tapper, alpha = 0.25, mean = -40 ms`.
//!
//! One table (in `keys`) says what each parameter is, in which unit and range, and where in the
//! model it is; the reader, the error messages and the help text all come from it.

mod keys;

use super::model::{Model, PRESETS};
use super::populations::{POPULATIONS, population, stated};
use chronotap_core::text::nearest;
pub use keys::within;
use keys::{PARAMETERS, Parameter, set};
use std::fmt::Write;

/// Why a participant's description was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParticipantSpecError {
    /// The first word is no preset. Take the one that is offered.
    #[error("there is no participant '{name}'; {hint}")]
    UnknownPreset {
        /// What was asked for.
        name: String,
        /// The nearest name, or all of them.
        hint: String,
    },
    /// A parameter's name is unknown. Take the one that is offered.
    #[error("a participant has no parameter '{key}'; {hint}")]
    UnknownKey {
        /// What was asked for.
        key: String,
        /// The nearest name, or all of them.
        hint: String,
    },
    /// A part is not of the form `key = value`.
    #[error("'{0}' is not of the form key = value, as in alpha = 0.25")]
    NoValue(String),
    /// A value is no number, has the wrong unit or lies out of range.
    #[error("{key} = {value}: {expected}")]
    BadValue {
        key: &'static str,
        value: String,
        /// What to write.
        expected: String,
    },
    /// The trial has no input of that name.
    #[error("the trial has no input '{name}'; {hint}")]
    UnknownInput {
        /// What was asked for.
        name: String,
        /// The nearest name, or all of them.
        hint: String,
    },
}

impl Model {
    /// Reads `PRESET[, KEY = VALUE]...`; an empty text is the preset `tapper`, and
    /// without a preset the keys change that one. `inputs` are the names of the
    /// trial's inputs, in file order.
    ///
    /// # Errors
    /// [`ParticipantSpecError`], which names the nearest valid word.
    pub fn from_spec(spec: &str, inputs: &[String]) -> Result<Model, ParticipantSpecError> {
        let mut parts = spec.split(',').map(str::trim).filter(|part| !part.is_empty()).peekable();
        let mut model = match parts.next_if(|part| !part.contains('=')) {
            Some(name) => {
                Model::preset(name).ok_or_else(|| ParticipantSpecError::UnknownPreset {
                    name: name.to_string(),
                    hint: hint(name, names()),
                })?
            }
            None => Model::tapper(),
        };
        for part in parts {
            let (key, value) =
                part.split_once('=').ok_or(ParticipantSpecError::NoValue(part.to_string()))?;
            set(&mut model, key.trim(), value.trim(), inputs)?;
        }
        Ok(model)
    }

    /// The average member of a population.
    pub(super) fn average(name: &str) -> Option<Model> {
        let of = population(name)?;
        let mut model = Model { name: of.name, ..Model::tapper() };
        for row in of.rows {
            // Every row is read in a test.
            let _ = set(&mut model, row.parameter, &row.average(), &[]);
        }
        Some(model)
    }

    /// Reads several descriptions, separated by semicolons, as in
    /// `tapper, input = left; musician, input = right`.
    ///
    /// # Errors
    /// [`ParticipantSpecError`], which names the nearest valid word.
    pub fn several_from_spec(
        spec: &str,
        inputs: &[String],
    ) -> Result<Vec<Model>, ParticipantSpecError> {
        spec.split(';').map(|one| Model::from_spec(one, inputs)).collect()
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    let presets = PRESETS.iter().map(|(name, _)| *name);
    presets.chain(POPULATIONS.iter().map(|of| of.name))
}

/// The presets and parameters, for a help text of 80 columns: each with its
/// meaning, and below it the tapper's value and the range.
pub fn models() -> String {
    let mut text = String::from("Participants (MODEL):\n");
    for (name, meaning) in PRESETS {
        let _ = writeln!(text, "  {name:<14} {meaning}");
    }
    text.push_str("\nPopulations, whose members differ from each other as published:\n");
    for of in &POPULATIONS {
        let _ = writeln!(text, "  {:<14} {}", of.name, of.meaning);
    }
    text.push_str("\nTheir parameters, such as \"tapper, alpha = 0.25, mean = -40 ms\":\n");
    let standard = Model::tapper();
    for parameter in &PARAMETERS {
        let (name, meaning) = (parameter.key.name, parameter.key.meaning);
        let (value, range) = (parameter.of(&standard), parameter.range());
        let _ = writeln!(text, "  {name:<14} {meaning}\n{:17}{value}; {range}", "");
    }
    text
}

/// What a description assumes: of each participant the preset and everything that decides when
/// taps come, whether it is stated or the preset's. A distribution (`-30 +- 10 ms`) stays as it is.
pub fn assumptions(spec: &str) -> String {
    spec.split(';').map(assumptions_of_one).collect::<Vec<_>>().join("; ")
}

fn assumptions_of_one(spec: &str) -> String {
    if let Some(all) = stated(spec) {
        return all;
    }
    let parts: Vec<&str> = spec.split(',').map(str::trim).collect();
    let named = parts.first().and_then(|name| Model::preset(name));
    let preset = named.unwrap_or_else(Model::tapper);
    let stated: Vec<(&str, &str)> = parts.iter().filter_map(|part| part.split_once('=')).collect();
    let value = |parameter: &Parameter| {
        let of_key = stated.iter().rev().find(|(name, _)| name.trim() == parameter.key.name);
        of_key.map_or_else(|| parameter.of(&preset), |(_, value)| value.trim().to_owned())
    };
    let of_use = |of: &&Parameter| if preset.is_observer() { of.judges } else { of.times };
    let is_used = |of: &&Parameter| !of.rare || value(of) != of.of(&Model::tapper());
    let used = PARAMETERS.iter().filter(of_use).filter(is_used);
    let each = used.map(|of| format!("{} = {}", of.key.name, value(of)));
    format!("{}, {}", preset.name, each.collect::<Vec<_>>().join(", "))
}

/// "did you mean X?", or the whole list where nothing is near.
pub(super) fn hint<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    match nearest(word, known.iter().copied()) {
        Some(name) => format!("did you mean '{name}'?"),
        None => format!("there are: {}", known.join(", ")),
    }
}

pub(super) fn input(name: &str, inputs: &[String]) -> Result<u16, ParticipantSpecError> {
    let place = inputs.iter().position(|input| input == name);
    place.map(|place| place as u16).ok_or_else(|| ParticipantSpecError::UnknownInput {
        name: name.to_string(),
        hint: hint(name, inputs.iter().map(String::as_str)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_core::time::Nanos;

    fn read(spec: &str) -> Result<Model, ParticipantSpecError> {
        Model::from_spec(spec, &["left".to_string(), "right".to_string()])
    }

    #[test]
    fn a_preset_and_what_differs_from_it() {
        let model =
            read("musician, alpha=0.25, mean = -40 ms, note = C4 60 Bb3, input=right").unwrap();
        assert_eq!((model.name, model.alpha, model.input), ("musician", 0.25, 1));
        assert_eq!(model.mean, Nanos::from_millis(-40));
        assert_eq!(model.note.iter().map(|n| n.get()).collect::<Vec<_>>(), [60, 60, 58]);
        assert_eq!(read("").unwrap(), Model::tapper());
        assert_eq!(read("alpha = 1").unwrap().name, "tapper");
    }

    #[test]
    fn mistakes_name_the_nearest_word() {
        let said = |spec: &str| read(spec).unwrap_err().to_string();
        assert_eq!(said("taper"), "there is no participant 'taper'; did you mean 'tapper'?");
        assert!(said("tapper, alhpa = 1").contains("did you mean 'alpha'?"));
        assert!(said("tapper, input = rihgt").contains("did you mean 'right'?"));
        assert!(said("tapper, mean = -40").contains("a time from -1000 ms to 1000 ms"));
        assert!(said("tapper, alpha = 3").contains("from 0 to 2"));
        assert!(said("tapper, 5").contains("key = value"));
        assert!(said("tapper, xyz = 1").contains("there are: alpha, beta"));
    }

    #[test]
    fn the_ends_of_a_range_belong_to_it_as_the_manual_writes_them() {
        let manual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/participants.md");
        let manual = std::fs::read_to_string(manual).unwrap();
        let keys = PARAMETERS.iter().map(|of| of.key.name);
        for key in keys.filter(|key| !["note", "input", "threshold", "bias"].contains(key)) {
            let row = manual.lines().find(|line| line.starts_with(&format!("| `{key}` |")));
            let range = row.unwrap().split('|').nth(3).unwrap().trim().to_string();
            let both = range.strip_prefix('\u{b1}').map(|size| format!("-{size} to {size}"));
            let range = both.unwrap_or(range);
            let (least, greatest) = range.split_once(" to ").unwrap();
            let unit = greatest.split_once(' ').map_or("", |(_, unit)| unit);
            let least = if least.contains(' ') { least.into() } else { format!("{least} {unit}") };
            for end in [least.trim(), greatest] {
                assert!(read(&format!("{key} = {end}")).is_ok(), "{key} = {end}");
            }
            let number = greatest.split(' ').next().unwrap();
            assert!(read(&format!("{key} = {number}1 {unit}")).is_err(), "{key}: {greatest}");
        }
    }

    #[test]
    fn what_a_description_assumes_is_what_it_states_and_the_preset() {
        let said = assumptions("musician, mean = -20 +- 5 ms; beta = 0, input = right");
        let (first, second) = said.split_once("; ").unwrap();
        assert!(first.starts_with("musician, alpha = 0.6, beta = 0.1, clock = 9 ms"), "{first}");
        assert!(first.contains("mean = -20 +- 5 ms") && first.contains("feedback = 0.05"));
        assert!(second.starts_with("tapper, alpha = 0.5, beta = 0,"), "{second}");
        assert!(
            second.ends_with("feedback = 0.1, paced_feedback = -0.3, partner = 0.3"),
            "{second}"
        );
    }

    #[test]
    fn the_help_text_is_80_columns_wide() {
        for line in models().lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }

    #[test]
    fn every_key_is_read_back_from_the_help_text() {
        let said = |of: &&Parameter| !["input", "threshold", "bias"].contains(&of.key.name);
        for of in PARAMETERS.iter().filter(said) {
            let key = of.key.name;
            let spec = format!("tapper, {key} = {}", of.of(&Model::tapper()));
            assert_eq!(read(&spec).unwrap(), Model::tapper(), "{spec}");
            assert!(models().contains(key));
        }
    }
}
