//! Taps of other programs become a dataset, which says so, and give the numbers that were worked out
//! from the files by hand or by other arithmetic.

use chronotap_data::record::{Recording, RunnerMode, TrialType, read_events};
use chronotap_testkit_cli::program::{Output, Workspace, start};
use flate2::read::GzDecoder;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");
const TABLE: &str = include_str!("../../../docs/other-data/taps.csv");
const ASYNCHRONIES: &str = include_str!("../../../docs/other-data/asynchronies.tsv");
const TEENSYTAP: &str = include_str!("../../../docs/other-data/07_20260302_101530.txt");
const REPP: &str = include_str!("../../../docs/other-data/repp.json");
const TAP_ARDUINO: &str = include_str!("../../../docs/other-data/tap_arduino.txt");
const BAATH_MADISON: &[u8] =
    include_bytes!("baath_madison_2012/tapping_data_baath_madison_2012.csv.gz");

/// The asynchronies of the first trial of every example file: mean −22.5 ms, SD 21.245915 ms, as numpy
/// and statistics of Python have them.
const ASYNCHRONIES_MS: [i64; 10] = [-30, -20, -45, 10, -5, -25, -60, 0, -15, -35];

fn place() -> Workspace {
    Workspace::of(PROGRAM)
}

fn run(place: &Workspace, args: &[&str]) -> Output {
    start(place.chronotap(args.iter().copied())).wait()
}

/// Imports into `d`; it must go well.
fn imported(place: &Workspace, args: &[&str]) -> Output {
    let said = run(place, &[&["import-taps", "--data", "d"], args].concat());
    assert_eq!(said.code, Some(0), "{said:?}");
    said
}

/// The whole table of the example.
fn table(place: &Workspace) -> Output {
    place.file("taps.csv", TABLE);
    imported(place, &[&["taps.csv"], COLUMNS].concat())
}

const COLUMNS: &[&str] = &[
    "--taps",
    "tap in ms",
    "--stimuli",
    "stimulus in ms",
    "--participant-column",
    "participant",
    "--trial-column",
    "trial",
    "--condition-columns",
    "interval,musician",
];

fn recording(place: &Workspace, label: &str, run: u32) -> Recording {
    let name = format!("d/sub-{label}/beh/sub-{label}_task-tapping_run-{run:02}_events.tsv");
    read_events(&place.path(&name)).unwrap()
}

/// The onsets of the rows of a kind, in ms.
fn onsets(recording: &Recording, kind: TrialType) -> Vec<f64> {
    let rows = recording.rows.iter().filter(|row| row.trial_type == kind);
    rows.map(|row| row.onset.as_millis_f64()).collect()
}

/// The whole trials of an analysis: each row by its column.
fn analyzed(place: &Workspace) -> Vec<BTreeMap<String, String>> {
    let said = run(place, &["analyze", "d"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    rows(place, "d/derivatives/chronotap/desc-trials_beh.tsv", |row| row["stretch"] == "all")
}

fn rows(
    place: &Workspace,
    path: &str,
    which: impl Fn(&BTreeMap<String, String>) -> bool,
) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(place.path(path)).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let row = |line: &str| -> BTreeMap<String, String> {
        names
            .iter()
            .zip(line.split('\t'))
            .map(|(name, cell)| ((*name).into(), cell.into()))
            .collect()
    };
    lines.map(row).filter(which).collect()
}

fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column}: {:?}", row[column]))
}

fn near(found: f64, due: f64) {
    assert!((found - due).abs() < 1e-6, "{found}, and not {due}");
}

/// Mean and standard deviation (n − 1) of whole milliseconds.
fn mean_and_sd(values: &[i64]) -> (f64, f64) {
    let n = values.len() as f64;
    let sum: i64 = values.iter().sum();
    let squares: i64 = values.iter().map(|value| value * value).sum();
    let over = squares as f64 - (sum * sum) as f64 / n;
    (sum as f64 / n, (over / (n - 1.0)).sqrt())
}

#[test]
fn a_table_of_onsets_gives_the_numbers_that_were_worked_out_by_hand() {
    let place = place();
    let said = table(&place);
    assert!(said.out.contains("6 trials of 3 participants, 60 taps"), "{said:?}");
    let all = analyzed(&place);
    let first = &all[0];
    assert_eq!((&*first["participant_id"], &*first["interval"]), ("sub-ana", "600"));
    near(number(first, "mean_asynchrony_ms"), -22.5);
    near(number(first, "sd_asynchrony_ms"), 21.245_914_64);
    near(number(first, "mean_interval_ms"), 599.444_444_44);
    near(number(first, "sd_interval_ms"), 35.039_660_07);
    assert_eq!((&*first["timing"], &*first["data"]), ("unknown", "usable"));
    // Python: statistics.mean and stdev of −14, … (twice those of the second list).
    let ben = all.iter().find(|row| row["participant_id"] == "sub-ben" && row["interval"] == "450");
    near(number(ben.unwrap(), "mean_asynchrony_ms"), -14.0);
    near(number(ben.unwrap(), "sd_asynchrony_ms"), 25.104_227_18);
}

