//! The two files of a trial: their bytes, their meaning, and that what is written
//! is what is read.

use chronotap_analysis::account::Fate;
use chronotap_analysis::observed::{OnsetSource, TapForce};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_data::record::{
    COLUMNS, Entry, Flag, Outlines, ReadError, Row, TapFate, TrialType, difference,
    difference_of_part, parse_rows, read_events, rows, rows_of, write_events, write_rows,
};
use chronotap_engine::action::{ActionKind, TrialEnding};
use chronotap_engine::perturbation::{Perturbation, PerturbedPart};
use chronotap_engine::signal::{Played, Stamp};
use chronotap_testkit_data::tiny::{entry, footer, header, off, on, tiny, unheard};
use proptest::option;
use proptest::prelude::*;
use std::fs;
use std::path::Path;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden");

fn tiny_rows() -> Vec<Row> {
    rows_of(&header(), &tiny())
}

fn row_of(kind: TrialType) -> Row {
    tiny_rows().into_iter().find(|row| row.trial_type == kind).unwrap()
}

#[test]
fn the_files_of_a_tiny_trial_are_as_kept() {
    let dir = tempfile::tempdir().unwrap();
    let saved = write_events(dir.path(), "tiny", &header(), &tiny(), &footer(), false).unwrap();
    for (written, file) in [(&saved.tsv, "tiny_events.tsv"), (&saved.json, "tiny_events.json")] {
        let written = fs::read_to_string(written).unwrap();
        chronotap_kept::assert_file(Path::new(GOLDEN).join(file), &written);
    }
}

#[test]
fn a_tone_lasts_from_its_onset_to_its_release_as_achieved() {
    let pacing = row_of(TrialType::Pacing);
    assert_eq!(pacing.onset, Nanos(1_000_004_567));
    assert_eq!(pacing.duration, Some(Nanos::from_millis(30)));
    assert_eq!(pacing.lateness, Some(Nanos(4_567)));
    assert_eq!(pacing.release_deadline, Some(Nanos::from_millis(1030)));
}

#[test]
fn a_tap_lasts_as_long_as_the_key_is_held() {
    let tap = row_of(TrialType::Tap);
    assert_eq!(tap.duration, Some(Nanos::from_millis(70)));
    assert_eq!((tap.deadline, tap.lateness), (None, None));
    let release = row_of(TrialType::Release);
    assert_eq!((release.cause, release.duration), (Some(tap.event_id), Some(Nanos::ZERO)));
}

#[test]
fn what_is_unusual_is_flagged() {
    let by_id = |id| tiny_rows().into_iter().find(|row| row.event_id == id).unwrap();
    let debounced = by_id(4);
    assert_eq!((debounced.flag, debounced.number), (Some(Flag::Debounced), None));
    let lost = by_id(8);
    assert_eq!((lost.flag, lost.achieved, lost.duration), (Some(Flag::Lost), None, None));
    assert_eq!(lost.onset, Nanos::from_millis(1200), "its deadline stands for its onset");
    assert_eq!(by_id(11).flag, Some(Flag::ReleaseLost));
    let cut_short = rows(&header().names, &tiny()[..1]);
    assert_eq!((cut_short[0].flag, cut_short[0].duration), (Some(Flag::Unfinished), None));
}

#[test]
fn a_cancelled_tone_stands_at_its_deadline_and_never_sounded() {
    let cancelled = row_of(TrialType::Cancelled);
    assert_eq!(cancelled.onset, Nanos::from_millis(1700));
    assert_eq!((cancelled.achieved, cancelled.duration), (None, None));
    assert_eq!((cancelled.name.as_deref(), cancelled.number), (Some("tone"), Some(1)));
}

#[test]
fn rows_are_sorted_by_onset_and_then_by_event() {
    let names = header().names;
    let simultaneous = [
        entry(3, ActionKind::Pacing(0), (1, 0), (10, Some(10)), on(1)),
        entry(2, ActionKind::Pacing(0), (1, 0), (10, Some(10)), on(2)),
        entry(1, ActionKind::Pacing(0), (1, 0), (20, Some(20)), on(3)),
    ];
    let ids: Vec<_> = rows(&names, &simultaneous).iter().map(|row| row.event_id).collect();
    assert_eq!(ids, [2, 3, 1]);
}

