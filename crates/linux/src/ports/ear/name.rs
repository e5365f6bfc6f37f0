//! [`EarName`]: which channel of which sound card, and how it is listened to.

use crate::cards::{CHANNELS, CardName, CardNameError};
use chronotap_audio::sensor::{
    Listening, Polarity, SENSORS, Sensor, TAP_SHAPES, TapShape, full_scale_of, sensor_named,
};
use chronotap_engine::signal::SoundKept;
use std::fmt;
use std::str::FromStr;

/// The level at which a tap is found where the name gives none, in dB of full scale.
const THRESHOLD_DB: f64 = -30.0;
/// The share of it below which a tap is over.
const RELEASE: f64 = 0.5;
/// Words for what is kept of the sound.
const RECORDS: [(&str, SoundKept); 3] =
    [("taps", SoundKept::Taps), ("all", SoundKept::All), ("none", SoundKept::Nothing)];

/// What stands after `ear:`: the name of a card, and after a `?` what is asked of it, as in
/// `ear:jack?channel=2&threshold=-35`.
#[derive(Clone, Debug)]
pub struct EarName {
    pub card: CardName,
    /// The channel, from 1.
    pub channel: u8,
    /// The channel to which the card's output is looped.
    pub looped: Option<u8>,
    /// Frames a second.
    pub rate_hz: Option<u32>,
    /// Frames of a period.
    pub period_frames: Option<u32>,
    /// Periods of the buffer.
    pub periods: Option<u32>,
    /// How much of the sound is kept.
    pub record: SoundKept,
    /// The shape of the taps that sound on a virtual card.
    pub taps: &'static TapShape,
    sensor: &'static Sensor,
    threshold_db: f64,
    release: f64,
    gap_ms: u32,
    polarity: Polarity,
    mains_hz: Option<u32>,
}

/// Why a name after `ear:` was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EarNameError {
    /// No such card.
    #[error("`ear:`: {0}")]
    Card(#[from] CardNameError),
    /// A loop leads from outputs, and an ear has none.
    #[error("`ear:{0}`: an ear has no outputs that a loop could come from")]
    Loop(String),
    /// Nothing of that name can be asked.
    #[error("`ear:…?{0}` is not known")]
    Option(String),
    /// Not what the option may be.
    #[error("`ear:…?{option}` needs {needs}")]
    Value {
        /// The option as written.
        option: String,
        /// What it may be.
        needs: String,
    },
}

impl EarName {
    /// A card's first channel, listened to as usual.
    fn of(card: CardName) -> EarName {
        let sensor = &SENSORS[0];
        EarName {
            card,
            channel: 1,
            looped: None,
            rate_hz: None,
            period_frames: None,
            periods: None,
            record: SoundKept::default(),
            taps: shape_for(sensor),
            sensor,
            threshold_db: THRESHOLD_DB,
            release: RELEASE,
            gap_ms: usual_gap_ms(sensor),
            polarity: sensor.polarities[0],
            mains_hz: None,
        }
    }

    /// How the channel is listened to.
    pub fn listening(&self) -> Listening {
        Listening {
            sensor: self.sensor,
            threshold: full_scale_of(self.threshold_db),
            release: self.release,
            gap_s: f64::from(self.gap_ms) / 1e3,
            polarity: self.polarity,
            mains_hz: self.mains_hz,
        }
    }

    /// The same with this threshold, in dB of full scale from -90 to 0.
    #[must_use]
    pub fn with_threshold(&self, db: f64) -> EarName {
        EarName { threshold_db: db.clamp(-90.0, 0.0), ..self.clone() }
    }

    /// The same where nothing but what is on its own channel is heard, and all of that kept.
    #[must_use]
    pub fn heard_whole(&self) -> EarName {
        EarName { record: SoundKept::All, looped: None, ..self.clone() }
    }

    /// All of that in words, as it could stand behind the `?`.
    pub fn settings(&self) -> String {
        let hum = self.mains_hz.map_or_else(|| "none".to_owned(), |hz| hz.to_string());
        let EarName { channel, threshold_db, release, gap_ms, .. } = self;
        let (sensor, polarity) = (self.sensor.word, word_of(self.polarity));
        let record = word_of_kept(self.record);
        let looped = self.looped.map(|channel| format!("&loop={channel}")).unwrap_or_default();
        format!(
            "channel={channel}&sensor={sensor}&threshold={threshold_db}&release={release}\
             &gap={gap_ms}&polarity={polarity}&hum={hum}&record={record}{looped}"
        )
    }

    /// How many channels of the card must come in.
    pub(super) fn channels(&self) -> usize {
        self.looped.map_or(self.channel, |looped| looped.max(self.channel)).into()
    }