#[test]
fn conditions_of_the_source_are_levels_of_trials_or_of_participants() {
    let place = place();
    table(&place);
    let people = fs::read_to_string(place.path("d/participants.tsv")).unwrap();
    let due =
        "participant_id\tmusician\tk\nsub-ana\tyes\tn/a\nsub-ben\tno\tn/a\nsub-cleo\tno\tn/a\n";
    assert_eq!(people, due);
    let said = run(&place, &["analyze", "d"]);
    assert!(said.out.contains("interval 600, musician no, taps against stimuli"), "{said:?}");
    // Ben −32.5, Cleo −17.5.
    assert!(said.out.contains("asynchrony   mean   -25.000 ms"), "{said:?}");
}

#[test]
fn the_events_of_an_imported_trial_have_nothing_that_the_source_does_not_say() {
    let place = place();
    table(&place);
    let path = "d/sub-ana/beh/sub-ana_task-tapping_run-01_events.tsv";
    let text = fs::read_to_string(place.path(path)).unwrap();
    let lines: Vec<&str> = text.lines().take(3).skip(1).collect();
    let no = "n/a\t";
    let tap = format!(
        "0.000000000\tn/a\ttap\ttaps\t1\t{}taps\t1\t{}0\t{}0\t{}matched\tstimuli\t1\t-30000000",
        no.repeat(3),
        no.repeat(2),
        no.repeat(3),
        no.repeat(8)
    );
    let beat = format!(
        "0.030000000\tn/a\tpacing\tstimuli\t1\t{}2\t{}30000000\t{}30000000\t{}n/a",
        no.repeat(4),
        no.repeat(2),
        no.repeat(3),
        no.repeat(11)
    );
    assert_eq!(lines, [tap, beat]);
    let recorded = recording(&place, "ana", 1);
    assert_eq!(recorded.header.mode, RunnerMode::Imported);
    let source = recorded.header.source.unwrap();
    assert_eq!((source.line, source.zero_ns, &*source.format), (2, 970_000_000, "table"));
    assert_eq!(source.files[0].name, "taps.csv");
    assert_eq!(source.files[0].sha256, chronotap_core::files::sha256(TABLE.as_bytes()));
    assert!(recorded.footer.summary["verdict"]["passed"].is_null());
    assert_eq!(recorded.header.performer, "recorded by another program");
}

#[test]
fn asynchronies_need_no_onsets_and_a_missing_one_is_a_stimulus_without_a_tap() {
    let place = place();
    place.file("a.tsv", ASYNCHRONIES);
    let columns =
        ["--asynchronies", "asynch in ms", "--interval", "isi in ms", "--beat-column", "beat"];
    let whose = ["--participant-column", "subject", "--trial-column", "trial"];
    imported(&place, &[&["a.tsv"], &columns[..], &whose].concat());
    let all = analyzed(&place);
    near(number(&all[0], "mean_asynchrony_ms"), -22.5);
    near(number(&all[0], "sd_asynchrony_ms"), 21.245_914_64);
    // Python: the second list without its fifth number.
    near(number(&all[1], "mean_asynchrony_ms"), -9.444_444_44);
    near(number(&all[1], "sd_asynchrony_ms"), 10.489_412_65);
    assert_eq!((&*all[1]["beats"], &*all[1]["matched"], &*all[1]["missed"]), ("10", "9", "1"));
    let stimuli = onsets(&recording(&place, "1", 2), TrialType::Pacing);
    let due: Vec<f64> = (0..10).map(|n| f64::from(450 * n + 12)).collect();
    assert_eq!(stimuli, due, "one interval apart; the first tap is 12 ms before the first");
}

