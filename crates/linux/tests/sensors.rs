//! A sensor of force, with a pseudo-terminal that says what the firmware said in an emulated ATmega328P
//! (core/tests/sensor/arduino.txt), at the pace of then.

#![allow(
    clippy::disallowed_methods,
    reason = "the far end is another thread, which sends at the pace of the firmware"
)]

use chronotap_core::midi::Message;
use chronotap_core::sensor::ForceStretch;
use chronotap_core::time::Nanos;
use chronotap_engine::signal::{Arrival, FeltForce, LowLatency, Port, PortError, Stamp};
use chronotap_linux::clocks::MonotonicClock;
use chronotap_linux::ports::{OpenPortError, SensorError, Spec};
use chronotap_testkit_linux::terminal::terminal;
use rustix::fd::OwnedFd;
use rustix::termios::{LocalModes, tcgetattr};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The frames of the firmware, each with the microsecond of its first byte.
fn frames() -> Vec<(u64, Vec<u8>)> {
    let lines = include_str!("../../core/tests/sensor/arduino.txt").lines();
    let said = lines.filter_map(|line| line.strip_prefix("frame ")?.split_once(' '));
    let byte = |hex: &str, at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    let bytes = |hex: &str| (0..hex.len()).step_by(2).map(|at| byte(hex, at)).collect();
    said.map(|(us, hex)| (us.parse::<f64>().unwrap() as u64, bytes(hex))).collect()
}

/// Frames of an onset have 19 coded bytes, their zero among them; those of a release too.
fn onsets(frames: &[(u64, Vec<u8>)], from_us: u64) -> usize {
    let taps = frames.iter().filter(|(us, bytes)| *us > from_us && bytes.len() == 19);
    taps.count() / 2
}

/// Waits until the line was opened and set up, as an Arduino does that begins anew then.
fn opened(far: &OwnedFd) {
    let lines = || tcgetattr(far).unwrap().local_modes.contains(LocalModes::ICANON);
    let begun = Instant::now();
    while lines() && begun.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(100));
}

/// Says the frames at their pace, and hangs up.
fn said(far: OwnedFd, frames: Vec<(u64, Vec<u8>)>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        opened(&far);
        let (begun, first) = (Instant::now(), frames[0].0);
        for (us, bytes) in frames {
            let due = begun + Duration::from_micros(us - first);
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            rustix::io::write(&far, &bytes).unwrap();
        }
    })
}

fn open(path: &std::path::Path) -> Result<Box<dyn Port>, OpenPortError> {
    format!("sensor:{}", path.display()).parse::<Spec>().unwrap().open(&[(3, "pad")], &[])
}

fn refusal(path: &std::path::Path) -> SensorError {
    match open(path).map(drop) {
        Err(OpenPortError::Device(error)) => *error.downcast().unwrap(),
        other => panic!("{other:?}"),
    }
}

/// All that comes until the far end hangs up.
fn heard(port: &mut dyn Port, origin: Nanos) -> Vec<Arrival> {
    let (mut all, begun) = (Vec::new(), Instant::now());
    while begun.elapsed() < Duration::from_secs(20) {
        let now = MonotonicClock::raw() - origin;
        match port.read(now, &mut |arrival| all.push(arrival)) {
            Ok(()) => std::thread::sleep(Duration::from_millis(5)),
            Err(PortError::Closed) => return all,
            Err(error) => panic!("{error}"),
        }
    }
    panic!("it never hung up")
}

