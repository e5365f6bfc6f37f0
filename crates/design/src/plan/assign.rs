//! Who a participant is: the label, the cell between participants, and the place in it.
//! Drawn and assigned here from what is known; what was assigned is written by whoever
//! keeps the dataset, and never changes.

use crate::study::experiment::{Assign, Experiment};
use crate::study::factor::mixed_radix;
use chronotap_config::trial_files::reading::brief;
use chronotap_core::text::nearest;
use chronotap_engine::random::Random;

/// One participant as assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    /// The label, padded.
    pub label: String,
    /// The cell between participants, from 0.
    pub cell: usize,
    /// The place in the cell, from 0.
    pub k: u32,
}

/// Why a participant cannot be assigned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AssignError {
    /// A label is not letters and digits. Write one that is.
    #[error("participant \"{0}\": a label is letters and digits, such as 07")]
    Label(String),
    /// A factor between participants that the experiment does not have.
    #[error("{given}: {}", unknown_factor(.known, .near))]
    Factor {
        given: String,
        /// The factors that there are.
        known: Vec<String>,
        /// The one that was probably meant.
        near: Option<String>,
    },
    /// A level that the factor does not have.
    #[error("{given}: the levels are {}", .levels.join(", "))]
    Level {
        given: String,
        /// The levels that there are.
        levels: Vec<String>,
    },
}

fn unknown_factor(known: &[String], near: &Option<String>) -> String {
    match (near, known.is_empty()) {
        (_, true) => "the experiment has no factors between participants; leave it out".to_owned(),
        (Some(near), _) => format!("there is no such factor; did you mean \"{near}\"?"),
        (None, _) => format!("there is no such factor; known: {}", known.join(", ")),
    }
}

impl Experiment {
    /// The label as it stands everywhere: a number is padded to the digits of
    /// `participants`, to at least two.
    ///
    /// # Errors
    /// Where it is not letters and digits.
    pub fn label(&self, given: &str) -> Result<String, AssignError> {
        let plain = given.chars().all(|c| c.is_ascii_alphanumeric());
        if !plain || given.is_empty() || given.len() > 40 {
            return Err(AssignError::Label(brief(given)));
        }
        if !given.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(given.to_owned());
        }
        let width = self.participants.to_string().len().max(2);
        Ok(format!("{:0>width$}", given.trim_start_matches('0')))
    }

    /// How many cells there are between participants; 1 without factors between them.
    pub fn cells(&self) -> usize {
        self.between.iter().map(|factor| factor.levels.len()).product()
    }

    /// The levels of a cell, by factor, in file order.
    pub fn cell(&self, index: usize) -> Vec<(String, String)> {
        let levels = mixed_radix(index, &self.between);
        let level = |(factor, level): (&crate::Factor, usize)| {
            (factor.name.clone(), factor.levels[level].to_string())
        };
        self.between.iter().zip(levels).map(level).collect()
    }

    /// The cells that have these levels, as in `--between hand=left`; all, where none is named.
    ///
    /// # Errors
    /// A factor or a level that there is not.
    pub fn cells_with(&self, named: &[(String, String)]) -> Result<Vec<usize>, AssignError> {
        for (name, level) in named {
            let given = format!("{}={}", brief(name), brief(level));
            let Some(factor) = self.between.iter().find(|factor| factor.name == *name) else {
                let known: Vec<String> = self.between.iter().map(|f| f.name.clone()).collect();
                let near = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
                return Err(AssignError::Factor { given, known, near });
            };
            if factor.place(level).is_none() {
                let levels = factor.levels.iter().map(ToString::to_string).collect();
                return Err(AssignError::Level { given, levels });
            }
        }
        let fits = |cell: &usize| {
            let levels = self.cell(*cell);
            named.iter().all(|pair| levels.contains(pair))
        };
        Ok((0..self.cells()).filter(fits).collect())
    }

    /// The cell of a new participant: of those in `among`, the one with the fewest who
    /// finished or are under way; among equals by a draw from seed and label. `counts` has
    /// a number for each cell.
    pub fn choose_cell(&self, label: &str, counts: &[u32], among: &[usize]) -> usize {
        let count = |cell: usize| counts.get(cell).copied().unwrap_or(0);
        let fewest = among.iter().map(|cell| count(*cell)).min().unwrap_or(0);
        let equal: Vec<usize> = among.iter().copied().filter(|c| count(*c) == fewest).collect();
        let mut random = Random::named(self.seed, &format!("cell.{label}"));
        let drawn = random.between(0, (equal.len().max(1) - 1) as u32) as usize;
        equal.get(drawn).copied().unwrap_or(0)
    }

    /// The participant as it would be assigned without a dataset: after 1, 2, … in order,
    /// where the label is a number; else as the first. `named` are levels as in
    /// `--between hand=left`.
    ///
    /// # Errors
    /// A label that is none, a factor or level that there is not.
    pub fn participant(
        &self,
        label: &str,
        named: &[(String, String)],
    ) -> Result<Participant, AssignError> {
        let label = self.label(label)?;
        let among = self.cells_with(named)?;
        let number: u32 = label.parse().unwrap_or(1).clamp(1, 1_000_000);
        let mut counts = vec![0; self.cells()];
        match self.cells() {
            1 => counts[0] = number - 1,
            _ => self.in_order(number - 1).iter().for_each(|before| counts[before.cell] += 1),
        }
        let cell = self.choose_cell(&label, &counts, &among);
        Ok(Participant { k: counts[cell], label, cell })
    }

    /// Participants 1 to `n`, each assigned after those before.
    pub fn in_order(&self, n: u32) -> Vec<Participant> {
        let mut counts = vec![0; self.cells()];
        let all: Vec<usize> = (0..self.cells()).collect();
        let width = self.participants.to_string().len().max(2);
        let assigned = |number: u32| {
            let label = format!("{number:0width$}");
            let cell = self.choose_cell(&label, &counts, &all);
            counts[cell] += 1;
            Participant { label, cell, k: counts[cell] - 1 }
        };
        (1..=n).map(assigned).collect()
    }

    /// The list of conditions of a participant in a session.
    pub(crate) fn list_of(&self, participant: &Participant, session: u32) -> usize {
        let lists = self.lists.len().max(1);
        match self.assign {
            Assign::Latin => (participant.k + session - 1) as usize % lists,
            Assign::Shuffle => {
                let name = format!("list.{}", participant.label);
                Random::named(self.seed, &name).between(0, lists as u32 - 1) as usize
            }
        }
    }
}
