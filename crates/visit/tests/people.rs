//! Who took part is never lost with participants.tsv: it is made whole from the journals, and the
//! note of a withdrawal keeps what was assigned.

use crate::common::{STUDY, dataset, run_open, study, wires};
use chronotap_core::time::Nanos;
use chronotap_data::shares::Shard;
use chronotap_session::withdraw::{Manner, withdraw};
use chronotap_session::{Dataset, DatasetError, Drawn, Ending, Person, Study, Who};
use chronotap_session::{rehearse::Rehearsal, verify::verify};
use chronotap_visit::{Session, SessionError, simulate::simulate};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tempfile::{TempDir, tempdir};

/// A study with these participants, simulated.
fn simulated(labels: &[&str]) -> (TempDir, Study) {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    let rehearsal = Rehearsal {
        stops_when_cut: true,
        labels: labels.iter().map(|label| (*label).to_owned()).collect(),
        model: "tapper".into(),
        wires: wires(&study),
        longest: Nanos::from_secs(60),
        limit: None,
    };
    simulate(
        &study,
        &dataset(&dir.path().join("d"), &study),
        &rehearsal,
        Shard::ALL,
        &Default::default(),
        &|_| {},
    )
    .unwrap();
    (dir, study)
}

fn sit_as(label: &str, root: &Path, study: &Study) -> Result<Ending, SessionError> {
    let dataset = dataset(root, study);
    let simulated = Some("tapper".to_owned());
    let who = Who { label: label.into(), session: 1, simulated, ..Who::default() };
    let mut frontend = Drawn::new(study.experiment.seed, label, 1);
    let mut session = Session::open(study, &dataset, &who, &mut frontend)?;
    run_open(&mut session, study, &mut frontend)
}

fn people(root: &Path, study: &Study) -> Vec<Person> {
    dataset(root, study).people(&study.about.columns).unwrap().all()
}

/// The lines of a table; simulated participants begin in any order.
fn rows(text: &str) -> BTreeSet<String> {
    text.lines().map(str::to_owned).collect()
}

fn places(people: &[Person]) -> BTreeSet<(String, u32)> {
    people.iter().map(|person| (person.cell["hand"].clone(), person.k)).collect()
}

#[test]
fn a_table_of_participants_that_is_removed_is_made_again_from_the_journals() {
    let (dir, study) = simulated(&["01", "02", "03"]);
    let root = dir.path().join("d");
    let table = root.join("participants.tsv");
    let before = fs::read_to_string(&table).unwrap();
    fs::remove_file(&table).unwrap();
    let problems = verify(&Dataset::open(&root).unwrap()).unwrap().problems;
    assert!(problems.iter().any(|one| one.to_string().contains("sub-02 has a session and no row")));
    let made = dataset(&root, &study);
    assert_eq!(rows(&fs::read_to_string(&table).unwrap()), rows(&before));
    let said = made.remarks().join("");
    let all = ["sub-01", "sub-02", "sub-03", "made again from the journals"];
    assert!(all.iter().all(|part| said.contains(part)), "{said}");
    // As an earlier version made it again: with nobody in it.
    let heading = before.lines().next().unwrap().to_owned() + "\n";
    fs::write(&table, heading).unwrap();
    assert_eq!(sit_as("04", &root, &study).unwrap(), Ending::Completed);
    assert!(rows(&fs::read_to_string(&table).unwrap()).is_superset(&rows(&before)));
    assert_eq!(places(&people(&root, &study)).len(), 4, "a place was given twice");
    let found = verify(&Dataset::open(&root).unwrap()).unwrap();
    assert!(found.problems.is_empty(), "{found:?}");
}

