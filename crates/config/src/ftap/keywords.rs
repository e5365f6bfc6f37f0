//! The keywords of FTAP that its public documents attest, each with the values that have a
//! known meaning. Whatever stands in no row here is unknown to this program.
//!
//! Source: the fragments of FTAP's reference manual 2.1.05 that can be read on the web, which
//! show most of these in examples alone; `docs/ftap.md` says how sure each meaning is.

use crate::ftap::FtapFault;

/// An integer parameter.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    pub name: &'static str,
    /// Least value with a known meaning.
    pub least: i64,
    /// Greatest value with a known meaning.
    pub most: i64,
    /// Whether other values select something whose meaning is not known, rather than being
    /// out of range.
    pub mode: bool,
    /// What is read where the file does not give it. FTAP's own value is not known; where
    /// a guess would change the experiment there is none.
    pub unset: Option<i64>,
}

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 86_400_000;

const fn mode(name: &'static str, most: i64) -> Parameter {
    Parameter { name, least: 0, most, mode: true, unset: Some(0) }
}

const fn number(name: &'static str, least: i64, most: i64, unset: Option<i64>) -> Parameter {
    Parameter { name, least, most, mode: false, unset }
}

/// Every attested integer parameter.
pub(crate) static PARAMETERS: [Parameter; 29] = [
    mode("FEED_ON", 3),
    number("FEED_CHAN", 1, 16, Some(1)),
    number("FEED_NOTE", 0, 127, None),
    mode("FEED_VMODE", 1),
    number("FEED_VEL", 1, 127, None),
    number("FEED_LEN", 0, HOUR_MS, Some(0)),
    mode("FEED_PMODE", 1),
    mode("FEED_DMODE", 1),
    number("FEED_DVAL", 0, DAY_MS, None),
    mode("FEED2_ON", 3),
    number("FEED2_CHAN", 1, 16, Some(1)),
    number("FEED2_NOTE", 0, 127, None),
    mode("FEED2_VMODE", 1),
    number("FEED2_VEL", 1, 127, None),
    number("FEED2_LEN", 0, HOUR_MS, Some(0)),
    mode("FEED2_PMODE", 1),
    mode("FEED2_DMODE", 1),
    number("FEED2_DVAL", 0, DAY_MS, None),
    mode("METRON_ON", 1),
    number("MSPB", 1, HOUR_MS, None),
    number("MET_CHAN", 1, 16, Some(1)),
    number("MET_NOTE", 0, 127, Some(76)),
    number("MET_VEL", 1, 127, Some(100)),
    number("MET_LEN", 1, HOUR_MS, Some(30)),
    number(SPLIT_POINT, 1, 126, None),
    mode("MASK_ON", 1),
    number("MASK_CHAN", 1, 16, Some(1)),
    number("MASK_VEL", 1, 127, None),
    number("MASK_LEN", 1, HOUR_MS, None),
];

/// The note at which the keyboard is split.
pub(crate) const SPLIT_POINT: &str = "SPLIT_POINT";

/// Which positions of the metronome sound: 1 a tone, 0 a rest.
pub(crate) const PATTERN: &str = "MET_PATTERN_ARRAY";
/// The MIDI channel of each position.
pub(crate) const CHANNELS: &str = "MET_CHAN_ARRAY";
/// The record that changes a parameter in mid-trial.
pub(crate) const TRIGGER: &str = "TRIGGER";
/// What a trigger names that ends the trial.
pub(crate) const END: &str = "END_EXP";

/// The integer parameter of this name.
pub(crate) fn parameter(name: &str) -> Option<&'static Parameter> {
    PARAMETERS.iter().find(|parameter| parameter.name == name)
}

/// The array of this name, with the least and greatest of its values.
pub(crate) fn array(name: &str) -> Option<(&'static str, i64, i64)> {
    [(PATTERN, 0, 1), (CHANNELS, 1, 16)].into_iter().find(|(known, ..)| *known == name)
}

/// Every attested keyword that may begin a line: those of masking are known by name only.
pub(crate) fn all() -> impl Iterator<Item = &'static str> {
    PARAMETERS
        .iter()
        .filter(|parameter| !parameter.is_of_masking())
        .map(|parameter| parameter.name)
        .chain([PATTERN, CHANNELS, TRIGGER])
}

/// Whether a line that begins with this word is acted on.
pub(crate) fn is_attested(word: &str) -> bool {
    all().any(|known| known == word)
}

impl Parameter {
    /// Whether it is of masking, and acted on only where the user says what masking is.
    pub fn is_of_masking(&self) -> bool {
        self.name.starts_with("MASK_")
    }

    /// Why this value can be no one's; `None` where it can. An unknown mode may have been one of
    /// FTAP's.
    pub fn outside(&self, value: i64) -> Option<FtapFault> {
        self.refusal(value).filter(|_| !self.mode)
    }

    /// Why this value cannot be read; `None` where it can.
    pub fn refusal(&self, value: i64) -> Option<FtapFault> {
        let Parameter { name, least, most, mode, .. } = *self;
        match mode {
            _ if (least..=most).contains(&value) => None,
            true => Some(FtapFault::UnknownMode { name, value }),
            false => Some(FtapFault::Outside { name, value, least, most }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_channel_has_the_parameters_of_the_first() {
        for first in PARAMETERS.iter().filter(|p| p.name.starts_with("FEED_")) {
            let name = first.name.replace("FEED_", "FEED2_");
            let second = parameter(&name).expect("a twin");
            assert_eq!((second.least, second.most), (first.least, first.most), "{name}");
            assert_eq!((second.mode, second.unset), (first.mode, first.unset), "{name}");
        }
    }

    #[test]
    fn what_is_read_for_an_omitted_parameter_can_be_read() {
        for parameter in &PARAMETERS {
            let refusal = parameter.unset.and_then(|value| parameter.refusal(value));
            assert_eq!(refusal, None, "{}", parameter.name);
        }
    }
}
