//! The row of the terminal's keyboard in the table of kinds, and its name.

use super::KeysPort;
use crate::ports::{Listed, Misread, NameForm, OpenPortError, PortKind, PortName, Uses};
use chronotap_engine::signal::{Port, Stamp};

pub(crate) static KIND: PortKind = PortKind {
    prefix: "keys",
    forms: &[FORM],
    parse: |rest| match rest {
        "" => Ok(Box::new(KeysName)),
        _ => Err(Misread::NoSuchForm),
    },
    list: || vec![listed()],
    none_listed: None,
    is_meant_by: |_| false,
    has_sockets: false,
    warning: Some(
        "keys: a terminal's keyboard is for trying things only: stamps are late by \
         tens of milliseconds that vary, every key is held for 50 ms, and a held key repeats; \
         use evdev: or a MIDI device for data",
    ),
};

const FORM: NameForm = NameForm {
    name: "keys:",
    words: "this terminal's keyboard, for trying things: its timing is poor",
};

/// The terminal's keyboard; there is but one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeysName;

impl PortName for KeysName {
    fn full_name(&self) -> String {
        FORM.name.into()
    }

    fn open(&self, uses: &Uses<'_>) -> Result<Box<dyn Port>, OpenPortError> {
        let input = uses.one_input_only(self)?;
        Ok(Box::new(KeysPort::open(input).map_err(OpenPortError::device)?))
    }

    fn reopens(&self) -> bool {
        false // a terminal that was closed does not come back
    }
}

fn listed() -> Listed {
    Listed {
        name: FORM.name.into(),
        description: FORM.words.into(),
        input: true,
        output: false,
        stamp: Stamp::UserSpace,
        refused: None,
    }
}