#[test]
fn arrivals_closures_and_the_end_can_be_played_again() {
    let dir = tempfile::tempdir().unwrap();
    let saved = write_events(dir.path(), "tiny", &header(), &tiny(), &footer(), true).unwrap();
    let recording = read_events(&saved.tsv).unwrap();
    let arrivals = recording.arrivals();
    assert_eq!(arrivals.iter().map(|a| a.event_id).collect::<Vec<_>>(), [2, 4, 5, 7]);
    assert_eq!(arrivals[0].at, Nanos::from_millis(1020));
    assert_eq!((arrivals[0].input, arrivals[0].stamp), (0, Some(Stamp::UserSpace)));
    assert_eq!(Some(arrivals[3].message), off(60));
    let closures = recording.closures();
    assert_eq!((closures.len(), closures[0].at), (1, Nanos::from_millis(1550)));
    let end = recording.end().unwrap();
    assert_eq!((end.ending, end.at), (TrialEnding::Interrupted, Nanos::from_millis(1600)));
}

#[test]
fn a_damaged_cell_is_named_with_line_and_column() {
    let mut table = Vec::new();
    write_rows(&mut table, &tiny_rows());
    let table = String::from_utf8(table).unwrap();
    let told = |table: &str| parse_rows(Path::new("x.tsv"), table).unwrap_err();
    let wrong = told(&table.replace("90 4c 64", "90 4c zz"));
    assert!(
        matches!(&wrong, ReadError::Cell { line: 2, column: "message", found, .. } if found == "90 4c zz"),
        "{wrong}"
    );
    let wrong = told(&table.replace("deadline_ns", "deadline"));
    assert!(matches!(&wrong, ReadError::Column { column: "deadline_ns", .. }), "{wrong}");
    let wrong = told(table.trim_end().rsplit_once('\t').unwrap().0);
    assert!(matches!(&wrong, ReadError::Cell { column: "asynchrony_ns", .. }), "{wrong}");
}

#[test]
fn a_table_in_another_encoding_is_named_with_line_and_byte() {
    let dir = tempfile::tempdir().unwrap();
    let saved = write_events(dir.path(), "tiny", &header(), &tiny(), &footer(), false).unwrap();
    let mut bytes = fs::read(&saved.tsv).unwrap();
    let second = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    bytes.insert(second, 0xb5);
    fs::write(&saved.tsv, bytes).unwrap();
    let wrong = read_events(&saved.tsv).unwrap_err();
    let ReadError::NotUtf8 { path, found } = &wrong else { panic!("{wrong}") };
    assert_eq!((path, found.line, found.offset, found.byte), (&saved.tsv, 2, second, 0xb5));
}

#[test]
fn a_newer_format_is_left_to_the_program_that_wrote_it() {
    let dir = tempfile::tempdir().unwrap();
    let saved = write_events(dir.path(), "tiny", &header(), &tiny(), &footer(), false).unwrap();
    let json = fs::read_to_string(&saved.json).unwrap();
    fs::write(&saved.json, json.replace("\"version\": 1", "\"version\": 99")).unwrap();
    let refused = read_events(&saved.tsv);
    assert!(matches!(refused, Err(ReadError::Newer { found: 99, .. })), "{refused:?}");
}

#[test]
fn a_column_that_another_program_added_does_no_harm() {
    let mut table = Vec::new();
    write_rows(&mut table, &tiny_rows());
    let table = String::from_utf8(table).unwrap();
    let wider: String = table.lines().map(|line| format!("rating\t{line}\n")).collect();
    assert_eq!(parse_rows(Path::new("x.tsv"), &wider).unwrap(), tiny_rows());
}

#[test]
fn a_replay_on_a_slower_machine_is_no_difference_but_another_note_is() {
    let recorded = tiny_rows();
    let slower: Vec<Entry> = tiny()
        .into_iter()
        .map(|e| Entry { achieved: e.achieved.map(|at| at + Nanos(9_999)), ..e })
        .collect();
    assert_eq!(difference(&recorded, &rows(&header().names, &slower)), None);
    let mut other = tiny_rows();
    other[3].note = U7::new(61);
    let found = difference(&recorded, &other).unwrap();
    assert_eq!(found.line, Some(5));
    assert!(found.to_string().contains("note is 60 in the recording, 61 in the replay"), "{found}");
}

