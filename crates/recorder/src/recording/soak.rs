//! A trial of ten hours with a million events, in virtual time: none is lost, and memory grows by
//! what an event takes and by nothing else. It takes a minute, and is run on demand:
//! `cargo test --release -p chronotap-recorder soak -- --ignored --nocapture`.
#![allow(clippy::print_stdout)] // its figures are for people

use super::*;
use chronotap_config::trial_files::TrialFile;
use chronotap_data::record::{Circumstances, read_events, summarize_each};
use chronotap_engine::action::ActionKind;
use chronotap_testkit::memory::{SHARED_MEMORY, anonymous_bytes, greatest_bytes};
use chronotap_testkit_data::tiny::{entry, footer, header, on};

const EVENTS: u64 = 1_000_000;
/// The writer looks every 10 ms, and the disk is asked every 100 ms.
const LOOKS: u64 = 10 * 3_600 * 100;
const LOOKS_TO_SYNC: u64 = 10;
/// An entry; no list of them doubles.
const MOST_BYTES_EACH: u64 = size_of::<Entry>() as u64;

/// The `id`-th event: a tap, then its tone, then the end of both.
fn event(id: u64) -> Entry {
    let (tap, kind) = match id % 4 {
        1 => (id, ActionKind::Tap(0)),
        2 => (id - 1, ActionKind::Feedback(0)),
        3 => (id - 2, ActionKind::Release(0)),
        _ => (id - 2, ActionKind::ToneOff),
    };
    let mut sent = entry(
        if kind == ActionKind::ToneOff { tap } else { id },
        kind,
        (1, 0),
        (0, Some(0)),
        on(60),
    );
    sent.action.cause = if kind == ActionKind::Tap(0) { 0 } else { tap };
    let at = chronotap_core::time::Nanos::from_millis((id * 36) as i64);
    (sent.action.deadline, sent.action.instant, sent.achieved) = (at, at, Some(at));
    sent
}

#[test]
#[ignore = "takes a minute: a soak, run on demand"]
fn ten_hours_with_a_million_events_lose_none_and_memory_grows_by_the_events_alone() {
    let shared = Path::new(SHARED_MEMORY);
    let dir = tempfile::tempdir_in(shared).or_else(|_| tempfile::tempdir()).unwrap();
    let around = &mut BesidesEntries::default();
    let begun = Recorder::begin(System, (dir.path(), "soak"), &header(), around);
    let (mut sender, mut recorder, mut writer) = begun.unwrap();
    let (file, before, mut sent) = (writer.file().unwrap(), anonymous_bytes(), 0);
    for look in 1..=LOOKS {
        while sent * LOOKS < EVENTS * look {
            sent += 1;
            sender.push(event(sent));
        }
        writer.drain();
        writer.append_when_due();
        if look % LOOKS_TO_SYNC == 0 {
            writer::sync(&file, &recorder.shared).unwrap();
        }
        if look % (LOOKS / 10) == 0 {
            let grown = anonymous_bytes().saturating_sub(before);
            println!("hour {}: {sent} events, {} MB more", look * 10 / LOOKS, grown / 1_000_000);
            assert!(grown < sent * MOST_BYTES_EACH + 16_000_000, "{grown} bytes");
        }
    }
    recorder.stopped = Some(writer);
    let saved = recorder.finish(footer()).unwrap();
    assert_eq!((saved.rows as u64, recorder.dropped()), (EVENTS / 4 * 3, 0));
    let recording = read_events(&saved.tsv).unwrap();
    assert!(recording.rows.iter().all(|row| row.achieved.is_some() && row.flag.is_none()));
}

/// What a trial keeps at most, all of it taps: 136 bytes of each event while it runs, and what the
/// summary and the table take of each tap at its end.
const MOST_BYTES_OF_A_FLOOD: u64 = 1_000_000_000;

#[test]
#[ignore = "takes a minute and a gigabyte: run on demand"]
fn a_flood_of_taps_to_the_bound_of_a_trial_is_summed_up_and_kept_in_bounded_memory() {
    let dir = tempfile::tempdir_in("/var/tmp").or_else(|_| tempfile::tempdir()).unwrap();
    let mut header = header();
    header.trial_file.text.push_str("\n[feedback.tone]\n");
    let around = &mut BesidesEntries::default();
    let begun = Recorder::begin(System, (dir.path(), "flood"), &header, around);
    let (mut sender, mut recorder, mut writer) = begun.unwrap();
    let mut sent = 0;
    while !sender.is_full() {
        for _ in 0..1_000 {
            sent += 1;
            sender.push(event(sent * 4 + 1));
        }
        writer.drain();
        writer.append_when_due();
    }
    println!("{sent} taps: {} MB", greatest_bytes() / 1_000_000);
    recorder.stopped = Some(writer);
    let file = TrialFile::parse(&header.trial_file.text, "flood").unwrap();
    let seen = Circumstances::default();
    let entries = recorder.stop().unwrap().iter();
    let summary = summarize_each("flood", &file.trial, entries, &seen);
    println!("{} taps summed up: {} MB", summary.taps[0].taps, greatest_bytes() / 1_000_000);
    drop(summary);
    let saved = recorder.finish(footer()).unwrap();
    println!("{} rows kept: {} MB", saved.rows, greatest_bytes() / 1_000_000);
    assert!(greatest_bytes() < MOST_BYTES_OF_A_FLOOD, "{} bytes", greatest_bytes());
}
