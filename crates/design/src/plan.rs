//! [`Plan`]: every trial of one participant and session, before the first is run.

pub(crate) mod assign;
pub(crate) mod derive;
pub(crate) mod draw;
pub(crate) mod overview;
pub(crate) mod planner;
pub(crate) mod squares;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The cell of what is not known or does not apply.
pub(crate) const NONE: &str = "n/a";

/// The plan of one participant and session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The participant's label, padded.
    pub participant: String,
    /// The session, from 1.
    pub session: u32,
    /// The participant's place in its cell between participants, from 0: the rows of squares.
    pub k: u32,
    /// The levels between participants, in file order.
    pub between: Vec<(String, String)>,
    /// The factor of the sessions and its level in this one.
    pub session_level: Option<(String, String)>,
    /// The table of conditions of this participant, where there are several.
    pub conditions: Option<String>,
    /// The seed of the experiment.
    pub seed: u64,
    /// The names of all factors, the columns of the plan. [`Plan::levels`] has the levels of a trial.
    pub factors: Vec<String>,
    /// The steps of this session that are for this participant, in file order.
    pub steps: Vec<PlannedStep>,
}

/// One step of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedStep {
    /// Its place among the steps of the experiment file, from 0.
    pub index: usize,
    pub name: String,
    /// What is shown first, names filled in.
    pub say: Option<String>,
    /// What is shown after each trial, names of factors filled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tell: Option<String>,
    /// Whether the number of its trials is known only when they are done: practice to a
    /// criterion, staircases. `trials` then holds the first, which stands for all.
    pub open: bool,
    /// Its blocks; none in a step without trials.
    pub blocks: Vec<PlannedBlock>,
    /// Its trials, in order.
    pub trials: Vec<PlannedTrial>,
}

impl Plan {
    /// Of these first steps of the file alone, with no levels between participants but these: as far as
    /// a session is planned before its group is known.
    #[must_use]
    pub fn until(mut self, steps: usize, known: &BTreeMap<String, String>) -> Plan {
        self.steps.retain(|step| step.index < steps);
        self.between.retain(|(factor, _)| known.contains_key(factor));
        Plan { session_level: None, conditions: None, ..self }
    }

    /// The same with the texts of another plan, which is that of a translation of the study.
    #[must_use]
    pub fn reading(mut self, other: Plan) -> Plan {
        for step in &mut self.steps {
            let same = other.steps.iter().find(|one| one.index == step.index);
            let Some(same) = same.filter(|one| one.name == step.name) else { continue };
            step.say.clone_from(&same.say);
            step.tell.clone_from(&same.tell);
            for (block, same) in step.blocks.iter_mut().zip(&same.blocks) {
                block.say.clone_from(&same.say);
            }
        }
        self
    }
}

/// One block of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedBlock {
    /// Its number, from 1.
    pub block: u32,
    /// The factor of the blocks and its level, where there is one.
    pub level: Option<(String, String)>,
    /// What is shown before it, names filled in.
    pub say: Option<String>,
    /// How its order was found.
    pub method: Method,
}

/// How the order of a block was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// The order of the file, or only one trial.
    File,
    /// A row of a square.
    Square,
    /// A shuffle without constraints.
    Shuffle,
    /// Drawn uniformly by counting all orders that satisfy the constraints.
    Counting,
    /// Shuffled again until the constraints were satisfied: uniform.
    Rejection,
    /// A random walk by swaps, which converges to the uniform distribution over all
    /// orders that satisfy the constraints.
    Walk,
}

/// One trial of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedTrial {
    /// Its number within the step, from 1.
    pub trial: u32,
    /// The block, from 1.
    pub block: u32,
    /// The repetition, from 1, within the block.
    pub repetition: u32,
    /// The condition, from 0, in the order of the file; `None` for a trial without conditions.
    pub condition: Option<usize>,
    /// A cell for each factor of the plan, `n/a` where it has no level. Only [`Plan::cells`] joins
    /// them to their names.
    pub(crate) factors: Vec<String>,
    /// The seed of its first attempt, below 2⁵³ unless the trial file names it.
    pub seed: u64,
    /// The pause before it, in nanoseconds.
    pub gap_ns: i64,
    /// The trial file.
    pub file: String,
    /// What is set in the trial file, weakest first.
    pub settings: Vec<PlannedSetting>,
}

