//! The row of JACK's ports in the table of kinds.

use super::listing::jack_ports;
use super::{JackName, JackPort};
use crate::ports::{NameForm, OpenPortError, PortKind, PortName, Uses};
use chronotap_engine::signal::Port;

pub(crate) static KIND: PortKind = PortKind {
    prefix: "jack",
    forms: &[
        NameForm {
            name: "jack",
            words: "own ports in a JACK or PipeWire server that other programs connect to",
        },
        NameForm {
            name: "jack:CLIENT:PORT",
            words: "the same, connected at once to that port of another program",
        },
        NameForm { name: "jack:loop", words: "the same, with the outputs connected to the inputs" },
    ],
    parse: |rest| {
        let Ok(name) = rest.parse::<JackName>();
        Ok(Box::new(name))
    },
    list: jack_ports,
    none_listed: None,
    is_meant_by: |_| false,
    has_sockets: false,
    warning: None,
};

impl PortName for JackName {
    fn full_name(&self) -> String {
        self.to_string()
    }

    fn open(&self, uses: &Uses<'_>) -> Result<Box<dyn Port>, OpenPortError> {
        let port = JackPort::open(self, uses.inputs, uses.outputs);
        Ok(Box::new(port.map_err(OpenPortError::device)?))
    }

    fn carries_sysex(&self) -> bool {
        true
    }

    fn states_latency(&self) -> bool {
        true
    }

    fn reopens(&self) -> bool {
        false // a server that starts anew may run with another period
    }
}
