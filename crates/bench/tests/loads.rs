//! Loads seen by those who start them, with programs in their place that fail. What
//! the loads themselves do is tested with the program, in `crates/cli/tests/loads.rs`.

use chronotap_bench::studies::Load;
use chronotap_bench::studies::loads::{LoadError, LoadLimits, RunningLoad};

fn error_with(program: &str) -> LoadError {
    let limits = LoadLimits { program: program.into(), seconds: 5, ..LoadLimits::default() };
    RunningLoad::start(Load::Arithmetic, &limits).unwrap_err()
}

#[test]
fn no_load_needs_no_program_and_did_no_work() {
    let limits = LoadLimits { program: "/nowhere".into(), ..LoadLimits::default() };
    let mut running = RunningLoad::start(Load::None, &limits).unwrap();
    assert!(running.is_running() && running.process_id().is_none());
    assert!(running.end().unwrap().figures().is_empty());
}

#[test]
fn a_program_that_is_missing_or_ends_at_once_is_named() {
    let missing = error_with("/nowhere");
    assert!(matches!(&missing, LoadError::Start { program, .. } if program == "/nowhere"));
    let ended = error_with("/bin/false");
    let LoadError::Ended { load: Load::Arithmetic, why } = ended else { panic!("{ended}") };
    assert_eq!(why, "it said nothing");
}

#[test]
fn what_a_load_complains_of_is_passed_on() {
    let error = error_with("/bin/ls"); // knows none of the flags
    let LoadError::Ended { why, .. } = error else { panic!("{error}") };
    assert!(why.contains("unrecognized option"), "{why}"); // ls's own words
}
