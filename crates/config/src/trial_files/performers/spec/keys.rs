//! The parameters of a participant: name, unit, range and meaning of each, and how
//! a value gets into the [`Model`].

use super::{ParticipantSpecError, hint, input};
use crate::trial_files::performers::decimal;
use crate::trial_files::performers::model::Model;
use crate::trial_files::performers::observer::StaircaseLevel;
use crate::trial_files::reading::{Default, Key, KeyKind, note, time};
use chronotap_core::midi::{Channel, U7};
use chronotap_core::time::Nanos;

/// One parameter: its key, and where in the model its value is.
pub(super) struct Parameter {
    pub key: Key,
    /// Whether it decides when taps come.
    pub times: bool,
    /// Whether it decides what an observer answers.
    pub judges: bool,
    /// Whether the tapper does without it.
    pub rare: bool,
    slot: Slot,
}

/// Where a value is: how it is looked at, and how it is changed.
#[derive(Clone, Copy)]
enum Slot {
    Time(fn(&Model) -> Nanos, fn(&mut Model, Nanos)),
    Number(fn(&Model) -> f64, fn(&mut Model, f64)),
    Count(fn(&Model) -> u32, fn(&mut Model, u32)),
    Level(fn(&Model) -> Option<StaircaseLevel>, fn(&mut Model, StaircaseLevel)),
    Notes,
    Input,
}

const NS_PER_MS: i64 = 1_000_000;
const NOTES: KeyKind = KeyKind::Form("notes such as 60, C4 or 'C4 E4 G4'");
const INPUT: KeyKind = KeyKind::Name("an input");

/// A field of the model as it is.
macro_rules! slot {
    ($kind:ident, $field:ident) => {
        Slot::$kind(|model| model.$field, |model, to| model.$field = to)
    };
}

/// Channels and streams are counted from 1.
const CHANNEL: Slot = Slot::Count(
    |model| model.channel.number().into(),
    |model, to| model.channel = Channel::new(to as u8).unwrap_or(Channel::ONE),
);
const STREAM: Slot =
    Slot::Count(|model| u32::from(model.stream) + 1, |model, to| model.stream = (to - 1) as u16);

const LEVEL: KeyKind = KeyKind::Form("a level such as 60 ms or 3.5");
const THRESHOLD: Slot =
    Slot::Level(|model| model.observer.threshold, |model, to| model.observer.threshold = Some(to));
const DISCERN: Slot =
    Slot::Number(|model| model.observer.discern, |model, to| model.observer.discern = to);
const BIAS: Slot =
    Slot::Level(|model| model.observer.bias, |model, to| model.observer.bias = Some(to));
const LAPSE: Slot =
    Slot::Number(|model| model.observer.lapse, |model, to| model.observer.lapse = to);
const REACTION: Slot =
    Slot::Time(|model| model.observer.reaction, |model, to| model.observer.reaction = to);

const fn ms(least: i64, greatest: i64) -> KeyKind {
    KeyKind::Time(least * NS_PER_MS, greatest * NS_PER_MS)
}

const fn of(name: &'static str, kind: KeyKind, slot: Slot, meaning: &'static str) -> Parameter {
    let key = Key::new("", name, kind, Default::Not("that of the preset"));
    Parameter { key: key.means(meaning, ""), times: false, judges: false, rare: false, slot }
}

/// The same of one that decides when taps come.
const fn timing(name: &'static str, kind: KeyKind, slot: Slot, meaning: &'static str) -> Parameter {
    Parameter { times: true, ..of(name, kind, slot, meaning) }
}

/// The same of one that the tapper does without.
const fn rare(name: &'static str, kind: KeyKind, slot: Slot, meaning: &'static str) -> Parameter {
    Parameter { rare: true, ..timing(name, kind, slot, meaning) }
}

/// The same of one that decides what is answered.
const fn judging(
    name: &'static str,
    kind: KeyKind,
    slot: Slot,
    meaning: &'static str,
) -> Parameter {
    Parameter { judges: true, ..of(name, kind, slot, meaning) }
}

