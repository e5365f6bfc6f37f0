//! [`reference`]: every key of a kind of file, as text for a terminal and for the manual, from
//! the table of keys.

use super::keys::{Key, Keys};
use std::fmt::Write;

const WIDTH: usize = 78;

/// The complete reference below a head: for every key what it may hold with unit and range,
/// its default, its meaning, an example, and whether a rule may change it.
pub fn reference(head: &str, keys: &Keys) -> String {
    let mut page = String::from(head);
    for section in keys.sections() {
        // Writing into a String cannot fail.
        let _ = write!(page, "\n{}\n{}\n", section.title, "-".repeat(section.title.len()));
        for key in keys.within(section.name) {
            entry(&mut page, key);
        }
    }
    page
}

fn entry(page: &mut String, key: &Key) {
    let can = match (key.sets.is_some(), key.ramps.is_some()) {
        (true, true) => " (set, ramp)",
        (true, false) => " (set)",
        (false, true) => " (ramp)",
        (false, false) => "",
    };
    let _ = writeln!(page, "\n{}{can}", key.name);
    indented(page, &format!("{}; default: {}", key.kind.describe(), key.default.words()));
    indented(page, key.meaning);
    let _ = writeln!(page, "    | {}", key.example);
}

/// Writes a text indented by four, in lines of 78 columns at most.
fn indented(page: &mut String, text: &str) {
    let mut line = String::from("   ");
    for word in text.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(page, "{line}");
            line = String::from("   ");
        }
        let _ = write!(line, " {word}");
    }
    let _ = writeln!(page, "{line}");
}
