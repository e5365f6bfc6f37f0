//! The JACK ports present, for `chronotap ports`.

use super::client::{connect, midi_ports, period};
use super::name::JackName;
use crate::ports::Listed;
use chronotap_engine::signal::Stamp;
use jack::PortFlags;
use std::sync::Arc;

/// One's own ports, the loop, and those of other clients; or why there are none.
pub(super) fn jack_ports() -> Vec<Listed> {
    let client = match connect(&JackName::Anybody) {
        Ok(client) => client,
        Err(refused) => {
            let what = "ports of one's own in a JACK server";
            return vec![Listed {
                refused: Some(Arc::new(refused)),
                ..listed("jack", what, true, true)
            }];
        }
    };
    let period = period(&client);
    let own = format!("ports of one's own in the JACK server; output one period later ({period})");
    let mut all = vec![
        listed("jack", &own, true, true),
        listed("jack:loop", "the same, with the outputs connected to the inputs", true, true),
    ];
    let named = |port: String| format!("jack:{port}");
    let sends = midi_ports(&client, PortFlags::IS_OUTPUT).into_iter().map(named);
    all.extend(sends.map(|port| listed(&port, "sends MIDI in the JACK server", true, false)));
    let takes = midi_ports(&client, PortFlags::IS_INPUT).into_iter().map(named);
    all.extend(takes.map(|port| listed(&port, "takes MIDI in the JACK server", false, true)));
    all
}

fn listed(name: &str, description: &str, input: bool, output: bool) -> Listed {
    let (name, description) = (name.into(), description.into());
    Listed { name, description, input, output, stamp: Stamp::AudioFrame, refused: None }
}