#[test]
fn every_mean_and_sd_of_600_published_trials_is_that_of_its_raw_numbers() {
    let place = place();
    let mut text = String::new();
    GzDecoder::new(BAATH_MADISON).read_to_string(&mut text).unwrap();
    let mut raw: BTreeMap<(String, String, String), Vec<i64>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [subject, trial, isi, asynchrony] = cells[..] else { panic!("{line}") };
        let key = (format!("sub-{subject}"), trial.to_owned(), isi.to_owned());
        raw.entry(key).or_default().push(asynchrony.parse().unwrap());
    }
    assert_eq!((raw.len(), raw.values().map(Vec::len).sum::<usize>()), (600, 17_356));
    place.file("b.csv", &text);
    let columns = ["--asynchronies", "asynch in ms", "--interval", "isi in ms"];
    let whose = ["--participant-column", "subject", "--trial-column", "trial"];
    let more = ["--condition-columns", "isi"];
    let said = imported(&place, &[&["b.csv"], &columns[..], &whose, &more].concat());
    assert!(said.out.contains("600 trials of 30 participants, 17356 taps"), "{said:?}");
    let all = analyzed(&place);
    assert_eq!(all.len(), 600);
    for row in all {
        let key = (row["participant_id"].clone(), row["trial"].clone(), row["isi"].clone());
        let values = &raw[&key];
        let (mean, sd) = mean_and_sd(values);
        assert_eq!(row["matched"], values.len().to_string(), "{key:?}");
        near(number(&row, "mean_asynchrony_ms"), mean);
        near(number(&row, "sd_asynchrony_ms"), sd);
    }
    // The same of all trials of an interval: the mean of each person first, then that of the people.
    let said = run(&place, &["analyze", "d"]);
    let mut of_people: BTreeMap<&String, (f64, f64)> = BTreeMap::new();
    let slow = raw.iter().filter(|((_, _, isi), _)| isi == "3000");
    for ((subject, ..), values) in slow {
        let of = of_people.entry(subject).or_default();
        *of = (of.0 + mean_and_sd(values).0, of.1 + 1.0);
    }
    let mean = of_people.values().map(|(sum, n)| sum / n).sum::<f64>() / of_people.len() as f64;
    assert!(said.out.contains("isi 3000, taps against stimuli\n  30 participants, 120 trials"));
    assert!(
        said.out.contains(&format!("asynchrony   mean {mean:>9.3} ms")),
        "{mean}: {}",
        said.out
    );
}

