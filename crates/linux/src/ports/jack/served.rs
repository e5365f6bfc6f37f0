//! The port on a real JACK server with its dummy driver, its cycle under the
//! allocation trap. Passed over, with the reason, where jackd is not installed or a
//! server runs already.

use super::client::{connect, jack_period};
use super::{JackName, JackPort};
use crate::clocks::{MonotonicClock, timespec};
use assert_no_alloc::assert_no_alloc;
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, ActionKind, OutsideChange};
use chronotap_engine::perturbation::Perturbation;
use chronotap_engine::signal::{AudioPeriod, Port, PortError, PortReport, ServerSide, Written};
use chronotap_testkit::pass_over;
use chronotap_testkit_linux::jack::JackServer;

const PERIOD: AudioPeriod = AudioPeriod { frames: 256, rate_hz: 48_000 };

fn pause(time: Nanos) {
    let _ = rustix::event::poll(&mut [], Some(&timespec(time)));
}

fn tone(id: u64, deadline: Nanos) -> Action {
    let (note, velocity) = (U7::from_byte(id as u8), U7::from_byte(90));
    let message = Some(Message::NoteOn { channel: Channel::ONE, note, velocity });
    let (kind, number) = (ActionKind::Pacing(0), id as u32);
    Action {
        id,
        kind,
        number,
        cause: 0,
        deadline,
        instant: deadline,
        port: 0,
        message,
        perturbation: Perturbation::NONE,
    }
}

#[test]
fn neither_the_server_s_thread_nor_the_trial_s_allocates_and_each_tone_comes_back() {
    let _server = match JackServer::start(PERIOD.frames, || jack_period().is_some()) {
        Ok(server) => server,
        Err(reason) => return pass_over(reason),
    };
    let mut port = JackPort::open(&JackName::Loop, &[(0, "input")], &[(0, "output")]).unwrap();
    assert_eq!(port.describe().period, Some(PERIOD));
    let origin = MonotonicClock::raw();
    port.start(origin);
    let now = || MonotonicClock::raw() - origin;
    let (mut stamps, mut played) = (Vec::with_capacity(64), 0);
    for id in 1..=40 {
        let read = assert_no_alloc(|| {
            match port.write(&tone(id, now()), Nanos::ZERO) {
                Ok(Written::At(_)) => played += 1,
                other => assert_eq!(other, Ok(Written::Now)), // never
            }
            port.reports(&mut |_| {});
            port.read(Nanos::ZERO, &mut |arrival| stamps.push(arrival.at))
        });
        assert_eq!(read, Ok(()));
        pause(Nanos::from_micros(7_100));
    }
    port.finish();
    assert_eq!(port.read(Nanos::ZERO, &mut |arrival| stamps.push(arrival.at)), Ok(()));
    assert_eq!((played, stamps.len()), (40, 40));
    // When each is back depends on how the server's own clock wavers on this machine;
    // in virtual time the device lab (jack_trial) holds it to one period.
    assert!(stamps.is_sorted(), "{stamps:?}");
}

/// Waits until the port has told what is looked for; all that it told.
fn told_until(port: &mut JackPort, is: impl Fn(&PortReport) -> bool) -> Vec<PortReport> {
    let mut told = Vec::new();
    for _ in 0..200 {
        port.reports(&mut |one| told.push(one));
        if told.iter().any(&is) {
            return told;
        }
        pause(Nanos::from_millis(10));
    }
    panic!("told only {told:?}")
}

#[test]
fn a_peer_that_ends_is_told_as_a_closed_input_and_a_changed_period_before_the_next_trial() {
    let _server = match JackServer::start(PERIOD.frames, || jack_period().is_some()) {
        Ok(server) => server,
        Err(reason) => return pass_over(reason),
    };
    let (peer, _) = jack::Client::new("pad", jack::ClientOptions::NO_START_SERVER).unwrap();
    let _out = peer.register_port("out", jack::MidiOut::default()).unwrap();
    let peer = peer.activate_async((), ()).unwrap();
    let name: JackName = "pad:out".parse().unwrap();
    let mut port = JackPort::open(&name, &[(3, "input")], &[]).unwrap();
    let quiet = || pause(Nanos::from_millis(300)); // until its own opening has been told
    quiet();
    port.start(MonotonicClock::raw());
    let mut told = Vec::new();
    port.reports(&mut |one| told.push(one));
    assert_eq!(told, [], "its own opening is no change");
    connect(&name).unwrap().set_buffer_size(1_024).unwrap();
    told_until(&mut port, |one| matches!(one, PortReport::Changed(_, OutsideChange::Period)));
    assert_eq!(port.ask_again(), Ok(()));
    let period = AudioPeriod { frames: 1_024, ..PERIOD };
    assert_eq!(port.describe().period, Some(period));
    assert_eq!(port.describe().latency, period.length());
    drop(peer);
    let told = told_until(&mut port, |one| matches!(one, PortReport::Unlinked(3, _)));
    let taken =
        |one: &PortReport| matches!(one, PortReport::Changed(_, OutsideChange::Disconnected));
    assert!(told.iter().any(taken), "{told:?}");
    assert_eq!(port.ask_again(), Err(PortError::Closed), "the next trial on it is refused");
    let (peer, _) = jack::Client::new("pad", jack::ClientOptions::NO_START_SERVER).unwrap();
    let _out = peer.register_port("out", jack::MidiOut::default()).unwrap();
    let _peer = peer.activate_async((), ()).unwrap();
    assert_eq!(port.ask_again(), Ok(()), "it is there again");
}

#[test]
fn what_is_sent_to_a_connection_that_was_taken_away_is_lost_until_it_is_made_again() {
    let _server = match JackServer::start(PERIOD.frames, || jack_period().is_some()) {
        Ok(server) => server,
        Err(reason) => return pass_over(reason),
    };
    let mut port = JackPort::open(&JackName::Loop, &[(0, "input")], &[(0, "output")]).unwrap();
    pause(Nanos::from_millis(300));
    port.start(MonotonicClock::raw());
    assert!(port.write(&tone(1, Nanos::ZERO), Nanos::ZERO).is_ok());
    let other = connect(&JackName::Anybody).unwrap();
    other.disconnect_ports_by_name("chronotap:output", "chronotap:input").unwrap();
    told_until(&mut port, |one| matches!(one, PortReport::Unlinked(0, _)));
    assert_eq!(port.write(&tone(2, Nanos::ZERO), Nanos::ZERO), Err(PortError::Closed));
    assert_eq!(port.ask_again(), Ok(()));
    assert!(port.write(&tone(3, Nanos::ZERO), Nanos::ZERO).is_ok());
    assert_eq!((port.counts().sent, port.counts().lost), (2, 1));
}
