//! The row of keyboards and response boxes in the table of kinds.

use super::devices::evdev_ports;
use super::name::Kept;
use super::{EvdevName, EvdevPort};
use crate::ports::{Misread, NameForm, OpenPortError, PortKind, PortName, Uses};
use chronotap_engine::signal::Port;

pub(crate) static KIND: PortKind = PortKind {
    prefix: "evdev",
    forms: &[
        NameForm {
            name: "evdev:NAME",
            words: "keys of a computer keyboard or response box; its name or /dev path",
        },
        NameForm {
            name: "evdev:NAME@SOCKET",
            words: "the same if two have the same name: its USB socket or serial number",
        },
        NameForm {
            name: "evdev:NAME?keys=KEY:NOTE,...",
            words: "the same, only these keys, each with its note, such as SPACE:60",
        },
        NameForm {
            name: "evdev:NAME?grab",
            words: "the same, with the keys kept from all other programs",
        },
        NameForm {
            name: "evdev:NAME?grab=trials",
            words: "the same, kept while a trial runs only; holding Escape for 2 s ends it",
        },
    ],
    parse: |rest| match rest.parse::<EvdevName>() {
        Ok(name) => Ok(Box::new(name)),
        Err(error) => Err(Misread::wrong(error)),
    },
    list: evdev_ports,
    none_listed: None,
    is_meant_by: |text| text.starts_with("/dev/input/"),
    has_sockets: false,
    warning: None,
};

impl PortName for EvdevName {
    fn full_name(&self) -> String {
        format!("evdev:{self}")
    }

    fn open(&self, uses: &Uses<'_>) -> Result<Box<dyn Port>, OpenPortError> {
        let input = uses.one_input_only(self)?;
        Ok(Box::new(EvdevPort::open(self, input).map_err(OpenPortError::device)?))
    }

    fn warning(&self) -> Option<&'static str> {
        (self.grab == Kept::ForTrials).then_some(
            "evdev: the computer's own keyboard tells of a key some milliseconds to some tens of \
             milliseconds after it is pressed (scan, debounce, USB polling), by an amount that no \
             stamp shows: intervals between taps can be used, asynchronies are late by a constant \
             that must be measured",
        )
    }

    fn reopens(&self) -> bool {
        true
    }
}
