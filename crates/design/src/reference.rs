//! [`reference`]: every key of an experiment file, as text for a terminal and for
//! `docs/experiment-files.md`, from the table of keys.

use crate::keys;
use chronotap_experiment::indented;
use std::fmt::Write;

const HEAD: &str = "\
Every key of an experiment file
===============================

Each key is followed by what it may hold and its default.
";

/// The complete reference: for every key what it may hold with unit and range, its
/// default, its meaning, and an example.
pub fn reference() -> String {
    let mut page = String::from(HEAD);
    for (section, title) in keys::SECTIONS {
        // Writing into a String cannot fail.
        let _ = write!(page, "\n{title}\n{}\n", "-".repeat(title.len()));
        for key in keys::within(section) {
            let _ = writeln!(page, "\n{}", key.name);
            indented(&mut page, &format!("{}; default: {}", key.holds, key.default));
            indented(&mut page, key.meaning);
            let _ = writeln!(page, "    | {}", key.example);
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_section_a_meaning_and_an_example() {
        for key in keys::ALL {
            assert!(keys::SECTIONS.iter().any(|(name, _)| *name == key.section), "{}", key.name);
            assert!(key.meaning.ends_with('.') && !key.example.is_empty(), "{}", key.name);
            let same = keys::within(key.section).filter(|other| other.name == key.name);
            assert_eq!(same.count(), 1, "{}.{}", key.section, key.name);
        }
        assert!(reference().lines().count() > keys::ALL.len() * 4);
    }
}
