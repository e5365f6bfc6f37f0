//! What is left of a trial that was killed, cut off, or ran out of disk.

use chronotap_core::time::Nanos;
use chronotap_data::record::{Flag, JournalError, Left, RecordError, read_events, read_journal};
use chronotap_engine::action::ActionKind;
use chronotap_rig::recorder::{Recorder, recover};
use chronotap_testkit_data::tiny::{entry, footer, header, on, tiny};
use proptest::prelude::*;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Where the child of a test writes; set only for it.
const CHILD: &str = "CHRONOTAP_CRASH_DIRECTORY";

fn now() -> Nanos {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    Nanos(t.tv_sec * 1_000_000_000 + t.tv_nsec)
}

/// Waits on the clock without a sleep; ends at a time of CLOCK_MONOTONIC.
fn wait_until(at: Nanos) {
    while now() < at {
        std::thread::park_timeout(std::time::Duration::from_micros(200));
    }
}

/// Not a test of its own: the program that is killed. Sends an event about every
/// 300 us, and tells each one's time to its parent once it is sent.
#[test]
fn child_that_records_until_it_is_killed() {
    let Some(dir) = std::env::var_os(CHILD) else { return };
    let (mut sender, _recorder) = Recorder::start(Path::new(&dir), "killed", &header()).unwrap();
    let mut told = std::io::stderr();
    for id in 1.. {
        let mut sent = entry(id, ActionKind::Pacing(0), (1, 0), (0, Some(0)), on(60));
        sent.action.deadline = now();
        sender.push(sent);
        told.write_all(&sent.action.deadline.0.to_le_bytes()).unwrap();
        wait_until(sent.action.deadline + Nanos::from_micros(300));
    }
}

fn start_child(dir: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["crash_recovery::child_that_records_until_it_is_killed", "--exact", "--nocapture"])
        .env(CHILD, dir)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Kills a recording once it has sent so many events, and where it is `awaited` once its
/// journal holds them too. Gives how many the journal held then, and the times of all that
/// were sent.
fn killed_after(dir: &Path, events: usize, awaited: bool) -> (usize, Vec<i64>) {
    let mut child = start_child(dir);
    let mut told = child.stderr.take().unwrap();
    let mut times = vec![0; 8 * events];
    told.read_exact(&mut times).unwrap();
    let held = || read_journal(&dir.join("killed.journal")).unwrap().entries.len();
    let patience = now() + Nanos::from_secs(60);
    while awaited && held() < events {
        assert!(now() < patience, "{} of {events} are in the journal", held());
        wait_until(now() + Nanos::from_millis(1));
    }
    let held = held();
    child.kill().unwrap();
    child.wait().unwrap();
    told.read_to_end(&mut times).unwrap();
    let times = times.chunks_exact(8).map(|b| i64::from_le_bytes(b.try_into().unwrap()));
    (held, times.collect())
}

/// In memory where there is such a place: what other programs do to the disk is
/// no part of this test.
fn directory_in_memory() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// That what is older than 100 ms is in the journal is proved in virtual time, beside the
/// writer. Here: it gets there while the trial runs, and a killed program loses none of it.
#[test]
fn a_trial_killed_at_100_moments_keeps_all_that_its_journal_held_and_is_always_readable() {
    std::thread::scope(|scope| {
        for first in 0..4 {
            scope.spawn(move || (first..100).step_by(4).for_each(kill_and_recover));
        }
    });
}

fn kill_and_recover(round: usize) {
    let dir = directory_in_memory();
    let events = 1 + round * 137 % 430; // as many as 130 ms bring
    let (held, sent) = killed_after(dir.path(), events, round.is_multiple_of(3));
    let path = dir.path().join("killed.journal");
    let journal = read_journal(&path).unwrap();
    let kept: Vec<i64> = journal.entries.iter().map(|e| e.action.deadline.0).collect();
    // One event may be kept whose time its sender could not tell any more.
    let known = kept.len().min(sent.len());
    assert_eq!(kept[..known], sent[..known], "in order");
    assert!(kept.len() >= held, "round {round}: {} of {held} kept", kept.len());
    let saved = recover(&path).unwrap().saved;
    let recording = read_events(&saved.tsv).unwrap();
    assert_eq!(recording.rows.len(), kept.len());
    assert!(!recording.footer.recovered.unwrap().complete);
    assert!(recording.rows.iter().all(|row| row.flag == Some(Flag::Unfinished)));
    assert!(!path.exists());
}

