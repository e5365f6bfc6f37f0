//! [`ToneName`]: which sound card, how it is to run, and which note sounds how.

use crate::cards::{CHANNELS, CardName, CardNameError};
use chronotap_audio::ltc::FrameRate;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// What stands after `tone:`: the name of a card, and after a `?` what is asked of it,
/// as in `tone:virtual?period=64&sounds=kit.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ToneName {
    pub card: CardName,
    /// Frames a second.
    pub rate_hz: Option<u32>,
    /// Frames of a period.
    pub period_frames: Option<u32>,
    /// Periods of the buffer.
    pub periods: Option<u32>,
    /// The file that says which note makes which sound.
    pub sounds: Option<PathBuf>,
    /// The channels that carry codes, where some do.
    pub codes: Option<CodeChannels>,
    /// The channel that carries time code, where one does.
    pub ltc: Option<TimeCodeChannel>,
}

/// A channel of a card that carries linear time code for cameras and other recorders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeCodeChannel {
    /// The channel, from 1.
    pub channel: u8,
    /// Frames a second.
    pub rate: FrameRate,
    /// How high and low it goes, in thousandths of full scale.
    pub level: u16,
}

impl TimeCodeChannel {
    fn parse(text: &str) -> Option<TimeCodeChannel> {
        let channel: u8 = text.parse().ok()?;
        let fits = channel > 0 && usize::from(channel) <= CHANNELS;
        let rate = FrameRate::EUROPEAN;
        fits.then_some(TimeCodeChannel { channel, rate, level: LEVEL })
    }
}

impl fmt::Display for TimeCodeChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ltc={}", self.channel)?;
        if self.rate != FrameRate::EUROPEAN {
            write!(f, "&fps={}", self.rate.fps())?;
        }
        write_level(self.level, f)
    }
}

/// Channels of a card that carry codes for another recorder: the first one the lowest bit of each, or
/// a single one that is high with every code, whatever its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CodeChannels {
    /// The first channel, from 1.
    pub first: u8,
    /// The last, at most 15 further on.
    pub last: u8,
    /// How high they stand, in thousandths of full scale.
    pub level: u16,
}

/// The level where the name gives none.
const LEVEL: u16 = 900;
/// Bits of a code.
const BITS: u8 = 16;

impl CodeChannels {
    /// `3-10`, or a single channel.
    fn parse(text: &str) -> Option<CodeChannels> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last): (u8, u8) = (first.parse().ok()?, last.parse().ok()?);
        let fits = first > 0 && usize::from(last) <= CHANNELS && first <= last;
        (fits && last - first < BITS).then_some(CodeChannels { first, last, level: LEVEL })
    }

    fn has(self, channel: u8) -> bool {
        (self.first..=self.last).contains(&channel)
    }

    /// Bits of a code that they can carry: a single channel says nothing of its number.
    pub fn bits(self) -> u32 {
        match self.last - self.first {
            0 => BITS.into(),
            more => u32::from(more) + 1,
        }
    }
}

impl fmt::Display for CodeChannels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first, self.last) {
            (first, last) if first == last => write!(f, "codes={first}")?,
            (first, last) => write!(f, "codes={first}-{last}")?,
        }
        write_level(self.level, f)
    }
}

/// A level behind what it is of, such as `&level=0.5`; nothing where it is the usual one.
fn write_level(level: u16, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if level == LEVEL { Ok(()) } else { write!(f, "&level={}", f64::from(level) / 1_000.0) }
}

/// Why a name after `tone:` was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToneNameError {
    /// No such card.
    #[error("`tone:`: {0}")]
    Card(#[from] CardNameError),
    /// Nothing of that name can be asked.
    #[error("`tone:…?{0}` is not known")]
    Option(String),
    /// Not a number.
    #[error("`tone:…?{0}` needs a whole number above 0, without a unit")]
    Number(String),
    /// No channels.
    #[error("`tone:…?{0}` needs one channel or at most 16 in a row, from 1 to 32, such as 3-10")]
    Channels(String),
    /// No channel for time code.
    #[error("`tone:…?{0}` needs one channel from 1 to 32 that carries no codes")]
    TimeCode(String),
    /// No rate of time code, or one of no time code.
    #[error("`tone:…?{0}` needs 24, 25 or 30 frames a second, behind ltc=")]
    FrameRate(String),
    /// No level, or one of nothing.
    #[error("`tone:…?{0}` needs a level from 0.001 to 1, behind codes= or ltc=")]
    Level(String),
}

impl FromStr for ToneName {
    type Err = ToneNameError;