/// Every parameter, in the order of the help text.
#[rustfmt::skip] // one parameter, one line
pub(super) static PARAMETERS: [Parameter; 46] = [
    timing("alpha", KeyKind::Number(0.0, 2.0), slot!(Number, alpha), "phase correction, as a share of each asynchrony"),
    timing("beta", KeyKind::Number(0.0, 4.0), slot!(Number, beta), "period correction, as a share of each asynchrony"),
    timing("clock", ms(0, 1_000), slot!(Time, clock), "SD of the clock's intervals"),
    timing("weber", KeyKind::Number(0.0, 1.0), slot!(Number, weber), "the clock's SD also grows by this share of the interval"),
    timing("motor", ms(0, 1_000), slot!(Time, motor), "SD of the motor delay"),
    timing("mean", ms(-1_000, 1_000), slot!(Time, mean), "asynchrony aimed at; negative is early"),
    rare("alpha_grows", KeyKind::Number(-2.0, 2.0), slot!(Number, alpha_grows), "added to alpha for each second above 600 ms"),
    rare("weber_grows", KeyKind::Number(-1.0, 1.0), slot!(Number, weber_grows), "added to weber for each second above 600 ms"),
    rare("mean_grows", ms(-1_000, 1_000), slot!(Time, mean_grows), "added to mean, with the square of seconds; 0 at 600 ms"),
    rare("drift", ms(0, 1_000), slot!(Time, drift), "SD of the slow drift of the asynchrony aimed at"),
    rare("drifts_in", ms(100, 1_000_000), slot!(Time, drifts_in), "about how long a drift lasts"),
    rare("wanders", KeyKind::Number(0.0, 1.0), slot!(Number, wanders), "without pacing, SD of a step of the period, a share"),
    rare("saturates", KeyKind::Number(0.0, 1.0), slot!(Number, saturates), "phase correction takes in no more, a share of the interval"),
    rare("asymmetry", KeyKind::Number(-1.0, 1.0), slot!(Number, asymmetry), "alpha is so much larger toward later taps, a share"),
    rare("notice", KeyKind::Number(0.0, 1.0), slot!(Number, notice), "how much an interval must differ to be noticed, a share"),
    rare("follow", KeyKind::Number(0.0, 1.0), slot!(Number, follow), "the period follows what was noticed by this share"),
    rare("follow_slower", KeyKind::Number(-1.0, 1.0), slot!(Number, follow_slower), "added to follow where intervals are longer"),
    rare("anticipate", KeyKind::Number(0.0, 1.0), slot!(Number, anticipate), "the period goes on with a trend by this share"),
    rare("imagine", KeyKind::Number(0.0, 1.0), slot!(Number, imagine), "SD of a beat without any tone, a share of the interval"),
    rare("slips_below", ms(0, 20_000), slot!(Time, slips_below), "at shorter intervals taps slip onto the tones"),
    rare("wrong", KeyKind::Number(0.0, 1.0), slot!(Number, wrong), "probability of a wrong key in a sequence"),
    rare("confuse", KeyKind::Number(0.0, 1.0), slot!(Number, confuse), "added to it after the tone of a neighbouring key"),
    of("hold", ms(5, 60_000), slot!(Time, hold), "mean time a key is held"),
    of("hold_sd", ms(0, 10_000), slot!(Time, hold_sd), "SD of the time a key is held"),
    timing("miss", KeyKind::Number(0.0, 0.9), slot!(Number, miss), "probability that a tap is missed"),
    timing("double", KeyKind::Number(0.0, 1.0), slot!(Number, double), "probability that a key bounces 20 to 60 ms later"),
    timing("feedback", KeyKind::Number(-1.0, 1.0), slot!(Number, feedback), "without pacing, the next tap is late by this share of a delay"),
    timing("paced_feedback", KeyKind::Number(-1.0, 1.0), slot!(Number, paced_feedback), "with pacing, taps move by this share of a delay"),
    rare("heard", ms(-1_000, 1_000), slot!(Time, heard), "with pacing, taps are so much later where they sound"),
    timing("partner", KeyKind::Number(0.0, 2.0), slot!(Number, partner), "without pacing, correction toward another input's tones"),
    rare("hands", KeyKind::Number(0.0, 1.0), slot!(Number, hands), "a hand goes to the other's tap by this share"),
    of("after", KeyKind::Count(1, 1_000), slot!(Count, after), "beats heard before the first tap"),
    of("wait", ms(0, 3_600_000), slot!(Time, wait), "starts without pacing if nothing has been heard by then"),
    of("taps", KeyKind::Count(0, 1_000_000), slot!(Count, taps), "stops after this many taps, also missed ones; 0 is never"),
    of("interval", ms(50, 20_000), slot!(Time, interval), "inter-tap interval until two beats have been heard"),
    of("note", NOTES, Slot::Notes, "keys pressed in turn"),
    of("velocity", KeyKind::Number(1.0, 127.0), slot!(Number, velocity), "mean velocity"),
    of("velocity_sd", KeyKind::Number(0.0, 64.0), slot!(Number, velocity_sd), "SD of the velocity"),
    of("channel", KeyKind::Count(1, 16), CHANNEL, "MIDI channel of the taps"),
    of("stream", KeyKind::Count(1, 1_000), STREAM, "pacing stream to follow, by its place in the file"),
    of("input", INPUT, Slot::Input, "the trial's input to tap on"),
    judging("threshold", LEVEL, THRESHOLD, "observer: the level of 71 % right answers"),
    Parameter { rare: true, ..judging("discern", KeyKind::Number(0.0, 1.0), DISCERN, "observer: the same as a share of one interval") },
    judging("lapse", KeyKind::Number(0.0, 1.0), LAPSE, "observer: share of answers that are guessed"),
    judging("bias", LEVEL, BIAS, "observer: what favours the lowest key, as a level"),
    judging("reaction", ms(150, 60_000), REACTION, "observer: mean time from the last tone to the answer"),
];

