//! The row of the ports that hear taps in the table of kinds.

use super::listing::ears;
use super::{EarName, EarPort};
use crate::ports::{Misread, NameForm, OpenPortError, PortKind, PortName, Uses};
use chronotap_engine::signal::{Port, SoundKept};

pub(crate) static KIND: PortKind = PortKind {
    prefix: "ear",
    forms: &[
        NameForm {
            name: "ear:CARD",
            words: "taps heard on a sound card: jack, alsa:hw:CARD,DEVICE or virtual",
        },
        NameForm {
            name: "ear:CARD?OPTION&OPTION...",
            words: "the same with channel=2, threshold=-35, sensor=force and others",
        },
    ],
    parse: |rest| match rest.parse::<EarName>() {
        Ok(name) => Ok(Box::new(name)),
        Err(error) => Err(Misread::wrong(error)),
    },
    list: ears,
    none_listed: None,
    is_meant_by: |_| false,
    has_sockets: false,
    warning: None,
};

impl PortName for EarName {
    fn full_name(&self) -> String {
        self.to_string()
    }

    fn open(&self, uses: &Uses<'_>) -> Result<Box<dyn Port>, OpenPortError> {
        let input = uses.one_input_only(self)?;
        if self.is_virtual() {
            // Whoever knows who taps there makes it.
            return Err(OpenPortError::NoFarEnd { port: self.to_string() });
        }
        Ok(Box::new(EarPort::open(self, input).map_err(OpenPortError::device)?))
    }

    /// Voices may be in what is recorded.
    fn warning(&self) -> Option<&'static str> {
        match self.record {
            _ if self.is_virtual() => None,
            SoundKept::Taps => Some("ear: 50 ms of sound are recorded around each tap"),
            SoundKept::All => Some("ear: all sound is recorded, voices too"),
            SoundKept::Nothing => None,
        }
    }

    fn reopens(&self) -> bool {
        false // a card that comes back counts its frames anew
    }
}
