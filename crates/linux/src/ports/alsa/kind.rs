//! The row of ALSA's raw MIDI ports in the table of kinds.

use super::listing::alsa_ports;
use super::{AlsaName, AlsaNameError, AlsaPort};
use crate::ports::{Misread, NameForm, OpenPortError, PortKind, PortName, Uses};
use chronotap_engine::signal::Port;

pub(crate) static KIND: PortKind = PortKind {
    prefix: "alsa",
    forms: &[
        NameForm {
            name: "alsa:NAME",
            words: "MIDI device, by the name of its card, device or port",
        },
        NameForm {
            name: "alsa:hw:CARD,DEVICE,PORT",
            words: "the same, by the card's number or id; DEVICE and PORT can be left out",
        },
        NameForm {
            name: "alsa:usb:PATH,DEVICE,PORT",
            words: "the same, by its USB socket, such as alsa:usb:1-1.2",
        },
    ],
    parse,
    list: alsa_ports,
    none_listed: Some(
        "no MIDI device is present; plug one in, or load its driver (`sudo modprobe snd-usb-audio`)",
    ),
    is_meant_by: |text| {
        let is_bare_name = text.contains(' ') && !text.contains([':', '/']);
        text.starts_with("hw:") || text.starts_with("usb:") || is_bare_name
    },
    has_sockets: true,
    warning: None,
};

fn parse(rest: &str) -> Result<Box<dyn PortName>, Misread> {
    if rest.is_empty() {
        return Err(Misread::wrong(AlsaNameError::NoName));
    }
    // Every other text is a name; whether a port is called so shows at opening.
    let Ok(name) = rest.parse::<AlsaName>();
    Ok(Box::new(name))
}

impl PortName for AlsaName {
    fn full_name(&self) -> String {
        format!("alsa:{self}")
    }

    fn open(&self, uses: &Uses<'_>) -> Result<Box<dyn Port>, OpenPortError> {
        let input = uses.at_most_one_input(self)?;
        let port = AlsaPort::open(self, input, uses.output()).map_err(OpenPortError::device)?;
        Ok(Box::new(port))
    }

    fn carries_sysex(&self) -> bool {
        true
    }

    fn reopens(&self) -> bool {
        true
    }
}
