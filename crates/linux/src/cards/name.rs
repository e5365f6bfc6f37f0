//! [`CardName`]: the name of a sound card as it stands on the command line. Which card is
//! there is found where cards are opened.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// A sound card by name: nothing, `virtual`, `virtual:loop:FRAMES:GAIN`, `jack` or
/// `alsa:hw:CARD,DEVICE`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum CardName {
    /// The one that is there: JACK's where a server runs, else the first ALSA device that
    /// plays, else the virtual one.
    #[default]
    Default,
    /// No card, but a timer that calls as one would; nobody hears it.
    Virtual(Option<Loop>),
    /// The card of a JACK or PipeWire server.
    Jack,
    /// An ALSA device, for this program alone.
    Alsa {
        /// Number or name of the card.
        card: String,
        /// Number of the device on it.
        device: u32,
    },
}

/// A cable from the outputs of a virtual card to its inputs.
#[derive(Clone, Copy, Debug)]
pub struct Loop {
    /// How long it takes; a period at least.
    pub delay_frames: u32,
    /// What comes back is multiplied with this; below 0 it is inverted.
    pub gain: f32,
}

impl PartialEq for Loop {
    fn eq(&self, other: &Loop) -> bool {
        let key = |one: &Loop| (one.delay_frames, one.gain.to_bits());
        key(self) == key(other)
    }
}

impl Eq for Loop {}

impl Hash for Loop {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.delay_frames, self.gain.to_bits()).hash(state);
    }
}

/// The forms that names of cards have, capitals for what is to be filled in.
pub const CARD_NAMES: [&str; 4] =
    ["virtual", "virtual:loop:FRAMES:GAIN", "jack", "alsa:hw:CARD,DEVICE"];

/// A name was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no sound card `{name}`")]
pub struct CardNameError {
    pub name: String,
}

impl FromStr for CardName {
    type Err = CardNameError;

    fn from_str(name: &str) -> Result<CardName, CardNameError> {
        match name {
            "" => Ok(CardName::Default),
            "virtual" => Ok(CardName::Virtual(None)),
            "jack" => Ok(CardName::Jack),
            _ => looped(name)
                .map(|looped| CardName::Virtual(Some(looped)))
                .or_else(|| alsa(name))
                .ok_or_else(|| CardNameError { name: name.into() }),
        }
    }
}

fn alsa(name: &str) -> Option<CardName> {
    let place = name.strip_prefix("alsa:hw:")?;
    let (card, device) = place.split_once(',').unwrap_or((place, "0"));
    let named = !card.is_empty() && !card.contains('/');
    let (card, device) = (card.to_owned(), device.parse().ok()?);
    named.then_some(CardName::Alsa { card, device })
}

fn looped(name: &str) -> Option<Loop> {
    let (delay, gain) = name.strip_prefix("virtual:loop:")?.split_once(':')?;
    let gain: f32 = gain.parse().ok()?;
    Some(Loop { delay_frames: delay.parse().ok()?, gain: Some(gain).filter(|g| g.is_finite())? })
}

impl fmt::Display for CardName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CardName::Default => Ok(()),
            CardName::Virtual(None) => f.write_str("virtual"),
            CardName::Virtual(Some(Loop { delay_frames, gain })) => {
                write!(f, "virtual:loop:{delay_frames}:{gain}")
            }
            CardName::Jack => f.write_str("jack"),
            CardName::Alsa { card, device } => write!(f, "alsa:hw:{card},{device}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_it_was_written() {
        for name in ["", "virtual", "virtual:loop:480:-0.5", "jack", "alsa:hw:PCH,3"] {
            assert_eq!(name.parse::<CardName>().map(|card| card.to_string()), Ok(name.into()));
        }
        for name in [
            "jak",
            "virtual:loop",
            "virtual:loop:1:x",
            "virtual:loop:1:inf",
            "alsa:hw:",
            "alsa:hw:0,x",
        ] {
            assert!(name.parse::<CardName>().is_err(), "{name}");
        }
    }
}
