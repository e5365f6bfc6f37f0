//! What is understood of a sensor's line: the bytes that the firmware itself sent in an emulated
//! ATmega328P (tests/sensor/arduino.txt, which `scripts/test-ears.sh keep` makes), and the same with
//! faults.

use chronotap_core::sensor::{Board, Felt, ForceStretch, SensorCounts, SensorFault, SensorLine};
use chronotap_core::time::Nanos;

/// The frames, each with the microsecond at which its first byte began.
fn frames() -> Vec<(f64, Vec<u8>)> {
    said("frame").map(|(us, bytes)| (us, from_hex(bytes))).collect()
}

/// When the force of each tap crossed the level, in microseconds.
fn crossings() -> Vec<f64> {
    said("tap").map(|(us, _)| us).collect()
}

fn said(what: &'static str) -> impl Iterator<Item = (f64, &'static str)> {
    let lines = include_str!("sensor/arduino.txt").lines().map(|line| line.split(' '));
    let lines =
        lines.map(|mut words| [words.next(), words.next(), words.next()].map(Option::unwrap));
    lines.filter(move |line| line[0] == what).map(|line| (line[1].parse().unwrap(), line[2]))
}

fn from_hex(text: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
    (0..text.len()).step_by(2).map(byte).collect()
}

/// A line that hears each frame when its last byte has come, and what it told.
fn heard(frames: &[(f64, Vec<u8>)]) -> (SensorLine, Vec<Felt>) {
    let (mut line, mut all) = (SensorLine::default(), Vec::new());
    for (us, bytes) in frames {
        let came = us + 20.0 * bytes.len() as f64;
        line.hear(bytes, Nanos((came * 1e3) as i64), &mut |felt| all.push(felt)).unwrap();
    }
    (line, all)
}

fn onsets(felt: &[Felt]) -> Vec<f64> {
    let onset = |felt: &Felt| match felt {
        Felt::Onset { at, .. } => Some(at.as_micros_f64()),
        _ => None,
    };
    felt.iter().filter_map(onset).collect()
}

#[test]
fn every_tap_of_the_firmware_is_told_once_within_a_quarter_of_a_millisecond() {
    let (line, felt) = heard(&frames());
    assert_eq!(line.counts(), SensorCounts::default());
    let (onsets, crossings) = (onsets(&felt), crossings());
    assert_eq!(onsets.len(), crossings.len());
    for (onset, crossing) in onsets.iter().zip(&crossings) {
        assert!((onset - crossing).abs() <= 250.0, "{onset} for {crossing}");
    }
    let releases = felt.iter().filter(|felt| matches!(felt, Felt::Release { .. })).count();
    assert_eq!(releases, crossings.len());
}

#[test]
fn the_greeting_says_who_speaks() {
    let greeting = heard(&frames()).0.greeting().unwrap();
    assert_eq!(greeting.board, Board::Atmega328p);
    assert_eq!((greeting.rate_hz, greeting.force_hz, greeting.full_scale), (8_000, 1_000, 1_023));
    assert_eq!((greeting.rest, greeting.on, greeting.off), (19, 59, 39));
}

#[test]
fn forces_come_in_an_unbroken_row_a_value_a_millisecond() {
    let (_, felt) = heard(&frames());
    let mut next = None;
    for one in &felt {
        let Felt::Forces(ForceStretch { first, values, .. }) = one else { continue };
        if let Some(next) = next {
            let apart: Nanos = *first - next;
            assert!(apart.abs() < Nanos::from_micros(150), "{apart:?}"); // while the fit still settles
        }
        next = Some(*first + Nanos::from_millis(values.as_slice().len() as i64));
        assert!(values.as_slice().iter().all(|value| *value <= 8 * 1_023));
    }
    assert!(next.is_some());
}

#[test]
fn whoever_begins_to_listen_in_mid_frame_waits_for_the_next_greeting() {
    let mut frames = frames();
    frames.remove(0);
    frames[0].1.drain(..5);
    let (line, felt) = heard(&frames);
    assert_eq!(line.counts(), SensorCounts::default());
    let second = line.greeting().unwrap();
    assert_eq!(second.on, 59);
    assert!(onsets(&felt).len() < crossings().len());
}

#[test]
fn lost_repeated_and_damaged_frames_are_counted() {
    let mut all = frames();
    let twice = all[10].clone();
    all.insert(11, twice);
    all.remove(20);
    all.remove(20);
    all[30].1[4] ^= 0x10;
    let counts = heard(&all).0.counts();
    let expected = SensorCounts { lost: 3, repeated: 1, damaged: 1, ..SensorCounts::default() };
    assert_eq!(counts, expected);
}

