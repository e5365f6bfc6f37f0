//! Every operation of a trial and of a recovery fails once, in every way there is; then the disk
//! is looked at as the next program finds it. Nothing that was synced is lost, nothing that is
//! there is wrong, nobody else's file is touched, and finishing again works.

use super::*;
use crate::recover::recover_within;
use chronotap_data::record::journal::{Room, read_open_journal};
use chronotap_data::record::{parse_rows, rows, rows_of};
use chronotap_engine::signal::{Callback, Callbacks, RunningCard};
use chronotap_testkit::disk::{DiskFault, MemoryDisk};
use chronotap_testkit::left_to_all;
use chronotap_testkit_data::tiny::{footer, header, tiny};
use serde_json::Value;
use std::io::ErrorKind;

const FAULTS: [DiskFault; 5] = [
    DiskFault::Error,
    DiskFault::Short,
    DiskFault::Full(7),
    DiskFault::Full(u64::MAX),
    DiskFault::Kill,
];
/// Power cuts for each state of a disk: what was not synced survives in so many ways.
const CUTS: u64 = 6;

/// So little memory that a recovery needs temporary files too.
const NARROW: Room = Room { pages: 1, keys: 2, ..Room::USUAL };

fn named(end: &str) -> PathBuf {
    Path::new("data").join(format!("tiny{end}"))
}

