//! Files of other programs, damaged anywhere, are refused with a reason or read; nothing else happens.

use chronotap_core::files::Foreign;
use chronotap_data::exchange::taps::{
    Events, ImportOptions, ImportSetting, KINDS, NumberError, Read, SourceFile, Taken, TapsError,
    TimeUnit, arrange, kind_of, made, read_taps, refuse_unused,
};
use chronotap_data::record::{RecordedOrigin, rows_of};
use proptest::prelude::*;

const FILES: [&[u8]; 5] = [
    include_bytes!("../../../docs/other-data/taps.csv"),
    include_bytes!("../../../docs/other-data/asynchronies.tsv"),
    include_bytes!("../../../docs/other-data/07_20260302_101530.txt"),
    include_bytes!("../../../docs/other-data/repp.json"),
    b"MThd\0\0\0\x06\0\0\0\x01\x01\xe0MTrk\0\0\0\x0c\0\x90\x3c\x40\x30\x80\x3c\0\x60\xff\x2f\0",
];

/// What is asked for where the columns are those of the table, or those of the asynchronies.
fn ways() -> [ImportOptions; 2] {
    let place = |words: &str| Some(words.parse().unwrap());
    let column = |name: &str| Some(name.to_owned());
    let onsets = ImportOptions {
        taps: place("tap in ms"),
        stimuli: place("stimulus in ms"),
        participant_column: column("participant"),
        trial_column: column("trial"),
        unit: TimeUnit::of("ms"),
        ..ImportOptions::default()
    };
    let asynchronies = ImportOptions {
        asynchronies: place("asynch in ms"),
        interval: Some("isi in ms".parse().unwrap()),
        beat_column: column("beat"),
        trial_column: column("trial"),
        ..ImportOptions::default()
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
            let Ok(made) = made(&trial.taken, "damaged", &RecordedOrigin::default(), 1) else {
                continue;
            };
            rows += rows_of(&made.header, &made.entries).len();
        }
    }
    rows
}

/// -128 frames a second, which nothing has.
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

fn place(words: &str) -> Option<chronotap_data::exchange::taps::Place> {
    Some(words.parse().unwrap())
}

fn column(name: &str) -> Option<String> {
    Some(name.to_owned())
}

/// What a file of this name and these bytes is read as, by its kind.
fn read(name: &str, bytes: &[u8], how: &ImportOptions) -> Result<Read, TapsError> {
    let file = SourceFile { name: name.into(), bytes: bytes.to_vec() };
    let kind = kind_of(&file);
    refuse_unused(&file, None, kind, how).and_then(|()| read_taps(&file, None, kind, how))
}

fn taps_of(taken: &Taken) -> usize {
    match &taken.events {
        Events::Onsets(onsets) => onsets.taps.len(),
        Events::Ftap(file) => file.events.len(),
    }
}

#[test]
fn words_for_nothing_are_levels_and_names_and_only_an_empty_cell_is_none() {
    let how = ImportOptions {
        taps: place("tap in ms"),
        participant_column: column("who"),
        trial_column: column("trial"),
        condition_columns: vec!["feedback".into()],
        ..ImportOptions::default()
    };
    let rows: String = ["none", "missing", "NA", "nan", "null", "", "n/a"]
        .iter()
        .enumerate()
        .map(|(trial, level)| format!("NA,{trial},{level},100\nNA,{trial},{level},None\n"))
        .collect();
    let table = format!("who,trial,feedback,tap\n{rows}");
    let found = read("t.csv", table.as_bytes(), &how).unwrap();
    let levels: Vec<Option<&str>> =
        found.trials.iter().map(|taken| taken.levels[0].as_deref()).collect();
    let named = ["none", "missing", "NA", "nan", "null"].map(Some);
    assert_eq!(levels, [&named[..], &[None, None]].concat());
    assert!(found.trials.iter().all(|taken| taken.participant.as_deref() == Some("NA")));
    assert!(found.trials.iter().all(|taken| taps_of(taken) == 1));
    let nobody = read("t.csv", b"who,trial,feedback,tap\n,1,x,100\n", &how);
    assert!(matches!(nobody, Err(TapsError::Nobody { line: 2, .. })));
}

