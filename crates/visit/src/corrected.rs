//! A correction that is cut short at any moment: the same one goes on, and whoever comes next
//! finishes it.

use crate::simulate::simulate;
use chronotap_core::time::Nanos;
use chronotap_data::shares::Shard;
use chronotap_data::tables::names::CORRECTION;
use chronotap_design::Experiment;
use chronotap_session::correct::{ParticipantCorrection, correct};
use chronotap_session::dropout::{DropOut, drop_out};
use chronotap_session::rehearse::Rehearsal;
use chronotap_session::repair::repair;
use chronotap_session::verify::verify;
use chronotap_session::withdraw::{Manner, withdraw};
use chronotap_session::{Dataset, SessionDisk, Study};
use chronotap_simulate::Wires;
use std::path::Path;
use std::sync::Arc;

const STUDY: &str = "task = \"t\"\nparticipants = 2\nsessions = 2\ntrial = \"trial.toml\"\n\
    [between]\ngroup = { high = \"training >= 6\", low = \"otherwise\" }\n\
    [participant]\ntraining = { question = \"Years?\", number = [0, 60] }\n\
    age = { question = \"Age?\", number = [18, 99] }\n[[step]]\nname = \"main\"\n";

/// Two people with two sessions each, all done.
fn with_data(root: &Path) -> (Study, Dataset) {
    let trial = "[input.pad]\n[[when]]\ntime = \"10 ms\"\nend = true\n";
    let files = vec![("trial.toml".to_owned(), trial.to_owned())];
    let experiment = Experiment::parse(STUDY, "study.toml", &files).unwrap();
    let study = Study::of(experiment).unwrap();
    let dataset = Dataset::open_or_make(root, &study.about, true, SessionDisk::durable()).unwrap();
    let (inputs, outputs) = study.inputs_and_outputs();
    let rehearsal = Rehearsal {
        labels: vec!["01".into(), "02".into()],
        model: "tapper".into(),
        wires: Wires::unthrottled(&inputs, &outputs),
        longest: Nanos::from_secs(60),
        stops_when_cut: false,
        limit: None,
    };
    simulate(&study, &dataset, &rehearsal, Shard::ALL, &Arc::default(), &|_| {}).unwrap();
    (study, dataset)
}

#[test]
fn cut_short_anywhere_the_same_correction_goes_on() {
    let mut finished = 0;
    for operations in 0..40 {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("d");
        let (study, mut full) = with_data(&root);
        let columns = &study.about.columns;
        let answer = |dataset: &Dataset, name: &str| {
            dataset.people(columns).unwrap().answers("01", &study.experiment)[name].clone()
        };
        let years =
            if answer(&full, "training").parse::<f64>().unwrap() < 6.0 { "20" } else { "2" };
        let values = [("training", years), ("age", "44")];
        for (name, value) in values {
            full.disk = SessionDisk::that_is_full_after(operations);
            let correction = ParticipantCorrection {
                label: "01".into(),
                values: [(name.to_owned(), value.to_owned())].into(),
                reason: "misheard".into(),
                by: String::new(),
            };
            let cut = correct(&full, &correction).is_err();
            full.disk = SessionDisk::durable();
            if cut {
                correct(&full, &correction).unwrap();
            }
            finished += usize::from(!cut);
            assert_eq!(answer(&full, name), value, "after {operations}");
            assert_eq!(verify(&full).unwrap().problems.len(), 0, "after {operations}");
        }
        if finished > 1 {
            return;
        }
    }
    panic!("it never came to its end");
}

/// What concerns somebody else, and comes next.
const NEXT: [fn(&Dataset); 3] = [
    |dataset| drop(withdraw(dataset, "02", Manner::Remove, &[]).unwrap()),
    |dataset| {
        let (label, reason) = ("02".to_owned(), "moved away".to_owned());
        drop_out(dataset, &DropOut { label, reason, ..DropOut::default() }).unwrap();
    },
    |dataset| drop(repair(dataset).unwrap()),
];

#[test]
fn cut_short_anywhere_whoever_comes_next_finishes_it() {
    for next in NEXT {
        let cut = (0..40).take_while(|operations| is_finished_by(next, *operations)).count();
        assert!(cut < 40, "it never came to its end");
    }
}

/// Whether a correction was cut short after so many operations; whoever comes next has finished it.
fn is_finished_by(next: fn(&Dataset), operations: u32) -> bool {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("d");
    let (study, mut full) = with_data(&root);
    let columns = &study.about.columns;
    let answers =
        |dataset: &Dataset| dataset.people(columns).unwrap().answers("01", &study.experiment);
    let before = answers(&full);
    let years = if before["training"].parse::<f64>().unwrap() < 6.0 { "20" } else { "2" };
    let correction = ParticipantCorrection {
        label: "01".into(),
        values: [("training".to_owned(), years.to_owned())].into(),
        reason: "misheard".into(),
        by: String::new(),
    };
    full.disk = SessionDisk::that_is_full_after(operations);
    let cut = correct(&full, &correction).is_err();
    full.disk = SessionDisk::durable();
    let begun = full.has(Path::new(CORRECTION));
    next(&full);
    let due = if cut && !begun { &before["training"] } else { years };
    assert_eq!(answers(&full)["training"], *due, "after {operations}");
    assert_eq!(begun, full.remarks().join("").contains("cut short"), "after {operations}");
    assert!(!full.has(Path::new(CORRECTION)));
    let found = verify(&full).unwrap();
    assert_eq!(found.problems.len(), 0, "after {operations}: {found:?}");
    cut
}
