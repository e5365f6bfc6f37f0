//! What an experiment file states under `[outcome]`, and where a dataset keeps that file.

use crate::tables::names::SOURCE;
use chronotap_config::trial_files::reading::{Value, tree};
use std::fmt::{Display, Formatter};
use std::path::{Path, PathBuf};

/// What a study is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// A statistic, the name of a question, or [`THRESHOLD`].
    pub of: String,
    /// Of a question with words: the answer whose share is taken.
    pub is: Option<String>,
    /// Of a question with words: the level of `over` that is the signal to be told. Then d' is the number
    /// of each person, and all other levels are without it.
    pub signal: Option<String>,
    /// A factor, or `step` or `session`, over whose levels it is compared.
    pub over: Option<String>,
    /// A second one: how the difference over `over` differs between its last level and its first.
    pub by: Option<String>,
    /// The step whose trials count; else all.
    pub step: Option<String>,
    /// The stretch of trials; else whole trials.
    pub stretch: Option<String>,
    /// The input, and the stream that it is measured against; else all.
    pub input: Option<String>,
    pub against: Option<String>,
    /// Further statistics or questions with numbers, of the same trials over the same levels.
    pub also: Vec<String>,
}

/// The thresholds that staircases found.
pub const THRESHOLD: &str = "threshold";

impl Outcome {
    /// What the study of a dataset states, as it was run last.
    pub fn of_dataset(dataset: &Path) -> Option<Outcome> {
        let mut studies = inside(&dataset.join(SOURCE));
        studies.retain(|path| name(path).starts_with("study-"));
        let files = inside(studies.last()?);
        let texts = files.iter().filter(|path| path.extension().is_some_and(|end| end == "toml"));
        let texts = texts.filter_map(|path| chronotap_core::files::read_to_string(path).ok());
        texts.into_iter().find_map(|text| Outcome::of_text(&text))
    }

    /// What the text of an experiment file states.
    pub fn of_text(text: &str) -> Option<Outcome> {
        let top = tree(text).ok()?;
        let table = top.get("outcome")?.node.table()?;
        let text = |key: &str| Some(table.get(key)?.node.text()?.to_owned());
        let also = match table.get("also").map(|entry| &entry.node.value) {
            Some(Value::List(all)) => &all[..],
            _ => &[],
        };
        Some(Outcome {
            of: text("of")?,
            is: text("is"),
            signal: text("signal"),
            over: text("over"),
            by: text("by"),
            step: text("step"),
            stretch: text("stretch"),
            input: text("input"),
            against: text("against"),
            also: also.iter().filter_map(|node| Some(node.text()?.to_owned())).collect(),
        })
    }

    /// The outcome that one of `also` is.
    pub fn of_also(&self, of: &str) -> Outcome {
        let also = Vec::new();
        Outcome { of: of.to_owned(), is: None, signal: None, also, ..self.clone() }
    }
}

/// Of what it is, in words.
impl Display for Outcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        if self.signal.is_some() {
            write!(f, "d' of ")?;
        }
        write!(f, "{}", self.of)?;
        let parts = [("=", &self.is), ("of", &self.input), ("against", &self.against)];
        for (word, part) in parts.into_iter().chain([("in", &self.stretch)]) {
            part.iter().try_for_each(|part| write!(f, " {word} {part}"))?;
        }
        match (&self.over, &self.signal) {
            (Some(over), Some(signal)) => write!(f, ", {over} {signal} against the others"),
            _ => Ok(()),
        }
    }
}

/// What a folder holds, sorted by name; nothing where there is none.
fn inside(folder: &Path) -> Vec<PathBuf> {
    let items = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = items.filter_map(|item| Some(item.ok()?.path())).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outcome_of_a_dataset_is_that_of_the_study_that_was_run_last() {
        let dir = tempfile::tempdir().unwrap();
        for (study, of) in [("study-01", "taps"), ("study-02", "sd asynchrony")] {
            let folder = dir.path().join(SOURCE).join(study);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("a.toml"), "[pacing.metronome]\n").unwrap();
            let text = format!("[outcome]\nof = \"{of}\"\nover = \"tempo\"\n[[step]]\n");
            std::fs::write(folder.join("study.toml"), text).unwrap();
        }
        let outcome = Outcome::of_dataset(dir.path()).unwrap();
        assert_eq!((&*outcome.of, outcome.over.as_deref()), ("sd asynchrony", Some("tempo")));
        assert_eq!(Outcome::of_text("[[step]]\n"), None);
        assert_eq!(Outcome::of_dataset(Path::new("/nowhere")), None);
    }
}
