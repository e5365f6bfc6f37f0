//! [`Step`]s: what a session is made of, in the order of the file.

use crate::study::measure::{Measure, TrialTest};
use crate::study::setting::Setting;
use crate::study::text::Text;
use chronotap_core::time::Nanos;
use serde::{Deserialize, Serialize};

/// One `[[step]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its name; a step without trials that has none is called by its place, `step-3`.
    pub name: String,
    /// The sessions that it belongs to; `None` for all of them.
    pub sessions: Option<Vec<u32>>,
    /// The levels that it is for: a factor and the places of its levels.
    pub only: Vec<Limited>,
    /// What it shows before anything else.
    pub say: Option<Text>,
    /// What ends that.
    pub say_until: Go,
    /// What is done in it.
    pub doing: Doing,
    /// Which answers end the session.
    pub stop_if: Option<StopIf>,
    /// The line of the experiment file.
    pub line: usize,
}

/// Answers after which a session, and mostly all of the participation, ends: no consent, or somebody who cannot take part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopIf {
    /// A question or a field, and its answers that end the session.
    pub answers: Vec<(String, Vec<String>)>,
    /// What is shown then.
    pub text: String,
    /// What ends with them.
    pub ends: Ends,
}

/// What an answer ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ends {
    /// All of it: the person takes no further part in the study.
    #[default]
    Participation,
    /// This session alone: the next one comes as planned.
    Session,
}

impl StopIf {
    /// The answers to a question that end the session; with several members each has its own.
    pub fn answers_of(&self, name: &str) -> &[String] {
        let is =
            |of: &str| name.strip_prefix(of).is_some_and(|r| r.is_empty() || r.starts_with('.'));
        let of = self.answers.iter().find(|(question, _)| is(question));
        of.map_or(&[], |(_, answers)| answers)
    }
}

/// A factor, and the levels that are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limited {
    /// The factor, within or between participants, or that of the sessions.
    pub factor: String,
    /// The levels as they are written.
    pub levels: Vec<String>,
}

/// What is done in a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Doing {
    /// Only its text is shown; it goes on at a tap, a key, or the experimenter's word.
    Say,
    /// These questions are asked, once, after its text.
    Ask(Vec<String>),
    /// What `[participant]` asks is asked here, and not before the first step.
    Person,
    /// A pause.
    Rest(Rest),
    /// Trials are done.
    Trials(Box<Trials>),
}

/// A step with trials.
#[derive(Clone, Debug, PartialEq)]
pub struct Trials {
    /// The trial file, beside the experiment file.
    pub file: String,
    /// Whether it runs the conditions, with `[set]`; else one trial as it stands in its file.
    pub conditions: bool,
    /// Blocks; `None` for one block.
    pub blocks: Option<Blocks>,
    /// How often each condition comes in each block, times its weight.
    pub repetitions: u32,
    /// The order within a block.
    pub order: Order,
    /// Whether the file says the order, by `shuffle` or `order`.
    pub order_given: bool,
    /// What every order must satisfy.
    pub constraints: Vec<Constraint>,
    /// Practice: trials until a criterion is reached.
    pub practice: Option<Practice>,
    /// What starts a trial.
    pub go: Go,
    /// Least and greatest pause before a trial; equal where it is not drawn.
    pub gap: (Nanos, Nanos),
    /// Pauses between trials.
    pub rest: Option<Rest>,
    /// Questions after each trial.
    pub ask: Vec<String>,
    /// What the participant reads after each trial and its questions.
    pub tell: Option<Text>,
    /// Which trials are done again.
    pub redo: Option<Redo>,
    /// Results for later steps.
    pub keep: Vec<Keep>,
    /// What this step sets, beyond `[set]`.
    pub settings: Vec<Setting>,
    /// The staircases that run in it.
    pub staircases: Vec<String>,
    /// How they take turns.
    pub interleave: Interleave,
    /// Whether every trial has the seed that the trial file names.
    pub same_seed: bool,
}

impl Step {
    /// Whether it is the same whatever the group and the place are: it has no trials, is for everybody, and
    /// its text names no level.
    pub(crate) fn needs_no_group(&self) -> bool {
        let trials = matches!(self.doing, Doing::Trials(_));
        let names = self.say.iter().any(|text| !text.names().is_empty());
        !trials && !names && self.only.is_empty()
    }

