//! [`ToneName`]: which sound card, how it is to run, and which note sounds how.

use crate::cards::{CardName, NameError};
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
}

/// Why a name after `tone:` was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToneNameError {
    /// No such card.
    #[error("`tone:`: {0}")]
    Card(#[from] NameError),
    /// Nothing of that name can be asked.
    #[error("`tone:…?{0}` is not known")]
    Option(String),
    /// Not a number.
    #[error("`tone:…?{0}` needs a whole number above 0")]
    Number(String),
}

impl FromStr for ToneName {
    type Err = ToneNameError;

    fn from_str(rest: &str) -> Result<ToneName, ToneNameError> {
        let (card, asked) = rest.split_once('?').unwrap_or((rest, ""));
        let mut name = ToneName { card: card.parse()?, ..ToneName::default() };
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
                _ => return Err(ToneNameError::Option(one.into())),
            }
        }
        Ok(name)
    }
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
        for rest in ["", "virtual", "jack?sounds=kit.toml", "virtual?rate=44100&period=64"] {
            let name: ToneName = rest.parse().unwrap();
            assert_eq!(name.to_string(), format!("tone:{rest}"));
        }
    }

    #[test]
    fn what_is_not_understood_is_answered_with_what_is() {
        let refused = |rest: &str| rest.parse::<ToneName>().unwrap_err();
        let name = "jak".to_owned();
        assert_eq!(refused("jak"), ToneNameError::Card(NameError { name }));
        assert_eq!(refused("jack?priod=3"), ToneNameError::Option("priod=3".into()));
        assert_eq!(refused("jack?period=0"), ToneNameError::Number("period=0".into()));
    }
}