    fn from_str(rest: &str) -> Result<ToneName, ToneNameError> {
        let (card, asked) = rest.split_once('?').unwrap_or((rest, ""));
        let mut name = ToneName { card: card.parse()?, ..ToneName::default() };
        let mut last = ""; // what a level is of
        for one in asked.split('&').filter(|one| !one.is_empty()) {
            let (key, value) = one.split_once('=').unwrap_or((one, ""));
            let number = || match value.parse() {
                Ok(number) if number > 0 => Ok(Some(number)),
                _ => Err(ToneNameError::Number(one.into())),
            };
            match key {
                "rate" => name.rate_hz = number()?,
                "period" => name.period_frames = number()?,
                "periods" => name.periods = number()?,
                "sounds" if !value.is_empty() => name.sounds = Some(value.into()),
                "codes" => {
                    let none = || ToneNameError::Channels(one.into());
                    name.codes = Some(CodeChannels::parse(value).ok_or_else(none)?);
                    last = key;
                }
                "ltc" => {
                    let none = || ToneNameError::TimeCode(one.into());
                    name.ltc = Some(TimeCodeChannel::parse(value).ok_or_else(none)?);
                    last = key;
                }
                "fps" => match (&mut name.ltc, value.parse().ok().and_then(FrameRate::new)) {
                    (Some(ltc), Some(rate)) => ltc.rate = rate,
                    _ => return Err(ToneNameError::FrameRate(one.into())),
                },
                "level" => {
                    let none = || ToneNameError::Level(one.into());
                    *name.level_of(last).ok_or_else(none)? = level(value).ok_or_else(none)?;
                }
                _ => return Err(ToneNameError::Option(one.into())),
            }
        }
        match name.ltc.filter(|ltc| name.codes.is_some_and(|codes| codes.has(ltc.channel))) {
            Some(ltc) => Err(ToneNameError::TimeCode(ltc.to_string())),
            None => Ok(name),
        }
    }
}

impl ToneName {
    /// The level of what was named last.
    fn level_of(&mut self, last: &str) -> Option<&mut u16> {
        match last {
            "codes" => self.codes.as_mut().map(|codes| &mut codes.level),
            "ltc" => self.ltc.as_mut().map(|ltc| &mut ltc.level),
            _ => None,
        }
    }

    /// How many channels the card must have: two for the sounds, and those of codes and time code.
    pub fn channels(&self) -> usize {
        let codes = self.codes.map_or(2, |codes| codes.last);
        usize::from(codes.max(self.ltc.map_or(2, |ltc| ltc.channel)).max(2))
    }
}

/// A share of full scale in thousandths.
fn level(text: &str) -> Option<u16> {
    let level = (text.parse::<f64>().ok()? * 1_000.0).round();
    (1.0..=1_000.0).contains(&level).then_some(level as u16)
}

impl fmt::Display for ToneName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tone:{}", self.card)?;
        let number = |key, value: Option<u32>| value.map(|value| format!("{key}={value}"));
        let sounds = self.sounds.as_ref().map(|path| format!("sounds={}", path.display()));
        let asked = [
            number("rate", self.rate_hz),
            number("period", self.period_frames),
            number("periods", self.periods),
            sounds,
            self.codes.map(|codes| codes.to_string()),
            self.ltc.map(|ltc| ltc.to_string()),
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
            "jack?sounds=kit.toml",
            "virtual?rate=44100&period=64",
            "virtual?codes=2",
            "virtual?codes=3-10&level=0.5",
            "virtual?ltc=2",
            "virtual?ltc=3&fps=30&level=0.25",
            "virtual?codes=3-10&ltc=11&fps=24&level=0.5",
            "virtual?codes=3-10&level=0.1&ltc=11",
        ] {
            let name: ToneName = rest.parse().unwrap();
            assert_eq!(name.to_string(), format!("tone:{rest}"));
        }
    }

    #[test]
    fn what_is_not_understood_is_answered_with_what_is() {
        let refused = |rest: &str| rest.parse::<ToneName>().unwrap_err();
        let name = "jak".to_owned();
        assert_eq!(refused("jak"), ToneNameError::Card(CardNameError { name }));
        assert_eq!(refused("jack?priod=3"), ToneNameError::Option("priod=3".into()));
        for codes in ["codes=0", "codes=3-2", "codes=2-33", "codes=1-17", "codes=x"] {
            let said = refused(&format!("virtual?{codes}"));
            assert_eq!(said, ToneNameError::Channels(codes.into()));
        }
        assert_eq!(refused("virtual?level=0.5"), ToneNameError::Level("level=0.5".into()));
        assert_eq!(refused("virtual?codes=2&level=2"), ToneNameError::Level("level=2".into()));
        for ltc in ["ltc=0", "ltc=33", "ltc=2-3", "ltc=x"] {
            assert_eq!(refused(&format!("virtual?{ltc}")), ToneNameError::TimeCode(ltc.into()));
        }
        let both = refused("virtual?ltc=4&codes=3-10");
        assert_eq!(both, ToneNameError::TimeCode("ltc=4".into()));
        for fps in ["virtual?fps=25", "virtual?ltc=2&fps=29.97", "virtual?ltc=2&fps=60"] {
            let one = fps.rsplit(['?', '&']).next().unwrap();
            assert_eq!(refused(fps), ToneNameError::FrameRate(one.into()));
        }
        assert_eq!(refused("jack?period=0"), ToneNameError::Number("period=0".into()));
    }
}