#[test]
fn onsets_of_the_firmware_are_taps_stamped_by_the_device_and_what_it_says_is_recorded() {
    let frames = frames();
    let (far, path) = terminal();
    let all = onsets(&frames, 0);
    let far_end = said(far, frames);
    let mut port = open(&path).unwrap();
    let mut force = port.take_force().unwrap();
    assert!(port.take_force().is_none() && force.origin().is_none());
    let origin = MonotonicClock::raw();
    port.start(origin);
    let taps = heard(&mut *port, origin);
    far_end.join().unwrap();
    forces_follow_each_other(&mut *force, &taps);
    assert_eq!(force.origin(), Some(origin));
    let presses: Vec<&Arrival> =
        taps.iter().filter(|tap| matches!(tap.message, Message::NoteOn { .. })).collect();
    // It is opened within the first seconds, and what came until then is no tap of the trial.
    assert!(presses.len() >= 5 && presses.len() < all, "{} of {all}", presses.len());
    assert!(taps.iter().all(|tap| tap.input == 3 && tap.stamp == Stamp::Device));
    assert!(taps.windows(2).all(|pair| pair[0].at < pair[1].at));
    assert_eq!(port.counts().received, taps.len() as u64);
    assert_eq!(port.counts().overruns, 0);
    let told = port.describe().sensor.unwrap();
    assert_eq!((told.board.as_str(), told.rate_hz), ("Arduino (ATmega328P)", 8_000));
    assert_eq!((told.rest, told.on, told.off, told.full_scale), (19, 59, 39, 1_023));
    assert_eq!(told.low_latency, LowLatency::Unknown); // a pseudo-terminal has no driver to ask
}

/// A thousand values a second without a gap, which rise with each tap.
fn forces_follow_each_other(force: &mut dyn FeltForce, taps: &[Arrival]) {
    assert_eq!((force.values_hz(), force.most(), force.lost()), (1_000, 8_184, 0));
    let origin = force.origin().unwrap();
    let felt: Vec<ForceStretch> = std::iter::from_fn(|| force.next()).collect();
    let length = |one: &ForceStretch| one.values.as_slice().len() as i64;
    assert!(felt.len() > 100);
    assert!(
        felt.windows(2)
            .all(|pair| pair[1].device_us - pair[0].device_us == 1_000 * length(&pair[0]))
    );
    let at = |ms: i64, tap: &Arrival| {
        let due = tap.at + origin + Nanos::from_millis(ms);
        let one = felt.iter().rfind(|one| one.first <= due)?;
        one.values.as_slice().get(((due - one.first).0 / 1_000_000) as usize).copied()
    };
    // A tap begins 40 above the rest of 19: eight readings of less than 59 are before it.
    let presses = taps.iter().filter(|tap| matches!(tap.message, Message::NoteOn { .. }));
    let (before, after): (Vec<_>, Vec<_>) =
        presses.filter_map(|tap| Some((at(-2, tap)?, at(2, tap)?))).unzip();
    assert!(before.len() >= 5 && before.iter().all(|value| *value < 8 * 59), "{before:?}");
    assert!(after.iter().all(|value| *value > 8 * 59), "{after:?}");
}

#[test]
fn a_frame_that_never_came_is_counted_as_lost() {
    let mut frames = frames();
    let late = frames.iter().rposition(|(_, bytes)| bytes.len() == 19).unwrap();
    frames.remove(late);
    let (far, path) = terminal();
    let far_end = said(far, frames);
    let mut port = open(&path).unwrap();
    port.start(MonotonicClock::raw());
    heard(&mut *port, MonotonicClock::raw());
    far_end.join().unwrap();
    assert_eq!(port.counts().overruns, 1);
}

#[test]
fn a_firmware_of_another_version_is_refused() {
    // A greeting of version 2 from board 1, with its checksum, coded by COBS.
    let (far, path) = terminal();
    let plain = [b'H', 1, 1, 1, 1, 1, 1, 2, 1, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9];
    let crc = plain.iter().fold(0xffff_u16, |crc, byte| {
        let turn = |crc: u16, _| if crc >> 15 == 1 { (crc << 1) ^ 0x1021 } else { crc << 1 };
        (0..8).fold(crc ^ (u16::from(*byte) << 8), turn)
    });
    let [low, high] = crc.to_le_bytes();
    assert!(low != 0 && high != 0, "no zero is to be coded");
    let coded = [&[24][..], &plain, &[low, high, 0]].concat();
    let far_end = std::thread::spawn(move || {
        opened(&far);
        rustix::io::write(&far, &coded).unwrap();
        far
    });
    assert!(matches!(refusal(&path), SensorError::Version { version: 2, .. }));
    drop(far_end.join().unwrap());
}

#[test]
fn what_is_not_there_and_what_is_no_serial_port_are_refused() {
    assert!(matches!(refusal("/dev/none".as_ref()), SensorError::Missing { .. }));
    assert!(matches!(refusal("/dev/null".as_ref()), SensorError::NotALine { .. }));
}
