//! What is asked of a JACK server as an ordinary client, before and after a trial:
//! who is there, connections, its period. Nothing here is called while
//! a trial runs.

use super::error::JackError;
use super::name::JackName;
use crate::cards::{NoJack, jack_client};
use chronotap_engine::signal::AudioPeriod;
use jack::{Client, PortFlags};

/// The period of the JACK server that runs, if one does: what is written is played so
/// much later.
pub fn jack_period() -> Option<AudioPeriod> {
    connect(&JackName::Anybody).ok().map(|client| period(&client))
}

pub(super) fn period(client: &Client) -> AudioPeriod {
    AudioPeriod { frames: client.buffer_size(), rate_hz: client.sample_rate() }
}

/// A client of the server.
pub(super) fn connect(name: &JackName) -> Result<Client, JackError> {
    jack_client("chronotap").map_err(|none| match none {
        NoJack::Library => JackError::NoLibrary { name: name.clone() },
        NoJack::Server => JackError::NoServer { name: name.clone() },
    })
}

/// The names of the MIDI ports that send (`IS_OUTPUT`) or take (`IS_INPUT`).
pub(super) fn midi_ports(client: &Client, flags: PortFlags) -> Vec<String> {
    client.ports(None, Some(jack::jack_sys::RAW_MIDI_TYPE), flags)
}

/// Connects the client's ports with those that the name means, where they are not connected yet.
pub(super) fn link(
    client: &Client,
    name: &JackName,
    ins: &[String],
    outs: &[String],
) -> Result<(), JackError> {
    let pairs: Vec<(String, String)> = match name {
        JackName::Anybody => Vec::new(),
        JackName::Loop => {
            ins.iter().flat_map(|i| outs.iter().map(|o| (o.clone(), i.clone()))).collect()
        }
        JackName::Peer(peer) => {
            if !ins.is_empty() {
                known(client, name, peer, PortFlags::IS_OUTPUT, "sends")?;
            }
            if !outs.is_empty() {
                known(client, name, peer, PortFlags::IS_INPUT, "takes")?;
            }
            let from = ins.iter().map(|i| (peer.clone(), i.clone()));
            from.chain(outs.iter().map(|o| (o.clone(), peer.clone()))).collect()
        }
    };
    let join = |(from, to): &(String, String)| match client.connect_ports_by_name(from, to) {
        Ok(()) | Err(jack::Error::PortAlreadyConnected(..)) => Ok(()),
        Err(source) => Err(JackError::Refused { name: name.clone(), source }),
    };
    pairs.iter().try_for_each(join)
}

fn known(
    client: &Client,
    name: &JackName,
    peer: &str,
    flags: PortFlags,
    does: &'static str,
) -> Result<(), JackError> {
    let mut present = midi_ports(client, flags);
    if present.iter().any(|port| port == peer) {
        return Ok(());
    }
    present.retain(|port| !client.port_by_name(port).is_some_and(|port| client.is_mine(&port)));
    Err(JackError::Unknown { name: name.clone(), does, present })
}
