//! The manual says what the program does: its study is the example, its reference is the
//! table of keys.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use chronotap_design::reference;
use std::path::PathBuf;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_manual_holds_the_reference_as_the_program_prints_it() {
    let path = root().join("docs/experiment-files.md");
    let manual = std::fs::read_to_string(&path).unwrap();
    if std::env::var_os("KEEP_REFERENCE").is_some() {
        let (before, _) = manual.split_once("prints this:").unwrap();
        let kept = format!("{before}prints this:\n\n```text\n{}```\n", reference());
        std::fs::write(&path, &kept).unwrap();
        return;
    }
    assert!(
        manual.contains(reference().trim_end()),
        "put the output of `chronotap plan --reference` into docs/experiment-files.md"
    );
    for line in reference().lines() {
        assert!(line.chars().count() <= 80 || line.trim_start().starts_with('|'), "{line}");
    }
}

#[test]
fn the_study_of_the_manual_is_the_example() {
    let manual = std::fs::read_to_string(root().join("docs/experiment-files.md")).unwrap();
    let example = std::fs::read_to_string(root().join("examples/delay-study/study.toml")).unwrap();
    assert!(manual.contains(&example));
}
