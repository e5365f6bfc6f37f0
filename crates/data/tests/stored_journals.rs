//! A journal whose events stay in its file gives the rows that its events give in memory,
//! whatever stands in it and wherever it is damaged.

use chronotap_core::time::Nanos;
use chronotap_data::record::journal::{
    Chain, Room, Scratch, StoredJournal, put_dropped, put_entry, put_footer, put_header,
    read_open_journal,
};
use chronotap_data::record::{Entry, EventRows, Flag, Header, Row, What, rows_of};
use chronotap_engine::action::{Action, ActionKind, OutsideChange, Silence, TrialEnding};
use chronotap_testkit_data::tiny::{footer, header, on, tiny};
use proptest::prelude::*;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::Path;

/// The header of a trial that has an input, so that taps have fates.
fn with_input() -> Header {
    let mut header = header();
    header.trial_file.text.push_str("\n[feedback.tone]\n");
    header
}

fn journal(header: &Header, entries: &[Entry], whole: bool) -> Vec<u8> {
    let (mut bytes, mut chain) = (Vec::new(), Chain::default());
    put_header(&mut bytes, &mut chain, header).unwrap();
    for (place, entry) in entries.iter().enumerate() {
        put_entry(&mut bytes, &mut chain, entry);
        if place % 5 == 4 {
            put_dropped(&mut bytes, &mut chain, place as u64);
        }
    }
    if whole {
        put_footer(&mut bytes, &mut chain, &footer()).unwrap();
    }
    bytes
}

/// So little that everything is in turn in the scratch.
const NARROW: Room = Room { pages: 1, keys: 3, ..Room::USUAL };

/// The rows that stay in the file.
fn stored(bytes: &[u8], room: Room) -> Vec<Row> {
    let scratch = Scratch::in_memory(room);
    let mut journal = StoredJournal::read(Cursor::new(bytes), Path::new("x"), scratch).unwrap();
    let mut rows = journal.rows().unwrap();
    let mut all = Vec::new();
    let count = rows.rows();
    rows.each(&mut |row| {
        all.push(row.clone());
        Ok(())
    })
    .unwrap();
    assert_eq!(all.len(), count);
    assert_eq!(rows.are_framed(), all.iter().any(|row| row.frame.is_some()));
    all
}

/// The rows of the same events in memory.
fn in_memory(bytes: &[u8]) -> Vec<Row> {
    let journal = read_open_journal(bytes, Path::new("x")).unwrap();
    let sure: Vec<u64> = journal.entries.iter().map(|entry| entry.action.id).collect();
    let entries = [&journal.entries[..], &journal.behind.entries].concat();
    let mut rows = rows_of(&journal.header, &entries);
    let unsure = rows.iter_mut().filter(|row| !sure.contains(&row.event_id));
    unsure.for_each(|row| row.flag = Some(Flag::BehindGap));
    rows
}

fn any_entry() -> impl Strategy<Value = Entry> {
    let kinds = vec![
        ActionKind::Pacing(0),
        ActionKind::Feedback(0),
        ActionKind::ToneOff,
        ActionKind::Tap(0),
        ActionKind::Release(0),
        ActionKind::SilentBeat(0, Silence::Rest),
        ActionKind::InputClosed(0),
        ActionKind::InputReopened(0),
        ActionKind::Cancelled(0),
        ActionKind::Xrun,
        ActionKind::Changed(OutsideChange::Disconnected),
        ActionKind::End(TrialEnding::Rule),
    ];
    let numbers = (0u32..3, 0u64..12, 0u64..12);
    let times = ([0i64..3_000, 0i64..3_000], prop::option::of(0i64..3_000));
    let rest = (any::<bool>(), prop::option::of(0u64..9));
    (prop::sample::select(kinds), numbers, times, rest).prop_map(|(kind, numbers, times, rest)| {
        let ms = Nanos::from_millis;
        let ([deadline, instant], achieved) = times;
        let action = Action {
            kind,
            number: numbers.0,
            cause: numbers.1,
            id: numbers.2,
            deadline: ms(deadline),
            instant: ms(instant),
            message: on(60),
            ..tiny()[0].action
        };
        let what = if rest.0 && action.is_output() { What::Corrected } else { What::Happened };
        Entry { what, action, achieved: achieved.map(ms), stamp: None, frame: rest.1 }
    })
}