#[test]
fn a_log_of_teensytap_has_taps_with_their_ends_clicks_and_feedback() {
    let place = place();
    place.file("07_20260302_101530.txt", TEENSYTAP);
    let said = imported(&place, &["07_20260302_101530.txt", "--condition-columns", "DELAY,INTVL"]);
    assert!(said.out.contains("1 file: TeensyTap"), "{said:?}");
    let recorded = recording(&place, "07", 1);
    let summary = recorded.summary().unwrap();
    let pair = summary.synchronization[0].asynchrony.as_ref().unwrap();
    assert_eq!(summary.synchronization[0].matched, 10);
    near(
        pair.of(&chronotap_analysis::statistics::of_asynchronies::MEAN_ASYNCHRONY).unwrap(),
        -22.5,
    );
    let taps = recorded.rows.iter().filter(|row| row.trial_type == TrialType::Tap);
    let held: Vec<f64> = taps.map(|row| row.duration.unwrap().as_millis_f64()).collect();
    assert_eq!(held, (95..105).map(f64::from).collect::<Vec<_>>());
    let (taps, feedback) =
        (onsets(&recorded, TrialType::Tap), onsets(&recorded, TrialType::Feedback));
    assert!(taps.iter().zip(&feedback).all(|(tap, sound)| sound - tap == 150.0));
    let all = analyzed(&place);
    assert_eq!((&*all[0]["DELAY"], &*all[0]["INTVL"]), ("150", "600"));
    // Frames that it missed are a doubt.
    let place = self::place();
    place.file("07_20260302_101530.txt", TEENSYTAP.replace(" 0\n", " 3\n"));
    imported(&place, &["07_20260302_101530.txt"]);
    let told = run(&place, &["summary", "d/sub-07/beh/sub-07_task-tapping_run-01_events.tsv"]);
    assert!(told.out.contains("Timing: unknown"), "{told:?}");
    assert!(told.out.contains("doubt: TeensyTap missed 3 frames of 1 ms"), "{told:?}");
    let verified = run(&place, &["verify", "d"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
}

#[test]
fn taps_of_repp_are_brought_onto_the_time_of_its_first_marker() {
    let place = place();
    place.file("r.json", REPP);
    let columns = ["--participant-column", "participant", "--trial-column", "trial"];
    imported(&place, &[&["r.json"], &columns[..], &["--condition-columns", "tempo"]].concat());
    let recorded = recording(&place, "07", 1);
    let (taps, stimuli) = (onsets(&recorded, TrialType::Tap), onsets(&recorded, TrialType::Pacing));
    let found: Vec<f64> = taps.iter().zip(&stimuli).map(|(tap, at)| tap - at).collect();
    for (found, due) in found.iter().zip(ASYNCHRONIES_MS) {
        near(*found, due as f64);
    }
    assert_eq!(recorded.header.source.unwrap().zero_ns, 2_970_000_000, "from the marker on");
}

#[test]
fn readings_of_tap_arduino_become_taps_where_its_sketch_would_sound() {
    let place = place();
    place.file("t.txt", TAP_ARDUINO);
    let refused = run(&place, &["import-taps", "t.txt", "--participant", "7", "--data", "d"]);
    assert!(refused.err.contains("the unit of the times is not known"), "{refused:?}");
    imported(&place, &["t.txt", "--participant", "7", "--unit", "ms"]);
    // Presses at 64900, 65480, 66020 and 66630 ms, and the time begins again at 65536.
    let taps = onsets(&recording(&place, "7", 1), TrialType::Tap);
    assert_eq!(taps, [0.0, 580.0, 1120.0, 1730.0]);
    // A bounce within 80 ms of a press is none; a reading of 40 is no press above a threshold of 50.
    let place = self::place();
    let reading = |t: i32| match t {
        100..=120 | 150..=155 => 90,
        400..=420 => 40,
        700..=720 => 60,
        _ => 0,
    };
    let text: String = (0..900).map(|t| format!("{t} {} E\n", reading(t))).collect();
    place.file("t.txt", text);
    imported(&place, &["t.txt", "--participant", "7", "--unit", "ms", "--threshold", "50"]);
    assert_eq!(onsets(&recording(&place, "7", 1), TrialType::Tap), [0.0, 600.0]);
}

/// A file with 480 ticks in a quarter note, whose tempo halves after the first: notes 76 at ticks 0, 480 and
/// 960 on channel 10, and notes 60 a tick later on channel 1, held for 48 ticks.
fn midi() -> Vec<u8> {
    let mut track: Vec<u8> = vec![0, 0xff, 0x51, 3, 0x07, 0xa1, 0x20]; // 500,000 µs
    for place in 0..3 {
        let wait: &[u8] = if place == 0 { &[0] } else { &[0x83, 0x2f] }; // 431 ticks
        track.extend_from_slice(wait);
        track.extend_from_slice(&[0x99, 76, 100]);
        if place == 1 {
            track.extend_from_slice(&[0, 0xff, 0x51, 3, 0x0f, 0x42, 0x40]); // 1,000,000 µs
        }
        track.extend_from_slice(&[1, 0x90, 60, 71, 48, 0x80, 60, 0]);
    }
    track.extend_from_slice(&[0, 0xff, 0x2f, 0]);
    let mut file = b"MThd\0\0\0\x06\0\0\0\x01\x01\xe0MTrk".to_vec();
    file.extend_from_slice(&(track.len() as u32).to_be_bytes());
    file.extend(track);
    file
}

#[test]
fn notes_of_a_midi_file_are_taps_or_stimuli_by_their_channel_and_keep_key_and_velocity() {
    let place = place();
    place.file("sub-07_run-1.mid", midi());
    let refused = run(&place, &["import-taps", "sub-07_run-1.mid", "--data", "d"]);
    let parts = "notes are on track 1, channel 10, channel 1";
    assert!(refused.err.contains(parts), "{refused:?}");
    imported(&place, &["sub-07_run-1.mid", "--taps", "channel 1", "--stimuli", "note 76"]);
    let recorded = recording(&place, "07", 1);
    // 480 ticks are 500 ms, then 1 s.
    assert_eq!(onsets(&recorded, TrialType::Pacing), [0.0, 500.0, 1500.0]);
    let tap = recorded.rows.iter().find(|row| row.trial_type == TrialType::Tap).unwrap();
    // A tick is 500,000 / 480 µs.
    assert_eq!((tap.onset.0, tap.duration.unwrap().0), (1_041_667, 50_000_000));
    assert_eq!((tap.note.unwrap().get(), tap.velocity.unwrap().get()), (60, 71));
}

/// One track of these bytes, in a file with so many tracks and this division.
fn midi_of(format: u16, tracks: u16, division: [u8; 2], track: &[u8]) -> Vec<u8> {
    let mut file = b"MThd\0\0\0\x06".to_vec();
    file.extend(format.to_be_bytes());
    file.extend(tracks.to_be_bytes());
    file.extend(division);
    file.extend(b"MTrk");
    file.extend((track.len() as u32).to_be_bytes());
    file.extend(track);
    file
}

#[test]
fn a_midi_file_that_breaks_off_is_refused_with_the_place_and_leaves_nothing() {
    let place = place();
    let whole = midi();
    for end in [whole.len() - 1, whole.len() / 2, 30] {
        place.file("cut.mid", &whole[..end]);
        let taps = ["--taps", "channel 1", "--participant", "1", "--data", "d"];
        let said = run(&place, &[&["import-taps", "cut.mid"], &taps[..]].concat());
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains("not a Standard MIDI File"), "{}", said.err);
        assert!(!place.path("d").exists());
    }
}

#[test]
fn two_keys_of_two_channels_at_one_moment_are_two_taps() {
    let place = place();
    let both = b"\0\x90\x3c\x50\0\x91\x3c\x5a\x60\x80\x3c\0\0\x81\x3c\0\0\xff\x2f\0";
    place.file("two.mid", midi_of(0, 1, [1, 0xe0], both));
    imported(&place, &["two.mid", "--taps", "note 60", "--participant", "1"]);
    let recorded = recording(&place, "1", 1);
    assert_eq!(onsets(&recorded, TrialType::Tap), [0.0, 0.0]);
}

#[test]
fn ticks_of_29_97_frames_a_second_are_not_those_of_29() {
    let place = place();
    // Two taps 30 frames of 100 ticks apart: 1.001 s.
    let track = b"\0\x90\x3c\x50\x64\x80\x3c\0\x96\x54\x90\x3c\x50\x64\x80\x3c\0\0\xff\x2f\0";
    place.file("f.mid", midi_of(0, 1, [(-29_i8) as u8, 100], track));
    imported(&place, &["f.mid", "--participant", "1"]);
    assert_eq!(onsets(&recording(&place, "1", 1), TrialType::Tap), [0.0, 1001.0]);
}

#[test]
fn taps_without_notes_become_no_empty_file_of_notes() {
    let place = place();
    table(&place);
    for form in ["midi", "ftap"] {
        let said = run(&place, &["export", "d", "--as", form, "--to", "out"]);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains("taps and tones have no note"), "{}", said.err);
        assert!(!place.path("out").exists());
    }
}

