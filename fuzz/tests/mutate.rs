//! What `scripts/fuzz.sh` runs.

use chronotap_fuzz::TARGETS;
use std::process::Command;

#[test]
fn a_run_of_no_time_goes_once_to_every_target_and_finds_nothing() {
    let mutate = Command::new(env!("CARGO_BIN_EXE_mutate")).args(["0", "1"]).output().unwrap();
    let said = String::from_utf8(mutate.stdout).unwrap();
    assert!(mutate.status.success(), "{said}");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), TARGETS.len());
    for (line, target) in lines.iter().zip(&TARGETS) {
        assert!(line.starts_with(&format!("{}: ", target.name)), "{line}");
        assert!(line.ends_with(", no fault"), "{line}");
    }
}

#[test]
fn a_word_that_it_does_not_know_is_refused() {
    let mutate = Command::new(env!("CARGO_BIN_EXE_mutate")).arg("--longer").output().unwrap();
    assert_eq!(mutate.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&mutate.stderr).contains("there are --long SECONDS and --sum"));
}