#[test]
fn a_missing_or_further_event_is_a_difference() {
    let all = tiny_rows();
    let fewer: Vec<Row> = all.iter().filter(|row| row.event_id != 14).cloned().collect();
    assert!(difference(&all, &fewer).unwrap().what.contains("not in the replay"));
    assert!(difference(&fewer, &all).unwrap().what.contains("not recorded"));
    assert_eq!(difference_of_part(&fewer, &all), None);
}

#[test]
fn a_recording_that_was_cut_short_agrees_with_the_whole() {
    for cut in 0..tiny().len() {
        let part = rows(&header().names, &tiny()[..cut]);
        let found = difference_of_part(&part, &tiny_rows());
        assert_eq!(found, None, "cut after {cut} entries");
    }
}

fn any_message() -> impl Strategy<Value = Message> {
    let bytes = (0x80u8..=0xff, 0u8..128, 0u8..128);
    bytes.prop_filter_map("not a message", |(status, a, b)| {
        let data = match Message::data_bytes(status) {
            0 => [0, 0],
            1 => [a, 0],
            _ => [a, b],
        };
        Message::decode(status, data.map(U7::from_byte))
    })
}

fn any_perturbation() -> impl Strategy<Value = Perturbation> {
    let shift = any::<i64>().prop_map(|ns| PerturbedPart::PhaseShift(Nanos(ns)));
    let part =
        prop_oneof![shift, Just(PerturbedPart::Mute), any::<i8>().prop_map(PerturbedPart::Pitch)];
    prop::collection::vec(part, 0..3)
        .prop_map(|parts| parts.iter().fold(Perturbation::NONE, |all, part| all.with(*part)))
}

fn any_fate() -> impl Strategy<Value = TapFate> {
    let matched = (any::<String>(), 1u32.., any::<i64>())
        .prop_map(|(against, beat, ns)| TapFate::Matched { against, beat, asynchrony: Nanos(ns) });
    let all = [
        Fate::Debounced,
        Fate::Doubled,
        Fate::Response,
        Fate::Extra,
        Fate::Unpaced,
        Fate::Unmeasured,
    ];
    prop_oneof![matched, prop::sample::select(all.to_vec()).prop_map(TapFate::Without)]
}

