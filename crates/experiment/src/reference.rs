//! [`reference`]: every key of a trial file, as text for a terminal and for
//! `docs/trial-files.md`, from the table of keys.

use crate::keys::{self, Default, Key};
use std::fmt::Write;

const WIDTH: usize = 78;

/// The complete reference: for every key what it may hold with unit and range,
/// its default, its meaning, an example, and whether a trigger may change it.
pub fn reference() -> String {
    let mut page = String::from(HEAD);
    for section in keys::sections() {
        let _ = write!(page, "\n{}\n{}\n", section.title, "-".repeat(section.title.len()));
        for key in keys::within(section.name) {
            entry(&mut page, key);
        }
    }
    page
}

const HEAD: &str = "\
Every key of a trial file
=========================

Each key is followed by what it may hold and its default. \"set\" and \"ramp\"
mark what a trigger may change in mid-trial.
";

fn entry(page: &mut String, key: &Key) {
    let can = match (key.sets, key.ramps) {
        (true, true) => " (set, ramp)",
        (true, false) => " (set)",
        (false, true) => " (ramp)",
        (false, false) => "",
    };
    let default = match key.default {
        Default::Is(value) => value.to_owned(),
        Default::Not(words) => words.to_owned(),
    };
    let _ = writeln!(page, "\n{}{can}", key.name);
    indented(page, &format!("{}; default: {default}", key.kind.describe()));
    indented(page, key.meaning);
    let _ = writeln!(page, "    | {}", key.example);
}

/// Writes a text indented by four, in lines of 78 columns at most, as in every reference.
pub fn indented(page: &mut String, text: &str) {
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