#[test]
fn a_table_without_names_loses_no_row() {
    for table in ["512.5\n1013\n", "1,512.5\n1,1013\n", "ana;\"512,5\"\nana;1013\n", "[1.5, 2]\n"] {
        for how in [
            ImportOptions::default(),
            ImportOptions { taps: place("512.5 in ms"), ..ImportOptions::default() },
        ] {
            let refused = read("t.csv", table.as_bytes(), &how);
            assert!(matches!(refused, Err(TapsError::NoNames { line: 1, .. })), "{table:?}");
        }
    }
    // A column may be called by a number, where another one is asked for.
    let how = ImportOptions { taps: place("tap in ms"), ..ImportOptions::default() };
    assert_eq!(taps_of(&read("t.csv", b"tap,2019\n1,2\n", &how).unwrap().trials[0]), 1);
}

#[test]
fn rows_without_a_tap_and_without_a_trial_open_none_and_are_counted() {
    let table = "practice.rt,rt,n,date\n\"[1.1,1.7]\",,,a\n,\"[0.5,1.1]\",0,a\n,\"[0.6,1.2]\",1,a\n\
                 ,,,a\n,,2,a\n,,,\n";
    let how = ImportOptions {
        taps: place("rt in s"),
        participant_column: column("date"),
        trial_column: column("n"),
        ..ImportOptions::default()
    };
    let found = read("t.csv", table.as_bytes(), &how).unwrap();
    // Nobody tapped in trial 2, and that is known.
    assert_eq!(found.trials.iter().map(taps_of).collect::<Vec<_>>(), [2, 2, 0]);
    assert_eq!(found.empty, [2, 5]);
}

#[test]
fn an_analysis_of_repp_within_a_text_is_found() {
    let inner = r#"{"resp_onsets_detected": [100.0, NaN, 700.5], "first_marker_detected": 50}"#;
    let quoted = serde_json::to_string(inner).unwrap();
    let twice = serde_json::to_string(&format!("{{\"analysis\": {quoted}}}")).unwrap();
    for text in [
        inner.to_owned(),
        quoted.clone(),
        format!("[{{\"id\": 7, \"analysis\": {quoted}}}]"),
        format!("[{{\"id\": 7, \"vars\": {twice}}}]"),
    ] {
        let found = read("r.json", text.as_bytes(), &ImportOptions::default()).unwrap();
        assert_eq!(found.trials.iter().map(taps_of).collect::<Vec<_>>(), [2], "{text}");
    }
}

