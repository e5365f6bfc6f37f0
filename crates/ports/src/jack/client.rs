//! What is asked of a JACK server as an ordinary client, before and after a trial:
//! who is there, connections, its period and its clock. Nothing here is called while
//! a trial runs.

use super::error::JackError;
use super::name::JackName;
use crate::AudioPeriod;
use chronotap_time::{MonotonicClock, Nanos};
use jack::{Client, ClientOptions, PortFlags};

/// The period of the JACK server that runs, if one does: what is written is played so
/// much later.
pub fn jack_period() -> Option<AudioPeriod> {
    connect(&JackName::Anybody).ok().map(|client| period(&client))
}

pub(super) fn period(client: &Client) -> AudioPeriod {
    AudioPeriod { frames: client.buffer_size(), rate_hz: client.sample_rate() }
}

/// A client of the server, silent about its errors: they are told by [`JackError`].
pub(super) fn connect(name: &JackName) -> Result<Client, JackError> {
    if jack::jack_sys::library().is_err() {
        return Err(JackError::NoLibrary { name: name.clone() });
    }
    jack::set_logger(jack::LoggerType::None);
    let opened = Client::new("chronotap", ClientOptions::NO_START_SERVER);
    opened.map(|(client, _)| client).map_err(|_| JackError::NoServer { name: name.clone() })
}

/// The names of the MIDI ports that send (`IS_OUTPUT`) or take (`IS_INPUT`).
pub(super) fn midi_ports(client: &Client, flags: PortFlags) -> Vec<String> {
    client.ports(None, Some(jack::jack_sys::RAW_MIDI_TYPE), flags)
}

/// Connects the client's ports with those that the name means.
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
    let refused = |source| JackError::Refused { name: name.clone(), source };
    pairs.iter().try_for_each(|(from, to)| client.connect_ports_by_name(from, to).map_err(refused))
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
    let present = if present.is_empty() { "none".into() } else { present.join(", ") };
    Err(JackError::Unknown { name: name.clone(), does, present })
}

/// Raw CLOCK_MONOTONIC minus the server's clock, from the closest of some looks. Both
/// are the same clock on Linux; then what is left is less than its microsecond.
pub(super) fn offset(client: &Client) -> Nanos {
    let look = |_| {
        let before = MonotonicClock::raw();
        let server = Nanos::from_micros(client.time() as i64);
        let after = MonotonicClock::raw();
        (after - before, before + (after - before) / 2 - server)
    };
    let closest = (0..16).map(look).min_by_key(|(width, _)| *width);
    let offset = closest.map_or(Nanos::ZERO, |(_, offset)| offset);
    if offset.abs() < Nanos::from_micros(5) { Nanos::ZERO } else { offset }
}