fn any_row() -> impl Strategy<Value = Row> {
    let time = || any::<i64>().prop_map(Nanos);
    let times = (time(), time(), [(); 6].map(|()| option::of(time())));
    let seven = || option::of((0u8..128).prop_map(U7::from_byte));
    let midi = (option::of((1u8..=16).prop_map(|c| Channel::new(c).unwrap())), seven(), seven());
    let kinds = prop::sample::select(vec![
        TrialType::Pacing,
        TrialType::Tap,
        TrialType::Control,
        TrialType::Cancelled,
        TrialType::End,
    ]);
    let flags = vec![Flag::Debounced, Flag::Lost, Flag::ReleaseLost, Flag::Unfinished];
    let stamps =
        vec![Stamp::UserSpace, Stamp::Kernel, Stamp::AudioFrame, Stamp::Device, Stamp::Virtual];
    let words =
        (kinds, option::of(prop::sample::select(flags)), option::of(prop::sample::select(stamps)));
    let name = || option::of(any::<String>());
    let numbers =
        (option::of(1u32..), any::<u64>(), any::<[Option<u64>; 2]>(), any::<Option<i8>>());
    let texts = (name(), name(), name(), option::of(any_message()));
    let told = (any_perturbation(), option::of(any_fate()), option::of(time()));
    let sources = prop::sample::select(OnsetSource::WORDS.map(|(source, _)| source).to_vec());
    let again = option::of((sources, option::of(time())));
    let all = (times, midi, words, numbers, texts, told, again);
    all.prop_map(|(times, midi, words, numbers, texts, told, again)| {
        let (onset, engine, [duration, deadline, achieved, lateness, due, ended]) = times;
        Row {
            onset,
            duration,
            trial_type: words.0,
            name: texts.0,
            number: numbers.0,
            channel: midi.0,
            note: midi.1,
            velocity: midi.2,
            port: texts.1,
            event_id: numbers.1,
            cause: numbers.2[0],
            deadline,
            achieved,
            lateness,
            release_deadline: due,
            release_achieved: ended,
            engine,
            stamp: words.2,
            message: texts.3,
            flag: words.1,
            detail: texts.2,
            perturbation: told.0,
            delay: told.2,
            pitch_shift: numbers.3,
            fate: told.1,
            frame: numbers.2[1],
            onset_source: again.map(|(source, _)| source),
            refined: again.and_then(|(_, at)| at),
            sound_peak_ppm: again.and_then(|(_, at)| at).map(|at| at.0 as u32),
            force: again.and_then(|(_, at)| at).map(|at| TapForce {
                peak: at.0.unsigned_abs() as u32,
                rise: at,
                dwell: -at,
            }),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn prop_writing_then_reading_is_identity(all in prop::collection::vec(any_row(), 0..8)) {
        let mut table = Vec::new();
        write_rows(&mut table, &all);
        let table = String::from_utf8(table).unwrap();
        let framed = all.iter().any(|row| row.frame.is_some());
        let heard = all.iter().any(|row| row.onset_source.is_some());
        let felt = all.iter().any(|row| row.force.is_some());
        let is_there = |column: &&str| match *column {
            "frame" => framed,
            "onset_source" | "refined_ns" | "sound_peak_ppm" => heard,
            "peak_force" | "rise_ns" | "dwell_ns" => felt,
            _ => true,
        };
        let columns: Vec<&str> = COLUMNS.into_iter().filter(is_there).collect();
        prop_assert_eq!(table.split('\n').next().unwrap(), columns.join("\t"));
        prop_assert_eq!(parse_rows(Path::new("x"), &table).unwrap(), all);
    }

    #[test]
    fn prop_reading_any_text_never_panics(cells in prop::collection::vec("[n/a0-9.\t-]{0,9}", 0..40)) {
        let table = format!("{}\n{}\n", COLUMNS.join("\t"), cells.join("\t"));
        let _ = parse_rows(Path::new("x"), &table);
    }
}

/// What is read of a trial for an analysis, or why it is not: from its rows, and from its outline.
fn both_ways(path: &Path) -> [Result<String, String>; 2] {
    let file = TrialFile::parse(&header().trial_file.text, "tiny.toml").unwrap();
    let whole = read_events(path).map_err(|e| e.to_string()).and_then(|read| {
        let observed = read.observed(&file).map_err(|e| e.to_string())?;
        Ok(format!("{:?}", (read.header, read.footer, read.checksum, read.bytes, observed)))
    });
    let mut outlines = Outlines::default();
    let outline = outlines.read_whole(path).map_err(|e| e.to_string()).and_then(|whole| {
        let (read, header, footer) = whole;
        assert_eq!(outlines.read(path).unwrap(), read, "with the description and without");
        let observed = read.observed(&file).map_err(|e| e.to_string())?;
        Ok(format!("{:?}", (header, footer, read.checksum, read.bytes, observed)))
    });
    [whole, outline]
}

#[test]
fn an_outline_shows_what_the_whole_recording_shows() {
    let dir = tempfile::tempdir().unwrap();
    let all = [(tiny(), "tiny"), (unheard(), "unheard"), (tiny()[..9].to_vec(), "cut")];
    for (entries, name) in all {
        let saved = write_events(dir.path(), name, &header(), &entries, &footer(), false).unwrap();
        let [whole, outline] = both_ways(&saved.tsv);
        assert_eq!(whole.as_ref().unwrap(), outline.as_ref().unwrap(), "{name}");
    }
}

proptest! {
    #[test]
    fn prop_an_outline_is_refused_where_and_as_the_whole_recording_is(
        places in prop::collection::vec((any::<prop::sample::Index>(), "[0-9ntaem\t\\n.+-]|n/a"), 1..3),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let saved = write_events(dir.path(), "tiny", &header(), &tiny(), &footer(), false).unwrap();
        let mut table = fs::read_to_string(&saved.tsv).unwrap();
        for (place, text) in places {
            let place = place.index(table.len());
            table.replace_range(place..place + 1, &text);
        }
        fs::write(&saved.tsv, &table).unwrap();
        let [whole, outline] = both_ways(&saved.tsv);
        prop_assert_eq!(whole, outline, "{}", table);
    }
}

#[test]
fn every_column_stands_in_the_manual() {
    let manual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/events-files.md");
    let manual = fs::read_to_string(manual).unwrap();
    for column in COLUMNS {
        assert!(manual.contains(&format!("`{column}`")), "{column} is not described");
    }
}

#[test]
fn what_was_played_at_another_time_than_was_said_has_the_time_it_was_played() {
    let at = |ms| Some(Nanos::from_millis(ms));
    let mut entries = tiny();
    let (on, off) = (entries[0].action, entries[3].action);
    let (late, frame) = (Nanos::from_millis(1_005), Some(48_240));
    entries.push(Entry::correction(on, Some(Played { at: late, frame })));
    entries.push(Entry::correction(off, at(1_036).map(Played::from)));
    let made = rows(&header().names, &entries);
    assert_eq!(made.len(), tiny_rows().len());
    let row = made.iter().find(|row| row.event_id == 1).unwrap();
    assert_eq!((row.onset, row.duration), (Nanos::from_millis(1_005), at(31)));
    assert_eq!((row.lateness, row.release_achieved), (at(5), at(1_036)));
    assert_eq!((row.flag, row.frame), (None, Some(48_240)));
}

#[test]
fn a_message_that_a_server_lost_after_all_is_flagged_with_its_row() {
    let mut entries = tiny();
    entries.push(Entry::correction(tiny()[0].action, None));
    entries.push(Entry::correction(tiny()[8].action, None)); // the end of the feedback tone
    let made = rows(&header().names, &entries);
    let flag = |id| made.iter().find(|row| row.event_id == id).unwrap().flag;
    assert_eq!((flag(1), flag(3)), (Some(Flag::Lost), Some(Flag::ReleaseLost)));
}

#[test]
fn a_tap_has_its_beat_and_asynchrony_and_feedback_its_delay_and_pitch() {
    let by_id = |id| tiny_rows().into_iter().find(|row| row.event_id == id).unwrap();
    let asynchrony = Nanos::from_millis(20) - Nanos(4_567); // the tone came 4.567 us late
    let matched = TapFate::Matched { against: "metronome".to_owned(), beat: 1, asynchrony };
    assert_eq!(by_id(2).fate, Some(matched));
    assert_eq!(by_id(4).fate, Some(TapFate::Without(Fate::Debounced)));
    assert_eq!(by_id(3).fate, None, "no tap");
    assert_eq!((by_id(3).delay, by_id(3).pitch_shift), (Some(Nanos::ZERO), Some(4)));
    let cancelled = by_id(13);
    assert_eq!(cancelled.delay, Some(Nanos::from_millis(680)));
}

#[test]
fn beats_and_tones_that_never_sounded_have_rows_that_say_why() {
    let rows = rows_of(&header(), &[tiny(), unheard()].concat());
    let row_of = |kind| rows.iter().find(|row| row.trial_type == kind).unwrap();
    let silent = row_of(TrialType::Silent);
    assert_eq!((silent.flag, silent.number), (Some(Flag::Rest), Some(2)));
    assert_eq!((silent.onset, silent.achieved), (Nanos::from_millis(1500), None));
    let muted = row_of(TrialType::Muted);
    assert_eq!((muted.flag, muted.cause), (Some(Flag::Muted), Some(2)));
    assert_eq!(muted.perturbation, Perturbation::NONE.with(PerturbedPart::Mute));
}

#[test]
fn a_table_of_an_earlier_version_is_read_without_the_columns_that_came_later() {
    let mut table = Vec::new();
    write_rows(&mut table, &tiny_rows());
    let table = String::from_utf8(table).unwrap();
    let earlier: String = table
        .lines()
        .map(|line| line.split('\t').take(21).collect::<Vec<_>>().join("\t") + "\n")
        .collect();
    let rows = parse_rows(Path::new("x.tsv"), &earlier).unwrap();
    assert_eq!(rows.len(), tiny_rows().len());
    assert!(rows.iter().all(|row| row.fate.is_none() && row.perturbation.is_none()));
}

#[test]
fn a_fate_that_does_not_fit_its_beat_is_refused() {
    let mut table = Vec::new();
    write_rows(&mut table, &tiny_rows());
    let table = String::from_utf8(table).unwrap();
    for (was, is) in
        [("\tmatched\t", "\textra\t"), ("\tdebounced\tn/a\tn/a\tn/a", "\tmatched\tn/a\tn/a\tn/a")]
    {
        assert!(table.contains(was), "{table}");
        assert!(parse_rows(Path::new("x.tsv"), &table.replace(was, is)).is_err(), "{is}");
    }
    let other = table.replace("\t50000000\t", "\t50000001\t");
    assert_ne!(other, table);
    assert!(parse_rows(Path::new("x.tsv"), &other).is_err(), "the perturbation says otherwise");
}