#[test]
fn taps_that_nobody_can_have_tapped_are_a_doubt() {
    let place = place();
    // Seconds taken for milliseconds.
    place.file("s.csv", "tap\n0.5\n1.1\n1.7\n2.3\n2.9\n");
    imported(&place, &["s.csv", "--taps", "tap in ms", "--participant", "1"]);
    let doubts = recording(&place, "1", 1).header.source.unwrap().doubts;
    assert_eq!(doubts.len(), 1, "{doubts:?}");
    assert!(doubts[0].contains("0.6 ms apart"), "{doubts:?}");
    let possible = self::place();
    possible.file("s.csv", "tap\n0.5\n1.1\n1.7\n2.3\n2.9\n");
    imported(&possible, &["s.csv", "--taps", "tap in s", "--participant", "1"]);
    assert!(recording(&possible, "1", 1).header.source.unwrap().doubts.is_empty());
}

#[test]
fn a_data_file_of_ftap_becomes_a_dataset_too() {
    let place = place();
    let beats: String = (0..10)
        .zip(ASYNCHRONIES_MS)
        .map(|(n, a)| format!("{} M 76\n{} K 60\n", 600 * n + 100, 600 * n + 100 + a))
        .collect();
    place.file("f.abs", format!("# columns time kind note\n{beats}"));
    let said = imported(&place, &["f.abs", "--participant", "07"]);
    assert!(said.out.contains("1 file: FTAP"), "{said:?}");
    near(number(&analyzed(&place)[0], "mean_asynchrony_ms"), -22.5);
}

