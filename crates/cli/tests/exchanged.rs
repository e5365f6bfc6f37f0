//! The factor of the sessions stands before another factor: the outcome is the effect that the simulated
//! people have, under its name. A dataset as versions before wrote it is refused by whatever computes,
//! and repaired by one command.

use chronotap_core::files::sha256;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const STUDY: &str = r#"title = "Swap"
task = "swap"
participants = 4
seed = 1
sessions = 2
trial = "sync.toml"
[factor]
drug = ["placebo", "caffeine"]
delay = ["0 ms", "200 ms"]
[session]
by = "drug"
order = "latin"
[[step]]
name = "main"
repetitions = 2
shuffle = "all"
[outcome]
of = "mean asynchrony"
over = "delay"
"#;

const TRIAL: &str = r#"[pacing.metronome]
interval = "600 ms"
[[when]]
beat = 31
end = true
"#;

/// People tap 60 ms earlier at one level of `delay`, whatever they took. Nothing is set by it, so that
/// this is all they do otherwise there.
const PEOPLE: &str = "tapper, mean = -20 ms | delay 200 ms: mean - 60 ms";

struct Place(tempfile::TempDir);

impl Place {
    /// A study with four people who did both sessions.
    fn simulated() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        fs::write(place.path("study.toml"), STUDY).unwrap();
        fs::write(place.path("sync.toml"), TRIAL).unwrap();
        let simulate = ["simulate", "study.toml", "--data", "d", "--quiet", "--simulate", PEOPLE];
        place.passes(&simulate);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, args: &[&str]) -> Output {
        let program = env!("CARGO_BIN_EXE_chronotap");
        Command::new(program).args(args).current_dir(self.0.path()).output().unwrap()
    }

    fn passes(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert!(ran.status.success(), "{args:?}: {ran:?}");
        words(&ran.stdout)
    }

    /// The exit status, and what is said.
    fn ends(&self, args: &[&str]) -> (i32, String) {
        let ran = self.run(args);
        (ran.status.code().unwrap(), words(&[ran.stdout, ran.stderr].concat()))
    }

    /// Writes the tables as before: the names of the columns in another order than their cells.
    fn exchange(&self) {
        for session in (1..=4).flat_map(|who| [(who, 1), (who, 2)]) {
            let (who, session) = (format!("sub-0{}", session.0), format!("ses-{}", session.1));
            let name = format!("{who}_{session}_task-swap");
            let path = self.path(&format!("d/{who}/{session}/beh/{name}_beh.tsv"));
            let list = format!("d/sourcedata/{who}/{session}/{name}_checksums.sha256");
            let list = self.path(&list);
            let table = fs::read_to_string(&path).unwrap();
            let wrong = table.replacen("\tdrug\tdelay\t", "\tdelay\tdrug\t", 1);
            let sums = fs::read_to_string(&list).unwrap();
            let [was, is] = [&table, &wrong].map(|text| sha256(text.as_bytes()));
            assert!(table != wrong && sums.contains(&was));
            fs::write(&list, sums.replace(&was, &is)).unwrap();
            fs::write(&path, wrong).unwrap();
        }
    }
}