/// Random events, some said twice, as corrections are.
fn any_entries() -> impl Strategy<Value = Vec<Entry>> {
    let twice =
        prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..4);
    (prop::collection::vec(any_entry(), 1..40), twice).prop_map(|(mut all, twice)| {
        for (which, to) in twice {
            let one = *which.get(&all);
            let again = Entry::correction(one.action, Some(Nanos(7).into()));
            all.insert(to.index(all.len() + 1), if one.action.is_output() { again } else { one });
        }
        all
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn prop_rows_of_events_in_the_file_are_those_of_events_in_memory(
        entries in any_entries(),
        whole in any::<bool>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let header = with_input();
        let mut bytes = journal(&header, &entries, whole);
        let first = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        for (at, byte) in damage {
            let at = at.index(bytes.len() - first) + first;
            bytes[at] = byte;
        }
        let due = in_memory(&bytes);
        prop_assert_eq!(&stored(&bytes, Room::USUAL), &due);
        prop_assert_eq!(&stored(&bytes, NARROW), &due);
    }
}

/// More pieces than stay in memory; each tone ends, and answers its tap, far behind it.
#[test]
fn what_belongs_together_is_found_however_far_apart_it_stands() {
    const EACH: u64 = 20_000;
    let part = |kind, id: u64, cause, number| {
        let ms = Nanos::from_millis(id as i64);
        let action =
            Action { kind, number, cause, id, deadline: ms, instant: ms, ..tiny()[0].action };
        Entry { what: What::Happened, action, achieved: Some(ms), stamp: None, frame: None }
    };
    let taps = (1..=EACH).map(|n| part(ActionKind::Tap(0), n, 0, n as u32));
    let tones = (1..=EACH).map(|n| part(ActionKind::Feedback(0), EACH + n, n, n as u32));
    let ends = (1..=EACH).map(|n| part(ActionKind::ToneOff, EACH + n, 0, 0));
    let entries: Vec<Entry> = taps.chain(tones).chain(ends).collect();
    let bytes = journal(&with_input(), &entries, true);
    let rows = stored(&bytes, Room::USUAL);
    assert_eq!(rows, rows_of(&with_input(), &entries));
    assert_eq!(stored(&bytes, Room { pages: 3, keys: 999, ..Room::USUAL }), rows);
    let delay = Some(Nanos::from_millis(EACH as i64));
    assert!(rows[EACH as usize..].iter().all(|row| row.delay == delay && row.duration.is_some()));
}

/// A file that somebody cuts once it was read.
#[derive(Debug)]
struct Cut<'a> {
    bytes: Cursor<&'a [u8]>,
    cut: bool,
}

impl Read for Cut<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let n = if self.cut { 0 } else { self.bytes.read(into)? };
        self.cut |= n == 0;
        Ok(n)
    }
}

impl Seek for Cut<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.bytes.seek(to)
    }
}

#[test]
fn a_journal_that_is_cut_while_it_is_read_is_refused() {
    let bytes = journal(&with_input(), &tiny(), true);
    let cut = Cut { bytes: Cursor::new(&bytes[..]), cut: false };
    let scratch = Scratch::in_memory(NARROW);
    let mut journal = StoredJournal::read(cut, Path::new("x"), scratch).unwrap();
    let refused = journal.rows().unwrap_err().to_string();
    assert!(refused.contains("was changed while it was read"), "{refused}");
}

#[test]
fn of_more_taps_than_can_be_compared_it_is_said_that_none_was_judged() {
    let bytes = journal(&with_input(), &tiny(), true);
    let taps =
        tiny().iter().filter(|entry| matches!(entry.action.kind, ActionKind::Tap(_))).count();
    assert!(taps > 0);
    for (judged, told) in [(tiny().len(), true), (1, false)] {
        let scratch = Scratch::in_memory(Room { judged, ..Room::USUAL });
        let read = StoredJournal::read(Cursor::new(&bytes[..]), Path::new("x"), scratch);
        let mut read = read.unwrap();
        let mut rows = read.rows().unwrap();
        let mut fates = 0;
        rows.each(&mut |row| {
            fates += usize::from(row.fate.is_some());
            Ok(())
        })
        .unwrap();
        assert_eq!((rows.are_judged(), fates > 0), (told, told));
    }
}

#[test]
fn of_a_file_that_is_damaged_all_over_the_first_places_are_told_and_the_rest_in_one() {
    let tap = |id: u64| {
        let action = Action { kind: ActionKind::Tap(0), id, ..tiny()[0].action };
        Entry { what: What::Happened, action, achieved: Some(Nanos(1)), stamp: None, frame: None }
    };
    let entries: Vec<Entry> = (1..9_000).map(tap).collect();
    let mut bytes = journal(&with_input(), &entries, true);
    let mut line = 0;
    for byte in &mut bytes {
        line += usize::from(*byte == b'\n');
        if line % 3 == 2 && *byte == b't' {
            *byte = b'?';
        }
    }
    let behind = read_open_journal(&bytes[..], Path::new("x")).unwrap().behind;
    let places: u64 = behind.gaps.iter().map(|gap| gap.places).sum();
    assert_eq!(behind.gaps.len(), 1_000);
    assert!(places > 2_000 && behind.gaps[999].places == places - 999, "{places}");
    assert_eq!(behind.gaps.iter().map(|gap| gap.bytes).sum::<u64>(), behind.unusable_bytes);
}
