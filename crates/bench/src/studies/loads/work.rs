//! [`LoadWork`]: what a load did, by its own count, so that a figure measured beside it is
//! known to have been measured beside something.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a load did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LoadWork {
    /// How long it worked, in seconds.
    pub elapsed_s: f64,
    /// Processor time that it used, in seconds, all its threads and tools together.
    pub cpu_s: f64,
    /// What it did, unit and all: `additions`, `hashed_mb`, `written_mb`, `read_mb`,
    /// `syncs`, `files_read`, `drawn`, `bogo_ops_cpu`.
    pub done: BTreeMap<String, f64>,
    /// Why it ended before it was told to: a full disk, a tool that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

impl LoadWork {
    /// As figures of a series: `load_s`, `load_cpu_s`, `load_written_mb` and so on.
    pub fn figures(&self) -> BTreeMap<String, f64> {
        let done = self.done.iter().map(|(what, amount)| (format!("load_{what}"), *amount));
        let mut figures: BTreeMap<String, f64> = done.collect();
        if self.elapsed_s > 0.0 {
            figures.insert("load_s".into(), self.elapsed_s);
            figures.insert("load_cpu_s".into(), self.cpu_s);
        }
        figures
    }

    /// Counts so much more of something.
    pub(crate) fn add(&mut self, what: &str, amount: f64) {
        match self.done.get_mut(what) {
            Some(sum) => *sum += amount,
            None => drop(self.done.insert(what.to_owned(), amount)),
        }
    }

    /// Adds what another part of the load did.
    pub(crate) fn merge(&mut self, other: LoadWork) {
        for (what, amount) in &other.done {
            self.add(what, *amount);
        }
        self.failed = self.failed.take().or(other.failed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_load_add_up_and_the_first_failure_stays() {
        let mut work = LoadWork { elapsed_s: 2.0, cpu_s: 1.5, ..LoadWork::default() };
        let mut part = LoadWork { failed: Some("disk full".into()), ..LoadWork::default() };
        part.add("written_mb", 3.0);
        work.merge(part.clone());
        work.merge(LoadWork { failed: Some("later".into()), ..part });
        assert_eq!(work.figures()["load_written_mb"], 6.0);
        assert_eq!(work.figures()["load_cpu_s"], 1.5);
        assert_eq!(work.failed.as_deref(), Some("disk full"));
        assert!(LoadWork::default().figures().is_empty());
    }
}