#[test]
fn taps_and_stimuli_may_stand_in_two_files_in_rows_of_events_or_in_lists() {
    let stimuli: Vec<i64> = (0..10).map(|n| 600 * n + 500).collect();
    let taps: Vec<i64> = stimuli.iter().zip(ASYNCHRONIES_MS).map(|(at, a)| at + a).collect();
    let column = |all: &[i64]| all.iter().map(|at| format!("{at}\n")).collect::<String>();
    let check =
        |place: &Workspace| near(number(&analyzed(place)[0], "sd_asynchrony_ms"), 21.245_914_64);

    let two = place();
    two.file("t.txt", format!("\u{feff}tap\r\n{}", column(&taps).replace('\n', "\r\n")));
    two.file("s.txt", format!("click\n{}", column(&stimuli)));
    let more = ["--taps", "tap in ms", "--stimuli-file", "s.txt", "--stimuli", "click in ms"];
    imported(&two, &[&["t.txt", "--participant", "1"], &more[..]].concat());
    check(&two);
    assert_eq!(recording(&two, "1", 1).header.source.unwrap().files.len(), 2);

    let events = place();
    let mut all: Vec<(i64, &str)> = stimuli.iter().map(|at| (*at, "beat")).collect();
    all.extend(taps.iter().map(|at| (*at, "tap")));
    all.sort_unstable();
    // Seconds with a decimal comma, between semicolons.
    let rows: String = all
        .iter()
        .map(|(ms, what)| format!("\"{what}\";{},{:03}\n", ms / 1000, ms % 1000))
        .collect();
    events.file("e.csv", format!("what;time\n{rows}"));
    let more = ["--taps", "time in s where what = tap", "--stimuli", "time in s where what = beat"];
    let comma = run(
        &events,
        &[&["import-taps", "e.csv", "--participant", "1", "--data", "d"], &more[..]].concat(),
    );
    assert!(comma.err.contains("e.csv:2: column time"), "{comma:?}");
    assert!(comma.err.contains("add --decimal-comma"), "{comma:?}");
    imported(&events, &[&["e.csv", "--participant", "1", "--decimal-comma"], &more[..]].concat());
    check(&events);

    let lists = place();
    lists.file("l.csv", format!("trial,click,tap\n1,\"{stimuli:?}\",\"{taps:?}\"\n"));
    let more = ["--taps", "tap in ms", "--stimuli", "click in ms", "--trial-column", "trial"];
    imported(&lists, &[&["l.csv", "--participant", "1"], &more[..]].concat());
    check(&lists);
}

#[test]
fn whatever_cannot_be_read_is_refused_with_its_line_and_nothing_is_written() {
    let ms = ["--participant", "1", "--taps", "tap in ms"];
    let asynchronies = ["--participant", "1", "--asynchronies", "a in ms", "--interval", "600 ms"];
    let by_person = ["--participant-column", "p", "--trial-column", "n", "--taps", "tap in ms"];
    let cases: &[(&[u8], &[&str], &str)] = &[
        (b"tap\n1\n2x\n", &ms, "t.csv:3: column tap: \"2x\": it is no number"),
        (b"tap\n1\ninf\n", &ms, "t.csv:3: column tap: \"inf\": it is no number"),
        (b"tap\n1\n1e300\n", &ms, "t.csv:3: column tap"),
        (b"tap\n99999999999999999999\n", &ms, "the number is too large; check the unit"),
        (b"tap;x\n1,5;2\n", &ms, "t.csv:2: column tap: \"1,5\": a comma stands in the number"),
        (b"onset,x\n1,2\n", &ms, "t.csv:1: there is no column \"tap\""),
        (b"tap,tap\n1,2\n", &ms, "t.csv:1: two columns are called \"tap\""),
        (b"tap,x\n1,2\n3\n", &ms, "t.csv:3: 1 cells, but the first line has 2"),
        (b"tap,x\n\"1,2\n3,4\n", &ms, "t.csv:2: the quotation mark that begins here does not end"),
        (b"tap\n1\n\xff\n", &ms, "t.csv:3: this is not UTF-8 text"),
        (b"\xff\xfet\0a\0p\0\n\0", &ms, "t.csv: there is no tap in it"), // UTF-16
        (b"PK\x03\x04\x14\0", &ms, "t.csv:1: this is a workbook"),
        (b"1\n2\n", &ms, "the first line has \"1\" where the name of a column should stand"),
        (
            b"tap\n1\n",
            &["--participant", "1", "--taps", "tap in ms", "--unit", "ms"],
            "--unit is of no use",
        ),
        (
            b"tap\n3000\n1000\n",
            &ms,
            "t.csv:3: a tap at 1000 ms comes before the one at 3000 ms above it",
        ),
        (b"tap\nNaN\nn/a\n\n", &ms, "t.csv: there is no tap in it"),
        (b"", &ms, "t.csv: there is no tap in it"),
        (b"a\n10\n400\n", &asynchronies, "t.csv:3: an asynchrony of 400 ms is more than half"),
        (
            b"p,n,tap\n1,1,5\n1,2,6\n1,1,7\n",
            &by_person,
            "t.csv:4: trial 1 of participant 1 stands here",
        ),
        (b"p,n,tap\n1,1,5\n,2,6\n", &by_person, "t.csv:3: nothing says whose taps these are"),
        (
            b"p,n,tap\n--,1,5\n",
            &by_person,
            "t.csv:2: participant \"--\" has neither letters nor digits",
        ),
        (b"p,n,tap\na1,1,5\na-1,1,6\n", &by_person, "would both be sub-a1"),
        (b"MThd\0\0", &["--participant", "1"], "t.csv: not a Standard MIDI File"),
        (b"{\"resp_onsets_detected\": [1, 2", &["--participant", "1"], "t.csv: not JSON of REPP"),
        (
            b"tap\n1\n",
            &["--participant", "1", "--taps", "tap"],
            "the unit of the taps is not known",
        ),
    ];
    for (bytes, args, said) in cases {
        let place = place();
        place.file("t.csv", bytes);
        let told = run(&place, &[&["import-taps", "t.csv", "--data", "d"], *args].concat());
        assert_eq!(told.code, Some(2), "{said}: {told:?}");
        assert!(told.err.contains(said), "{said}: {told:?}");
        assert!(!place.path("d").exists(), "{said}: nothing is written");
    }
    let place = place();
    place.file("t.csv", "tap\n1\n");
    let near = run(
        &place,
        &["import-taps", "t.csv", "--data", "d", "--taps", "tpa in ms", "--participant", "1"],
    );
    assert!(near.err.contains("did you mean \"tap\"?"), "{near:?}");
    let unit = run(&place, &["import-taps", "t.csv", "--data", "d", "--taps", "tap in mss"]);
    assert!(unit.err.contains("did you mean ms?"), "{unit:?}");
    let same = run(&place, &[&["import-taps", "t.csv", "t.csv", "--data", "d"], &ms[..]].concat());
    assert!(same.err.contains("t.csv: the same as t.csv"), "{same:?}");
}