    /// Whether it is on the virtual card, at which a performer taps and not a hand.
    pub fn is_virtual(&self) -> bool {
        self.card == CardName::Virtual(None)
    }

    /// Why its loop cannot be read, where it has one.
    fn refuse_loop(&self) -> Option<EarNameError> {
        let looped = self.looped?;
        let needs = if looped == self.channel {
            "another channel than that of the taps"
        } else if self.record == SoundKept::Nothing {
            "sound that is kept: record=taps or record=all"
        } else {
            return None;
        };
        Some(EarNameError::Value { option: format!("loop={looped}"), needs: needs.into() })
    }

    /// Takes one option.
    fn ask(&mut self, key: &str, value: &str) -> Result<(), Wrong> {
        match key {
            "channel" => self.channel = channel(value)?,
            "loop" => self.looped = Some(channel(value)?),
            "sensor" => {
                let sensor = sensor_named(value);
                self.sensor = sensor.ok_or_else(|| one_of(SENSORS.iter().map(|s| s.word)))?;
                self.gap_ms = usual_gap_ms(self.sensor);
                self.polarity = self.sensor.polarities[0];
                self.taps = shape_for(self.sensor);
            }
            "threshold" => {
                let db: Option<f64> = value.parse().ok();
                self.threshold_db = db
                    .filter(|db| (-90.0..=0.0).contains(db))
                    .ok_or_else(|| needs("decibels of full scale from -90 to 0"))?;
            }
            "release" => {
                let share: Option<f64> = value.parse().ok();
                self.release = share
                    .filter(|share| *share > 0.0 && *share < 1.0)
                    .ok_or_else(|| needs("a share between 0 and 1"))?;
            }
            "gap" => {
                let gap_ms = value.parse().ok().filter(|ms| (10..=1_000).contains(ms));
                self.gap_ms = gap_ms.ok_or_else(|| needs("whole milliseconds from 10 to 1000"))?;
            }
            "polarity" => {
                let found = Polarity::WORDS.iter().find(|(word, _)| *word == value);
                let none = || one_of(Polarity::WORDS.iter().map(|(word, _)| *word));
                self.polarity = found.ok_or_else(none)?.1;
            }
            "hum" => {
                self.mains_hz = match value {
                    "none" => None,
                    "50" => Some(50),
                    "60" => Some(60),
                    _ => return Err(needs("50, 60 or none")),
                }
            }
            "record" => {
                let found = RECORDS.iter().find(|(word, _)| *word == value);
                let none = || one_of(RECORDS.iter().map(|(word, _)| *word));
                self.record = found.ok_or_else(none)?.1;
            }
            "taps" => {
                let shape = TAP_SHAPES.iter().find(|shape| shape.word == value);
                self.taps = shape.ok_or_else(|| one_of(TAP_SHAPES.iter().map(|s| s.word)))?;
            }
            "rate" => self.rate_hz = Some(number(value, [8_000, 192_000])?),
            "period" => self.period_frames = Some(number(value, [8, 8_192])?),
            "periods" => self.periods = Some(number(value, [2, 64])?),
            _ => return Err(Wrong::Unknown),
        }
        Ok(())
    }
}

/// What is wrong with an option.
enum Wrong {
    Unknown,
    Needs(String),
}

fn needs(what: &str) -> Wrong {
    Wrong::Needs(what.to_owned())
}

fn one_of(words: impl Iterator<Item = &'static str>) -> Wrong {
    Wrong::Needs(format!("one of {}", words.collect::<Vec<_>>().join(", ")))
}

fn number(text: &str, [least, most]: [u32; 2]) -> Result<u32, Wrong> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| Wrong::Needs(format!("a whole number from {least} to {most}")))
}

fn channel(text: &str) -> Result<u8, Wrong> {
    let channel = text.parse().ok().filter(|n| (1..=CHANNELS as u8).contains(n));
    channel.ok_or_else(|| needs("a channel from 1 to 32"))
}

fn usual_gap_ms(sensor: &Sensor) -> u32 {
    (sensor.gap_s * 1e3).round() as u32
}

/// The shape of taps that such a sensor sees best.
fn shape_for(sensor: &Sensor) -> &'static TapShape {
    let rings = |shape: &&TapShape| shape.sensor == sensor.word && shape.rise_s > 0.0;
    TAP_SHAPES.iter().find(rings).unwrap_or(&TAP_SHAPES[0])
}

fn word_of(polarity: Polarity) -> &'static str {
    Polarity::WORDS.iter().find(|(_, one)| *one == polarity).map_or("either", |(word, _)| word)
}

fn word_of_kept(kept: SoundKept) -> &'static str {
    RECORDS.iter().find(|(_, one)| *one == kept).map_or("none", |(word, _)| word)
}

impl FromStr for EarName {
    type Err = EarNameError;

