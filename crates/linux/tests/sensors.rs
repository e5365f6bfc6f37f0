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
    let mut force = port.take_force(3).unwrap();
    assert!(port.take_force(3).is_none() && force.origin().is_none());
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

/// What a [`teensy_tap`] was told, and how many ms after each release it told of it.
type Told = (Vec<u8>, Vec<u64>);

/// A TeensyTap whose clock began this much before it was opened: it answers as its sketch does, and tells of
/// these taps, in ms of its clock from its start on; of every second one so many ms late.
fn teensy_tap(
    far: OwnedFd,
    ahead_ms: u64,
    taps: Vec<(u64, u64)>,
    late_ms: u64,
) -> JoinHandle<Told> {
    std::thread::spawn(move || {
        let (switched_on, mut told, mut started) = (Instant::now(), Vec::new(), None);
        let now = || ahead_ms + switched_on.elapsed().as_millis() as u64;
        let say = |text: String| {
            rustix::io::write(&far, text.as_bytes()).unwrap();
        };
        opened(&far);
        while started.is_none() {
            let mut bytes = [0; 64];
            let length = rustix::io::read(&far, &mut bytes).unwrap();
            told.extend_from_slice(&bytes[..length]);
            for byte in &bytes[..length] {
                match (byte, told.len() > 25) {
                    (55, true) => say(format!("# Stop signal received at t={}\n", now())),
                    (77, true) => {
                        say(format!("# Start signal received at t={}\n", now()));
                        started = Some(now());
                    }
                    _ => {}
                }
            }
            if told.len() == 25 {
                say("# config AF=0 DELAY=0 METR=0 INTVL=1000 NCLICK=0 NCONT=2000000\n".into());
            }
        }
        let mut lags = Vec::new();
        for (number, (onset, release)) in (1..).zip(taps) {
            let (onset, release) = (onset + started.unwrap(), release + started.unwrap());
            let due = release + number % 2 * late_ms;
            std::thread::sleep(Duration::from_millis(due.saturating_sub(now())));
            lags.push(now() - release);
            say(format!("{number} tap {onset} {release} {} 300 0\n", onset + 5));
        }
        std::thread::sleep(Duration::from_millis(100));
        (told, lags)
    })
}

#[test]
fn teensytap_is_started_and_its_taps_are_stamped_by_its_clock_in_whole_milliseconds() {
    let (far, path) = terminal();
    let taps: Vec<(u64, u64)> = (0..8).map(|n| (300 + 150 * n, 360 + 150 * n)).collect();
    let far_end = teensy_tap(far, 3_600_000, taps.clone(), 100);
    let name = format!("sensor:{}?sketch=teensytap", path.display());
    let mut port = name.parse::<Spec>().unwrap().open(&[(3, "pad")], &[]).unwrap();
    let facts = port.describe().sketch.unwrap();
    assert_eq!((&*facts.name, &*facts.told), ("TeensyTap", "at the release"));
    assert_eq!(facts.resolution_ns, 1_000_000);
    assert!(facts.clock_within_ns.is_some() && port.describe().sensor.is_none());
    assert!(port.take_force(3).is_none());
    let origin = MonotonicClock::raw();
    port.start(origin);
    let all = heard(&mut *port, origin);
    let (told, lags) = far_end.join().unwrap();
    assert_eq!((told[0], told.len(), told.last()), (88, 25 + 20 + 1, Some(&77)));
    assert_eq!((all.len(), port.counts().overruns), (16, 0));
    assert!(all.iter().all(|tap| tap.input == 3 && tap.stamp == Stamp::Device));
    let on = |tap: &&Arrival| matches!(tap.message, Message::NoteOn { .. });
    let onsets = all.iter().filter(on).map(|tap| tap.at.0);
    let off: Vec<i64> =
        onsets.zip(&taps).map(|(at, (onset, _))| at - *onset as i64 * 1_000_000).collect();
    // Stamps go by the device's clock and not by when a tap was told. A busy computer's delays move the fit of
    // that clock, and what was told as well. How exact it is without them: core/tests/sensor_sketches.rs.
    let told_apart = (lags.iter().max().unwrap() - lags.iter().min().unwrap()) as i64 * 1_000_000;
    let apart = off.iter().max().unwrap() - off.iter().min().unwrap();
    assert!(told_apart >= 90_000_000 && 4 * apart < told_apart, "{off:?} {lags:?}");
    // One fit maps both ends of a tap; no clock that is followed is more than 6 in 1000 off.
    let held = |pair: &[Arrival]| (pair[1].at - pair[0].at - Nanos::from_millis(60)).abs();
    assert!(all.chunks(2).all(|pair| held(pair) < Nanos::from_micros(361)), "{all:?}");
}

#[test]
fn what_does_not_answer_as_the_sketch_does_is_refused_and_so_is_a_sketch_that_is_not_known() {
    let (far, path) = terminal();
    let name = format!("sensor:{}?sketch=teensytap", path.display());
    let refused = name.parse::<Spec>().unwrap().open(&[(3, "pad")], &[]).map(drop);
    let Err(OpenPortError::Device(error)) = refused else { panic!("{refused:?}") };
    let error = error.downcast::<SensorError>().unwrap();
    assert!(matches!(*error, SensorError::Mute { sketch: "TeensyTap", .. }), "{error}");
    drop(far);
    for wrong in
        ["sensor:/dev/ttyACM0?sketch=mine", "sensor:/dev/ttyACM0?x", "sensor:?sketch=teensytap"]
    {
        assert!(wrong.parse::<Spec>().is_err(), "{wrong}");
    }
}