#[test]
fn a_tap_whose_frame_is_lost_is_missed_by_its_number() {
    let mut all = frames();
    // A frame of an onset has 19 bytes and its zero; the second tap's.
    let places = (0..all.len()).filter(|n| all[*n].1.len() == 19);
    let places: Vec<usize> = places.collect();
    all.remove(places[2]); // onset, release, onset
    let (line, felt) = heard(&all);
    assert_eq!((line.counts().lost, line.counts().taps_lost), (1, 1));
    assert_eq!(onsets(&felt).len(), crossings().len() - 1);
}

#[test]
fn a_device_that_begins_again_is_counted_and_its_clock_fitted_anew() {
    let first = frames();
    let again = first.iter().map(|(us, bytes)| (us + 9e6, bytes.clone()));
    let all: Vec<_> = first.iter().cloned().chain(again).collect();
    let (line, felt) = heard(&all);
    let counts = line.counts();
    assert_eq!(counts, SensorCounts { restarted: 1, ..SensorCounts::default() });
    let crossings = crossings();
    for (onset, crossing) in onsets(&felt)[crossings.len()..].iter().zip(&crossings) {
        assert!((onset - 9e6 - crossing).abs() <= 250.0, "{onset}");
    }
}

#[test]
fn frames_that_waited_for_a_reader_that_was_stopped_move_no_clock() {
    let all = frames();
    let (mut line, mut felt) = (SensorLine::default(), Vec::new());
    let (waits, lasts) = (all[100].0, all[300].0);
    let mut waiting = Vec::new();
    for (us, bytes) in &all {
        waiting.extend_from_slice(bytes);
        if (waits..lasts).contains(us) {
            continue;
        }
        let came = Nanos(((us + 20.0 * bytes.len() as f64) * 1e3) as i64);
        line.hear(&waiting, came, &mut |one| felt.push(one)).unwrap();
        waiting.clear();
    }
    let (onsets, crossings) = (onsets(&felt), crossings());
    assert_eq!(onsets.len(), crossings.len());
    for (onset, crossing) in onsets.iter().zip(&crossings) {
        assert!((onset - crossing).abs() <= 250.0, "{onset} for {crossing}");
    }
}

/// CRC-16/IBM-3740 and COBS, for what no firmware says.
fn frame(plain: &[u8]) -> Vec<u8> {
    let mut crc = 0xffff_u16;
    for byte in plain {
        crc ^= u16::from(*byte) << 8;
        (0..8).for_each(|_| crc = if crc >> 15 == 1 { crc << 1 ^ 0x1021 } else { crc << 1 });
    }
    let all = [plain, &crc.to_le_bytes()].concat();
    let mut coded = Vec::new();
    for run in all.split(|byte| *byte == 0) {
        coded.push(run.len() as u8 + 1);
        coded.extend_from_slice(run);
    }
    coded.push(0);
    coded
}

#[test]
fn a_firmware_of_another_version_and_an_unknown_board_are_refused() {
    let greeting = |version, board| {
        let mut plain = vec![b'H', 0, 0, 0, 0, 0, 0, version, board];
        plain.extend([0; 12]);
        SensorLine::default().hear(&frame(&plain), Nanos::ZERO, &mut |_| {})
    };
    assert_eq!(greeting(1, 1), Ok(()));
    assert_eq!(greeting(2, 1), Err(SensorFault::Version(2)));
    assert_eq!(greeting(1, 9), Err(SensorFault::Board(9)));
}

/// A device may say whatever it likes: half an hour of rows without a value would be kept of one such
/// frame, and a tap be answered that is yet to come.
#[test]
fn what_a_frame_tells_of_a_time_that_cannot_be_is_counted_and_not_told() {
    let (mut line, mut felt) = (SensorLine::default(), Vec::new());
    let mut say = |kind: u8, counter: u16, sent_us: u32, body: &[u8]| {
        let head = [&[kind][..], &counter.to_le_bytes(), &sent_us.to_le_bytes()].concat();
        let came = Nanos::from_micros(i64::from(sent_us) + 500);
        line.hear(&frame(&[&head, body].concat()), came, &mut |one| felt.push(one)).unwrap();
        line.counts().lost
    };
    let at = |us: u32, rest: &[u8]| [&us.to_le_bytes()[..], rest].concat();
    assert_eq!(say(b'H', 0, 0, &[&[1, 1][..], &[1; 12]].concat()), 0);
    assert_eq!(say(b'F', 1, 10_000, &at(3_000, &[7, 0])), 0);
    assert_eq!(say(b'F', 2, 20_000, &at(1_800_020_000, &[7, 0])), 1);
    assert_eq!(say(b'O', 3, 30_000, &at(30_001, &[1, 0, 60, 0])), 2);
    assert_eq!(say(b'R', 4, 2_000_000, &at(999_999, &[1, 0, 60, 0])), 3);
    assert_eq!(say(b'O', 5, 2_010_000, &at(2_009_900, &[1, 0, 60, 0])), 3);
    assert!(matches!(felt[..], [Felt::Forces(_), Felt::Onset { .. }]), "{felt:?}");
}
