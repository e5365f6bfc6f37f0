//! The ear on the card of a real JACK server with its dummy driver: what an output plays is led to it,
//! so that the frame of each sound is known. Passed over, with the reason, where jackd is not installed
//! or a server runs already.

use super::EarPort;
use crate::cards::{CardError, jack_shape};
use crate::clocks::{MonotonicClock, sleep_until};
use crate::ports::{EarError, TonePort};
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, ActionKind};
use chronotap_engine::perturbation::Perturbation;
use chronotap_engine::signal::{AudioPeriod, CardSide, HeardPart, Played, Port, Written};
use chronotap_testkit::pass_over;
use chronotap_testkit_linux::jack::JackServer;

/// By which the thread of an output may be late, a part of its latency.
const MARGIN: Nanos = Nanos::from_micros(500);

fn pause(ms: i64) {
    sleep_until(MonotonicClock::raw() + Nanos::from_millis(ms));
}

/// A woodblock: heard for less time than passes until the next one.
fn click(id: u64, deadline: Nanos) -> Action {
    let (note, velocity) = (U7::from_byte(76), U7::from_byte(127));
    let message = Some(Message::NoteOn { channel: Channel::new(10).unwrap(), note, velocity });
    let (kind, number, cause, port) = (ActionKind::Pacing(0), id as u32, 0, 0);
    let (instant, perturbation) = (deadline, Perturbation::NONE);
    Action { id, kind, number, cause, deadline, instant, port, message, perturbation }
}

#[test]
fn a_click_that_a_server_leads_to_an_ear_is_stamped_by_the_frame_at_which_it_was_played() {
    let _server = match JackServer::start(256, || jack_shape().is_some()) {
        Ok(server) => server,
        Err(reason) => return pass_over(reason),
    };
    let mut tone = TonePort::open(&"jack".parse().unwrap()).unwrap();
    let mut ear = EarPort::open(&"jack?channel=2&threshold=-40".parse().unwrap(), 0).unwrap();
    let mut sound = ear.take_sound(0).unwrap();
    let other = jack::Client::new("patchbay", jack::ClientOptions::NO_START_SERVER).unwrap().0;
    other.connect_ports_by_name("chronotap sound:out_1", "chronotap sound-01:in_2").unwrap();
    pause(300);
    let origin = MonotonicClock::raw();
    tone.start(origin);
    ear.start(origin);
    // What is at the converter in one direction was there in the other this much before.
    let playback = tone.describe().latency - MARGIN - ear.describe().period.unwrap().length();
    let around = playback + ear.describe().ear.unwrap().behind;
    let (mut due, mut off) = (Vec::new(), Vec::new());
    for id in 1..=3 {
        let now = MonotonicClock::raw() - origin;
        if let Ok(Written::At(Played { at, .. })) = tone.write(&click(id, now), now) {
            due.push(at - around);
        }
        pause(150);
    }
    ear.read(Nanos::ZERO, &mut |one| {
        if matches!(one.message, Message::NoteOn { .. }) {
            off.extend(due.iter().map(|due| (one.at - *due).abs()).min());
        }
    })
    .unwrap();
    if tone.counts().xruns + ear.counts().xruns > 0 {
        // Frames are missing: sounds are displaced, and the ear is deaf for a moment after each gap.
        return pass_over("the machine is too busy for a JACK server");
    }
    assert_eq!(off.len(), 3, "{off:?}");
    assert!(off.iter().all(|off| *off < Nanos::from_micros(100)), "{off:?}");
    let mut samples = Vec::new();
    let parts = std::iter::from_fn(|| sound.next(&mut samples));
    let taps = parts.filter(|part| matches!(part, HeardPart::Tap { .. })).count();
    assert_eq!(taps, 3, "whoever keeps the sound learns of each");
    assert!(samples.iter().any(|sample| sample.abs() > 0.1));
}

#[test]
fn a_channel_that_the_server_s_card_does_not_have_is_refused() {
    let _server = match JackServer::start(256, || jack_shape().is_some()) {
        Ok(server) => server,
        Err(reason) => return pass_over(reason),
    };
    let period = AudioPeriod { frames: 256, rate_hz: 48_000 };
    let ear = EarPort::open(&"jack?channel=2".parse().unwrap(), 0).unwrap();
    assert_eq!(ear.describe().period, Some(period));
    let refused = |name: &str| EarPort::open(&name.parse().unwrap(), 0).err().unwrap();
    for name in ["jack?channel=3", "jack?rate=44100", "jack?period=64"] {
        let why = refused(name);
        assert!(matches!(why, EarError::Card(CardError::NotOffered { .. })), "{name}: {why}");
    }
}
