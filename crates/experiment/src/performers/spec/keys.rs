//! The parameters of a participant: name, unit, range and meaning of each, and how
//! a value gets into the [`Model`].

use super::{SpecError, hint, input};
use crate::note::note;
use crate::performers::decimal;
use crate::performers::model::Model;
use crate::quantity::time;
use chronotap_midi::{Channel, U7};
use chronotap_time::Nanos;

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Takes {
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
const NS_PER_MS: i64 = 1_000_000;

/// Every parameter, in the order of the help text.
pub(super) const KEYS: [(&str, Takes, &str); 22] = [
    ("alpha", Takes::Number(0.0, 2.0), "phase correction, as a share of each asynchrony"),
    ("beta", Takes::Number(0.0, 4.0), "period correction, as a share of each asynchrony"),
    ("clock", Takes::Time(0, 1_000), "SD of the clock's intervals"),
    ("weber", Takes::Number(0.0, 1.0), "the clock's SD also grows by this share of the interval"),
    ("motor", Takes::Time(0, 1_000), "SD of the motor delay"),
    ("mean", Takes::Time(-1_000, 1_000), "asynchrony aimed at; negative is early"),
    ("hold", Takes::Time(5, 60_000), "mean time a key is held"),
    ("hold_sd", Takes::Time(0, 10_000), "SD of the time a key is held"),
    ("miss", Takes::Number(0.0, 0.9), "probability that a tap is missed"),
    ("double", Takes::Number(0.0, 1.0), "probability that a key bounces 20 to 60 ms later"),
    (
        "feedback",
        Takes::Number(-1.0, 1.0),
        "without pacing, the next tap is late by this share of a delay",
    ),
    ("paced_feedback", Takes::Number(-1.0, 1.0), "with pacing, taps move by this share of a delay"),
    ("after", Takes::Whole(1, 1_000), "beats heard before the first tap"),
    ("wait", Takes::Time(0, HOUR_MS), "starts without pacing if nothing has been heard by then"),
    (
        "taps",
        Takes::Whole(0, 1_000_000),
        "stops after this many taps, also missed ones; 0 is never",
    ),
    ("interval", Takes::Time(50, 20_000), "inter-tap interval until two beats have been heard"),
    ("note", Takes::Notes, "keys pressed in turn"),
    ("velocity", Takes::Number(1.0, 127.0), "mean velocity"),
    ("velocity_sd", Takes::Number(0.0, 64.0), "SD of the velocity"),
    ("channel", Takes::Whole(1, 16), "MIDI channel of the taps"),
    ("stream", Takes::Whole(1, 1_000), "pacing stream to follow, by its place in the file"),
    ("input", Takes::Input, "the trial's input to tap on"),
];

/// Sets the parameter `key` from text.
pub(super) fn set(
    model: &mut Model,
    key: &str,
    value: &str,
    inputs: &[String],
) -> Result<(), SpecError> {
    let Some(&(key, takes, _)) = KEYS.iter().find(|(name, ..)| *name == key) else {
        let known = KEYS.iter().map(|(name, ..)| *name);
        return Err(SpecError::UnknownKey { key: key.to_string(), hint: hint(key, known) });
    };
    let bad =
        || SpecError::BadValue { key, value: value.to_string(), expected: wanted(takes, value) };
    match takes {
        Takes::Time(low, high) => {
            let time = time(value).ok().map(|exact| exact.round());
            let time = time.filter(|t| (low * NS_PER_MS..=high * NS_PER_MS).contains(&t.0));
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
            let notes: Option<Vec<U7>> =
                value.split_whitespace().map(|one| note(one).ok()).collect();
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
        "paced_feedback" => model.paced_feedback = number,
        "weber" => model.weber = number,
        "velocity" => model.velocity = number,
        _ => model.velocity_sd = number,
    }
}

fn set_whole(model: &mut Model, key: &str, number: i64) {
    match key {
        "after" => model.after = number as u32,
        "taps" => model.taps = number as u32,
        "channel" => model.channel = Channel::new(number as u8).unwrap_or(Channel::ONE),
        _ => model.stream = (number - 1) as u16,
    }
}

/// A parameter's value, as it would be written.
pub(super) fn value_of(model: &Model, key: &str) -> String {
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
        "paced_feedback" => model.paced_feedback.to_string(),
        "weber" => model.weber.to_string(),
        "after" => model.after.to_string(),
        "taps" => model.taps.to_string(),
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

/// What is wrong with a value that a parameter does not take, and what to write.
fn wanted(takes: Takes, value: &str) -> String {
    match takes {
        Takes::Time(..) if number(value).is_some() => {
            format!("a time needs its unit; write {value} ms ({})", range(takes))
        }
        _ => format!("expected {}", range(takes)),
    }
}

/// What a parameter takes, in words.
pub(super) fn range(takes: Takes) -> String {
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
