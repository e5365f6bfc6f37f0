//! Staircases in a session: each trial's level follows the answers before it, also where the
//! session was killed in between, and every trial is in the data with level and answer.
#![allow(clippy::unwrap_used)] // a session that cannot be run has failed

mod common;

use chronotap_design::{Experiment, StaircaseRun};
use chronotap_session::verify::verify;
use chronotap_session::{Dataset, Disk, Ending, Study, Table};
use common::{dataset, sit, study};
use std::path::Path;
use tempfile::tempdir;

/// The simulated participant taps middle C, which is correct: the level goes down to its least
/// value, and the staircase ends after its twelve trials.
const STUDY: &str = "\
task = \"t\"
participants = 2
seed = 1
trial = \"trial.toml\"
[staircase.late]
set = \"feedback.tone.delay\"
start = \"60 ms\"
rule = \"2 down 1 up\"
step = [\"16 ms\", \"8 ms\"]
between = [\"1 ms\", \"200 ms\"]
stop = \"8 reversals\"
at_most = 12
correct = \"note C4\"
[[step]]
name = \"threshold\"
trial = \"trial.toml\"
staircases = [\"late\"]
";

fn table(root: &Path, study: &Study) -> Table {
    let text = std::fs::read_to_string(root.join(study.place("01", 1).table())).unwrap();
    Table::parse(&text).unwrap()
}

/// Levels and answers of the trials that came to their end.
fn climbed(root: &Path, study: &Study) -> Vec<(String, String)> {
    let table = table(root, study);
    let cell = |row, name| table.cell(row, name).unwrap_or("n/a").to_owned();
    let ended = table.rows.iter().filter(|row| cell(row, "counts") == "true");
    ended.map(|row| (cell(row, "level"), cell(row, "answer"))).collect()
}

fn assert_follows(experiment: &Experiment, climbed: &[(String, String)]) {
    let mut run = StaircaseRun::new(&experiment.staircases[0]);
    for (level, answer) in climbed {
        assert_eq!(run.setting().1.trim_matches('"'), level);
        run.answer(match answer.as_str() {
            "correct" => chronotap_design::Heard::Correct,
            "wrong" => chronotap_design::Heard::Wrong,
            _ => chronotap_design::Heard::Nothing,
        });
    }
    assert!(run.ended().is_some());
}

#[test]
fn levels_follow_the_answers_and_the_end_is_said() {
    let (dir, study) = (tempdir().unwrap(), study(STUDY));
    let root = dir.path().join("d");
    assert_eq!(sit(&study, &dataset(&root, &study)).unwrap(), Ending::Completed);
    let climbed = climbed(&root, &study);
    assert_eq!(climbed.len(), 12);
    assert_follows(&study.experiment, &climbed);
    let table = table(&root, &study);
    let flags = table.cell(table.rows.last().unwrap(), "flags").unwrap();
    assert!(flags.contains("staircase late ended without a threshold"), "{flags}");
    let found = verify(&Dataset::open(&root).unwrap()).unwrap();
    assert!(found.problems.is_empty(), "{found:?}");
}

#[test]
fn a_staircase_that_is_killed_goes_on_at_its_level() {
    let study = study(STUDY);
    for operations in (10..90).step_by(5).chain(60..75) {
        let dir = tempdir().unwrap();
        let root = dir.path().join("d");
        let disk = Disk::that_is_full_after(operations);
        let killed = Dataset::open_or_make(&root, &study.about, true, disk);
        let _ = killed.map(|dataset| sit(&study, &dataset));
        assert_eq!(sit(&study, &dataset(&root, &study)).unwrap(), Ending::Completed);
        let climbed = climbed(&root, &study);
        assert_eq!(climbed.len(), 12, "{operations}");
        let table = table(&root, &study);
        let flags = table.cell(table.rows.last().unwrap(), "flags").unwrap_or_default();
        assert!(
            flags.contains("staircase late ended without a threshold"),
            "{operations}: {flags}"
        );
        assert_follows(&study.experiment, &climbed);
        let verified = verify(&Dataset::open(&root).unwrap()).unwrap();
        assert!(verified.problems.is_empty(), "{operations}: {verified:?}");
    }
}
