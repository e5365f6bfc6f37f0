//! A withdrawal that is cut short at any of its operations, also while it brings up to date what was
//! computed from the dataset: until the same command is given again, `verify` says that something is
//! left; then nothing is, and of everybody else all is there.

use crate::common::{STUDY, dataset, study, wires};
use chronotap_core::time::Nanos;
use chronotap_data::tables::{AnalysisOptions, Sources};
use chronotap_data::{exchange::analyze, shares::Shard};
use chronotap_session::withdraw::{Manner, withdraw};
use chronotap_session::{Dataset, SessionDisk, Study};
use chronotap_session::{rehearse::Rehearsal, verify::verify};
use chronotap_testkit::left_to_all;
use chronotap_visit::simulate::simulate;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};

/// The folders of analyses.
const ANALYSES: [&str; 2] = ["chronotap", "second"];
/// The tables that are gathered.
const GATHERED: [&str; 3] = ["taps", "trials", "participants"];

/// Two participants, and of both everything that is computed from a dataset.
fn computed() -> (TempDir, Study) {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    let root = dir.path().join("d");
    let rehearsal = Rehearsal {
        stops_when_cut: true,
        labels: vec!["01".into(), "02".into()],
        model: "tapper".into(),
        wires: wires(&study),
        longest: Nanos::from_secs(60),
        limit: None,
    };
    simulate(&study, &dataset(&root, &study), &rehearsal, Shard::ALL, &Default::default(), &|_| {})
        .unwrap();
    let derived = root.join("derivatives");
    let sources = Sources::find(std::slice::from_ref(&root)).unwrap();
    for folder in ANALYSES {
        let made_by = ("test", &["analyze".to_owned()][..]);
        analyze(
            &derived.join(folder),
            &sources,
            &AnalysisOptions::default(),
            made_by,
            &|| false,
            &|_| {},
        )
        .unwrap();
    }
    gathered(&derived.join("gathered"));
    let head = "<meta content=\"chronotap report\">\
                <meta name=\"chronotap-participants\" content=\"01 02\">";
    fs::write(derived.join("chronotap/report.html"), head).unwrap();
    fs::write(derived.join("page.html"), "<p>of nobody</p>").unwrap();
    let people = root.join("participants.tsv");
    fs::copy(&people, derived.join("of-us.tsv")).unwrap();
    fs::copy(&people, derived.join("second/chronotap-4294967295-1.part")).unwrap();
    (dir, study)
}

/// As `chronotap gather` leaves it, of this dataset and of another: as text, for a build without
/// Parquet gathers nothing.
fn gathered(folder: &Path) {
    for table in GATHERED {
        for (dataset, whose) in [("d", "sub-01"), ("e", "sub-02")] {
            let part = folder.join(table).join(format!("dataset={dataset}"));
            fs::create_dir_all(&part).unwrap();
            fs::write(part.join("part.tsv"), format!("participant_id\n{whose}\n")).unwrap();
        }
    }
    let record = r#"{"format": "chronotap-gather", "datasets": [{"name": "d"}, {"name": "e"}]}"#;
    fs::write(folder.join("gather.json"), record).unwrap();
}

fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copied(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// Files below that name participant 01, in their names or in what they hold.
fn seen(root: &Path, folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            seen(root, &path, found);
        } else if !path.ends_with("sourcedata/withdrawals.tsv") {
            let bytes = fs::read(&path).unwrap();
            let text = format!("{} {}", path.display(), String::from_utf8_lossy(&bytes));
            let named = text.contains("sub-01") || text.contains("content=\"01 ");
            found.extend(named.then(|| path.strip_prefix(root).unwrap().to_owned()));
        }
    }
}

fn sightings(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    seen(root, root, &mut found);
    found
}

/// What there is of participant 02 among the data.
fn of_the_other(root: &Path) -> Vec<u8> {
    let beh = root.join("sub-02/beh");
    let mut names: Vec<PathBuf> = fs::read_dir(beh).unwrap().map(|e| e.unwrap().path()).collect();
    names.sort();
    names.iter().flat_map(|path| fs::read(path).unwrap()).collect()
}

/// What `verify` says is wrong.
fn problems(root: &Path) -> Vec<String> {
    let found = verify(&Dataset::open(root).unwrap()).unwrap();
    found.problems.iter().map(ToString::to_string).collect()
}

/// The dataset as somebody finds it whose withdrawal was cut short after so many operations; whether
/// it was.
fn cut_after(operations: u32, from: &Path, root: &Path, study: &Study, manner: Manner) -> bool {
    copied(from, root);
    let disk = SessionDisk::that_is_full_after(operations);
    let made = Dataset::open_or_make(root, &study.about, true, disk);
    made.map_err(drop).and_then(|made| withdraw(&made, "01", manner, &[]).map_err(drop)).is_err()
}

fn goes_on_after_every_operation(manner: Manner) {
    let (dir, study) = computed();
    let whole = dir.path().join("d");
    let other = of_the_other(&whole);
    let mut half_done = 0;
    for operations in 0.. {
        let root = dir.path().join(format!("{operations}/d"));
        let was_cut = cut_after(operations, &whole, &root, &study, manner);
        let case = format!("{manner:?} after {operations}");
        let noted = root.join("sourcedata/withdrawals.tsv").exists();
        let computed: Vec<PathBuf> =
            sightings(&root).into_iter().filter(|path| path.starts_with("derivatives")).collect();
        if was_cut && noted && !computed.is_empty() {
            half_done += 1;
            assert_ne!(problems(&root), Vec::<String>::new(), "{case}: {computed:?} pass");
        }
        if was_cut {
            withdraw(&dataset(&root, &study), "01", manner, &[]).expect(&case);
        }
        assert_withdrawn(&root, manner, &case);
        assert_eq!(of_the_other(&root), other, "{case}");
        if !was_cut {
            break;
        }
        fs::remove_dir_all(&root).unwrap();
    }
    assert!(half_done >= 15, "only {half_done} were cut short within what was computed");
}

/// Nothing tells of participant 01 any more; where the data stay, nothing that was computed does.
fn assert_withdrawn(root: &Path, manner: Manner, case: &str) {
    let left = sightings(root).into_iter();
    let left: Vec<PathBuf> =
        left.filter(|path| manner == Manner::Remove || path.starts_with("derivatives")).collect();
    assert_eq!(left, Vec::<PathBuf>::new(), "{case}");
    assert_eq!(problems(root), Vec::<String>::new(), "{case}");
    for folder in ANALYSES {
        let record = root.join("derivatives").join(folder).join("analysis.json");
        let record = fs::read_to_string(record).unwrap_or_else(|e| panic!("{case}: {folder}: {e}"));
        assert!(record.contains("sub-02"), "{case}: {record}");
    }
    assert!(root.join("derivatives/page.html").exists(), "{case}");
    let gathered = root.join("derivatives/gathered");
    for table in GATHERED.map(|table| gathered.join(table)) {
        assert!(!table.join("dataset=d").exists() && table.join("dataset=e").exists(), "{case}");
    }
    let record = fs::read_to_string(gathered.join("gather.json")).unwrap();
    assert!(!record.contains("\"d\"") && record.contains("\"e\""), "{case}: {record}");
}

#[test]
fn a_withdrawal_that_is_cut_short_at_any_operation_is_seen_and_ended_by_the_same_command() {
    goes_on_after_every_operation(Manner::Remove);
}

#[test]
fn so_is_one_that_keeps_the_data() {
    if left_to_all() {
        return;
    }
    goes_on_after_every_operation(Manner::Mark);
}
