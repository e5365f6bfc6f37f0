//! The ports that hear taps, for `chronotap ports`.

use crate::cards::{CardError, alsa_recorders, jack_shape};
use crate::ports::Listed;
use chronotap_engine::signal::Stamp;
use std::sync::Arc;

/// JACK's card or why it is not there, ALSA's devices that record, and the virtual card.
pub(super) fn ears() -> Vec<Listed> {
    let refused = jack_shape().is_none().then_some(CardError::NoServer);
    let mut all = vec![listed("ear:jack", "taps heard on the JACK server's card".into(), refused)];
    all.extend(alsa_recorders().into_iter().map(|(name, called)| {
        let description = format!("taps heard on {called}, for this program alone");
        listed(&format!("ear:{name}"), description, None)
    }));
    let nobody = "taps of a simulated participant, heard on no card";
    all.push(listed("ear:virtual", nobody.into(), None));
    all
}

fn listed(name: &str, description: String, refused: Option<CardError>) -> Listed {
    let refused = refused.map(|error| Arc::new(error) as _);
    let (name, stamp) = (name.into(), Stamp::AudioFrame);
    Listed { name, description, input: true, output: false, stamp, refused }
}