    fn from_str(rest: &str) -> Result<EarName, EarNameError> {
        let (card, asked) = rest.split_once('?').unwrap_or((rest, ""));
        let mut name = EarName::of(card.parse()?);
        if matches!(name.card, CardName::Virtual(Some(_))) {
            return Err(EarNameError::Loop(card.to_owned()));
        }
        // The sensor first: the other options may say otherwise than is usual for it.
        let options = || asked.split('&').filter(|one| !one.is_empty());
        let of_sensor = |one: &&str| one.starts_with("sensor=");
        for option in options().filter(of_sensor).chain(options().filter(|one| !of_sensor(one))) {
            let (key, value) = option.split_once('=').unwrap_or((option, ""));
            name.ask(key, value).map_err(|wrong| match wrong {
                Wrong::Unknown => EarNameError::Option(option.to_owned()),
                Wrong::Needs(needs) => EarNameError::Value { option: option.to_owned(), needs },
            })?;
        }
        name.refuse_loop().map_or(Ok(name), Err)
    }
}

impl fmt::Display for EarName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ear:{}", self.card)?;
        let usual = EarName::of(CardName::Default);
        let usual = EarName {
            gap_ms: usual_gap_ms(self.sensor),
            polarity: self.sensor.polarities[0],
            taps: shape_for(self.sensor),
            ..usual
        };
        let number = |key, value: Option<u32>| value.map(|value| format!("{key}={value}"));
        let other = |differs: bool, said: String| differs.then_some(said);
        let asked = [
            other(self.channel != usual.channel, format!("channel={}", self.channel)),
            number("loop", self.looped.map(u32::from)),
            other(self.sensor != usual.sensor, format!("sensor={}", self.sensor.word)),
            other(
                self.threshold_db != usual.threshold_db,
                format!("threshold={}", self.threshold_db),
            ),
            other(self.release != usual.release, format!("release={}", self.release)),
            other(self.gap_ms != usual.gap_ms, format!("gap={}", self.gap_ms)),
            other(self.polarity != usual.polarity, format!("polarity={}", word_of(self.polarity))),
            number("hum", self.mains_hz),
            other(self.record != usual.record, format!("record={}", word_of_kept(self.record))),
            other(self.taps.word != usual.taps.word, format!("taps={}", self.taps.word)),
            number("rate", self.rate_hz),
            number("period", self.period_frames),
            number("periods", self.periods),
        ];
        let asked: Vec<String> = asked.into_iter().flatten().collect();
        if asked.is_empty() { Ok(()) } else { write!(f, "?{}", asked.join("&")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_it_was_written() {
        for rest in [
            "",
            "virtual",
            "jack?channel=2",
            "alsa:hw:1,0?channel=2&threshold=-41.5&release=0.4&gap=60&polarity=up&hum=50",
            "alsa:hw:PCH,0?sensor=force&polarity=down&rate=44100&period=64&periods=3",
            "virtual?sensor=force&taps=soft",
            "jack?record=all",
            "virtual?channel=2&loop=1",
            "alsa:hw:1,0?channel=2&loop=1",
        ] {
            let name: EarName = rest.parse().unwrap();
            assert_eq!(name.to_string(), format!("ear:{rest}"));
            let again: EarName = name.to_string()["ear:".len()..].parse().unwrap();
            assert_eq!(again.settings(), name.settings());
        }
    }

    #[test]
    fn what_is_not_asked_for_is_as_usual_for_the_sensor() {
        let name: EarName = "jack?gap=100&sensor=force".parse().unwrap();
        assert_eq!(
            name.settings(),
            "channel=1&sensor=force&threshold=-30&release=0.5&gap=100&polarity=up&hum=none\
             &record=taps"
        );
        assert!((name.listening().threshold - 0.031_6).abs() < 1e-4);
    }

    #[test]
    fn what_is_not_understood_is_answered_with_what_is() {
        let refused = |rest: &str| rest.parse::<EarName>().unwrap_err();
        assert_eq!(refused("jak"), EarNameError::Card(CardNameError { name: "jak".into() }));
        assert_eq!(refused("jack?chanel=2"), EarNameError::Option("chanel=2".into()));
        let looped = "virtual:loop:480:1";
        assert_eq!(refused(looped), EarNameError::Loop(looped.into()));
        for option in [
            "channel=0",
            "channel=33",
            "sensor=nose",
            "threshold=1",
            "threshold=loud",
            "release=1",
            "gap=5",
            "polarity=left",
            "hum=55",
            "taps=hard",
            "record=some",
            "rate=1",
            "period=4",
            "periods=1",
            "loop=1",
            "loop=0",
        ] {
            let said = refused(&format!("virtual?{option}"));
            let told = matches!(&said, EarNameError::Value { option: one, .. } if one == option);
            assert!(told, "{said}");
        }
    }
}