/// Files of somebody else, one under the name that a temporary file might have.
fn foreign() -> [(PathBuf, &'static [u8]); 2] {
    let part = format!("data/chronotap-{}-{}.part", std::process::id(), u64::MAX);
    [(PathBuf::from("data/other.journal"), b"theirs"), (PathBuf::from(part), b"theirs too")]
}

fn disk_of_others(second_names: bool) -> MemoryDisk {
    let disk = match second_names {
        true => MemoryDisk::default(),
        false => MemoryDisk::without_second_names(),
    };
    foreign().iter().for_each(|(path, bytes)| disk.put(path, bytes));
    disk
}

/// What a trial got to the disk before it ended or was ended.
#[derive(Debug, Default)]
struct Reached {
    appended: usize,
    synced: usize,
    begun: bool,
    finished: bool,
}

/// A trial: its threads' work, one step after another. Where a disk refuses once or for a while,
/// it finishes in the end.
fn trial(disk: &MemoryDisk) -> Reached {
    let mut reached = Reached::default();
    let around = &mut BesidesEntries::default();
    let begun = Recorder::begin(disk.clone(), (Path::new("data"), "tiny"), &header(), around);
    let Ok((mut sender, mut recorder, mut writer)) = begun else { return reached };
    reached.begun = true;
    let file = writer.file().unwrap();
    for (number, some) in tiny().chunks(3).enumerate() {
        some.iter().for_each(|entry| sender.push(*entry));
        writer.drain();
        (0..12).for_each(|_| writer.append_when_due());
        if number % 2 == 1 {
            let _ = writer::sync(&file, &recorder.shared);
        }
    }
    recorder.stopped = Some(writer);
    reached.finished = (0..9).any(|_| recorder.finish(footer()).is_ok());
    reached.appended = recorder.shared.appended.load(Ordering::Relaxed);
    reached.synced = recorder.shared.synced.load(Ordering::Relaxed);
    drop(recorder);
    reached
}

/// The events files of the trial, which are whole, and whether a recovery made them.
fn assert_files(disk: &MemoryDisk, at_least: usize, case: &str) -> bool {
    let table = disk.bytes(&named("_events.tsv")).expect(case);
    let json = disk.bytes(&named("_events.json")).expect(case);
    let json: Value = serde_json::from_slice(&json).expect(case);
    let sum = json["Chronotap"]["table_sha256"].as_str().expect(case);
    assert_eq!(sum, chronotap_core::files::sha256(&table), "{case}");
    let table = parse_rows(Path::new("x"), std::str::from_utf8(&table).unwrap()).expect(case);
    let known: Vec<u64> = tiny().iter().map(|entry| entry.action.id).collect();
    assert!(table.iter().all(|row| known.contains(&row.event_id)), "{case}");
    let needed = rows(&header().names, &tiny()[..at_least]);
    for row in &needed {
        let kept = table.iter().find(|kept| kept.event_id == row.event_id);
        let kept = kept.unwrap_or_else(|| panic!("{case}: event {} is lost", row.event_id));
        assert_eq!((kept.onset, kept.deadline), (row.onset, row.deadline), "{case}");
    }
    let recovered = !json["Chronotap"]["footer"]["recovered"].is_null();
    if !recovered {
        assert_eq!(table, rows_of(&header(), &tiny()), "{case}");
    }
    recovered
}

fn assert_foreign(disk: &MemoryDisk, case: &str) {
    for (path, bytes) in foreign() {
        assert_eq!(disk.bytes(&path).as_deref(), Some(bytes), "{case}: {}", path.display());
    }
}

/// The disk after everything that may have happened to it meanwhile.
fn afterwards(disk: &MemoryDisk) -> impl Iterator<Item = (String, MemoryDisk, bool)> {
    let killed = std::iter::once(("killed".to_owned(), disk.restarted(), false));
    let cut = |seed| (format!("power cut {seed}"), disk.after_power_cut(seed), true);
    killed.chain((0..CUTS).map(cut))
}

/// Finishes what a trial left, and looks whether all is there that must be.
fn assert_recoverable(disk: &MemoryDisk, reached: &Reached, power: bool, case: &str) {
    let at_least = if power { reached.synced } else { reached.appended };
    let journal = named(".journal");
    if let Some(bytes) = disk.bytes(&journal) {
        let Ok(read) = read_open_journal(&bytes[..], &journal) else {
            assert!(!reached.begun, "{case}: the journal is lost");
            return assert_foreign(disk, case);
        };
        assert!(read.entries.iter().all(|entry| tiny().contains(entry)), "{case}");
        assert!(read.behind.entries.iter().all(|entry| tiny().contains(entry)), "{case}");
        let damaged = !read.behind.gaps.is_empty();
        let recovery =
            recover_within(disk, &journal, NARROW).unwrap_or_else(|e| panic!("{case}: {e}"));
        assert_eq!(recovery.kept.is_some(), damaged, "{case}");
        assert_eq!(disk.is_there(&journal), damaged, "{case}");
    } else if !disk.is_there(&named("_events.tsv")) {
        assert!(!reached.begun, "{case}: everything is lost");
        return assert_foreign(disk, case);
    }
    let at_least = if reached.finished { tiny().len() } else { at_least };
    assert_files(disk, at_least, case);
    assert_foreign(disk, case);
}

/// Runs the work with a fault at every operation, until there are no more operations.
fn at_every_operation(
    new: impl Fn() -> MemoryDisk,
    mut work: impl FnMut(&MemoryDisk, &str),
) -> u64 {
    let mut cases = 0;
    for fault in FAULTS {
        for n in 1.. {
            let disk = new();
            disk.fail(n, fault);
            work(&disk, &format!("{fault:?} at operation {n}"));
            cases += 1;
            if disk.operations() < n {
                break;
            }
        }
    }
    cases
}

#[test]
fn whatever_fails_in_a_trial_what_was_synced_is_there_and_can_be_finished() {
    for second_names in [true, false] {
        let cases = at_every_operation(
            || disk_of_others(second_names),
            |disk, case| {
                let reached = trial(disk);
                for (what, disk, power) in afterwards(disk) {
                    assert_recoverable(&disk, &reached, power, &format!("{case}, {what}"));
                }
            },
        );
        assert!(cases * (1 + CUTS) > 1_000, "only {cases} faults");
    }
}

#[test]
fn a_disk_that_refuses_once_or_for_a_while_costs_a_trial_nothing() {
    at_every_operation(
        || disk_of_others(true),
        |disk, case| {
            if case.starts_with("Kill") || case.contains(&u64::MAX.to_string()) {
                return;
            }
            let reached = trial(disk);
            assert!(reached.finished || !reached.begun, "{case}");
            let mut expected: Vec<PathBuf> = foreign().map(|(path, _)| path).to_vec();
            if reached.finished {
                assert!(!assert_files(disk, tiny().len(), case), "{case}");
                expected.extend([named("_events.tsv"), named("_events.json")]);
            }
            expected.sort();
            let left = |path: &PathBuf| !expected.contains(path);
            let left: Vec<PathBuf> = disk.names().into_iter().filter(left).collect();
            // Removing what is in the way may itself be what fails.
            assert!(left.len() <= 1, "{case}: {left:?}");
        },
    );
}

#[test]
fn whatever_fails_in_a_recovery_the_next_one_completes_it() {
    if left_to_all() {
        return;
    }
    let closed = disk_of_others(true);
    trial(&closed);
    let operations = closed.operations();
    let mut cases = 0;
    for cut in (12..operations).step_by(3) {
        let left = disk_of_others(true);
        left.fail(cut, DiskFault::Kill);
        let reached = trial(&left);
        let journal = named(".journal");
        let readable = |bytes: Vec<u8>| read_open_journal(&bytes[..], &journal).is_ok();
        if !left.bytes(&journal).is_some_and(readable) {
            continue;
        }
        cases += at_every_operation(
            || left.restarted(),
            |disk, case| {
                let _ = recover_within(disk, &journal, NARROW);
                for (what, disk, _) in afterwards(disk) {
                    let case = format!("trial killed at {cut}, recovery: {case}, {what}");
                    assert_recoverable(&disk, &Reached { begun: true, ..reached }, true, &case);
                }
            },
        );
    }
    assert!(cases * (1 + CUTS) > 2_000, "only {cases} faults");
}

/// A trial whose folder refuses everything from its third event on.
fn refused(kind: ErrorKind, spare_too: bool) -> (MemoryDisk, Recorder<MemoryDisk>, Footer) {
    let disk = disk_of_others(true);
    let spare = vec![PathBuf::from("second"), PathBuf::from("state/chronotap")];
    let around = &mut BesidesEntries { spare, ..BesidesEntries::default() };
    let (mut sender, mut recorder, mut writer) =
        Recorder::begin(disk.clone(), (Path::new("data"), "tiny"), &header(), around).unwrap();
    for (number, entry) in tiny().into_iter().enumerate() {
        if number == 3 {
            disk.refuse(Path::new("data"), Some(kind));
            disk.refuse(Path::new("second"), Some(ErrorKind::ReadOnlyFilesystem));
            disk.refuse(Path::new("state"), spare_too.then_some(ErrorKind::StorageFull));
        }
        sender.push(entry);
        writer.drain();
        writer.append_when_due();
    }
    recorder.stopped = Some(writer);
    (disk, recorder, footer())
}

#[test]
fn a_folder_that_refuses_to_the_end_costs_nothing_where_a_spare_one_takes_the_files() {
    for kind in [ErrorKind::StorageFull, ErrorKind::ReadOnlyFilesystem, ErrorKind::NotFound] {
        let (disk, mut recorder, footer) = refused(kind, false);
        disk.put(Path::new("state/chronotap/tiny_events.tsv"), b"of another trial");
        let saved = recorder.finish(footer).unwrap();
        assert_eq!(saved.tsv, Path::new("state/chronotap/tiny_2_events.tsv"));
        let table = String::from_utf8(disk.bytes(&saved.tsv).unwrap()).unwrap();
        assert_eq!(parse_rows(&saved.tsv, &table).unwrap(), rows_of(&header(), &tiny()));
        let moved = recorder.moved().unwrap();
        assert_eq!(moved.left, Some(named(".journal")), "what is there is named");
        assert!(moved.because.contains("data/tiny") && moved.because.contains("second"));
        drop(recorder);
        assert_foreign(&disk, "moved");
    }
}

#[test]
fn where_no_folder_takes_the_files_each_is_named_and_no_journal_that_is_not_there() {
    let (disk, mut recorder, footer) = refused(ErrorKind::StorageFull, true);
    let Err(RecordError::Nowhere { tried, left, .. }) = recorder.finish(footer.clone()) else {
        panic!("it was written")
    };
    assert_eq!(left, Left::Journal(named(".journal")));
    for (said, folder) in tried.iter().zip(["data/tiny.journal", "second", "state/chronotap"]) {
        assert!(said.contains(folder), "{tried:?}");
    }
    disk.refuse(Path::new("data"), None);
    disk.remove(&named(".journal")).unwrap(); // and with it the folder
    disk.refuse(Path::new("data"), Some(ErrorKind::NotFound));
    let told = recorder.finish(footer.clone()).unwrap_err();
    assert!(matches!(told, RecordError::Nowhere { left: Left::Nothing, .. }), "{told}");
    disk.refuse(Path::new("data"), None);
    recorder.finish(footer).unwrap();
    assert!(!assert_files(&disk, tiny().len(), "room again"));
}

/// A sound card of which somebody counts whether it is still there.
struct Counted {
    _there: Arc<()>,
}

impl Callbacks for Counted {
    fn card(&self) -> RunningCard {
        RunningCard { period: chronotap_core::time::Nanos(10), ..RunningCard::default() }
    }
    fn origin(&self) -> Option<chronotap_core::time::Nanos> {
        None
    }
    fn next(&mut self) -> Option<Callback> {
        None
    }
    fn waiting(&self) -> usize {
        0
    }
    fn lost(&self) -> u64 {
        0
    }
    fn xruns(&self) -> u64 {
        0
    }
}

/// Everything that a caller can give, and whether the card is still there.
fn given() -> (BesidesEntries, Arc<()>) {
    let there = Arc::new(());
    let calls = Box::new(Counted { _there: Arc::clone(&there) });
    let cards = vec![RecordedCard { outputs: vec!["booth".into()], calls }];
    let (sinks, spare) = (vec![crate::sink(8).0], vec![PathBuf::from("second")]);
    (BesidesEntries { cards, sinks, spare, room: None, utc: None }, there)
}

fn assert_all_there(around: &BesidesEntries, there: &Arc<()>, case: &str) {
    let (cards, sinks) = (around.cards.len(), around.sinks.len());
    assert_eq!((cards, sinks, around.spare.len()), (1, 1, 1), "{case}");
    assert_eq!(Arc::strong_count(there), 2, "{case}: the card is gone");
}

#[test]
fn a_trial_that_cannot_begin_gives_cards_and_sinks_back_and_leaves_no_file() {
    let place = |name| (Path::new("data"), name);
    let begun = MemoryDisk::default();
    Recorder::begin(begun.clone(), place("tiny"), &header(), &mut given().0).unwrap();
    let mut failed = 0;
    for (at, fault) in (0..begun.operations()).flat_map(|at| FAULTS.map(|fault| (at, fault))) {
        let (disk, case) = (MemoryDisk::default(), format!("{fault:?} at {at}"));
        let (mut around, there) = given();
        disk.fail(at, fault);
        if Recorder::begin(disk.clone(), place("tiny"), &header(), &mut around).is_ok() {
            continue; // it was done again
        }
        failed += 1;
        assert_all_there(&around, &there, &case);
        if !matches!(fault, DiskFault::Kill | DiskFault::Full(u64::MAX)) {
            let disk = disk.restarted();
            let again = Recorder::begin(disk.clone(), place("again"), &header(), &mut around);
            assert!(again.is_ok_and(|(_, recorder, _)| recorder.callbacks), "{case}");
            assert!(around.cards.is_empty() && around.sinks.is_empty(), "{case}");
        }
    }
    assert!(failed > 5, "only {failed} faults");
}

#[test]
fn a_trial_whose_threads_are_refused_gives_cards_and_sinks_back() {
    let (disk, (mut around, there)) = (MemoryDisk::default(), given());
    let place = (Path::new("data"), "tiny");
    let begun = Recorder::begin(disk.clone(), place, &header(), &mut around).unwrap();
    let (_, recorder, writer) = begun;
    recorder.give_back(writer, &mut around);
    assert_all_there(&around, &there, "no threads");
    assert!(disk.bytes(&named(".journal")).is_none());
    assert!(Recorder::begin(disk, place, &header(), &mut around).is_ok(), "the name is free");
}
