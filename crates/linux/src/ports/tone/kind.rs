//! The row of the ports that sound in the table of kinds.

use super::listing::tone_ports;
use super::{ToneName, TonePort};
use crate::ports::{CodesOf, Misread, NameForm, OpenPortError, PortKind, PortName, Uses};
use chronotap_engine::signal::Port;

pub(crate) static KIND: PortKind = PortKind {
    prefix: "tone",
    forms: &[
        NameForm { name: "tone:", words: "output that sounds on this computer's sound card" },
        NameForm {
            name: "tone:CARD",
            words: "the same on this card: jack, alsa:hw:CARD,DEVICE or virtual",
        },
        NameForm {
            name: "tone:CARD?OPTION&OPTION...",
            words: "the same with sounds=FILE, rate=HZ, period=FRAMES or periods=N",
        },
        NameForm {
            name: "tone:CARD?codes=CHANNELS",
            words: "the same with codes on further channels, as in codes=3-10&level=0.9",
        },
        NameForm {
            name: "tone:CARD?ltc=CHANNEL",
            words: "the same with time code (LTC) on a channel, as in ltc=3&fps=25&level=0.9",
        },
    ],
    parse: |rest| match rest.parse::<ToneName>() {
        Ok(name) => Ok(Box::new(name)),
        Err(error) => Err(Misread::wrong(error)),
    },
    list: tone_ports,
    none_listed: None,
    is_meant_by: |_| false,
    has_sockets: false,
    warning: None,
};

impl PortName for ToneName {
    fn full_name(&self) -> String {
        self.to_string()
    }

    fn open(&self, uses: &Uses<'_>) -> Result<Box<dyn Port>, OpenPortError> {
        uses.outputs_only(self)?;
        Ok(Box::new(TonePort::open(self).map_err(OpenPortError::device)?))
    }

    fn codes(&self) -> CodesOf {
        self.codes.map_or(CodesOf::None, |codes| CodesOf::Both { bits: codes.bits() })
    }

    fn states_latency(&self) -> bool {
        true
    }

    fn reopens(&self) -> bool {
        false // a card that comes back counts its frames anew
    }
}
