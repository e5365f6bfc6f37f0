//! The loop test through a JACK server with its dummy driver. Passed over, with the
//! reason, where jackd is not installed or a server runs already.

use crate::common::looped;
use chronotap_engine::signal::AudioPeriod;
use chronotap_linux::ports::{JackName, JackPort, jack_period};
use chronotap_testkit::pass_over;
use chronotap_testkit_linux::jack::JackServer;

#[test]
fn every_message_comes_back_through_a_jack_server() {
    let _server = match JackServer::start(64, || jack_period().is_some()) {
        Ok(server) => server,
        Err(reason) => return pass_over(reason),
    };
    assert_eq!(jack_period(), Some(AudioPeriod { frames: 64, rate_hz: 48_000 }));
    let port = JackPort::open(&JackName::Loop, &[(0, "input")], &[(0, "output")]);
    let report = looped(port.expect("the server runs"), 200);
    assert!(report.complete, "{report}");
    assert_eq!(report.messages.faults(), 0, "{report}");
}
