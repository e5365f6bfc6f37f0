//! [`feel_again`]: reads the force once more that inputs kept in a trial, and what it says of their taps.
//!
//! Where a program was killed, the last piece of the file may be cut off: what is before it counts.
//! One block of the file is in memory, and a value for each tap.

use chronotap_analysis::force::{ForceRows, TapsFelt};
use chronotap_core::time::Nanos;
use chronotap_data::record::{FeltAgainError, Header, HeardAgain, LiveTaps, described_in};
use chronotap_engine::signal::SensorFacts;
use flate2::bufread::MultiGzDecoder;
use serde::Deserialize;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Characters of the longest row that there can be: the end of a line, and ten digits.
const LONGEST: u64 = 12;
/// Rows a second that a sensor may have.
const RATES_HZ: std::ops::RangeInclusive<f64> = 1.0..=100_000.0;

/// What the description of a force says that is needed here.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Described {
    sampling_frequency: f64,
    start_time: f64,
}

/// Adds to what is known of a trial how hard and how long taps pressed on sensors, by the force that lies
/// beside its events. Where there is no file, nothing was felt.
///
/// # Errors
/// [`FeltAgainError`].
pub fn feel_again(
    header: &Header,
    (dir, name): (&Path, &str),
    live: &LiveTaps,
    known: &mut HeardAgain,
) -> Result<(), FeltAgainError> {
    for (input, label, sensor) in header.kept_forces() {
        let path = dir.join(format!("{name}_recording-{label}_physio.tsv.gz"));
        let taps = live.pressed(input);
        let Some(rows) = rows_of(&path, sensor)? else {
            known.add_felt(taps.iter().map(|tap| (tap.id, None)));
            continue;
        };
        let mut felt = TapsFelt::of(rows, taps);
        each_value(&path, &mut |value| felt.take(value))?;
        known.add_felt(felt.done());
    }
    Ok(())
}

/// How the rows of a file lie; `None` where it is not there.
fn rows_of(path: &Path, sensor: &SensorFacts) -> Result<Option<ForceRows>, FeltAgainError> {
    let described = described_in(path);
    let text = match std::fs::read_to_string(&described) {
        Ok(text) => text,
        Err(gone) if gone.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(FeltAgainError::File { path: described, source }),
    };
    let wrong = || FeltAgainError::Described { path: described.clone() };
    let Described { sampling_frequency: rate_hz, start_time } =
        serde_json::from_str(&text).map_err(|_| wrong())?;
    if !RATES_HZ.contains(&rate_hz) || start_time.abs() >= 1e9 {
        return Err(wrong());
    }
    // A value is the sum of as many readings.
    let summed = (f64::from(sensor.rate_hz) / rate_hz).round().max(1.0) as u32;
    let start = Nanos::round_from_f64(start_time * 1e9);
    Ok(Some(ForceRows { start, rate_hz, off: u32::from(sensor.off).saturating_mul(summed) }))
}

