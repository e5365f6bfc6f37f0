//! The words in which a participant is asked for: a preset, then what differs, as
//! in `tapper, alpha = 0.25, mean = -40 ms`.
//!
//! One table, [`KEYS`], says what each parameter is, in which unit and range; the
//! reader, the error messages and the help text all come from it.

use super::decimal::{self, DecimalError};
use super::model::{Model, PRESETS};
use chronotap_midi::{Channel, U7};
use chronotap_time::Nanos;
use std::fmt::Write;

/// Why a participant's description was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
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
    #[error("{key} = {value}: expected {expected}")]
    BadValue {
        /// The parameter.
        key: &'static str,
        /// What was given.
        value: String,
        /// What it takes.
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

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Takes {
    /// A time within these bounds, in milliseconds.
    Time(i64, i64),
    /// A plain number within these bounds.
    Number(f64, f64),
    /// A whole number within these bounds.
    Whole(i64, i64),
    /// Keys, by number or name.
    Notes,
    /// An input of the trial, by name.
    Input,
}

const HOUR_MS: i64 = 3_600_000;

const KEYS: [(&str, Takes, &str); 18] = [
    (
        "alpha",
        Takes::Number(0.0, 2.0),
        "phase correction: share of an asynchrony taken off the next tap",
    ),
    (
        "beta",
        Takes::Number(0.0, 4.0),
        "period correction: share of an asynchrony taken off the period",
    ),
    ("clock", Takes::Time(0, 1_000), "SD of the clock's intervals"),
    ("motor", Takes::Time(0, 1_000), "SD of the motor delay"),
    ("mean", Takes::Time(-1_000, 1_000), "asynchrony aimed at; negative is early"),
    ("hold", Takes::Time(5, 60_000), "mean time a key is held"),
    ("hold_sd", Takes::Time(0, 10_000), "SD of the time a key is held"),
    ("miss", Takes::Number(0.0, 0.9), "probability that a tap does not come"),
    ("double", Takes::Number(0.0, 1.0), "probability that a key bounces 20 to 60 ms later"),
    (
        "feedback",
        Takes::Number(-1.0, 1.0),
        "share of the heard feedback delay by which the next tap is late",
    ),
    ("after", Takes::Whole(1, 1_000), "beats heard before the first tap"),
    ("wait", Takes::Time(0, HOUR_MS), "starts unpaced where nothing was heard by then"),
    ("interval", Takes::Time(50, 20_000), "inter-tap interval while no two beats were heard"),
    ("note", Takes::Notes, "keys pressed in turn"),
    ("velocity", Takes::Number(1.0, 127.0), "mean velocity"),
    ("velocity_sd", Takes::Number(0.0, 64.0), "SD of the velocity"),
    ("channel", Takes::Whole(1, 16), "MIDI channel of the taps"),
    ("stream", Takes::Whole(1, 1_000), "pacing stream that is followed, by its place in the file"),
];
const INPUT: (&str, Takes, &str) = (
    "input",
    Takes::Input,
    "the trial's input that is tapped on; the first one where none is named",
);

impl Model {
    /// Reads `PRESET[, KEY = VALUE]...`; an empty text is the preset `tapper`, and
    /// without a preset the keys change that one. `inputs` are the names of the
    /// trial's inputs, in file order.
    ///
    /// # Errors
    /// [`SpecError`], which names the nearest valid word.
    pub fn from_spec(spec: &str, inputs: &[String]) -> Result<Model, SpecError> {
        let mut parts = spec.split(',').map(str::trim).filter(|part| !part.is_empty()).peekable();
        let mut model = match parts.next_if(|part| !part.contains('=')) {
            Some(name) => Model::preset(name).ok_or_else(|| SpecError::UnknownPreset {
                name: name.to_string(),
                hint: hint(name, PRESETS.iter().map(|(name, _)| *name)),
            })?,
            None => Model::tapper(),
        };
        for part in parts {
            let (key, value) = part.split_once('=').ok_or(SpecError::NoValue(part.to_string()))?;
            set(&mut model, key.trim(), value.trim(), inputs)?;
        }
        Ok(model)
    }
}

/// The presets and parameters, for a help text: one per line, with unit, default
/// and meaning.
pub fn models() -> String {
    let mut text = String::from("Participants:\n");
    for (name, meaning) in PRESETS {
        let _ = writeln!(text, "  {name:<12} {meaning}");
    }
    text.push_str("\nParameters (as in 'tapper, alpha = 0.25, mean = -40 ms'), default of the tapper in brackets:\n");
    let standard = Model::tapper();
    for (key, takes, meaning) in KEYS.into_iter().chain([INPUT]) {
        let _ = writeln!(
            text,
            "  {key:<12} {meaning} [{}]; {}",
            value_of(&standard, key),
            range(takes)
        );
    }
    text
}

/// "did you mean X?", or the whole list where nothing is near.
pub(super) fn hint<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    let nearest = known
        .iter()
        .max_by(|a, b| strsim::jaro_winkler(word, a).total_cmp(&strsim::jaro_winkler(word, b)));
    match nearest {
        Some(name) if strsim::jaro_winkler(word, name) > 0.75 => format!("did you mean '{name}'?"),
        _ => format!("there are: {}", known.join(", ")),
    }
}

