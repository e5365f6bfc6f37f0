//! The sequencer ports as `chronotap ports` lists them.

use super::client::Client;
use super::error::refusal;
use super::name::{OWN, Peer, SequencerName};
use crate::ports::Listed;
use chronotap_engine::signal::Stamp;
use std::sync::Arc;

/// A port of one's own, and everybody's ports that one could be connected with.
pub(super) fn sequencer_ports() -> Vec<Listed> {
    let client = Client::open();
    let refused = client.as_ref().err().map(|errno| refusal(&SequencerName::Anybody, *errno));
    let own = Listed {
        name: OWN.name.into(),
        description: OWN.words.into(),
        input: true,
        output: true,
        stamp: Stamp::Kernel,
        refused: refused.map(|error| Arc::new(error) as _),
    };
    let peers = client.map(|client| client.peers()).unwrap_or_default();
    std::iter::once(own).chain(peers.iter().map(|peer| listed(peer, &peers))).collect()
}

fn listed(peer: &Peer, peers: &[Peer]) -> Listed {
    let (client, port) = (peer.address.client, peer.address.port);
    Listed {
        name: peer.unique_name(peers),
        description: format!("ALSA sequencer port {client}:{port} {}", peer.port_name),
        input: peer.sends,
        output: peer.takes,
        stamp: Stamp::Kernel,
        refused: None,
    }
}
