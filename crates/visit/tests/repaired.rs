//! A dataset as versions before wrote it, in which the factor of the sessions and the one behind it have
//! each other's columns: `verify` finds it, and `repair` makes its tables again, wherever it is cut short.

use crate::common::{dataset, sit, study, who, wires};
use chronotap_core::files::sha256;
use chronotap_core::time::Nanos;
use chronotap_data::shares::Shard;
use chronotap_session::dropout::{DropOut, drop_out};
use chronotap_session::repair::{Derived, repair};
use chronotap_session::verify::{DatasetProblem, verify};
use chronotap_session::{Dataset, DatasetError, SessionDisk, Study};
use chronotap_session::{
    correct::{CorrectError, ParticipantCorrection, correct},
    rehearse::Rehearsal,
};
use chronotap_visit::{Session, SessionError, simulate::simulate};
use serde_json::json;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tempfile::{TempDir, tempdir};

const STUDY: &str = "title = \"Two sessions\"\ntask = \"t\"\nparticipants = 2\nsessions = 2\n\
    trial = \"trial.toml\"\n[factor]\ndrug = [\"placebo\", \"caffeine\"]\n\
    delay = [\"0 ms\", \"200 ms\"]\n[between]\nhand = [\"left\", \"right\"]\n\
    [session]\nby = \"drug\"\norder = \"latin\"\n[participant]\n\
    age = { question = \"Age?\", number = [18, 99] }\n[[step]]\nname = \"main\"\nshuffle = \"all\"\n";

/// The sessions of the study.
const SESSIONS: [(&str, u32); 4] = [("01", 1), ("01", 2), ("02", 1), ("02", 2)];

/// Every table of trials, in the order of the sessions.
fn tables(root: &Path, study: &Study) -> Vec<String> {
    let read =
        |(label, session)| fs::read_to_string(root.join(study.place(label, session).table()));
    SESSIONS.map(|one| read(one).unwrap()).to_vec()
}

/// Two people with two sessions each, all done.
fn complete() -> (TempDir, Study) {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    let rehearsal = Rehearsal {
        labels: vec!["01".into(), "02".into()],
        model: "tapper".into(),
        wires: wires(&study),
        longest: Nanos::from_secs(60),
        stops_when_cut: false,
        limit: None,
    };
    let made = dataset(&dir.path().join("d"), &study);
    simulate(&study, &made, &rehearsal, Shard::ALL, &Default::default(), &|_| {}).unwrap();
    (dir, study)
}

/// Writes the tables as before: the names of the columns in another order than their cells.
fn exchange(root: &Path, study: &Study) {
    for (label, session) in SESSIONS {
        let place = study.place(label, session);
        let (path, list) = (root.join(place.table()), root.join(place.checksums()));
        let table = fs::read_to_string(&path).unwrap();
        let wrong = table.replacen("\tdrug\tdelay\t", "\tdelay\tdrug\t", 1);
        assert_ne!(table, wrong);
        let sums = fs::read_to_string(&list).unwrap();
        let [was, is] = [&table, &wrong].map(|text| sha256(text.as_bytes()));
        assert!(sums.contains(&was));
        fs::write(&list, sums.replace(&was, &is)).unwrap();
        fs::write(&path, wrong).unwrap();
    }
}

fn problems(root: &Path) -> Vec<DatasetProblem> {
    verify(&Dataset::open(root).unwrap()).unwrap().problems
}

#[test]
fn tables_with_exchanged_columns_are_found_and_made_again_and_it_is_said_what_changed() {
    let (dir, study) = complete();
    let root = dir.path().join("d");
    let right = tables(&root, &study);
    assert_eq!(repair(&Dataset::open(&root).unwrap()).unwrap().tables, []);
    exchange(&root, &study);
    let found = problems(&root);
    assert_eq!(found.len(), 4, "{found:?}");
    for problem in &found {
        let DatasetProblem::Levels { factors, rows, .. } = problem else { panic!("{problem:?}") };
        assert_eq!((factors.join(" "), *rows), ("drug delay".to_owned(), 2));
    }
    let done = repair(&Dataset::open(&root).unwrap()).unwrap();
    assert_eq!(done.tables.len(), 4);
    for (table, (label, session)) in done.tables.iter().zip(SESSIONS) {
        assert_eq!(table.path, study.place(label, session).table());
        assert_eq!(table.changed, [("drug".to_owned(), 2), ("delay".to_owned(), 2)]);
    }
    assert_eq!(tables(&root, &study), right);
    assert_eq!(problems(&root).len(), 0, "{:?}", problems(&root));
    assert_eq!(repair(&Dataset::open(&root).unwrap()).unwrap().tables, []);
}

