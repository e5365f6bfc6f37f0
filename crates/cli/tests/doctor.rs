//! `chronotap doctor` as it is typed: what it prints and its exit status. Nothing here
//! changes this machine; what is judged is mostly a machine in a file.

use chronotap_testkit_cli::program::{Output, Workspace};
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

/// A machine with one fault that a command cures and one that none can.
const FACTS: &str = r#"{ "facts": {
    "kernel": { "release": "6.8.0", "architecture": "x86_64" },
    "clock": { "source": "tsc", "timer_resolution_ns": 1 },
    "memory": { "swappiness": 60, "swaps": [{ "path": "/swapfile", "used_kib": 2048 }] },
    "power": { "supplies": [{ "name": "BAT0", "kind": "Battery", "status": "Discharging" }] }
} }"#;

fn judged(facts: &str, more: &str) -> Output {
    let place = Workspace::of(PROGRAM);
    place.file("facts.json", facts);
    place.run(format!("doctor --facts facts.json {more}").trim())
}

#[test]
fn the_help_is_80_columns_wide_and_says_what_changes() {
    let said = Workspace::of(PROGRAM).run("doctor --help");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.lines().all(|line| line.chars().count() <= 80), "{}", said.out);
    let words = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Changes nothing without --fix"), "{words}");
}

#[test]
fn a_machine_in_a_file_is_judged_with_cure_undo_and_count() {
    let said = judged(FACTS, "");
    assert_eq!((said.code, said.err.as_str()), (Some(1), ""), "{said:?}");
    for line in [
        "  BAD      mains-power            on battery",
        "           do    plug it in",
        "  NOTE     swappiness             60",
        "           cure  sudo sysctl -w vm.swappiness=10",
        "           undo  sudo sysctl -w vm.swappiness=60",
    ] {
        assert!(said.out.lines().any(|found| found == line), "{line}\n{}", said.out);
    }
    assert!(said.out.contains(" 1 bad, "), "{}", said.out);
}

#[test]
fn without_anything_bad_the_exit_status_is_0() {
    let said = judged(r#"{ "machine": { "clock": { "source": "tsc" } } }"#, "");
    assert_eq!(said.code, Some(0), "{said:?}");
}

#[test]
fn json_holds_facts_findings_and_verdict_and_is_read_again() {
    let first = judged(FACTS, "--json");
    assert_eq!(first.code, Some(1), "{first:?}");
    let json: Value = serde_json::from_str(&first.out).unwrap();
    assert_eq!(json["facts"]["memory"]["swappiness"], 60);
    assert!(json["facts"]["kernel"]["version"].is_null());
    assert_eq!(json["verdict"]["bad"], 1);
    let finding = json["findings"].as_array().unwrap().iter().find(|f| f["name"] == "mains-power");
    assert_eq!(finding.unwrap()["status"], "bad");
    assert_eq!(judged(&first.out, "--json").out, first.out);
}

#[test]
fn a_file_without_facts_is_refused() {
    for (text, expected) in [("{", "no JSON"), ("{}", "holds no facts"), ("[1]", "holds no facts")]
    {
        let said = judged(text, "");
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains(expected), "{said:?}");
    }
    let missing = Workspace::of(PROGRAM).run("doctor --facts nowhere.json");
    assert!(missing.code == Some(2) && missing.err.contains("nowhere.json"), "{missing:?}");
}

#[test]
fn a_fix_that_is_misspelt_is_refused_with_the_nearest_name() {
    let said = Workspace::of(PROGRAM).run("doctor --fix swapiness");
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{said:?}");
    assert!(said.err.contains("did you mean swappiness?"), "{said:?}");
}

#[test]
fn this_machine_is_judged_without_changing_it() {
    let said = Workspace::of(PROGRAM).run("doctor");
    assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
    assert!(said.out.lines().all(|line| line.chars().count() <= 80), "{}", said.out);
    assert!(said.out.contains(" unknown"), "{}", said.out);
}
