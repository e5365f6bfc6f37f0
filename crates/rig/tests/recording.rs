//! From the queue to the files, as a trial does it.

use assert_no_alloc::assert_no_alloc;
use chronotap_data::record::{RecordError, free_name, free_names, read_events, read_journal};
use chronotap_rig::recorder::Recorder;
use chronotap_testkit_data::tiny::{footer, header, tiny};
use std::fs;
use std::path::Path;

#[test]
fn a_trial_leaves_its_two_files_and_no_journal() {
    let dir = tempfile::tempdir().unwrap();
    let (mut sender, mut recorder) = Recorder::start(dir.path(), "tiny_run-01", &header()).unwrap();
    tiny().into_iter().for_each(|entry| sender.push(entry));
    assert!(recorder.stop().unwrap().iter().eq(&tiny()));
    let saved = recorder.finish(footer()).unwrap();
    assert_eq!(saved.rows, 14);
    let mut files: Vec<_> =
        fs::read_dir(dir.path()).unwrap().map(|f| f.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["tiny_run-01_events.json", "tiny_run-01_events.tsv"]);
    let recording = read_events(&saved.tsv).unwrap();
    assert_eq!(recording.header, header());
    assert_eq!(recording.footer, footer());
    assert_eq!(recording.rows, chronotap_data::record::rows_of(&header(), &tiny()));
}

#[test]
fn the_journal_of_a_running_trial_can_be_read_at_any_time() {
    let dir = tempfile::tempdir().unwrap();
    let (mut sender, recorder) = Recorder::start(dir.path(), "tiny", &header()).unwrap();
    let journal = read_journal(recorder.journal()).unwrap();
    assert_eq!((journal.header, journal.entries.len()), (header(), 0));
    tiny().into_iter().for_each(|entry| sender.push(entry));
    while read_journal(recorder.journal()).unwrap().entries.len() < tiny().len() {
        std::thread::yield_now();
    }
    let path = recorder.journal().to_owned();
    drop(recorder);
    let journal = read_journal(&path).unwrap();
    assert_eq!((journal.entries, journal.footer, journal.unusable_bytes), (tiny(), None, 0));
}

#[test]
fn sending_never_allocates_even_when_the_queue_overflows() {
    let dir = tempfile::tempdir().unwrap();
    let (mut sender, mut recorder) = Recorder::start(dir.path(), "tiny", &header()).unwrap();
    let entries = tiny();
    let sent = 20_000 * entries.len() as u64;
    assert_no_alloc(|| {
        for entry in (0..20_000).flat_map(|_| &entries) {
            sender.push(*entry);
        }
    });
    let dropped = sender.dropped();
    let kept = recorder.stop().unwrap().len() as u64;
    assert_eq!(kept + dropped, sent, "every event is kept or counted");
    let saved = recorder.finish(footer()).unwrap();
    assert_eq!(read_events(&saved.tsv).unwrap().footer.dropped, dropped);
}

#[test]
fn nothing_is_ever_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    for file in ["a.journal", "b_events.tsv", "c_events.json"] {
        fs::write(dir.path().join(file), "kept").unwrap();
        let refused = Recorder::start(dir.path(), &file[..1], &header());
        assert!(matches!(refused, Err(RecordError::Exists { .. })), "{file}");
        assert_eq!(fs::read_to_string(dir.path().join(file)).unwrap(), "kept");
    }
}

#[test]
fn the_first_free_name_passes_over_journals_and_events_files() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(free_name(dir.path(), "tiny").unwrap(), "tiny_run-01");
    for file in ["tiny_run-01_events.tsv", "tiny_run-02.journal", "tiny_run-04_events.json"] {
        fs::write(dir.path().join(file), "").unwrap();
    }
    let names = free_names(dir.path(), "tiny", 3).unwrap();
    assert_eq!(names, ["tiny_run-03", "tiny_run-05", "tiny_run-06"]);
}

#[test]
fn a_directory_that_is_not_there_is_named_in_the_error() {
    let refused = Recorder::start("/nowhere/at/all".as_ref(), "tiny", &header());
    let Some(RecordError::Create { path, .. }) = refused.err() else { panic!("it was begun") };
    assert_eq!(path, Path::new("/nowhere/at/all/tiny.journal"));
}