fn set(model: &mut Model, key: &str, value: &str, inputs: &[String]) -> Result<(), SpecError> {
    let Some(&(key, takes, _)) = KEYS.iter().chain([&INPUT]).find(|(name, ..)| *name == key) else {
        let known = KEYS.iter().chain([&INPUT]).map(|(name, ..)| *name);
        return Err(SpecError::UnknownKey { key: key.to_string(), hint: hint(key, known) });
    };
    let bad = || SpecError::BadValue { key, value: value.to_string(), expected: range(takes) };
    match takes {
        Takes::Time(low, high) => {
            let time = time(value).filter(|t| (low..=high).contains(&(t.0 / 1_000_000)));
            set_time(model, key, time.ok_or_else(bad)?);
        }
        Takes::Number(low, high) => {
            let number = number(value).filter(|n| (low..=high).contains(n)).ok_or_else(bad)?;
            set_number(model, key, number);
        }
        Takes::Whole(low, high) => {
            let whole = value.parse().ok().filter(|n| (low..=high).contains(n)).ok_or_else(bad)?;
            set_whole(model, key, whole);
        }
        Takes::Notes => {
            let notes: Option<Vec<U7>> = value.split_whitespace().map(note).collect();
            model.note = notes.filter(|notes| !notes.is_empty()).ok_or_else(bad)?;
        }
        Takes::Input => model.input = input(value, inputs)?,
    }
    Ok(())
}

fn set_time(model: &mut Model, key: &str, time: Nanos) {
    match key {
        "clock" => model.clock = time,
        "motor" => model.motor = time,
        "mean" => model.mean = time,
        "hold" => model.hold = time,
        "hold_sd" => model.hold_sd = time,
        "wait" => model.wait = time,
        _ => model.interval = time,
    }
}

fn set_number(model: &mut Model, key: &str, number: f64) {
    match key {
        "alpha" => model.alpha = number,
        "beta" => model.beta = number,
        "miss" => model.miss = number,
        "double" => model.double = number,
        "feedback" => model.feedback = number,
        "velocity" => model.velocity = number,
        _ => model.velocity_sd = number,
    }
}

fn set_whole(model: &mut Model, key: &str, number: i64) {
    match key {
        "after" => model.after = number as u32,
        "channel" => model.channel = Channel::new(number as u8).unwrap_or(Channel::ONE),
        _ => model.stream = (number - 1) as u16,
    }
}

fn value_of(model: &Model, key: &str) -> String {
    let ms = |time: Nanos| format!("{} ms", time.as_millis_f64());
    match key {
        "alpha" => model.alpha.to_string(),
        "beta" => model.beta.to_string(),
        "clock" => ms(model.clock),
        "motor" => ms(model.motor),
        "mean" => ms(model.mean),
        "hold" => ms(model.hold),
        "hold_sd" => ms(model.hold_sd),
        "miss" => model.miss.to_string(),
        "double" => model.double.to_string(),
        "feedback" => model.feedback.to_string(),
        "after" => model.after.to_string(),
        "wait" => ms(model.wait),
        "interval" => ms(model.interval),
        "note" => model.note.iter().map(U7::to_string).collect::<Vec<_>>().join(" "),
        "velocity" => model.velocity.to_string(),
        "velocity_sd" => model.velocity_sd.to_string(),
        "channel" => model.channel.to_string(),
        "stream" => (model.stream + 1).to_string(),
        _ => "the first".to_string(),
    }
}

fn range(takes: Takes) -> String {
    match takes {
        Takes::Time(low, high) => format!("a time from {low} ms to {high} ms"),
        Takes::Number(low, high) => format!("a number from {low} to {high}"),
        Takes::Whole(low, high) => format!("a whole number from {low} to {high}"),
        Takes::Notes => "notes such as 60, C4 or 'C4 E4 G4'".to_string(),
        Takes::Input => "the name of an input".to_string(),
    }
}

fn number(text: &str) -> Option<f64> {
    Some(decimal::parse(text, 9).ok()? as f64 / 1e9)
}

/// A time with its unit, `-40 ms`; exact.
fn time(text: &str) -> Option<Nanos> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == 'µ');
    let places = match text[digits.len()..].trim() {
        "s" => 9,
        "ms" => 6,
        "us" | "µs" => 3,
        "ns" => 0,
        _ => return None,
    };
    let read: Result<i64, DecimalError> = decimal::parse(digits.trim_end(), places);
    read.ok().map(Nanos)
}

/// 60, or C4; sharps `#` and flats `b`, C4 being middle C.
fn note(text: &str) -> Option<U7> {
    if let Ok(number) = text.parse() {
        return U7::new(number);
    }
    let mut rest = text.chars();
    let step = match rest.next()?.to_ascii_uppercase() {
        'C' => 0,
        'D' => 2,
        'E' => 4,
        'F' => 5,
        'G' => 7,
        'A' => 9,
        'B' => 11,
        _ => return None,
    };
    let sign = match rest.as_str().chars().next()? {
        '#' => 1,
        'b' => -1,
        _ => 0,
    };
    let octave = if sign == 0 { rest.as_str() } else { &rest.as_str()[1..] };
    let octave: i64 = octave.parse().ok().filter(|octave| (-1..=9).contains(octave))?;
    u8::try_from((octave + 1) * 12 + step + sign).ok().and_then(U7::new)
}

pub(super) fn input(name: &str, inputs: &[String]) -> Result<u16, SpecError> {
    let place = inputs.iter().position(|input| input == name);
    place.map(|place| place as u16).ok_or_else(|| SpecError::UnknownInput {
        name: name.to_string(),
        hint: hint(name, inputs.iter().map(String::as_str)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(spec: &str) -> Result<Model, SpecError> {
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
    fn every_key_is_read_back_from_the_help_text() {
        for (key, ..) in KEYS {
            let spec = format!("tapper, {key} = {}", value_of(&Model::tapper(), key));
            assert_eq!(read(&spec).unwrap(), Model::tapper(), "{spec}");
            assert!(models().contains(key));
        }
    }
}
