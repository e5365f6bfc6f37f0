//! Files of other programs, damaged anywhere, are refused with a reason or read; nothing else happens.
#![allow(clippy::unwrap_used)] // a test that cannot be set up has failed

use chronotap_data::exchange::taps::{
    How, KINDS, SourceFile, Unit, arrange, kind_of, made, read_taps,
};
use chronotap_data::record::{Origin, rows_of};
use proptest::prelude::*;

const FILES: [&[u8]; 5] = [
    include_bytes!("../../../docs/other-data/taps.csv"),
    include_bytes!("../../../docs/other-data/asynchronies.tsv"),
    include_bytes!("../../../docs/other-data/07_20260302_101530.txt"),
    include_bytes!("../../../docs/other-data/repp.json"),
    b"MThd\0\0\0\x06\0\0\0\x01\x01\xe0MTrk\0\0\0\x0f\0\x90\x3c\x40\x30\x80\x3c\0\x60\xff\x2f\0\0\0",
];

/// What is asked for where the columns are those of the table, or those of the asynchronies.
fn ways() -> [How; 2] {
    let place = |words: &str| Some(words.parse().unwrap());
    let column = |name: &str| Some(name.to_owned());
    let onsets = How {
        taps: place("tap in ms"),
        stimuli: place("stimulus in ms"),
        participant_column: column("participant"),
        trial_column: column("trial"),
        unit: Unit::of("ms"),
        ..How::default()
    };
    let asynchronies = How {
        asynchronies: place("asynch in ms"),
        interval: Some("isi in ms".parse().unwrap()),
        beat_column: column("beat"),
        trial_column: column("trial"),
        ..How::default()
    };
    [onsets, asynchronies]
}

/// Reads it as every kind there is; how many rows came of it.
fn follow(bytes: &[u8]) -> usize {
    let file = SourceFile { name: "sub-1.csv".into(), bytes: bytes.to_vec() };
    let mut rows = 0;
    for (kind, how) in KINDS.iter().flat_map(|kind| ways().map(|how| (kind, how))) {
        let Ok(read) = read_taps(&file, None, kind, &how) else { continue };
        let Ok(arranged) = arrange(std::slice::from_ref(&file), vec![read], &[]) else { continue };
        for trial in &arranged.trials {
            let Ok(made) = made(&trial.taken, "damaged", &Origin::default(), 1) else { continue };
            rows += rows_of(&made.header, &made.entries).len();
        }
    }
    rows
}

/// -128 frames a second, of which the library that reads MIDI files cannot take the negative.
#[test]
fn a_midi_file_without_a_rate_is_refused() {
    let bytes = FILES[4].to_vec();
    let mut damaged = bytes.clone();
    (damaged[12], damaged[13]) = (0x80, 0x3c);
    assert_eq!(follow(&damaged), 0);
    let mut wrapped = b"RIFF\0\0\0\0RMIDdata\x2d\0\0\0".to_vec();
    wrapped.extend(damaged);
    assert_eq!(follow(&wrapped), 0);
}

#[test]
fn every_kind_of_file_is_known_by_its_content() {
    let word = |bytes: &[u8]| kind_of(&SourceFile { name: "x".into(), bytes: bytes.into() }).word;
    let words: Vec<&str> = FILES.iter().map(|bytes| word(bytes)).collect();
    assert_eq!(words, ["table", "table", "teensytap", "repp", "midi"]);
    let readings = include_bytes!("../../../docs/other-data/tap_arduino.txt");
    assert_eq!(word(readings), "tap-arduino");
    assert!(FILES.iter().all(|bytes| follow(bytes) > 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]
    #[test]
    fn prop_a_damaged_file_is_refused_or_read_and_nothing_else_happens(
        file in 0..FILES.len(),
        changes in prop::collection::vec(
            (any::<prop::sample::Index>(), 0..4usize, "[-+0-9a.,;\t\\n\"\\[\\]{}ü]{0,3}|1e[0-9]{1,3}|NaN|9{19}|\u{0}"),
            0..6,
        ),
    ) {
        let mut bytes = FILES[file].to_vec();
        for (place, cut, put) in changes {
            let from = place.index(bytes.len() + 1);
            let to = (from + cut).min(bytes.len());
            bytes.splice(from..to, put.bytes());
        }
        follow(&bytes);
    }
}