/// The bytes of a whole journal, footer included, of the tiny trial.
fn whole_journal(dir: &Path) -> (PathBuf, Vec<u8>) {
    let (mut sender, mut recorder) = Recorder::start(dir, "tiny", &header()).unwrap();
    tiny().into_iter().for_each(|entry| sender.push(entry));
    recorder.stop().unwrap();
    fs::create_dir(dir.join("tiny_events.tsv")).unwrap(); // in the way of the table
    let refused = recorder.finish(footer()).unwrap_err();
    assert!(matches!(refused, RecordError::Taken { left: Left::Journal(_), .. }), "{refused}");
    fs::remove_dir(dir.join("tiny_events.tsv")).unwrap();
    let bytes = fs::read(recorder.journal()).unwrap();
    (recorder.journal().to_owned(), bytes)
}

#[test]
fn a_finish_that_failed_can_be_completed_by_recovery_to_the_same_files() {
    let dir = tempfile::tempdir().unwrap();
    let (path, _) = whole_journal(dir.path());
    assert!(dir.path().join("tiny_events.json").exists(), "the half that was written");
    let recovered = read_events(&recover(&path).unwrap().saved.tsv).unwrap();
    assert_eq!(recovered.footer, footer());
    assert_eq!(recovered.rows.len(), 14);
    assert!(!path.exists());
}

#[test]
fn a_finish_that_failed_can_be_called_again() {
    let dir = tempfile::tempdir().unwrap();
    let (mut sender, mut recorder) = Recorder::start(dir.path(), "tiny", &header()).unwrap();
    tiny().into_iter().for_each(|entry| sender.push(entry));
    fs::create_dir(dir.path().join("tiny_events.tsv")).unwrap();
    assert!(recorder.finish(footer()).is_err());
    fs::remove_dir(dir.path().join("tiny_events.tsv")).unwrap();
    let saved = recorder.finish(footer()).unwrap();
    assert_eq!(read_events(&saved.tsv).unwrap().rows.len(), 14);
}

#[test]
fn recovery_never_overwrites_other_events_files() {
    let dir = tempfile::tempdir().unwrap();
    let (path, _) = whole_journal(dir.path());
    fs::write(dir.path().join("tiny_events.tsv"), "mine").unwrap();
    assert!(matches!(recover(&path), Err(RecordError::Exists { .. })));
    assert_eq!(fs::read_to_string(dir.path().join("tiny_events.tsv")).unwrap(), "mine");
    assert!(path.exists());
}

#[test]
fn a_journal_with_nothing_but_its_header_is_recovered_too() {
    let dir = tempfile::tempdir().unwrap();
    let (_sender, recorder) = Recorder::start(dir.path(), "tiny", &header()).unwrap();
    let path = recorder.journal().to_owned();
    drop(recorder);
    let saved = recover(&path).unwrap().saved;
    assert_eq!((saved.rows, read_events(&saved.tsv).unwrap().header), (0, header()));
}

#[test]
fn the_journal_of_a_running_trial_is_not_recovered() {
    let dir = tempfile::tempdir().unwrap();
    let (_sender, recorder) = Recorder::start(dir.path(), "tiny", &header()).unwrap();
    let path = recorder.journal().to_owned();
    let told = recover(&path).unwrap_err();
    assert!(matches!(told, RecordError::Running { .. }), "{told}");
    assert!(path.exists());
    drop(recorder);
    assert!(recover(&path).is_ok());
}

#[test]
fn a_damaged_header_is_told_and_the_file_is_left() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.journal");
    for bytes in ["", "\0\0\0\0", "{\"format\":\"chronotap-journal\"", "no journal\t00000000\n"] {
        fs::write(&path, bytes).unwrap();
        let told = recover(&path).unwrap_err();
        let damaged = RecordError::Unreadable(JournalError::Header { path: path.clone() });
        assert_eq!(told.to_string(), damaged.to_string());
        assert_eq!(fs::read_to_string(&path).unwrap(), bytes);
    }
}

#[test]
fn the_lines_of_another_journal_are_not_taken_for_this_one() {
    let dir = tempfile::tempdir().unwrap();
    let (path, bytes) = whole_journal(dir.path());
    let second_line = bytes.iter().position(|b| *b == b'\n').unwrap() + 1;
    let third_line =
        second_line + bytes[second_line..].iter().position(|b| *b == b'\n').unwrap() + 1;
    fs::write(&path, [&bytes[..second_line], &bytes[third_line..]].concat()).unwrap();
    let journal = read_journal(&path).unwrap();
    assert_eq!(journal.entries.len(), 0, "the chain of checksums is broken");
    assert_eq!(journal.unusable_bytes, (bytes.len() - third_line) as u64);
}

