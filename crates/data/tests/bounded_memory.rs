//! A recovery takes no more memory for five times the journal: every byte that is asked for is
//! counted.
#![allow(clippy::unwrap_used)] // a test that cannot be set up has failed

use cap::Cap;
use chronotap_core::time::Nanos;
use chronotap_data::record::journal::{Chain, Room, Scratch, StoredJournal, put_entry, put_header};
use chronotap_data::record::{Entry, EventRows, Header, What};
use chronotap_engine::action::{Action, ActionKind};
use chronotap_testkit::left_to_all;
use chronotap_testkit_data::tiny::{header, on, tiny};
use std::alloc::System;
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// Little, so that a small journal fills it.
const ROOM: Room = Room { pages: 4, keys: 1_000, judged: 1_000 };
const SMALL: u64 = 60_000;
const LARGE: u64 = 5 * SMALL;

fn with_input() -> Header {
    let mut header = header();
    header.trial_file.text.push_str("\n[feedback.tone]\n");
    header
}

/// The `n`-th event: a tap, its tone, the end of both. Every tenth key never comes up, every
/// tenth tone is corrected, and every tenth ends a thousand events later.
fn event(n: u64) -> Entry {
    let (tap, rest) = (n / 5 * 2 + 1, n % 5);
    let late = tap % 10 == 5;
    let (kind, id, cause) = match rest {
        0 => (ActionKind::Tap(0), tap, 0),
        1 | 2 => (ActionKind::Feedback(0), tap + 1, tap),
        3 if late => {
            (ActionKind::SilentBeat(0, chronotap_engine::action::Silence::Rest), tap + 1, 0)
        }
        3 => (ActionKind::Release(0), tap + LARGE, tap),
        _ => (ActionKind::ToneOff, if late { (tap + 1).saturating_sub(400) } else { tap + 1 }, 0),
    };
    let at = Nanos::from_micros(tap as i64 * 500);
    let action = Action {
        kind,
        number: 1,
        id,
        cause,
        deadline: at,
        instant: at,
        message: on(60),
        ..tiny()[0].action
    };
    let achieved = at + Nanos(rest as i64 * 1_000);
    match rest {
        2 if tap % 10 == 3 => Entry::correction(action, Some(achieved.into())),
        _ => Entry {
            what: What::Happened,
            action,
            achieved: Some(achieved),
            stamp: None,
            frame: None,
        },
    }
}

/// A journal of so many events, which is in memory line by line only.
fn journal(events: u64, damaged: bool) -> File {
    let mut file = BufWriter::new(tempfile::tempfile().unwrap());
    let (mut line, mut chain) = (Vec::new(), Chain::default());
    put_header(&mut line, &mut chain, &with_input()).unwrap();
    for n in 0..events {
        if n % 5 == 2 && n / 5 % 5 != 1 {
            continue; // of most tones nothing is said again
        }
        put_entry(&mut line, &mut chain, &event(n));
        if damaged && n % 50 == 7 {
            line[5] = b'?';
        }
        file.write_all(&line).unwrap();
        line.clear();
    }
    file.into_inner().unwrap()
}

/// The greatest memory for the rows of a journal, and how many there are.
fn memory_for(events: u64, damaged: bool) -> (usize, usize) {
    let mut file = journal(events, damaged);
    file.seek(SeekFrom::Start(0)).unwrap();
    let before = MEMORY.allocated();
    let scratch = Scratch::new(ROOM, || Ok(Box::new(tempfile::tempfile()?)));
    let mut read = StoredJournal::read(file, Path::new("x"), scratch).unwrap();
    let mut rows = read.rows().unwrap();
    assert!(!rows.are_judged());
    let (mut last, mut count) = (Nanos(i64::MIN), 0);
    rows.each(&mut |row| {
        assert!(row.onset >= last);
        (last, count) = (row.onset, count + 1);
        Ok(())
    })
    .unwrap();
    assert_eq!(count, rows.rows());
    // That of this journal and of no earlier one: they are read in the order of their sizes.
    (MEMORY.max_allocated() - before, count)
}

#[test]
fn five_times_the_journal_takes_no_more_memory_whole_or_damaged() {
    if left_to_all() {
        return;
    }
    // Both have more than fills all that is kept in memory: pieces of the file up to the 32,768th
    // event, and as many runs as are merged at once.
    for damaged in [false, true] {
        let (small, few) = memory_for(SMALL, damaged);
        let (large, many) = memory_for(LARGE, damaged);
        assert!(many > 4 * few, "{few} and {many} rows");
        assert!(large < small + 64 * 1024, "{small} bytes, then {large}");
    }
}
