//! Staircases in a session: each trial's level follows the answers before it, also where the
//! session was killed in between, and every trial is in the data with level and answer.

use crate::common::{dataset, sit, study, trials, who};
use chronotap_design::{Experiment, StaircaseRun};
use chronotap_session::verify::verify;
use chronotap_session::{Dataset, Drawn, Ending, SessionDisk, Study, TsvTable};
use chronotap_simulate::Tapper;
use chronotap_visit::{Equipment, Session};
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

fn table(root: &Path, study: &Study) -> TsvTable {
    let text = std::fs::read_to_string(root.join(study.place("01", 1).table())).unwrap();
    TsvTable::parse(&text).unwrap()
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
            "correct" => chronotap_design::TrialAnswer::Correct,
            "wrong" => chronotap_design::TrialAnswer::Wrong,
            _ => chronotap_design::TrialAnswer::Nothing,
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
    assert!(
        flags.contains("staircase late has no threshold: its 12 trials were over before"),
        "{flags}"
    );
    let found = verify(&Dataset::open(&root).unwrap()).unwrap();
    assert!(found.problems.is_empty(), "{found:?}");
}

#[test]
fn a_staircase_that_is_killed_goes_on_at_its_level() {
    let study = study(STUDY);
    for operations in (10..90).step_by(5).chain(60..75) {
        let dir = tempdir().unwrap();
        let root = dir.path().join("d");
        let disk = SessionDisk::that_is_full_after(operations);
        let killed = Dataset::open_or_make(&root, &study.about, true, disk);
        let _ = killed.map(|dataset| sit(&study, &dataset));
        assert_eq!(sit(&study, &dataset(&root, &study)).unwrap(), Ending::Completed);
        let climbed = climbed(&root, &study);
        assert_eq!(climbed.len(), 12, "{operations}");
        let table = table(&root, &study);
        let flags = table.cell(table.rows.last().unwrap(), "flags").unwrap_or_default();
        assert!(
            flags.contains("staircase late has no threshold: its 12 trials were over before"),
            "{operations}: {flags}"
        );
        assert_follows(&study.experiment, &climbed);
        let verified = verify(&Dataset::open(&root).unwrap()).unwrap();
        assert!(verified.problems.is_empty(), "{operations}: {verified:?}");
    }
}

/// The tapper presses two keys in turn, and its noise decides which of them comes first in the
/// window: the level goes up and down, and the staircase stops by its rule.
#[test]
fn a_threshold_can_be_computed_again_from_the_table() {
    let text = STUDY
        .replace("2 down 1 up", "1 down 1 up")
        .replace("at_most = 12", "at_most = 200\nanswer = { from = \"1.57 s\" }");
    let (dir, study) = (tempdir().unwrap(), study(&text));
    let root = dir.path().join("d");
    let dataset = dataset(&root, &study);
    let mut frontend = Drawn::new(1, "01", 1);
    let mut session = Session::open(&study, &dataset, &who(), &mut frontend).unwrap();
    let mut laboratory = trials(&study);
    let mut equipment = Equipment {
        laboratory: &mut laboratory,
        in_real_time: None,
        tapper: &Tapper::Simulated("tapper, note = C4 D4".into()),
        limit: None,
        sinks: &[],
    };
    assert_eq!(session.run(&mut equipment, &mut frontend).unwrap(), Ending::Completed);
    let table = table(&root, &study);
    let level = |row| table.cell(row, "level")?.strip_suffix(" ms")?.parse::<f64>().ok();
    let reversals = table.rows.iter().filter(|row| table.cell(row, "reversal") == Some("true"));
    // Of eight reversals the second is the first at the smallest size: the last six count.
    let levels: Vec<f64> = reversals.map(|row| level(row).unwrap()).skip(2).collect();
    assert_eq!(levels.len(), 6);
    let mean = levels.iter().sum::<f64>() / 6.0;
    let flags = table.cell(table.rows.last().unwrap(), "flags").unwrap();
    let said = format!("staircase late: threshold {mean:.3} ms, SE ");
    assert!(flags.contains(&said) && flags.contains("of 6 reversals"), "{said}: {flags}");
}