#[test]
fn prop_a_torn_or_damaged_journal_gives_everything_before_the_damage() {
    let dir = tempfile::tempdir().unwrap();
    let (path, bytes) = whole_journal(dir.path());
    let ends: Vec<usize> = (0..bytes.len()).filter(|i| bytes[*i] == b'\n').map(|i| i + 1).collect();
    let damage = (0..bytes.len(), prop::collection::vec(any::<u8>(), 0..40), any::<bool>());
    proptest!(ProptestConfig::with_cases(300), |((at, garbage, overwritten) in damage)| {
        let mut torn = bytes[..at].to_vec();
        torn.extend_from_slice(&garbage);
        if overwritten && torn.len() < bytes.len() {
            torn.extend_from_slice(&bytes[torn.len()..]);
        }
        fs::write(&path, &torn).unwrap();
        let same = bytes.iter().zip(&torn).take_while(|(a, b)| a == b).count();
        let whole_lines = ends.iter().filter(|end| **end <= same).count();
        match read_journal(&path) {
            Err(_) => prop_assert_eq!(whole_lines, 0),
            Ok(journal) => {
                let lines = 1 + journal.entries.len() + usize::from(journal.footer.is_some());
                prop_assert_eq!(lines, whole_lines);
                prop_assert_eq!(&journal.entries[..], &tiny()[..journal.entries.len()]);
                prop_assert_eq!(journal.unusable_bytes as usize, torn.len() - ends[lines - 1]);
            }
        }
    });
}

#[test]
fn prop_any_bytes_at_all_never_panic() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.journal");
    proptest!(ProptestConfig::with_cases(200), |(bytes in prop::collection::vec(any::<u8>(), 0..300))| {
        fs::write(&path, &bytes).unwrap();
        prop_assert!(read_journal(&path).is_err());
    });
}

#[test]
fn a_journal_that_is_damaged_in_its_middle_is_kept_and_read_on_behind_the_damage() {
    let dir = tempfile::tempdir().unwrap();
    let (path, mut bytes) = whole_journal(dir.path());
    fs::remove_file(dir.path().join("tiny_events.json")).unwrap();
    let ends: Vec<usize> = (0..bytes.len()).filter(|i| bytes[*i] == b'\n').collect();
    bytes[ends[2] + 3] ^= 1; // in line 4, the third event
    fs::write(&path, &bytes).unwrap();
    let recovery = recover(&path).unwrap();
    assert_eq!(recovery.kept, Some(path.clone()));
    assert_eq!(fs::read(&path).unwrap(), bytes);
    let recording = read_events(&recovery.saved.tsv).unwrap();
    let lost = tiny()[2].action.id;
    assert!(recording.rows.iter().all(|row| row.event_id != lost));
    let known: Vec<u64> = tiny()[..2].iter().map(|entry| entry.action.id).collect();
    assert!(recording.rows.len() > known.len(), "what is behind the damage is there");
    for row in &recording.rows {
        let behind = row.flag == Some(Flag::BehindGap);
        assert_eq!(behind, !known.contains(&row.event_id), "{row:?}");
    }
    let recovered = recording.footer.recovered.unwrap();
    assert_eq!((recovered.complete, recovered.missing), (true, recovery.missing.clone()));
    let length = (ends[3] - ends[2]) as u64;
    assert_eq!(recovered.unusable_bytes, length);
    let said = format!("{length} damaged bytes from line 4 of the journal");
    assert!(recovery.missing[0].ends_with(&said), "{:?}", recovery.missing);
    assert!(!recovery.missing.iter().any(|one| one.contains("10 ms")));
    assert_eq!(recording.footer.summary, footer().summary);
    recover(&path).unwrap(); // doing it again changes nothing
}

#[test]
fn another_journal_behind_the_damage_is_not_taken_for_this_one() {
    let dir = tempfile::tempdir().unwrap();
    let (path, bytes) = whole_journal(dir.path());
    let line = |n: usize| bytes.iter().enumerate().filter(|b| *b.1 == b'\n').nth(n).unwrap().0 + 1;
    // Cut in the second event; then the same journal from its beginning.
    fs::write(&path, [&bytes[..line(2) - 5], b"\n", &bytes[..]].concat()).unwrap();
    let journal = read_journal(&path).unwrap();
    assert_eq!((journal.entries.len(), journal.behind.entries.len()), (1, 0));
    assert_eq!(journal.behind.gaps.len(), 1);
}
