//! The smallest JACK client through which messages pass unchanged, in the same period:
//! `through:in` to `through:out`. For benchmarks/jack.sh, because neither
//! jack_midi_latency_test nor a trial between two clients can connect to itself. It
//! ends when its standard input does; a client that is killed disturbs the server.

use jack::{Client, ClientOptions, Control, MidiIn, MidiOut, ProcessScope, contrib};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let (client, _) = Client::new("through", ClientOptions::NO_START_SERVER)?;
    let from = client.register_port("in", MidiIn::default())?;
    let mut to = client.register_port("out", MidiOut::default())?;
    let pass = move |_: &Client, scope: &ProcessScope| {
        let mut writer = to.writer(scope);
        for message in from.iter(scope) {
            let _ = writer.write(&message); // a lost one shows in the measurement
        }
        Control::Continue
    };
    let active = client.activate_async((), contrib::ClosureProcessHandler::new(pass))?;
    std::io::copy(&mut std::io::stdin(), &mut std::io::sink())?;
    active.deactivate()?;
    Ok(())
}