fn words(said: &[u8]) -> String {
    String::from_utf8_lossy(said).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The mean outcome of one level in the table of the outcome.
fn mean(table: &Path, level: &str) -> f64 {
    let text = fs::read_to_string(table).unwrap();
    let mut rows = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let head = rows.next().unwrap();
    let column = |name: &str| head.iter().position(|one| *one == name).unwrap();
    let (delay, outcome) = (column("delay"), column("outcome"));
    let of: Vec<f64> = rows
        .filter(|row| row[delay] == level)
        .filter_map(|row| row[outcome].parse().ok())
        .collect();
    assert!(of.len() >= 4, "{text}");
    of.iter().sum::<f64>() / of.len() as f64
}

#[test]
fn the_outcome_is_the_effect_that_the_people_have_under_the_name_of_its_factor() {
    let place = Place::simulated();
    let said = place.passes(&["analyze", "d"]);
    assert!(said.contains("mean asynchrony: delay 200 ms less 0 ms: -"), "{said}");
    let table = place.path("d/derivatives/chronotap/desc-outcome_beh.tsv");
    let effect = mean(&table, "200 ms") - mean(&table, "0 ms");
    assert!((effect + 60.0).abs() < 5.0, "{effect} ms, where the people have -60 ms");
}

#[test]
fn a_dataset_with_exchanged_columns_is_refused_repaired_and_then_gives_the_right_answer() {
    let place = Place::simulated();
    let right = place.passes(&["analyze", "d"]);
    place.passes(&["report", "d"]);
    place.passes(&["gather", "d", "all"]);
    place.exchange();
    let (status, said) = place.ends(&["verify", "d"]);
    assert!(
        status == 1 && said.contains("other levels than the plan has under drug, delay in 4 rows"),
        "{said}"
    );
    for args in [
        &["analyze", "d"][..],
        &["report", "d"],
        &["gather", "d", "new"],
        &["export", "d", "--to", "csv"],
    ] {
        let (status, said) = place.ends(args);
        assert_eq!(status, 2, "{args:?}: {said}");
        assert!(said.contains("under delay, drug") && said.contains("chronotap repair"), "{said}");
    }
    let (status, said) = place.ends(&["pack", "d", "--output", "d.zip"]);
    assert!(status == 2 && said.contains("chronotap repair"), "{said}");
    assert!(!place.path("d.zip").exists());
    let (status, said) = place.ends(&["repair", "d"]);
    assert_eq!(status, 1, "{said}");
    let all = [
        "sub-01_ses-1_task-swap_beh.tsv: made again from the journal drug: 4 cells changed delay: 4 cells changed",
        "derivatives/chronotap: an analysis",
        "report.html: a report",
        "all: gathered tables",
    ];
    all.iter().for_each(|one| assert!(said.contains(one), "{one}: {said}"));
    assert_eq!(place.ends(&["verify", "d"]).0, 0);
    assert_eq!(place.passes(&["analyze", "d"]), right);
    place.passes(&["report", "d"]);
    fs::remove_dir_all(place.path("all")).unwrap();
    place.passes(&["gather", "d", "all"]);
    let said = place.passes(&["repair", "d"]);
    assert!(said.starts_with("every table has the levels of its plan"), "{said}");
}

/// Renames the tables of all plans, so that nothing holds a table of trials against them.
fn without_plans(root: &Path, then: impl FnOnce()) {
    let moved = |from: &str, to: &str| {
        let mut find = Command::new("find");
        let found = find.arg(root).args(["-name", &format!("*_plan.{from}")]).output();
        let found = String::from_utf8(found.unwrap().stdout).unwrap();
        assert_eq!(found.lines().count(), 8, "{found}");
        for path in found.lines() {
            fs::rename(path, Path::new(path).with_extension(to)).unwrap();
        }
    };
    moved("tsv", "away");
    then();
    moved("away", "tsv");
}

#[test]
fn an_analysis_of_exchanged_columns_is_held_against_the_plans_after_the_repair_too() {
    let place = Place::simulated();
    place.passes(&["analyze", "d"]);
    assert_eq!(place.ends(&["verify", "d"]).0, 0);
    place.exchange();
    without_plans(&place.path("d"), || {
        place.passes(&["analyze", "d"]);
    });
    assert_eq!(place.ends(&["repair", "d"]).0, 1);
    let (status, said) = place.ends(&["verify", "d"]);
    assert_eq!(status, 1, "{said}");
    for table in ["taps", "trials", "wide", "conditions"] {
        let due =
            format!("desc-{table}_beh.tsv: other levels than the plan has under delay, drug in");
        assert!(said.contains(&due), "{table}: {said}");
    }
    place.passes(&["analyze", "d"]);
    assert_eq!(place.ends(&["verify", "d"]).0, 0);
}