/// Sets the parameter `key` from text.
pub(super) fn set(
    model: &mut Model,
    key: &str,
    value: &str,
    inputs: &[String],
) -> Result<(), ParticipantSpecError> {
    let Some(parameter) = PARAMETERS.iter().find(|of| of.key.name == key) else {
        let known = PARAMETERS.iter().map(|of| of.key.name);
        return Err(ParticipantSpecError::UnknownKey {
            key: key.to_string(),
            hint: hint(key, known),
        });
    };
    if let Slot::Input = parameter.slot {
        model.input = input(value, inputs)?;
        return Ok(());
    }
    parameter.take(model, value).ok_or_else(|| ParticipantSpecError::BadValue {
        key: parameter.key.name,
        value: value.to_string(),
        expected: parameter.wanted(value),
    })
}

/// The value that the parameter `key` takes in place of `number`, in the `unit` that stands behind it: the
/// nearest one of its range. A draw can lie outside.
pub fn within(key: &str, number: f64, unit: &str) -> f64 {
    let range = PARAMETERS.iter().find(|of| of.key.name == key).map(|of| of.key.kind);
    match (range, scale(unit)) {
        (Some(KeyKind::Number(least, most)), _) => number.clamp(least, most),
        (Some(KeyKind::Time(least, most)), Some(scale)) => {
            number.clamp(least as f64 / scale, most as f64 / scale)
        }
        _ => number,
    }
}

/// Nanoseconds of a unit of time.
fn scale(unit: &str) -> Option<f64> {
    Some(time(&format!("1 {}", unit.trim())).ok()?.round().0 as f64)
}

impl Parameter {
    /// Puts a value into the model; `None` where it is none, or out of range.
    fn take(&self, model: &mut Model, value: &str) -> Option<()> {
        match (self.slot, self.key.kind) {
            (Slot::Time(_, put), KeyKind::Time(least, greatest)) => {
                let time = time(value).ok()?.round();
                put(model, Some(time).filter(|time| (least..=greatest).contains(&time.0))?);
            }
            (Slot::Number(_, put), KeyKind::Number(least, greatest)) => {
                put(model, number(value).filter(|n| (least..=greatest).contains(n))?);
            }
            (Slot::Count(_, put), KeyKind::Count(least, greatest)) => {
                let fits = |n: &u32| (least..=greatest).contains(&u64::from(*n));
                put(model, value.parse().ok().filter(fits)?);
            }
            (Slot::Level(_, put), _) => put(model, level(value)?),
            _ => {
                let notes = value.split_whitespace().map(|one| note(one).ok());
                let notes = notes.collect::<Option<Vec<U7>>>()?;
                model.note = Some(notes).filter(|notes| !notes.is_empty())?;
            }
        }
        Some(())
    }

    /// Its value, as it would be written.
    pub fn of(&self, model: &Model) -> String {
        match self.slot {
            Slot::Time(of, _) => format!("{} ms", of(model).as_millis_f64()),
            Slot::Number(of, _) => of(model).to_string(),
            Slot::Count(of, _) => of(model).to_string(),
            Slot::Level(of, _) => match of(model) {
                Some(level) => level.to_string(),
                None if self.key.name == "threshold" => "a quarter of the first level".to_string(),
                None => "0".to_string(),
            },
            Slot::Notes => model.note.iter().map(U7::to_string).collect::<Vec<_>>().join(" "),
            Slot::Input => "the first".to_string(),
        }
    }

    /// What is wrong with a value that it does not take, and what to write.
    fn wanted(&self, value: &str) -> String {
        match self.key.kind {
            KeyKind::Time(..) if number(value).is_some() => {
                format!("a time needs its unit; write {value} ms ({})", self.range())
            }
            _ => format!("expected {}", self.range()),
        }
    }

    /// What it takes, in words.
    pub fn range(&self) -> String {
        let ms = |ns: i64| ns / NS_PER_MS;
        match self.key.kind {
            KeyKind::Time(least, greatest) => {
                format!("a time from {} ms to {} ms", ms(least), ms(greatest))
            }
            KeyKind::Number(least, greatest) => format!("a number from {least} to {greatest}"),
            KeyKind::Count(least, greatest) => {
                format!("a whole number from {least} to {greatest}")
            }
            kind => kind.describe(),
        }
    }
}

/// A time, or a plain number.
fn level(text: &str) -> Option<StaircaseLevel> {
    let time = || Some(StaircaseLevel::Time(time(text).ok()?.round()));
    number(text).map(StaircaseLevel::Number).or_else(time)
}

fn number(text: &str) -> Option<f64> {
    Some(decimal::parse(text, 9).ok()? as f64 / 1e9)
}
