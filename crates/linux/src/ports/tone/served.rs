//! The port on the card of a real JACK server with its dummy driver, which others change while it is
//! open. Passed over, with the reason, where jackd is not installed or a server runs already.

use super::port::TonePort;
use crate::cards::jack_shape;
use crate::clocks::{MonotonicClock, sleep_until};
use assert_no_alloc::assert_no_alloc;
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, ActionKind, OutsideChange};
use chronotap_engine::perturbation::Perturbation;
use chronotap_engine::signal::{
    CardSide, Played, Port, PortError, PortReport, ServerSide, Written,
};
use chronotap_testkit::pass_over;
use chronotap_testkit_linux::jack::JackServer;

fn pause(ms: i64) {
    sleep_until(MonotonicClock::raw() + Nanos::from_millis(ms));
}

fn beat(id: u64, deadline: Nanos) -> Action {
    let (note, velocity) = (U7::from_byte(60), U7::from_byte(90));
    let message = Some(Message::NoteOn { channel: Channel::ONE, note, velocity });
    let (kind, number, cause, port) = (ActionKind::Pacing(0), id as u32, 0, 0);
    let (instant, perturbation) = (deadline, Perturbation::NONE);
    Action { id, kind, number, cause, deadline, instant, port, message, perturbation }
}

/// Waits until the port has told of a change.
fn told_of(port: &mut TonePort, change: OutsideChange) {
    let mut told = Vec::with_capacity(64);
    for _ in 0..200 {
        assert_no_alloc(|| port.reports(&mut |one| told.push(one)));
        if told.iter().any(|one| matches!(one, PortReport::Changed(_, it) if *it == change)) {
            return;
        }
        pause(10);
    }
    panic!("told only {told:?}")
}

fn other() -> jack::Client {
    jack::Client::new("patchbay", jack::ClientOptions::NO_START_SERVER).unwrap().0
}

/// How late after its deadline a beat of now would sound, by the port's own account.
fn lateness(port: &mut TonePort, id: u64, origin: Nanos) -> Nanos {
    let now = MonotonicClock::raw() - origin;
    match port.write(&beat(id, now), now) {
        Ok(Written::At(Played { at, .. })) => at - now,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_period_that_changes_is_told_and_the_next_trial_has_the_new_latency() {
    let _server = match JackServer::start(1_024, || jack_shape().is_some()) {
        Ok(server) => server,
        Err(reason) => return pass_over(reason),
    };
    let mut port = TonePort::open(&"jack".parse().unwrap()).unwrap();
    let mut calls = port.take_calls().unwrap();
    pause(300); // until its own opening has been told
    let origin = MonotonicClock::raw();
    port.start(origin);
    let before = port.describe();
    assert_eq!(before.period.unwrap().frames, 1_024);
    let frame = Nanos(20_834);
    assert!((lateness(&mut port, 1, origin) - before.latency).abs() < frame);
    other().set_buffer_size(256).unwrap();
    told_of(&mut port, OutsideChange::Period);
    assert_eq!(port.describe(), before, "what a trial began with holds to its end");
    port.finish();
    assert_eq!(port.ask_again(), Ok(()));
    let after = port.describe();
    assert_eq!(after.period.unwrap().frames, 256);
    assert!(after.latency < before.latency - Nanos::from_millis(25), "{after:?}");
    assert_eq!(calls.card().period_frames, 256);
    while calls.next().is_some() {}
    let origin = MonotonicClock::raw();
    port.start(origin);
    pause(50);
    assert!((lateness(&mut port, 2, origin) - after.latency).abs() < frame);
}

#[test]
fn a_tone_whose_connection_was_taken_away_is_lost_and_the_next_trial_is_connected_again() {
    let _server = match JackServer::start(256, || jack_shape().is_some()) {
        Ok(server) => server,
        Err(reason) => return pass_over(reason),
    };
    let mut port = TonePort::open(&"jack".parse().unwrap()).unwrap();
    pause(300);
    let origin = MonotonicClock::raw();
    port.start(origin);
    let mut told = Vec::new();
    port.reports(&mut |one| told.push(one));
    assert_eq!(told, [], "its own opening is no change");
    lateness(&mut port, 1, origin);
    for n in 1..=2 {
        let own = format!("chronotap sound:out_{n}");
        other().disconnect_ports_by_name(&own, &format!("system:playback_{n}")).unwrap();
    }
    told_of(&mut port, OutsideChange::Disconnected);
    assert_eq!(port.write(&beat(2, Nanos::ZERO), Nanos::ZERO), Err(PortError::Closed));
    assert_eq!(port.ask_again(), Ok(()));
    let origin = MonotonicClock::raw();
    port.start(origin);
    told_of(&mut port, OutsideChange::Connected);
    lateness(&mut port, 3, origin);
    assert_eq!((port.counts().sent, port.counts().lost), (2, 1));
}

#[test]
fn after_its_server_has_ended_no_trial_begins_on_it() {
    let server = match JackServer::start(256, || jack_shape().is_some()) {
        Ok(server) => server,
        Err(reason) => return pass_over(reason),
    };
    let mut port = TonePort::open(&"jack".parse().unwrap()).unwrap();
    assert_eq!(port.ask_again(), Ok(()));
    drop(server);
    for _ in 0..200 {
        if port.ask_again() == Err(PortError::Closed) {
            return;
        }
        pause(10);
    }
    panic!("it is still there");
}