#[test]
fn a_table_that_somebody_changed_otherwise_stays_and_is_found_by_verify() {
    let (dir, study) = complete();
    let root = dir.path().join("d");
    let path = root.join(study.place("01", 1).table());
    let changed = fs::read_to_string(&path).unwrap().replacen("\ttrue\t", "\tfalse\t", 1);
    fs::write(&path, &changed).unwrap();
    assert_eq!(repair(&Dataset::open(&root).unwrap()).unwrap().tables, []);
    assert_eq!(fs::read_to_string(&path).unwrap(), changed);
    assert!(!problems(&root).is_empty());
}

#[test]
fn cut_short_anywhere_the_same_repair_goes_on() {
    let (dir, study) = complete();
    let first = dir.path().join("d");
    let right = tables(&first, &study);
    exchange(&first, &study);
    for operations in 0.. {
        assert!(operations < 60, "it never came to its end");
        let root = dir.path().join(operations.to_string());
        assert!(Command::new("cp").arg("-a").args([&first, &root]).status().unwrap().success());
        let full = Dataset::open_on(&root, SessionDisk::that_is_full_after(operations)).unwrap();
        let cut = repair(&full).is_err();
        repair(&Dataset::open(&root).unwrap()).unwrap();
        assert_eq!(tables(&root, &study), right, "after {operations}");
        assert_eq!(problems(&root).len(), 0, "after {operations}: {:?}", problems(&root));
        if !cut {
            return;
        }
    }
}

/// As if the power had gone after the first trial of participant 01.
fn cut(root: &Path, study: &Study) {
    let journal = root.join(study.place("01", 1).journal());
    let text = fs::read_to_string(&journal).unwrap();
    let end = text.find("trial_ended").unwrap();
    fs::write(&journal, &text[..end + text[end..].find('\n').unwrap() + 1]).unwrap();
    let table = root.join(study.place("01", 1).table());
    for file in fs::read_dir(table.parent().unwrap()).unwrap() {
        let path = file.unwrap().path();
        if path.to_str().unwrap().contains("_run-02_") {
            fs::remove_file(path).unwrap();
        }
    }
}

/// What refuses this for its levels names the table, the factors and the rows.
fn is_refused(found: &DatasetError, study: &Study) {
    let DatasetError::Levels { path, factors, rows } = found else { panic!("{found:?}") };
    assert_eq!(*path, study.place("01", 1).table());
    assert_eq!((factors.join(" "), *rows), ("drug delay".to_owned(), 2));
}

#[test]
fn a_session_with_exchanged_columns_is_not_gone_on_with_until_it_is_repaired() {
    let (dir, study) = complete();
    let root = dir.path().join("d");
    cut(&root, &study);
    exchange(&root, &study);
    let wrong = tables(&root, &study);
    let made = Dataset::open_on(&root, SessionDisk::that_syncs_at_the_end()).unwrap();
    let refused = sit(&study, &made).unwrap_err();
    let SessionError::Dataset(found) = &refused else { panic!("{refused:?}") };
    is_refused(found, &study);
    let refused = Session::try_out(&study, Some(&made), &who()).unwrap_err();
    assert!(matches!(refused, SessionError::Dataset(DatasetError::Levels { .. })), "{refused:?}");
    assert_eq!(tables(&root, &study), wrong);
    assert_eq!(repair(&made).unwrap().tables.len(), 4);
    sit(&study, &made).unwrap();
    assert_eq!(problems(&root).len(), 0, "{:?}", problems(&root));
}

