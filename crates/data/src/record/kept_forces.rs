//! Which inputs of a trial keep the force that they feel, and the labels of their files.

use crate::record::{Binding, Header};
use chronotap_engine::signal::SensorFacts;
use std::io;
use std::path::PathBuf;

/// Why kept force could not be read again.
#[derive(Debug, thiserror::Error)]
pub enum FeltAgainError {
    /// The file, or the description beside it, cannot be read.
    #[error("{}: cannot read it: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    /// A row is no value of force.
    #[error("{}:{line}: not a value of force", path.display())]
    Row { path: PathBuf, line: usize },
    /// The description does not say when the rows were.
    #[error("{}: SamplingFrequency or StartTime is missing, or is none", path.display())]
    Described { path: PathBuf },
}

/// The most letters of a name that stand in that of a file.
const LETTERS: usize = 20;

impl Header {
    /// The inputs whose force is kept, each with its place among those of the trial and its label in the
    /// name of the file.
    pub fn kept_forces(&self) -> Vec<(u16, String, &SensorFacts)> {
        let bound = |(place, name): (u16, &String)| {
            let is_it = |port: &&Binding| port.direction == "in" && port.name == *name;
            let sensor = self.ports.iter().find(is_it)?.sensor.as_ref()?;
            Some((place, sensor))
        };
        let inputs = || (0u16..).zip(&self.names.inputs);
        let named = inputs().filter(|input| bound(*input).is_some());
        let labels = force_labels(named.map(|(_, name)| name.as_str()));
        let sensors = inputs().filter_map(bound).zip(labels);
        sensors.map(|((place, sensor), label)| (place, label, sensor)).collect()
    }

    /// Whether the force of an input is kept.
    pub fn keeps_force(&self) -> bool {
        self.ports.iter().any(|port| port.sensor.is_some())
    }
}

/// Labels of BIDS for inputs, letters and digits, each once: what is left of a name, with its number where
/// that is nothing or taken.
pub fn force_labels<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for (number, name) in (1..).zip(names) {
        let letters = name.chars().filter(char::is_ascii_alphanumeric).take(LETTERS);
        let label: String = letters.collect();
        let free = !label.is_empty() && !labels.contains(&label);
        labels.push(if free { label } else { format!("{label}force{number}") });
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_input_has_a_label_of_its_own_whatever_it_is_called() {
        let names = ["left pad", "leftpad", "links!", "\u{e9}", "\u{e8}", &"a".repeat(300)];
        let long = "a".repeat(20);
        let expected = ["leftpad", "leftpadforce2", "links", "force4", "force5", &long];
        assert_eq!(force_labels(names.into_iter()), expected);
    }
}
