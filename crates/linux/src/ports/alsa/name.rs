//! [`AlsaName`]: the name of an ALSA raw MIDI port as it stands on a command line,
//! and which of the ports present it means. Pure.

use super::midi_port::{MidiPort, PortAddress};
use chronotap_core::text::most_like;
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// Which ALSA raw MIDI port is meant (what stands after `alsa:`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AlsaName {
    /// `hw:CARD[,DEVICE[,PORT]]`: the card by number or id.
    Card(String, PortAddress),
    /// `usb:PATH[,DEVICE[,PORT]]`: the card by the socket that it is plugged into, as
    /// in `usb:1-1.2`; parts two devices that are alike.
    Usb(String, PortAddress),
    /// The name of a port, a device or a card, or a card's id.
    Name(String),
}

/// Why a name means no port.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AlsaNameError {
    /// `alsa:` without a name.
    #[error("`alsa:` needs a name")]
    NoName,
    /// No card has MIDI.
    #[error("alsa:{0}: no MIDI device is present")]
    NonePresent(AlsaName),
    /// No port is called so.
    #[error("alsa:{name} is not present")]
    Unknown {
        name: AlsaName,
        /// The name present most like it.
        nearest: String,
    },
    /// Several ports are called so.
    #[error("alsa:{name} may be any of {count} ports")]
    Several {
        name: AlsaName,
        count: usize,
        /// Names that part them.
        choice: String,
    },
}

impl AlsaName {
    /// The one port of those present that is meant.
    ///
    /// # Errors
    /// Says what is present instead, or how to part several.
    pub fn find<'a>(&self, present: &'a [MidiPort]) -> Result<&'a MidiPort, AlsaNameError> {
        let meant: Vec<&MidiPort> = present.iter().filter(|port| self.means(port)).collect();
        match meant[..] {
            [port] => Ok(port),
            [] if present.is_empty() => Err(AlsaNameError::NonePresent(self.clone())),
            [] => {
                Err(AlsaNameError::Unknown { name: self.clone(), nearest: self.nearest(present) })
            }
            _ => Err(AlsaNameError::Several {
                name: self.clone(),
                count: meant.len(),
                choice: choice(&meant, present),
            }),
        }
    }

    fn means(&self, port: &MidiPort) -> bool {
        match self {
            AlsaName::Card(card, place) => {
                port.place == *place
                    && (port.card.number.to_string() == *card || port.card.id == *card)
            }
            AlsaName::Usb(path, place) => {
                port.place == *place && port.card.usb.as_ref().is_some_and(|usb| usb.path == *path)
            }
            AlsaName::Name(name) => {
                !port.is_spare() && port.names().any(|other| other.eq_ignore_ascii_case(name))
            }
        }
    }

    fn nearest(&self, present: &[MidiPort]) -> String {
        let names: Vec<String> = match self {
            AlsaName::Name(_) => {
                present.iter().flat_map(MidiPort::names).map(|n| format!("alsa:{n}")).collect()
            }
            _ => present.iter().map(|port| port.unique_name(present)).collect(),
        };
        most_like(&format!("alsa:{self}"), &names).unwrap_or_default().to_owned()
    }
}

impl MidiPort {
    /// A name that no other of the ports `present` has: by the card's id, or by the
    /// USB socket where another card is called the same, because ids of equal cards
    /// follow the order of plugging in.
    pub fn unique_name(&self, present: &[MidiPort]) -> String {
        let twin = |other: &MidiPort| {
            other.card.number != self.card.number && other.card.name == self.card.name
        };
        let name = match &self.card.usb {
            Some(usb) if present.iter().any(twin) => AlsaName::Usb(usb.path.clone(), self.place),
            _ => AlsaName::Card(self.card.id.clone(), self.place),
        };
        format!("alsa:{name}")
    }
}

fn choice(meant: &[&MidiPort], present: &[MidiPort]) -> String {
    const SHOWN: usize = 4;
    let names: Vec<String> =
        meant.iter().take(SHOWN).map(|port| port.unique_name(present)).collect();
    let more = if meant.len() > SHOWN { ", …" } else { "" };
    format!("{}{more}", names.join(", "))
}