    /// What it shows after each trial.
    pub fn told(&self) -> Option<&Text> {
        match &self.doing {
            Doing::Trials(trials) => trials.tell.as_ref(),
            _ => None,
        }
    }
}

/// By what name texts tell the hits of practice.
pub const HITS: &str = "hits";

impl Trials {
    /// Whether its practice counts hits, which are a result then.
    pub fn counts_hits(&self) -> bool {
        let until = self.practice.as_ref().map(|practice| &practice.until);
        matches!(until, Some(Criterion::Hits { .. }))
    }
}

/// Blocks of a step: one for each level of a factor.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocks {
    pub by: String,
    pub order: Order,
    /// Shown before each block.
    pub say: Option<Text>,
    /// Asked after each block.
    pub ask: Vec<String>,
}

/// An order of blocks or conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// That of the file.
    File,
    /// Drawn; for conditions: all trials of the block in one shuffle.
    Shuffle,
    /// For conditions only: each repetition drawn by itself.
    ShuffleEach,
    /// A row of the cyclic square.
    Latin,
    /// A row of a square in which every condition follows every other equally often.
    Williams,
    /// For blocks only: by the level of a factor between participants or of the sessions.
    By {
        factor: String,
        /// For each of its levels, the places of the blocks' levels.
        rows: Vec<(String, Vec<usize>)>,
    },
}

/// What every order within a block must satisfy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// At most so many trials with an equal level one after another.
    AtMostInARow { factor: String, n: u32 },
    /// The first trial of a block does not have this level.
    NotFirst {
        factor: String,
        /// The places of the levels.
        levels: Vec<usize>,
    },
    /// The places of equal levels differ by at least so much.
    Apart {
        factor: String,
        /// By how much.
        n: u32,
    },
}

/// Trials until a criterion is reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Practice {
    pub until: Criterion,
    /// Trials at most. A trial that was cut short does not count.
    pub at_most: u32,
    /// What happens where it is not reached.
    pub otherwise: Otherwise,
}

/// When practice is enough; judged at the end of each trial, never over several.
#[derive(Clone, Debug, PartialEq)]
pub enum Criterion {
    /// So many of the last audible beats were hit.
    Hits {
        /// Hits needed.
        hits: u32,
        /// Audible beats that are looked at, the last of the trial.
        of: u32,
        /// A tap this near to its beat, on either side, is a hit.
        within: Nanos,
    },
    /// All of these hold.
    All(Vec<TrialTest>),
}

/// What happens where practice does not reach its criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// The experimenter is asked.
    Ask,
    /// The session goes on.
    GoOn,
    /// The session stops.
    Stop,
}

/// What starts a trial, or ends a rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// Nothing more is waited for.
    AtOnce,
    /// A tap of the participant.
    Tap,
    /// A key of the computer.
    Key,
    Experimenter,
}

/// A pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    /// When it comes; `None` in a step of its own.
    pub every: Option<Every>,
    /// How long it lasts at least; with `go` at once, exactly.
    pub length: Nanos,
    /// What ends it, after its length.
    pub go: Go,
}

/// When a rest comes; never after the last trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Every {
    /// After so many planned trials.
    Trials(u32),
    /// After the trial in which so much time has passed since the last rest.
    Time(Nanos),
}

/// Which trials are done again, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Redo {
    /// A trial is done again where one of these holds.
    pub if_any: Vec<TrialTest>,
    /// So often at most, for each trial.
    pub at_most: u32,
    pub place: RedoTime,
}

/// When a trial is done again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedoTime {
    AtOnce,
    /// After the block, in the order of failure.
    BlockEnd,
}

/// A result that later steps may take up. Over several trials: the median of those that count.
#[derive(Clone, Debug, PartialEq)]
pub struct Keep {
    /// The name under which it is kept.
    pub name: String,
    /// What is kept.
    pub measure: Measure,
}

/// How several staircases take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interleave {
    /// The next trial's staircase is drawn.
    Random,
    /// One after another, trial by trial.
    InTurn,
}
