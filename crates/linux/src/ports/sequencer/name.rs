//! [`SequencerName`]: whom a trial's sequencer ports are connected with, as it stands
//! on a command line, and which of the ports present it means. Pure.

use super::abi::Address;
use crate::ports::NameForm;
use chronotap_core::text::most_like;
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// Whom to connect with (what stands after `seq:`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SequencerName {
    /// `seq` alone: nobody; others connect themselves.
    Anybody,
    /// `CLIENT:PORT`, each by number or name; or one name alone where that is enough.
    Peer(String),
}

/// The name without anybody to connect with.
pub(super) const OWN: NameForm = NameForm {
    name: "seq",
    words: "own ALSA sequencer ports that other programs connect to (aconnect)",
};

/// A port of another program or of a device's driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Peer {
    pub(crate) address: Address,
    pub(crate) client_name: String,
    pub(crate) port_name: String,
    /// Whether it sends, so that it can be an input of a trial.
    pub(crate) sends: bool,
    /// Whether it takes, so that it can be an output of a trial.
    pub(crate) takes: bool,
}

/// Why a name means no port.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SequencerNameError {
    /// No port is called so.
    #[error("{name} is not present")]
    Unknown {
        name: SequencerName,
        /// The name present most like it; empty where nothing is present.
        nearest: String,
    },
    /// Several ports are called so.
    #[error("{name} may be any of {}", choice.join(", "))]
    Several {
        name: SequencerName,
        /// Names that part them.
        choice: Vec<String>,
    },
    /// The port has no such direction.
    #[error("{name} {cannot}")]
    Direction {
        name: SequencerName,
        /// What it cannot do.
        cannot: &'static str,
    },
}

impl SequencerName {
    /// The port that is meant, with the directions that are needed of it; `None`
    /// where others are to connect themselves.
    pub(crate) fn find<'a>(
        &self,
        present: &'a [Peer],
        input: bool,
        output: bool,
    ) -> Result<Option<&'a Peer>, SequencerNameError> {
        let SequencerName::Peer(text) = self else { return Ok(None) };
        let called: Vec<&Peer> = present.iter().filter(|peer| peer.is_called(text)).collect();
        let able = |peer: &&&Peer| (!input || peer.sends) && (!output || peer.takes);
        let able: Vec<&Peer> = called.iter().filter(able).copied().collect();
        let name = self.clone();
        match (&able[..], &called[..]) {
            ([peer], _) => Ok(Some(peer)),
            ([], []) => Err(SequencerNameError::Unknown { name, nearest: self.nearest(present) }),
            ([], _) => {
                let cannot = match (input, output) {
                    (true, true) => "does not both send and take",
                    (true, _) => "sends nothing",
                    _ => "takes nothing",
                };
                Err(SequencerNameError::Direction { name, cannot })
            }
            (several, _) => {
                let choice = several.iter().map(|peer| peer.unique_name(present)).collect();
                Err(SequencerNameError::Several { name, choice })
            }
        }
    }

    fn nearest(&self, present: &[Peer]) -> String {
        let names: Vec<String> = present.iter().flat_map(Peer::names).collect();
        let names: Vec<String> = names.into_iter().map(|name| format!("seq:{name}")).collect();
        most_like(&self.to_string(), &names).unwrap_or_default().to_owned()
    }
}

impl Peer {
    /// A name that no other of the ports `present` has: by the client's name, since
    /// numbers change; by number where two clients are called the same.
    pub(crate) fn unique_name(&self, present: &[Peer]) -> String {
        let Address { client, port } = self.address;
        let twin =
            |other: &Peer| other.address.client != client && other.client_name == self.client_name;
        if present.iter().any(twin) {
            return format!("seq:{client}:{port}");
        }
        format!("seq:{}:{port}", self.client_name)
    }

    fn is_called(&self, text: &str) -> bool {
        self.names().any(|name| name.eq_ignore_ascii_case(text))
    }

    fn names(&self) -> impl Iterator<Item = String> {
        let Address { client, port } = self.address;
        let (client, port) = (client.to_string(), port.to_string());
        let ports = [port.as_str(), &self.port_name];
        let clients = [client.as_str(), &self.client_name];
        let both = clients.iter().flat_map(|c| ports.iter().map(move |p| format!("{c}:{p}")));
        let alone = [client.as_str(), &self.client_name, &self.port_name];
        let names: Vec<String> = both.chain(alone.map(str::to_owned)).collect();
        names.into_iter()
    }
}

impl FromStr for SequencerName {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<SequencerName, Infallible> {
        Ok(match text {
            "" => SequencerName::Anybody,
            peer => SequencerName::Peer(peer.to_owned()),
        })
    }
}

impl fmt::Display for SequencerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SequencerName::Anybody => f.write_str("seq"),
            SequencerName::Peer(peer) => write!(f, "seq:{peer}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(client: u8, port: u8, client_name: &str, port_name: &str) -> Peer {
        Peer {
            address: Address { client, port },
            client_name: client_name.into(),
            port_name: port_name.into(),
            sends: port == 0,
            takes: true,
        }
    }

    fn find(text: &str, input: bool) -> Result<Option<Address>, SequencerNameError> {
        let present = [
            peer(24, 0, "Pad", "Pad MIDI 1"),
            peer(24, 1, "Pad", "Pad MIDI 2"),
            peer(128, 0, "Synth:2", "in"),
        ];
        let name: SequencerName = text.parse().unwrap();
        let found = name.find(&present, input, !input);
        found.map(|peer| peer.map(|peer| peer.address))
    }

    #[test]
    fn a_port_is_found_by_numbers_and_names_in_any_mixture() {
        let first = Ok(Some(Address { client: 24, port: 0 }));
        for text in ["24:0", "Pad:0", "pad:Pad MIDI 1", "24:pad midi 1", "Pad MIDI 1"] {
            assert_eq!(find(text, true), first, "{text}");
        }
        assert_eq!(find("Synth:2", false), Ok(Some(Address { client: 128, port: 0 })));
        assert_eq!(find("Synth:2:in", false), Ok(Some(Address { client: 128, port: 0 })));
        assert_eq!(find("", true), Ok(None));
    }

    #[test]
    fn a_client_alone_is_enough_where_one_of_its_ports_will_do() {
        assert_eq!(find("Pad", true), Ok(Some(Address { client: 24, port: 0 })));
        let several = find("Pad", false).unwrap_err();
        let SequencerNameError::Several { choice, .. } = several else { panic!("{several}") };
        assert_eq!(choice, ["seq:Pad:0", "seq:Pad:1"]);
    }

    #[test]
    fn what_cannot_be_is_said() {
        let silent = find("24:1", true).unwrap_err();
        assert!(matches!(silent, SequencerNameError::Direction { cannot: "sends nothing", .. }));
        let unknown = find("Pda:0", true).unwrap_err();
        assert!(
            matches!(&unknown, SequencerNameError::Unknown { nearest, .. } if nearest == "seq:Pad:0")
        );
    }
}
