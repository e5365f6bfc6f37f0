//! The port on a real JACK server with its dummy driver, its cycle under the
//! allocation trap. Passed over, with the reason, where jackd is not installed or a
//! server runs already.

use super::client::jack_period;
use super::{JackName, JackPort};
use crate::clocks::{MonotonicClock, timespec};
use assert_no_alloc::assert_no_alloc;
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, Kind};
use chronotap_engine::perturbation::Perturbation;
use chronotap_engine::signal::{AudioPeriod, Port, Written};
use chronotap_testkit::{jack::JackServer, pass_over};

const PERIOD: AudioPeriod = AudioPeriod { frames: 256, rate_hz: 48_000 };

fn pause(time: Nanos) {
    let _ = rustix::event::poll(&mut [], Some(&timespec(time)));
}

fn tone(id: u64, deadline: Nanos) -> Action {
    let (note, velocity) = (U7::from_byte(id as u8), U7::from_byte(90));
    let message = Some(Message::NoteOn { channel: Channel::ONE, note, velocity });
    let (kind, number) = (Kind::Pacing(0), id as u32);
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
            port.told(&mut |_| {});
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
