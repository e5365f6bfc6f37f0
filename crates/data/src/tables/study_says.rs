//! [`StudySays`]: what the file of a study says that is in none of its tables: how often is guessed right on a
//! staircase, and in which steps something is practised.

use crate::tables::study_files::study_files;
use chronotap_analysis::sensitivity::Chance;
use chronotap_config::trial_files::reading::{Node, TomlEntry, TomlTable, Value, tree};
use std::path::Path;

/// What a study says, or the first of its files that cannot be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StudySays {
    /// Staircases that state how often is guessed right, by name.
    chances: Vec<(String, Chance)>,
    /// Steps that are done until a criterion is reached.
    practice: Vec<String>,
    unread: Option<String>,
}

/// What a staircase with a `guess` takes for wrong answers where it says nothing.
const USUAL_LAPSE: f64 = 0.02;

impl StudySays {
    /// Of the study of a dataset, as it was run last.
    pub fn of_dataset(dataset: &Path) -> StudySays {
        let files = study_files(dataset).into_iter();
        let mut all = StudySays::default();
        for path in files.filter(|path| path.extension().is_some_and(|end| end == "toml")) {
            let text = chronotap_core::files::read_to_string(&path).ok();
            match text.and_then(|text| StudySays::of_text(&text)) {
                Some(mut of) => {
                    all.chances.append(&mut of.chances);
                    all.practice.append(&mut of.practice);
                }
                None => {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    all.unread.get_or_insert_with(|| name.into_owned());
                }
            }
        }
        all
    }

    /// Of an experiment file; `None` where its text is none.
    pub fn of_text(text: &str) -> Option<StudySays> {
        let top = tree(text).ok()?;
        let staircases = top.get("staircase").and_then(|entry| entry.node.table());
        let entries = staircases.map_or(&[][..], |all| &all.entries).iter();
        let chance_of = |entry: &TomlEntry| Some((entry.key.clone(), chance(entry.node.table()?)?));
        let steps = match top.get("step").map(|entry| &entry.node.value) {
            Some(Value::List(steps)) => &steps[..],
            _ => &[],
        };
        let practice = steps.iter().filter_map(Node::table).filter_map(practised).collect();
        Some(StudySays { chances: entries.filter_map(chance_of).collect(), practice, unread: None })
    }

    /// That of a staircase, where it states one.
    ///
    /// # Errors
    /// The name of a file of the study that cannot be read.
    pub(crate) fn chance(&self, staircase: &str) -> Result<Option<Chance>, String> {
        match &self.unread {
            Some(name) => Err(name.clone()),
            None => {
                let stated = self.chances.iter().find(|(name, _)| name == staircase);
                Ok(stated.map(|(_, chance)| *chance))
            }
        }
    }

    /// Whether something is practised in a step.
    pub(crate) fn is_practice(&self, step: &str) -> bool {
        self.practice.iter().any(|name| name == step)
    }
}

/// The chance of one staircase.
fn chance(of: &TomlTable) -> Option<Chance> {
    let number = |key: &str| match &of.get(key)?.node.value {
        Value::Integer(number) => Some(*number as f64),
        Value::Decimal(text) => text.parse().ok(),
        _ => None,
    };
    let guess = number("guess")?;
    Some(Chance { guess, wrong: number("lapse").unwrap_or(USUAL_LAPSE) })
}

/// The name of a step with a criterion.
fn practised(step: &TomlTable) -> Option<String> {
    step.get("until")?;
    Some(step.get("name")?.node.text()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUDY: &str = "[staircase.first]\nrule = \"quest\"\nguess = 0.25\nlapse = 0.1\n\
                         [staircase.second]\nrule = \"2 down 1 up\"\n\
                         [[step]]\nname = \"try\"\nuntil = { hits = 3, of = 4 }\n\
                         [[step]]\nname = \"main\"\n";

    #[test]
    fn chances_and_steps_of_practice_are_those_of_the_text() {
        let said = StudySays::of_text(STUDY).unwrap();
        let first = Chance { guess: 0.25, wrong: 0.1 };
        assert_eq!(said.chance("first"), Ok(Some(first)));
        assert_eq!(said.chance("second"), Ok(None));
        assert!(said.is_practice("try") && !said.is_practice("main"));
        assert_eq!(StudySays::of_text("[staircase.first\n"), None);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named_where_a_chance_is_asked_for() {
        let dir = tempfile::tempdir().unwrap();
        let study = dir.path().join("sourcedata/study-01");
        std::fs::create_dir_all(&study).unwrap();
        std::fs::write(study.join("study.toml"), STUDY).unwrap();
        std::fs::write(study.join("trial.toml"), "[pacing.metronome]\n").unwrap();
        assert_eq!(StudySays::of_dataset(dir.path()), StudySays::of_text(STUDY).unwrap());
        std::fs::write(study.join("study.toml"), "[staircase.first\n").unwrap();
        let said = StudySays::of_dataset(dir.path());
        assert_eq!(said.chance("first"), Err("study.toml".to_owned()));
    }
}