/// One key of the trial file and its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedSetting {
    /// The path of the key.
    pub path: Vec<String>,
    pub value: GivenValue,
}

/// The value of a setting in a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GivenValue {
    /// This, as TOML.
    Toml(String),
    /// The result of an earlier step, known when the trial begins.
    Result {
        /// The step that keeps it.
        step: String,
        /// The name under which it is kept.
        result: String,
        /// By what it is multiplied.
        times: f64,
        /// Least and greatest value: nanoseconds for a time, else the plain number.
        within: Option<(f64, f64)>,
    },
}

impl Method {
    /// The method in words.
    pub fn said(self) -> &'static str {
        match self {
            Method::File => "as in the file",
            Method::Square => "row of a square",
            Method::Shuffle => "shuffle",
            Method::Counting => "uniform by counting",
            Method::Rejection => "uniform by rejection",
            Method::Walk => "random walk",
        }
    }
}

impl Plan {
    /// Every trial with its step, in order.
    pub fn trials(&self) -> impl Iterator<Item = (&PlannedStep, &PlannedTrial)> {
        self.steps.iter().flat_map(|step| step.trials.iter().map(move |trial| (step, trial)))
    }

    /// Each factor with its cell in a trial of this plan: its level, `n/a` where it has none.
    pub fn cells<'p>(
        &'p self,
        trial: &'p PlannedTrial,
    ) -> impl Iterator<Item = (&'p str, &'p str)> {
        let cells = trial.factors.iter().map(|cell| if cell.is_empty() { NONE } else { cell });
        self.factors.iter().map(String::as_str).zip(cells)
    }

    /// Each factor with its level in a trial of this plan; `None` where it has none there.
    pub fn levels<'p>(
        &'p self,
        trial: &'p PlannedTrial,
    ) -> impl Iterator<Item = (&'p str, Option<&'p str>)> {
        self.cells(trial).map(|(name, cell)| (name, Some(cell).filter(|cell| *cell != NONE)))
    }

    /// The level of a factor in a trial of this plan; `None` where it has none there.
    pub fn level<'p>(&'p self, trial: &'p PlannedTrial, factor: &str) -> Option<&'p str> {
        self.levels(trial).find(|(name, _)| *name == factor)?.1
    }

    /// Whether every trial has a cell for each factor, as a plan has that was not damaged.
    pub fn is_whole(&self) -> bool {
        self.trials().all(|(_, trial)| trial.factors.len() == self.factors.len())
    }

    /// A trial without the levels between participants, each other one with its name: what two plans
    /// of one participant are compared by.
    pub fn within(&self, trial: &PlannedTrial) -> PlannedTrial {
        let between = |factor: &str| self.between.iter().any(|(name, _)| name == factor);
        let all = self.cells(trial).filter(|(name, _)| !between(name));
        let factors = all.map(|(name, cell)| format!("{name} {cell}"));
        PlannedTrial { factors: factors.collect(), ..trial.clone() }
    }

    /// The plan as a table: `trial step block repetition`, each factor by its name, `seed`.
    pub fn tsv(&self) -> String {
        let mut table = String::from("trial\tstep\tblock\trepetition");
        for factor in &self.factors {
            table.push('\t');
            table.push_str(factor);
        }
        table.push_str("\tseed\n");
        for (step, trial) in self.trials() {
            let PlannedTrial { trial: number, block, repetition, .. } = trial;
            // Writing into a String cannot fail.
            let _ = write!(table, "{number}\t{}\t{block}\t{repetition}", step.name);
            for (_, cell) in self.cells(trial) {
                let _ = write!(table, "\t{cell}");
            }
            let _ = writeln!(table, "\t{}", trial.seed);
        }
        table
    }

    /// The plan as JSON of one line: what is written and hashed.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("a plan has only keys of text")
    }

    /// SHA-256 of [`Plan::json`], in hexadecimal.
    pub fn hash(&self) -> String {
        chronotap_core::files::sha256(self.json().as_bytes())
    }
}
