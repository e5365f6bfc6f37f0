//! A data folder in which others act at the same moment: programs that finish the same
//! trial, and whoever puts links in the way.

use chronotap_data::record::{JournalError, RecordError, read_events};
use chronotap_rig::recorder::{Recorder, recover};
use chronotap_testkit_data::tiny::{footer, header, tiny};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The journal of a trial that nobody finished.
fn left_behind(dir: &Path) -> PathBuf {
    let (mut sender, recorder) = Recorder::start(dir, "tiny", &header()).unwrap();
    tiny().into_iter().for_each(|entry| sender.push(entry));
    recorder.journal().to_owned()
}

fn names(dir: &Path) -> Vec<String> {
    let name = |item: std::io::Result<fs::DirEntry>| item.unwrap().file_name();
    let all = fs::read_dir(dir).unwrap().map(|item| name(item).into_string().unwrap());
    let mut all: Vec<String> = all.collect();
    all.sort();
    all
}

#[test]
fn of_many_programs_that_recover_one_journal_one_does_it() {
    for _ in 0..20 {
        let dir = tempfile::tempdir().unwrap();
        let path = left_behind(dir.path());
        let recovered = std::thread::scope(|scope| {
            let all: Vec<_> = (0..4).map(|_| scope.spawn(|| recover(&path))).collect();
            all.into_iter().map(|one| one.join().unwrap()).collect::<Vec<_>>()
        });
        assert_eq!(recovered.iter().filter(|one| one.is_ok()).count(), 1, "{recovered:?}");
        for refused in recovered.into_iter().filter_map(Result::err) {
            let too_late = matches!(refused, RecordError::Unreadable(JournalError::File { .. }));
            assert!(too_late || matches!(refused, RecordError::Running { .. }), "{refused}");
        }
        assert_eq!(read_events(&dir.path().join("tiny_events.tsv")).unwrap().rows.len(), 14);
        assert_eq!(names(dir.path()), ["tiny_events.json", "tiny_events.tsv"]);
    }
}

#[test]
fn a_trial_that_is_being_finished_is_left_alone() {
    for _ in 0..20 {
        let dir = tempfile::tempdir().unwrap();
        let (mut sender, mut recorder) = Recorder::start(dir.path(), "tiny", &header()).unwrap();
        tiny().into_iter().for_each(|entry| sender.push(entry));
        let path = recorder.journal().to_owned();
        let recovered = std::thread::scope(|scope| {
            let other = scope.spawn(|| recover(&path));
            recorder.finish(footer()).unwrap();
            other.join().unwrap()
        });
        assert!(recovered.is_err(), "{recovered:?}");
        let kept = read_events(&dir.path().join("tiny_events.tsv")).unwrap();
        assert_eq!((kept.rows.len(), kept.footer), (14, footer()));
        assert_eq!(names(dir.path()), ["tiny_events.json", "tiny_events.tsv"]);
    }
}

#[test]
fn links_in_the_folder_are_not_followed() {
    let (dir, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let theirs = elsewhere.path().join("theirs");
    fs::write(&theirs, "theirs").unwrap();
    symlink(&theirs, dir.path().join("tiny_events.json.part")).unwrap();
    fs::hard_link(&theirs, dir.path().join("tiny_events.tsv.part")).unwrap();
    recover(&left_behind(dir.path())).unwrap();
    assert_eq!(fs::read_to_string(&theirs).unwrap(), "theirs");
    // A name that is a link is taken, wherever it leads.
    symlink(elsewhere.path().join("nowhere"), dir.path().join("b_events.tsv")).unwrap();
    let refused = Recorder::start(dir.path(), "b", &header()).map(drop);
    assert!(matches!(refused, Err(RecordError::Exists { .. })), "{refused:?}");
    assert_eq!(names(elsewhere.path()), ["theirs"]);
}

#[test]
fn a_link_that_takes_the_place_of_the_folder_gets_nothing_and_the_journal_stays() {
    for above in [false, true] {
        let dir = tempfile::tempdir().unwrap();
        let (folder, theirs) = (dir.path().join("sub/beh"), dir.path().join("theirs"));
        fs::create_dir_all(&folder).unwrap();
        fs::create_dir_all(&theirs).unwrap();
        let (mut sender, mut recorder) = Recorder::start(&folder, "tiny", &header()).unwrap();
        tiny().into_iter().for_each(|entry| sender.push(entry));
        let moved = dir.path().join("moved");
        let replaced = if above { folder.parent().unwrap() } else { &folder };
        fs::rename(replaced, &moved).unwrap();
        symlink(&theirs, replaced).unwrap();
        let refused = recorder.finish(footer()).unwrap_err().to_string();
        assert!(refused.contains("such as a link"), "{refused}");
        assert_eq!(names(&theirs), Vec::<String>::new());
        drop(recorder);
        let journal =
            if above { moved.join("beh/tiny.journal") } else { moved.join("tiny.journal") };
        recover(&journal).unwrap();
        let kept = read_events(&journal.with_file_name("tiny_events.tsv")).unwrap();
        assert_eq!((kept.rows.len(), kept.footer), (14, footer()));
    }
}