/// Gives one value of a file after the other.
fn each_value(path: &Path, take: &mut dyn FnMut(Option<u32>)) -> Result<(), FeltAgainError> {
    let failed = |source| FeltAgainError::File { path: path.to_owned(), source };
    let packed = BufReader::new(File::open(path).map_err(failed)?);
    let (mut rows, mut row) = (BufReader::new(MultiGzDecoder::new(packed)), String::new());
    for line in 1.. {
        row.clear();
        match rows.by_ref().take(LONGEST).read_line(&mut row) {
            Ok(0) => break,
            Err(cut) if cut.kind() == io::ErrorKind::UnexpectedEof => break,
            Err(source) => return Err(failed(source)),
            Ok(_) => {}
        }
        let value = match row.trim_end_matches('\n') {
            "n/a" => None,
            digits => Some(digits.parse().map_err(|_| {
                let path = path.to_owned();
                FeltAgainError::Row { path, line }
            })?),
        };
        take(value);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_analysis::force::PressedTap;
    use chronotap_analysis::observed::TapForce;
    use chronotap_core::midi::{Channel, Message, U7};
    use chronotap_data::record::{Binding, Entry, Names, What};
    use chronotap_engine::action::{Action, ActionKind};
    use chronotap_engine::perturbation::Perturbation;
    use chronotap_engine::signal::LowLatency;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;
    use std::path::PathBuf;

    const MS: fn(i64) -> Nanos = Nanos::from_millis;

    fn header() -> Header {
        let sensor = SensorFacts {
            board: "Arduino (ATmega328P)".into(),
            rate_hz: 8_000,
            full_scale: 1_023,
            rest: 19,
            on: 59,
            off: 39,
            low_latency: LowLatency::Granted,
            clock_drift_ppm: 0.0,
            clock_within_ns: 0,
        };
        let (name, direction) = ("pad".to_owned(), "in".to_owned());
        let ports = vec![Binding { name, direction, sensor: Some(sensor), ..Binding::default() }];
        let names = Names { inputs: vec!["keys".into(), "pad".into()], ..Names::default() };
        Header { ports, names, ..Header::default() }
    }

    fn entry(id: u64, kind: ActionKind, cause: u64, ms: i64) -> Entry {
        let message = Message::NoteOn { channel: Channel::ONE, note: U7::MAX, velocity: U7::MAX };
        let action = Action {
            id,
            kind,
            number: 0,
            cause,
            deadline: MS(ms),
            instant: MS(ms),
            port: 1,
            message: Some(message),
            perturbation: Perturbation::NONE,
        };
        Entry { what: What::Happened, action, achieved: None, stamp: None, frame: None }
    }

    /// Taps at 1,000 and 2,000 ms, held for 60 ms, on the pad, and one on the keys.
    fn live() -> LiveTaps {
        let taps = [(1, ActionKind::Tap(1), 0, 1_000), (2, ActionKind::Release(1), 1, 1_060)];
        let more = [(3, ActionKind::Tap(0), 0, 1_500), (4, ActionKind::Tap(1), 0, 2_000)];
        let all = [&taps[..], &more, &[(5, ActionKind::Release(1), 4, 2_060)]].concat();
        let entries: Vec<Entry> =
            all.into_iter().map(|(id, kind, cause, ms)| entry(id, kind, cause, ms)).collect();
        LiveTaps::of(entries.iter())
    }

    /// The force of both, from 0 on: 800, rising by 100 each millisecond to 1,800 and 2,800.
    fn value(ms: i64) -> String {
        match ms {
            1_000..=1_010 => (800 + 100 * (ms - 1_000)).to_string(),
            2_000..=2_020 => (800 + 100 * (ms - 2_000)).to_string(),
            1_011..=1_060 | 2_021..=2_060 => "500".to_owned(),
            _ => "152".to_owned(),
        }
    }

    fn packed(rows: impl Iterator<Item = String>) -> Vec<u8> {
        let mut piece = GzEncoder::new(Vec::new(), Compression::fast());
        rows.for_each(|row| writeln!(piece, "{row}").unwrap());
        piece.finish().unwrap()
    }

    fn again(bytes: &[u8], described: &str) -> Result<HeardAgain, FeltAgainError> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a_recording-pad_physio.tsv.gz");
        std::fs::write(&path, bytes).unwrap();
        std::fs::write(described_in(&path), described).unwrap();
        let mut known = HeardAgain::default();
        feel_again(&header(), (dir.path(), "a"), &live(), &mut known).map(|()| known)
    }

    const USUAL: &str = r#"{"SamplingFrequency": 1000.0, "StartTime": 0.0, "Columns": ["force"]}"#;

    /// Of the taps at 1,000 ms and 2,000 ms.
    fn forces(known: &HeardAgain) -> [Option<TapForce>; 2] {
        [1, 4].map(|event| known.force(event))
    }

    fn of(peak: u32, rise_us: i64) -> Option<TapForce> {
        Some(TapForce { peak, rise: Nanos::from_micros(rise_us), dwell: MS(60) })
    }

    #[test]
    fn taps_have_the_force_that_lies_beside_their_events() {
        let known = again(&packed((0..3_000).map(value)), USUAL).unwrap();
        assert_eq!(forces(&known), [of(1_800, 10_500), of(2_800, 20_500)]);
        assert_eq!(known.force(3), None, "on the keys");
    }

    #[test]
    fn rows_are_where_their_description_says() {
        let late = r#"{"SamplingFrequency": 1000.0, "StartTime": 0.4}"#;
        let known = again(&packed((400..3_000).map(value)), late).unwrap();
        assert_eq!(forces(&known), [of(1_800, 10_500), of(2_800, 20_500)]);
        // A device whose clock is one in a thousand slow has fewer rows a second.
        let slow = r#"{"SamplingFrequency": 999.0, "StartTime": 0.0}"#;
        let rows = (0..3_000).map(|row| value((f64::from(row) / 0.999).round() as i64));
        let known = again(&packed(rows), slow).unwrap();
        let [Some(first), Some(second)] = forces(&known) else { panic!("{known:?}") };
        assert_eq!((first.peak, second.peak), (1_800, 2_800));
        assert!((first.rise - Nanos::from_micros(10_500)).abs() <= MS(1), "{first:?}");
    }

    #[test]
    fn lost_frames_within_a_tap_leave_it_without_a_force() {
        let lost = |ms: i64| if (1_020..1_027).contains(&ms) { "n/a".into() } else { value(ms) };
        let known = again(&packed((0..3_000).map(lost)), USUAL).unwrap();
        assert_eq!(forces(&known), [None, of(2_800, 20_500)]);
    }

    #[test]
    fn what_a_killed_program_left_counts_as_far_as_it_is_whole() {
        let mut pieces = packed((0..1_900).map(value));
        let last = packed((1_900..3_000).map(value));
        pieces.extend_from_slice(&last[..last.len() / 2]);
        let known = again(&pieces, USUAL).unwrap();
        assert_eq!(forces(&known)[0], of(1_800, 10_500));
    }

    #[test]
    fn what_is_no_force_is_refused_and_what_is_not_there_is_nothing() {
        let rows = |last: &str| packed((0..2).map(value).chain([last.to_owned()]));
        let row = again(&rows("1e3"), USUAL);
        assert!(matches!(row, Err(FeltAgainError::Row { line: 3, .. })), "{row:?}");
        for wrong in ["{}", r#"{"SamplingFrequency": 0.0, "StartTime": 0.0}"#] {
            let said = again(&rows("1"), wrong);
            assert!(matches!(said, Err(FeltAgainError::Described { .. })), "{said:?}");
        }
        let said = again(b"this is no packed table", USUAL);
        assert!(matches!(said, Err(FeltAgainError::File { .. })), "{said:?}");
        let (mut known, nowhere) = (HeardAgain::default(), PathBuf::from("/nowhere"));
        feel_again(&header(), (&nowhere, "a"), &live(), &mut known).unwrap();
        assert_eq!(forces(&known), [None; 2]);
    }

    /// What the firmware said in an emulated Arduino on which taps of known forms were laid
    /// (firmware/test/taps.c). Each rests at its peak for 10 ms and more, so that the greatest sum of eight
    /// readings is that of eight times the greatest reading, which the device tells of each tap itself, but
    /// for noise of one value.
    #[test]
    fn peaks_of_an_emulated_arduino_are_those_that_it_told_itself() {
        use chronotap_core::sensor::{Felt, SensorLine};
        // A single reading, laid between taps; one came before the device was sure of a release.
        const FALSE_READING: u32 = 818;
        let (mut line, mut felt) = (SensorLine::default(), Vec::new());
        for words in include_str!("../../core/tests/sensor/arduino.txt").lines() {
            let Some((us, hex)) = words.strip_prefix("frame ").and_then(|of| of.split_once(' '))
            else {
                continue;
            };
            let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
            let bytes: Vec<u8> = (0..hex.len()).step_by(2).map(byte).collect();
            let came = us.parse::<f64>().unwrap() + 20.0 * bytes.len() as f64;
            line.hear(&bytes, Nanos((came * 1e3) as i64), &mut |one| felt.push(one)).unwrap();
        }
        let (mut taps, mut told, mut rows) = (Vec::<PressedTap>::new(), Vec::new(), Vec::new());
        let mut first = None;
        for one in felt {
            match one {
                Felt::Onset { at, .. } => {
                    let id = taps.len() as u64;
                    taps.push(PressedTap { id, onset: at, release: None });
                }
                Felt::Release { at, peak } => {
                    taps.last_mut().unwrap().release = Some(at);
                    told.push(u32::from(peak));
                }
                Felt::Forces(stretch) => {
                    first.get_or_insert(stretch.first);
                    rows.extend(stretch.values.as_slice().iter().map(|value| u32::from(*value)));
                }
            }
        }
        let lie = ForceRows { start: first.unwrap(), rate_hz: 1_000.0, off: 8 * 39 };
        let mut found = TapsFelt::of(lie, taps);
        rows.iter().for_each(|value| found.take(Some(*value)));
        let found: Vec<_> =
            found.done().into_iter().filter_map(|(id, of)| Some((id, of?))).collect();
        assert!(found.len() >= 20 && told.len() - found.len() <= 1, "{found:?} {told:?}");
        for (id, force) in found {
            let told: u32 = told[id as usize];
            if told == FALSE_READING {
                assert!(force.peak < 1_000, "eight readings drown one");
                continue;
            }
            assert!((8 * told - 16..=8 * told).contains(&force.peak), "{} of {told}", force.peak);
        }
    }
}
