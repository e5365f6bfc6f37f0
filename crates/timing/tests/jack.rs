//! The loop test through a JACK server with its dummy driver. Passed over, with the
//! reason, where jackd is not installed or a server runs already.

use chronotap_laboratory::Session;
use chronotap_ports::{JackName, JackPort, jack_period};
use chronotap_realtime::{Interrupt, Request};
use chronotap_rehearsal::Rig;
use chronotap_runner::real_time::Settings;
use chronotap_signal::AudioPeriod;
use chronotap_testkit::{jack::JackServer, pass_over};
use chronotap_timing::{Report, Test, in_real_time};

#[test]
fn every_message_comes_back_through_a_jack_server() {
    let _server = match JackServer::start(64, || jack_period().is_some()) {
        Ok(server) => server,
        Err(reason) => return pass_over(reason),
    };
    assert_eq!(jack_period(), Some(AudioPeriod { frames: 64, rate_hz: 48_000 }));
    let port = JackPort::open(&JackName::Loop, &[(0, "input")], &[(0, "output")]);
    let mut rig = Rig::new(1, 1);
    rig.add(Box::new(port.expect("the server runs")), &[0], &[0]).expect("one port");
    let settings = Settings { request: Request::nothing(), spin: false };
    let interrupt = Interrupt::without_signals().expect("a descriptor");
    let test = Test::Loop { inputs: 200 };
    let ports = (&["input"][..], &["output"][..]);
    let mut session = Session::on_ports(rig, ports, &settings, interrupt).expect("a thread");
    let measured = in_real_time(test, &mut session, |_, _| {}).expect("it runs");
    drop(session);
    let report = Report::of(&measured, "jack:loop", "jack:loop");
    assert!(report.complete, "{report}");
    assert_eq!(report.messages.faults(), 0, "{report}");
}
