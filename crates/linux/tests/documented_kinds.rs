//! The table of kinds of port as the manual has it.
#![allow(clippy::unwrap_used)] // a manual that cannot be read has failed

use chronotap_linux::ports::Kinds;

fn manual(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn the_manual_has_the_table_of_kinds_as_the_program_prints_it() {
    let table = Kinds::standard().reference();
    let said = manual("docs/devices.md");
    assert!(said.contains(&format!("\n\n{table}\n")), "put into docs/devices.md:\n\n{table}");
}
