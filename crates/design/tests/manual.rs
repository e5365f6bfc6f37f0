//! The manual says what the program does: its study is the example, its reference is the
//! table of keys.

use chronotap_design::reference;
use std::path::PathBuf;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_reference_in_the_manual_is_as_kept() {
    let manual = root().join("docs/experiment-reference.md");
    chronotap_kept::assert_block(manual, "prints this:\n\n```text\n", &reference(), "```\n");
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
