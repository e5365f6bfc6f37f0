//! The row of the ALSA sequencer's ports in the table of kinds.

use super::listing::sequencer_ports;
use super::name::OWN;
use super::{SequencerName, SequencerPort};
use crate::ports::{NameForm, OpenPortError, PortKind, PortName, Uses};
use chronotap_engine::signal::Port;

pub(crate) static KIND: PortKind = PortKind {
    prefix: "seq",
    forms: &[
        OWN,
        NameForm {
            name: "seq:CLIENT:PORT",
            words: "the same, connected at once to that port, each by number or name",
        },
        NameForm {
            name: "seq:NAME",
            words: "the same, by the name of client or port if that is enough",
        },
    ],
    parse: |rest| {
        let Ok(name) = rest.parse::<SequencerName>();
        Ok(Box::new(name))
    },
    list: sequencer_ports,
    none_listed: None,
    is_meant_by: |_| false,
    has_sockets: false,
    warning: None,
};

impl PortName for SequencerName {
    fn full_name(&self) -> String {
        self.to_string()
    }

    fn open(&self, uses: &Uses<'_>) -> Result<Box<dyn Port>, OpenPortError> {
        let port = SequencerPort::open(self, uses.inputs, uses.outputs);
        Ok(Box::new(port.map_err(OpenPortError::device)?))
    }

    fn carries_sysex(&self) -> bool {
        true
    }

    fn reopens(&self) -> bool {
        *self != SequencerName::Anybody // whose own port stays; others connect with it again
    }
}