#[test]
fn analyses_of_repp_in_the_cells_of_a_table_are_trials_with_the_other_cells_around() {
    let inner = r#"{"resp_onsets_detected": [100.0, NaN, 700.5], "first_marker_detected": 50}"#;
    let within = format!(r#"{{"output": {}}}"#, serde_json::to_string(inner).unwrap());
    let how = ImportOptions {
        participant_column: Some("participant_id".into()),
        condition_columns: vec!["tempo".into()],
        ..ImportOptions::default()
    };
    for (analysis, separator) in [(inner, ','), (&*within, ','), (inner, ';')] {
        let cell = format!("\"{}\"", analysis.replace('"', "\"\""));
        let rows = [
            format!(
                "id,participant_id,analysis,tempo\n7,01,{cell},600\n8,02,{cell},800\n9,03,,800\n"
            ),
            format!(
                "\u{feff}id;participant_id;analysis;tempo\r\n7;01;{cell};600\r\n8;02;{cell};800\r\n"
            ),
        ];
        let text = &rows[usize::from(separator == ';')];
        let found = read("TapTrial.csv", text.as_bytes(), &how).unwrap();
        assert_eq!(found.trials.iter().map(taps_of).collect::<Vec<_>>(), [2, 2], "{text}");
        let whose = |of: &Taken| (of.participant.clone().unwrap(), of.levels[0].clone().unwrap());
        let due = [("01", "600"), ("02", "800")].map(|(id, of)| (id.to_owned(), of.to_owned()));
        assert_eq!(found.trials.iter().map(whose).collect::<Vec<_>>(), due);
    }
    let cut = b"id,analysis\n1,\"{\"\"resp_onsets_detected\"\": [1]}\"\n2,\"{\"\"resp_onsets_detected\"\": [1\"\n";
    let broken = read("t.csv", cut, &ImportOptions::default());
    assert!(matches!(broken, Err(TapsError::Broken { .. })), "{broken:?}");
    // A column of that name is a table as before.
    let plain = b"resp_onsets_detected\n1\n2\n";
    let taps =
        ImportOptions { taps: place("resp_onsets_detected in s"), ..ImportOptions::default() };
    assert_eq!(taps_of(&read("t.csv", plain, &taps).unwrap().trials[0]), 2);
}

#[test]
fn a_point_beside_a_decimal_comma_is_refused_and_lists_are_parted_by_semicolons() {
    let how =
        ImportOptions { taps: place("tap in ms"), decimal_comma: true, ..ImportOptions::default() };
    let wrong = |cell: &str| match read("t.csv", format!("n;tap\n1;{cell}\n").as_bytes(), &how) {
        Err(TapsError::Number { wrong, .. }) => wrong,
        other => panic!("{other:?}"),
    };
    assert_eq!(wrong("1.000"), NumberError::Point);
    assert_eq!(wrong("1.000,5"), NumberError::Point);
    assert_eq!(wrong("\"[0,5, 1,1]\""), NumberError::CommaInList);
    let list = read("t.csv", b"n\ttap\n1\t[0,5; 1,1]\n", &how).unwrap();
    assert_eq!(taps_of(&list.trials[0]), 2);
}

#[test]
fn what_a_kind_has_no_use_for_is_refused() {
    let unused = |bytes: &[u8], how: ImportOptions| match read("f", bytes, &how) {
        Err(TapsError::Unused { setting, .. }) => setting,
        other => panic!("{other:?}"),
    };
    let levels =
        || ImportOptions { condition_columns: vec!["x".into()], ..ImportOptions::default() };
    assert_eq!(unused(FILES[4], levels()), ImportSetting::ConditionColumns);
    let comma = ImportOptions { decimal_comma: true, ..ImportOptions::default() };
    assert_eq!(unused(FILES[3], comma), ImportSetting::DecimalComma);
    let unit = ImportOptions {
        taps: place("tap in ms"),
        unit: TimeUnit::of("ms"),
        ..ImportOptions::default()
    };
    assert_eq!(unused(FILES[0], unit), ImportSetting::Unit);
    let taps = ImportOptions { taps: place("tap in ms"), ..ImportOptions::default() };
    assert_eq!(unused(FILES[2], taps), ImportSetting::Taps);
}

#[test]
fn what_is_no_table_is_named_and_utf_16_is_read() {
    let how = ImportOptions { taps: place("tap in ms"), ..ImportOptions::default() };
    let named = |bytes: &[u8]| match read("t.csv", bytes, &how) {
        Err(TapsError::NotText { found, .. }) => found.what,
        other => panic!("{other:?}"),
    };
    assert_eq!(named(b"PK\x03\x04\x14\0\x06\0"), Some(Foreign::Workbook));
    assert_eq!(named(b"MATLAB 5.0 MAT-file, Platform: GLNXA64"), Some(Foreign::Matlab));
    assert_eq!(named(b"\x89HDF\r\n\x1a\n\0\0"), Some(Foreign::Matlab));
    assert_eq!(named(b"XDF:\x01\x05\x01\0"), Some(Foreign::Xdf));
    assert_eq!(named(b"tap\n1\xb5\n"), None);
    let wide: Vec<u8> = "\u{feff}tap\tname\r\n512.5\t\u{f6}\r\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(taps_of(&read("t.txt", &wide, &how).unwrap().trials[0]), 1);
}
