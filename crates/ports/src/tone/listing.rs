//! The ports that sound, for `chronotap ports`.

use crate::{Listed, Stamp};
use chronotap_cards::{CardError, jack_shape};

/// The usual card, the virtual one, and JACK's, or why it is not there.
pub(crate) fn tone_ports() -> Vec<Listed> {
    let server = jack_shape();
    let usual = if server.is_some() { "JACK's" } else { "the virtual one: nobody hears it" };
    let refused = server.is_none().then(|| CardError::NoServer.to_string());
    vec![
        listed("tone:", format!("tones on the sound card that is there ({usual})"), None),
        listed("tone:jack", "tones on the JACK server's sound card".into(), refused),
        listed("tone:virtual", "tones on no card, to try the timing; nobody hears it".into(), None),
    ]
}

fn listed(name: &str, description: String, refused: Option<String>) -> Listed {
    let (name, stamp) = (name.into(), Stamp::AudioFrame);
    Listed { name, description, input: false, output: true, stamp, refused }
}