#[test]
fn corrections_and_dropouts_leave_exchanged_columns_to_the_repair() {
    let (dir, study) = complete();
    let root = dir.path().join("d");
    exchange(&root, &study);
    let wrong = tables(&root, &study);
    let made = Dataset::open(&root).unwrap();
    let (label, reason, by) = ("01".to_owned(), "moved".to_owned(), "test".to_owned());
    let values = [("age".to_owned(), "30".to_owned())].into();
    let correction = ParticipantCorrection {
        label: label.clone(),
        values,
        reason: reason.clone(),
        by: by.clone(),
    };
    let refused = [
        correct(&made, &correction).map(drop).unwrap_err(),
        drop_out(&made, &DropOut { label, reason, by, back: false }).map(drop).unwrap_err(),
    ];
    for refused in refused {
        let CorrectError::Dataset(found) = &refused else { panic!("{refused:?}") };
        let DatasetError::Levels { .. } = found else { panic!("{found:?}") };
    }
    assert_eq!(tables(&root, &study), wrong);
    assert!(!root.join("sourcedata/correction.unfinished").exists());
}

/// A pack with this table, as far as anybody looks who does not open it.
fn pack(path: &Path, name: &str, table: &str) {
    let manifest = json!({
        "format": "chronotap-pack", "version": 1, "program": "chronotap 0.1.0", "title": "t",
        "task": "t", "persons": false, "devices": [],
        "dataset": { "participants": 2, "sessions": 4, "trials": 8, "timing_failed": 0,
            "unusable": 0, "simulated": true },
        "files": { name: { "bytes": table.len(), "sha256": sha256(table.as_bytes()) } },
    });
    let mut archive = zip::ZipWriter::new(fs::File::create(path).unwrap());
    let options = zip::write::SimpleFileOptions::default().unix_permissions(0o644);
    for (name, text) in [("manifest.json", manifest.to_string()), (name, table.to_owned())] {
        archive.start_file(name, options).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap();
}

#[test]
fn what_was_computed_before_is_named_until_it_is_made_again() {
    let (dir, study) = complete();
    let root = dir.path().join("d");
    exchange(&root, &study);
    let beside = |name: &str| dir.path().canonicalize().unwrap().join(name);
    let table = study.place("01", 1).table();
    let name = format!("dataset/{}", table.display());
    pack(&beside("wrong.zip"), &name, &fs::read_to_string(root.join(&table)).unwrap());
    pack(&beside("other.zip"), "dataset/sub-09/beh/sub-09_task-t_beh.tsv", "a\n");
    fs::create_dir(beside("all")).unwrap();
    let gathered = json!({ "format": "chronotap-gather", "datasets": [{ "name": "d" }] });
    fs::write(beside("all/gather.json"), gathered.to_string()).unwrap();
    let page = "<head><meta name=\"generator\" content=\"chronotap report\"></head>Two sessions";
    fs::write(root.join("report.html"), page).unwrap();
    fs::write(beside("notes.html"), "Two sessions").unwrap();
    let look = || repair(&Dataset::open(&root).unwrap()).unwrap();
    let named = |found: Vec<chronotap_session::repair::Stale>| -> Vec<_> {
        found.into_iter().map(|one| (one.path, one.what)).collect()
    };
    let report = ("report.html".into(), Derived::Report);
    let others = [(beside("wrong.zip"), Derived::Pack), (beside("all"), Derived::Gathered)];
    assert_eq!(named(look().stale), [&[report][..], &others].concat());
    // The same until somebody made it again, or took it away.
    fs::write(root.join("report.html"), page).unwrap();
    fs::write(beside("all/gather.json"), gathered.to_string()).unwrap();
    pack(&beside("wrong.zip"), &name, &fs::read_to_string(root.join(&table)).unwrap());
    for path in [root.join("report.html"), beside("all/gather.json"), beside("wrong.zip")] {
        written_later(&path);
    }
    assert_eq!(named(look().stale), []);
}

/// File systems tell time in steps of some ms: as if a second had passed.
fn written_later(path: &Path) {
    let file = fs::File::options().append(true).open(path).unwrap();
    let written = file.metadata().unwrap().modified().unwrap();
    file.set_modified(written + Duration::from_secs(1)).unwrap();
}