#[test]
fn no_place_is_given_twice_nobody_removed_comes_back_and_a_mark_stays() {
    let (dir, study) = simulated(&["01", "02", "03", "04"]);
    let root = dir.path().join("d");
    let before = people(&root, &study);
    withdraw(&dataset(&root, &study), "02", Manner::Remove, &[]).unwrap();
    withdraw(&dataset(&root, &study), "03", Manner::Mark, &[]).unwrap();
    for removes_the_table in [false, true] {
        if removes_the_table {
            fs::remove_file(root.join("participants.tsv")).unwrap();
        }
        let label = if removes_the_table { "06" } else { "05" };
        assert_eq!(sit_as(label, &root, &study).unwrap(), Ending::Completed);
        let refused = sit_as("02", &root, &study).unwrap_err();
        assert!(matches!(refused, SessionError::Withdrawn { .. }), "{refused}");
        let refused = sit_as("03", &root, &study).unwrap_err();
        assert!(matches!(refused, SessionError::Withdrawn { .. }), "{refused}");
        let now = people(&root, &study);
        assert!(now.iter().all(|person| person.label != "02"));
        let marked: Vec<_> = now.iter().filter(|person| person.withdrawn).collect();
        assert_eq!(marked.len(), 1);
        assert_eq!(marked[0].label, "03");
        let table = fs::read_to_string(root.join("participants.tsv")).unwrap();
        let row = table.lines().find(|line| line.starts_with("sub-03\t")).unwrap();
        assert!(row.ends_with("\ttrue"), "{table}");
        let new = now.iter().filter(|person| ["05", "06"].contains(&&*person.label));
        let given: Vec<Person> = before.iter().chain(new).cloned().collect();
        assert_eq!(places(&given).len(), given.len(), "a place was given twice: {given:?}");
    }
}

#[test]
fn somebody_whose_row_is_lost_can_be_withdrawn() {
    for manner in [Manner::Remove, Manner::Mark] {
        let (dir, study) = simulated(&["01", "02"]);
        let root = dir.path().join("d");
        fs::remove_file(root.join("participants.tsv")).unwrap();
        withdraw(&Dataset::open(&root).unwrap(), "02", manner, &[]).unwrap();
        let left: Vec<_> = people(&root, &study).into_iter().filter(|one| !one.withdrawn).collect();
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].label, "01");
    }
}

#[test]
fn a_field_that_the_study_did_not_have_before_is_a_column_without_answers() {
    let (dir, _) = simulated(&["01"]);
    let root = dir.path().join("d");
    let more = "[participant]\nplays = { question = \"Plays?\", choice = [\"yes\", \"no\"] }\n";
    let changed = study(&STUDY.replace("[participant]\n", more));
    let people = dataset(&root, &changed).people(&changed.about.columns).unwrap();
    assert_eq!(people.all()[0].label, "01");
    assert!(people.table().column("plays").is_some());
}

#[test]
fn a_label_that_could_be_taken_for_another_is_refused_when_it_is_new() {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    let root = dir.path().join("d");
    assert_eq!(sit_as("anna7", &root, &study).unwrap(), Ending::Completed);
    for label in ["Anna7", "ANNA7", "0anna7"] {
        let refused = sit_as(label, &root, &study).unwrap_err();
        assert!(
            matches!(&refused, SessionError::Alike { there, .. } if there == "anna7"),
            "{refused}"
        );
        assert!(!root.join(format!("sourcedata/sub-{label}")).exists(), "nothing is made");
    }
    withdraw(&dataset(&root, &study), "anna7", Manner::Remove, &[]).unwrap();
    let refused = sit_as("Anna7", &root, &study).unwrap_err();
    assert!(matches!(refused, SessionError::Alike { .. }), "{refused}");
    assert_eq!(sit_as("anna8", &root, &study).unwrap(), Ending::Completed);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), &to).unwrap()),
        }
    }
}

#[test]
fn a_folder_that_was_copied_or_renamed_makes_nobody_new() {
    let (dir, study) = simulated(&["01", "02"]);
    let root = dir.path().join("d");
    let source = root.join("sourcedata");
    copy(&source.join("sub-01"), &source.join("sub-01 (1)"));
    fs::write(source.join("sub-02/._sub-02_task-small_journal.jsonl"), "Mac OS X").unwrap();
    assert_eq!(people(&root, &study).len(), 2);
    let dataset = Dataset::open(&root).unwrap();
    let found = verify(&dataset).unwrap();
    assert_eq!(found.problems.len(), 1, "{found:?}");
    assert!(found.problems[0].to_string().contains("sub-01 (1)"), "{found:?}");
    fs::remove_dir_all(source.join("sub-01 (1)")).unwrap();
    // Folder and files of 02 become those of 03, and the journal says 02 still.
    fs::rename(source.join("sub-02"), source.join("sub-03")).unwrap();
    for entry in fs::read_dir(source.join("sub-03")).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap().replace("sub-02", "sub-03");
        fs::rename(entry.path(), entry.path().with_file_name(name)).unwrap();
    }
    assert_eq!(people(&root, &study).len(), 2);
    let refused = sit_as("03", &root, &study).unwrap_err();
    assert!(matches!(refused, SessionError::Renamed { .. }), "{refused}");
}