#[test]
fn an_imported_dataset_is_looked_at_checked_and_withdrawn_from_like_any_other() {
    let place = place();
    table(&place);
    let status = run(&place, &["status", "d"]);
    let due = "d (recorded by another program: table)\n  6 trials of 3 participants; the timing is unknown\n";
    assert_eq!((status.code, &*status.out), (Some(0), due), "{status:?}");
    let verified = run(&place, &["verify", "d"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    assert!(
        verified.out.contains("6 trials of another program read, 18 checksums compared"),
        "{verified:?}"
    );
    let again = run(&place, &[&["import-taps", "taps.csv", "--data", "d"], COLUMNS].concat());
    assert!(again.err.contains("d: not empty; name another folder"), "{again:?}");

    analyzed(&place);
    for command in [
        &["report", "d"][..],
        &["gather", "d", "g"],
        &["export", "d", "--to", "csv"],
        &["summary", "d"],
    ] {
        let said = run(&place, command);
        assert_eq!(said.code, Some(0), "{said:?}");
    }
    let page = fs::read_to_string(place.path("d/derivatives/chronotap/report.html")).unwrap();
    assert!(
        page.contains("recorded by another program and imported with Chronotap"),
        "the methods"
    );
    for word in ["Nobody tapped", "virtual time", "timing passed", "timing failed"] {
        assert!(!page.contains(word), "{word}");
    }

    let said = run(&place, &["withdraw", "d", "--participant", "ben", "--yes"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let note = fs::read_to_string(place.path("d/sourcedata/withdrawals.tsv")).unwrap();
    assert!(note.contains("sub-ben\t") && note.contains("\tremoved\tn/a"), "{note}");
    assert!(!fs::read_to_string(place.path("d/participants.tsv")).unwrap().contains("ben"));
    let verified = run(&place, &["verify", "d"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");

    let events = place.path("d/sub-ana/beh/sub-ana_task-tapping_run-01_events.tsv");
    let text = fs::read_to_string(&events).unwrap();
    fs::write(&events, text.replacen("-30000000", "-20000000", 1)).unwrap();
    let verified = run(&place, &["verify", "d"]);
    assert_eq!(verified.code, Some(1), "{verified:?}");
    assert!(verified.out.contains("changed since it was written"), "{verified:?}");
}

#[test]
fn no_session_is_added_to_trials_of_another_program() {
    let place = place();
    place.file("taps.csv", TABLE);
    imported(&place, &[&["taps.csv", "--task", "short"], COLUMNS].concat());
    place.file("study.toml", "title = \"S\"\ntask = \"short\"\nparticipants = 2\ntrial = \"t.toml\"\n[[step]]\nname = \"main\"\n");
    place.file("t.toml", "[pacing.m]\ninterval = \"500 ms\"\nbeats = 2\n");
    let said = run(
        &place,
        &["run", "study.toml", "--participant", "1", "--data", "d", "--simulate", "tapper"],
    );
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("its trials were recorded by another program (table)"), "{said:?}");
}

#[test]
fn the_same_files_give_the_same_bytes() {
    let all = |place: &Workspace| {
        let names = ["README.md", "dataset_description.json", "participants.tsv"];
        let of_ana = ["_beh.tsv", "_beh.json", "_run-01_events.tsv", "_run-01_events.json"]
            .map(|end| format!("sub-ana/beh/sub-ana_task-tapping{end}"));
        let names = names.iter().map(|name| (*name).to_owned()).chain(of_ana);
        names.map(|name| fs::read(place.path(&format!("d/{name}"))).unwrap()).collect::<Vec<_>>()
    };
    let (one, other) = (place(), place());
    table(&one);
    table(&other);
    assert!(all(&one) == all(&other));
}

/// A trial of eight beats, without feedback, and six taps beside them.
const BEATS: &str = "[pacing.m]\ninterval = \"500 ms\"\nbeats = 8\ntone = { channel = 10 }\n\
                     [[when]]\ntime = \"6 s\"\nend = true\n";
const TAPPED_S: [f64; 6] = [0.981_25, 1.493, 2.040_3, 2.465_62, 2.999, 3.481_1];

/// Records it as a sound card would, with taps of this shape: `SHAPE.wav`.
fn rendered(place: &Workspace, shape: &str) -> Output {
    let row = |at: &f64| format!("{at}\t0.1\t60\t90\n");
    let taps: String = TAPPED_S.iter().map(row).collect();
    place.file("performer.tsv", format!("onset\tduration\tnote\tvelocity\n{taps}"));
    place.file("t.toml", BEATS);
    let line = format!("render t.toml --performer performer.tsv --taps-as {shape} -o {shape}.wav");
    let said = place.run(&line);
    assert_eq!(said.code, Some(0), "{said:?}");
    said
}

#[test]
fn a_recording_that_render_made_gives_the_taps_and_beats_of_its_trial() {
    let bounds_ms = [
        ("click", "contact", 0.1),
        ("ring", "contact", 0.1),
        ("thump", "air", 0.3),
        ("force", "force", 0.3),
    ];
    for (shape, sensor, most_ms) in bounds_ms {
        let place = place();
        let said = rendered(&place, shape);
        assert!(said.out.contains("right a sensor with 6 taps"), "{said:?}");
        let wav = format!("{shape}.wav");
        let said = imported(
            &place,
            &[
                &*wav,
                "--taps",
                "channel 2",
                "--stimuli",
                "channel 1",
                "--sensor",
                sensor,
                "--participant",
                "07",
            ],
        );
        assert!(said.out.contains("1 file: sound recording"), "{said:?}");
        assert!(said.out.contains(&format!("taps: channel 2, sensor {sensor}: from")), "{said:?}");
        let found = recording(&place, "07", 1);
        let (taps, beats) = (onsets(&found, TrialType::Tap), onsets(&found, TrialType::Pacing));
        assert_eq!((taps.len(), beats.len()), (6, 8), "{shape}");
        for (at, tap) in TAPPED_S.iter().zip(&taps) {
            // Beat 1 sounds a second after the trial's start.
            let wrong_ms = (tap - beats[0]) - (at - 1.0) * 1e3;
            assert!(wrong_ms.abs() < most_ms, "{shape}: {wrong_ms} ms");
        }
    }
}

#[test]
fn of_a_sound_it_is_asked_which_channel_is_what_and_nothing_is_written_otherwise() {
    let place = place();
    rendered(&place, "click");
    let refused = |args: &[&str], why: &str| {
        let base = ["import-taps", "click.wav", "--participant", "07", "--data", "d"];
        let said = run(&place, &[&base, args].concat());
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains(why), "{why}: {}", said.err);
        assert!(!place.path("d").exists());
    };
    refused(&[], "nothing says which of them has the taps; say which is which");
    refused(&["--taps", "channel 3"], "\"channel 3\" is no channel of it; it has 2");
    refused(&["--taps", "channel 2", "--level", "-1"], "choose a lower --level");
    refused(&["--taps", "channel 2", "--level", "3"], "a level from -120 to 0");
    refused(&["--taps", "channel 2", "--gap", "1 ms"], "a time from 10 ms to 10 s");
    refused(&["--taps", "channel 2", "--sensor", "peizo"], "peizo");
    refused(&["--taps", "channel 2", "--threshold", "5"], "--threshold");
    place.file("t.csv", "tap\n1\n2\n");
    let said =
        run(&place, &["import-taps", "t.csv", "--taps", "tap in s", "--hum", "50", "--data", "d"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("--hum"), "{said:?}");
}
