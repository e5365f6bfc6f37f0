//! What `verify` finds wrong, each fault alone: a table that does not follow from its journal, be it
//! with a new checksum, a table that is missing, a plan that does not follow from the study; and how
//! many files it compared.

use crate::common::{STUDY, dataset, journal, sit, study};
use chronotap_session::verify::{Verified, verify};
use chronotap_session::{
    Dataset, KeptSession, Line, OpenJournal, SessionDisk, Study, Tables, TsvTable, read_lines,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};

/// A session that is complete.
fn complete() -> (TempDir, PathBuf, Study) {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    let root = dir.path().join("d");
    sit(&study, &dataset(&root, &study)).unwrap();
    (dir, root, study)
}

fn verified(root: &Path) -> Verified {
    verify(&Dataset::open(root).unwrap()).unwrap()
}

fn said(root: &Path) -> Vec<String> {
    verified(root).problems.iter().map(ToString::to_string).collect()
}

/// Whether something is wrong with this file.
fn is_blamed(root: &Path, path: &Path) -> bool {
    let path = path.to_str().unwrap();
    said(root).iter().any(|said| said.starts_with(&format!("{path}: ")))
}

/// Writes the journal again with these lines.
fn rewrite(root: &Path, study: &Study, lines: Vec<Line>) {
    let (path, disk) = (journal(root, study), SessionDisk::durable());
    fs::remove_file(&path).unwrap();
    let mut journal = OpenJournal::open(&path, &disk).unwrap();
    lines.into_iter().for_each(|line| journal.add(&disk, line).unwrap());
}

/// The session as it was when so many of its trials had ended.
fn back_to(trials: usize, root: &Path, study: &Study) {
    let mut ended = 0;
    let mut lines = read_lines(&journal(root, study)).unwrap();
    lines.retain(|line| {
        let before = ended;
        ended += usize::from(matches!(line, Line::TrialEnded(_)));
        before < trials && !matches!(line, Line::Completed { .. })
    });
    rewrite(root, study, lines);
    fs::remove_file(root.join(study.place("01", 1).checksums())).unwrap();
}

#[test]
fn every_file_with_a_checksum_is_counted() {
    let (_dir, root, study) = complete();
    let list = fs::read_to_string(root.join(study.place("01", 1).checksums())).unwrap();
    let found = verified(&root);
    assert_eq!((found.files, found.trials), (list.lines().count(), 6));
    assert!(found.problems.is_empty(), "{:?}", found.problems);
}

#[test]
fn the_table_of_trials_has_the_level_of_every_factor() {
    let (_dir, root, study) = complete();
    let text = fs::read_to_string(root.join(study.place("01", 1).table())).unwrap();
    let table = TsvTable::parse(&text).unwrap();
    let levels = |name: &str| -> BTreeSet<String> {
        table.rows.iter().map(|row| table.cell(row, name).unwrap().to_owned()).collect()
    };
    assert_eq!(levels("tempo"), ["110 ms", "90 ms"].map(str::to_owned).into());
    assert_eq!(levels("delay"), ["0 ms", "10 ms", "5 ms"].map(str::to_owned).into());
}

#[test]
fn a_table_that_was_changed_is_found_by_its_journal_though_its_checksum_was_changed_too() {
    let (_dir, root, study) = complete();
    let place = study.place("01", 1);
    let (list, table) = (root.join(place.checksums()), place.table());
    let text = fs::read_to_string(root.join(&table)).unwrap();
    fs::write(root.join(&table), text.replace("true", "false")).unwrap();
    let sum = |path: &Path| {
        let said = std::process::Command::new("sha256sum").arg(path).output().unwrap().stdout;
        String::from_utf8(said[..64].to_vec()).unwrap()
    };
    let name = table.to_str().unwrap();
    let lines = fs::read_to_string(&list).unwrap();
    let old = lines.lines().find(|line| line.ends_with(name)).unwrap();
    fs::write(&list, lines.replace(&old[..64], &sum(&root.join(&table)))).unwrap();
    assert!(is_blamed(&root, &table), "{:?}", verified(&root));
}

#[test]
fn a_table_that_is_missing_is_found_as_soon_as_it_has_a_trial() {
    for trials in 0..4 {
        let (_dir, root, study) = complete();
        let table = study.place("01", 1).table();
        back_to(trials, &root, &study);
        // That of the whole session is none of a part.
        assert!(is_blamed(&root, &table), "after {trials}");
        fs::remove_file(root.join(&table)).unwrap();
        assert_eq!(is_blamed(&root, &table), trials > 0, "after {trials}");
    }
}

#[test]
fn a_table_may_lack_a_column_that_holds_nothing_and_no_other() {
    let (_dir, root, study) = complete();
    let path = study.place("01", 1).table();
    let whole = TsvTable::parse(&fs::read_to_string(root.join(&path)).unwrap()).unwrap();
    let lacks = |at: usize| {
        let mut table = whole.clone();
        table.columns.remove(at);
        table.rows.iter_mut().for_each(|row| drop(row.remove(at)));
        fs::write(root.join(&path), table.bytes()).unwrap();
        said(&root).iter().any(|said| said.ends_with("does not follow from the journal"))
    };
    let holds = |at: usize| whole.rows.iter().any(|row| row[at].is_some());
    let columns = 0..whole.columns.len();
    assert!(columns.clone().any(holds) && !columns.clone().all(holds));
    for at in columns {
        assert_eq!(lacks(at), holds(at), "{}", whole.columns[at]);
    }
}

#[test]
fn a_plan_that_does_not_follow_from_the_study_is_found_where_this_version_made_it() {
    let (_dir, root, study) = complete();
    let plan = study.place("01", 1).plan_as_json();
    assert!(!is_blamed(&root, &plan));
    let lines = read_lines(&journal(&root, &study)).unwrap();
    for (version, is_wrong) in [(None, true), (Some("chronotap 0.0.1"), false)] {
        let mut lines = lines.clone();
        let Some(Line::Began(began)) = lines.first_mut() else { panic!("no beginning") };
        began.k += 1;
        began.program = version.map_or(began.program.clone(), str::to_owned);
        rewrite(&root, &study, lines);
        assert_eq!(is_blamed(&root, &plan), is_wrong, "{version:?}");
    }
}

#[test]
fn a_session_is_sound_as_long_as_every_trial_that_counts_is() {
    let (_dir, root, study) = complete();
    let journal = study.place("01", 1).journal();
    let kept = KeptSession::read(&Dataset::open(&root).unwrap(), &journal).unwrap().unwrap();
    assert!(kept.tables().is_sound());
    let mut tables = Tables::new(&kept.place, kept.plan.clone(), &kept.study.about.columns);
    for line in &kept.lines {
        let mut line = line.clone();
        if let Line::TrialEnded(ended) = &mut line {
            ended.timing_passed &= ended.run != 2;
        }
        tables.take(&line);
    }
    assert!(!tables.is_sound());
}