#[test]
fn a_start_that_is_refused_changes_no_table_and_names_the_study() {
    let (dir, _) = simulated(&["01", "02"]);
    let root = dir.path().join("d");
    let table = root.join("participants.tsv");
    let before = fs::read_to_string(&table).unwrap();
    let other = study(&STUDY.replace("hand =", "arm ="));
    let open = || {
        Dataset::open_or_make(&root, &other.about, true, chronotap_session::SessionDisk::durable())
            .unwrap_err()
    };
    let groups = |refused: &DatasetError| matches!(refused, DatasetError::OtherGroups { study, .. } if study == "study.toml");
    let refused = open();
    assert!(groups(&refused), "{refused}");
    assert_eq!(fs::read_to_string(&table).unwrap(), before);
    fs::remove_file(&table).unwrap();
    let refused = open();
    assert!(groups(&refused), "{refused}");
    assert!(!table.exists(), "made of a study that nobody took part in");
    // A field with another name: the study may have changed so, but nobody has said it yet.
    let changed = study(&STUDY.replace("age =", "years ="));
    let refused = sit_as("03", &root, &changed).unwrap_err();
    assert!(matches!(refused, SessionError::Changed { .. }), "{refused}");
    assert!(!table.exists(), "a start that was refused has made a table");
}

#[test]
fn who_withdraws_leaves_no_lock_and_none_lies_in_a_folder_that_goes() {
    let (dir, study) = simulated(&["01", "02"]);
    let root = dir.path().join("d");
    assert!(root.join("sourcedata/sub-01.lock").exists());
    assert!(!root.join("sourcedata/sub-01/sub-01.lock").exists());
    withdraw(&dataset(&root, &study), "01", Manner::Remove, &[]).unwrap();
    let names = fs::read_dir(root.join("sourcedata")).unwrap().map(|one| one.unwrap().file_name());
    assert!(!names.into_iter().any(|name| name.to_string_lossy().contains("sub-01")));
}

#[test]
fn pictures_of_texts_are_files_of_the_study() {
    let dir = tempdir().unwrap();
    let (folder, root) = (dir.path().join("study"), dir.path().join("d"));
    fs::create_dir(&folder).unwrap();
    let text =
        STUDY.replace("\"How hard was that?\"", "\"How hard was ![this](the%20melody.wav)?\"");
    fs::write(folder.join("study.toml"), text).unwrap();
    fs::write(folder.join("trial.toml"), crate::common::TRIAL).unwrap();
    let read = || Study::read(&folder.join("study.toml"));
    let missing = read().unwrap_err().to_string();
    assert!(
        missing.contains("study.toml:17: the picture or sound \"the melody.wav\""),
        "{missing}"
    );
    let melody = folder.join("the melody.wav");
    fs::write(&melody, b"\0one").unwrap();
    assert_eq!(sit_as("01", &root, &read().unwrap()).unwrap(), Ending::Completed);
    let kept = root.join("sourcedata/study-01/the melody.wav");
    assert_eq!(fs::read(&kept).unwrap(), b"\0one");
    // Begun by a version that did not keep it: it is kept from now on, under the next number.
    fs::remove_file(&kept).unwrap();
    assert_eq!(sit_as("02", &root, &read().unwrap()).unwrap(), Ending::Completed);
    assert!(root.join("sourcedata/study-02/the melody.wav").exists());
    fs::write(&melody, b"\0two").unwrap();
    let refused = sit_as("03", &root, &read().unwrap()).unwrap_err();
    assert!(
        matches!(&refused, SessionError::Changed { files } if *files == ["the melody.wav"]),
        "{refused}"
    );
}
