//! The row of the virtual wire in the table of kinds, and its name. The wire itself is
//! `chronotap_simulate::Wire`: it needs no device, and whoever knows who taps at its far end
//! makes it, so that opening it by name alone is refused.

use crate::ports::{CodesOf, Listed, Misread, NameForm, OpenPortError, PortKind, PortName, Uses};
use chronotap_engine::signal::{Port, Stamp};
use std::fmt;

pub(crate) static KIND: PortKind = PortKind {
    prefix: "wire",
    forms: &FORMS,
    parse: |rest| Ok(Box::new(WireName::parse(rest).ok_or(Misread::NoSuchForm)?)),
    list: || FORMS.iter().map(listed).collect(),
    none_listed: None,
    is_meant_by: |_| false,
    has_sockets: false,
    warning: None,
};

static FORMS: [NameForm; 4] = [
    NameForm { name: "wire", words: "virtual MIDI cable to a simulated participant" },
    NameForm { name: "wire:loop", words: "the same, looped back to the input" },
    NameForm { name: "wire:unthrottled", words: "virtual cable whose bytes take no time" },
    NameForm { name: "wire:loop:unthrottled", words: "looped cable whose bytes take no time" },
];

/// Which virtual MIDI cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WireName {
    /// Whether it is looped back to the input.
    pub looped: bool,
    /// Whether bytes take their 320 us; otherwise they take no time.
    pub throttled: bool,
}

impl WireName {
    fn parse(rest: &str) -> Option<WireName> {
        let (looped, throttled) = match rest {
            "" => (false, true),
            "loop" => (true, true),
            "unthrottled" => (false, false),
            "loop:unthrottled" | "unthrottled:loop" => (true, false),
            _ => return None,
        };
        Some(WireName { looped, throttled })
    }
}

impl fmt::Display for WireName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let looped = if self.looped { ":loop" } else { "" };
        write!(f, "wire{looped}{}", if self.throttled { "" } else { ":unthrottled" })
    }
}

impl PortName for WireName {
    fn full_name(&self) -> String {
        self.to_string()
    }

    fn open(&self, _uses: &Uses<'_>) -> Result<Box<dyn Port>, OpenPortError> {
        Err(OpenPortError::NoFarEnd { port: self.to_string() })
    }

    fn carries_sysex(&self) -> bool {
        true
    }

    fn codes(&self) -> CodesOf {
        CodesOf::Both { bits: 16 }
    }

    fn states_latency(&self) -> bool {
        true // there is nothing behind it
    }

    fn reopens(&self) -> bool {
        false // it is never lost
    }
}

fn listed(form: &NameForm) -> Listed {
    Listed {
        name: form.name.into(),
        description: form.words.into(),
        input: true,
        output: true,
        stamp: Stamp::Virtual,
        refused: None,
    }
}
