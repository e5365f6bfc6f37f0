//! Many first sessions of a study begin at the same moment, in a folder that none of them has made.

use crate::common::{STUDY, run_open, study, who};
use chronotap_session::{Dataset, DatasetError, Drawn, Ending, SessionDisk, Study, Who};
use chronotap_visit::Session;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Barrier;
use std::thread;

const ROUNDS: usize = 30;
const AT_ONCE: usize = 12;

fn small(task: &str) -> Study {
    let text = STUDY.replace("task = \"small\"", &format!("task = \"{task}\""));
    study(&text.replace("participants = 4", "participants = 12"))
}

/// Opens the dataset as soon as all others do.
fn open(root: &Path, study: &Study, all: &Barrier) -> Result<Dataset, DatasetError> {
    all.wait();
    Dataset::open_or_make(root, &study.about, true, SessionDisk::that_syncs_at_the_end())
}

/// A whole session of a participant.
fn sit(root: &Path, number: usize, all: &Barrier) {
    let study = small("small");
    let dataset = open(root, &study, all).unwrap();
    let label = format!("{number:02}");
    let mut frontend = Drawn::new(3, &label, 1);
    let who = Who { label, ..who() };
    let mut session = Session::open(&study, &dataset, &who, &mut frontend).unwrap();
    assert_eq!(run_open(&mut session, &study, &mut frontend).unwrap(), Ending::Completed);
}

#[test]
fn twelve_first_sessions_at_once_all_run_and_each_has_its_own_place() {
    let (dir, all) = (tempfile::tempdir().unwrap(), Barrier::new(AT_ONCE));
    let root = dir.path().join("data");
    thread::scope(|scope| {
        for number in 1..=AT_ONCE {
            let (root, all) = (&root, &all);
            scope.spawn(move || sit(root, number, all));
        }
    });
    let study = small("small");
    let people = Dataset::open(&root).unwrap().people(&study.about.columns).unwrap();
    let place = |n: usize| people.find(&format!("{n:02}")).map(|one| (one.cell, one.k));
    let places: BTreeSet<_> = (1..=AT_ONCE).map(|n| place(n).unwrap()).collect();
    assert_eq!(places.len(), AT_ONCE, "no place is given twice");
}

#[test]
fn however_many_make_a_dataset_at_once_none_meets_a_file_of_another() {
    for _ in 0..ROUNDS {
        let (dir, all) = (tempfile::tempdir().unwrap(), Barrier::new(AT_ONCE));
        let (root, study) = (dir.path().join("a/data"), small("small"));
        thread::scope(|scope| {
            for _ in 0..AT_ONCE {
                scope.spawn(|| drop(open(&root, &study, &all).unwrap()));
            }
        });
    }
}

#[test]
fn of_two_studies_that_begin_at_once_in_one_folder_one_has_it_and_the_other_is_told() {
    for _ in 0..ROUNDS {
        let (dir, all) = (tempfile::tempdir().unwrap(), Barrier::new(2));
        let root = dir.path().join("data");
        let opened = thread::scope(|scope| {
            let both = ["one", "two"].map(|task| {
                let (root, all) = (&root, &all);
                scope.spawn(move || open(root, &small(task), all).map(|_| task))
            });
            both.map(|thread| thread.join().unwrap())
        });
        let there = Dataset::open(&root).unwrap().task().unwrap();
        let won: Vec<&str> = opened.iter().flatten().copied().collect();
        assert_eq!(won, [there]);
        let refused = opened.into_iter().find_map(Result::err);
        assert!(matches!(refused, Some(DatasetError::OtherStudy { .. })), "{refused:?}");
    }
}
