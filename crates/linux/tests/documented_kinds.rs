//! The table of kinds of port as the manual has it.

use chronotap_linux::ports::PortKinds;

const HEADING: &str = "| name | what it is |\n|---|---|\n";

#[test]
fn the_table_of_kinds_of_port_is_as_kept() {
    let table = PortKinds::standard().reference();
    let rows = table.strip_prefix(HEADING).expect("a table with this heading");
    let manual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/devices.md");
    chronotap_kept::assert_block(manual, HEADING, rows.trim_end(), "\n\n");
}
