//! The ports that sound, for `chronotap ports`.

use super::{ToneName, TonePort};
use crate::cards::{CardError, CardName, alsa_devices, jack_shape};
use crate::ports::Listed;
use chronotap_engine::signal::Stamp;
use std::sync::Arc;

/// The usual sound card as a port, where it is a real one and can be opened now.
pub fn tone_port() -> Option<ToneName> {
    let card = CardName::Default.found();
    let name = ToneName { card, ..ToneName::default() };
    let real = !matches!(name.card, CardName::Virtual(_));
    (real && TonePort::open(&name).is_ok()).then_some(name)
}

/// The usual card, JACK's or why it is not there, ALSA's devices, and the virtual one.
pub(super) fn tone_ports() -> Vec<Listed> {
    let (server, devices) = (jack_shape().is_some(), alsa_devices());
    let usual = match devices.first() {
        _ if server => "tone:jack".into(),
        Some((name, _)) => format!("tone:{name}"),
        None => "the virtual one: nobody hears it".into(),
    };
    let refused = (!server).then_some(CardError::NoServer);
    let mut all = vec![
        listed("tone:", format!("tones on the sound card that is there ({usual})"), None),
        listed("tone:jack", "tones on the JACK server's sound card".into(), refused),
    ];
    all.extend(devices.into_iter().map(|(name, called)| {
        let description = format!("tones on {called}, for this program alone");
        listed(&format!("tone:{name}"), description, None)
    }));
    let nobody = "tones on no card, to try the timing; nobody hears it";
    all.push(listed("tone:virtual", nobody.into(), None));
    all
}

fn listed(name: &str, description: String, refused: Option<CardError>) -> Listed {
    let refused = refused.map(|error| Arc::new(error) as _);
    let (name, stamp) = (name.into(), Stamp::AudioFrame);
    Listed { name, description, input: false, output: true, stamp, refused }
}