impl FromStr for AlsaName {
    type Err = Infallible;

    /// What is no `hw:` or `usb:` address is a name.
    fn from_str(text: &str) -> Result<AlsaName, Infallible> {
        let address = |rest: &str| {
            let mut parts = rest.split(',');
            let card = parts.next().filter(|card| !card.is_empty())?.to_owned();
            let mut number = || parts.next().map_or(Some(0), |part| part.parse().ok());
            let place = PortAddress { device: number()?, port: number()? };
            parts.next().is_none().then_some((card, place))
        };
        let named = || AlsaName::Name(text.to_owned());
        Ok(match text.split_once(':') {
            Some(("hw", rest)) => {
                address(rest).map_or_else(named, |(card, place)| AlsaName::Card(card, place))
            }
            Some(("usb", rest)) => {
                address(rest).map_or_else(named, |(path, place)| AlsaName::Usb(path, place))
            }
            _ => named(),
        })
    }
}

impl fmt::Display for AlsaName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AlsaName::Card(card, place) => write!(f, "hw:{card},{place}"),
            AlsaName::Usb(path, place) => write!(f, "usb:{path},{place}"),
            AlsaName::Name(name) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::midi_port::{MidiCard, Usb};
    use super::*;
    use proptest::prelude::*;

    fn pad(number: u32, id: &str, path: &str) -> MidiPort {
        MidiPort {
            card: MidiCard {
                number,
                id: id.into(),
                name: "Pad X".into(),
                driver: "snd-usb-audio".into(),
                usb: Some(Usb { path: path.into(), speed: "12".into() }),
            },
            place: PortAddress::default(),
            device_name: "Pad X".into(),
            port_name: "Pad X MIDI 1".into(),
            input: true,
            output: true,
        }
    }

    fn name(text: &str) -> AlsaName {
        text.parse().unwrap()
    }

    #[test]
    fn a_name_reads_back_as_it_was_written() {
        for text in ["hw:2,0", "hw:Keystation,0,1", "usb:1-1.2,0", "Keystation 49", "a:b"] {
            assert_eq!(name(text).to_string(), text);
        }
        assert_eq!(name("hw:2"), name("hw:2,0,0"));
        assert_eq!(name("hw:2,x"), AlsaName::Name("hw:2,x".into()));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn any_text_is_a_name_that_means_the_same_when_written_again(
            text in "(hw:|usb:)?[A-Za-z0-9 ,:.-]{1,12}"
        ) {
            let read = name(&text);
            prop_assert_eq!(name(&read.to_string()), read);
        }
    }

    #[test]
    fn a_port_is_found_by_number_id_socket_and_name() {
        let present = [pad(2, "X", "1-1.2")];
        for text in ["hw:2", "hw:X,0", "usb:1-1.2", "pad x", "X", "Pad X MIDI 1"] {
            assert_eq!(name(text).find(&present), Ok(&present[0]), "{text}");
        }
    }

    #[test]
    fn two_equal_devices_are_parted_by_id_or_socket_and_never_confounded() {
        let present = [pad(2, "X", "1-1.2"), pad(3, "X_1", "1-1.3")];
        assert_eq!(name("X_1").find(&present), Ok(&present[1]));
        let error = name("Pad X").find(&present).unwrap_err();
        let AlsaNameError::Several { count: 2, choice, .. } = error else { panic!("{error}") };
        assert_eq!(choice, "alsa:usb:1-1.2,0, alsa:usb:1-1.3,0");
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_nearest() {
        let present = [pad(2, "X", "1-1.2")];
        let nearest = |text: &str| match name(text).find(&present) {
            Err(AlsaNameError::Unknown { nearest, .. }) => nearest,
            other => panic!("{other:?}"),
        };
        assert_eq!(nearest("Pda X"), "alsa:Pad X");
        assert_eq!(nearest("hw:Y,0"), "alsa:hw:X,0");
        assert_eq!(name("X").find(&[]), Err(AlsaNameError::NonePresent(name("X"))));
    }
}
