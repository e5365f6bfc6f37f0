//! [`Task`]: what a session can have to do next.

use crate::line::Asked;
use chronotap_design::{Go, Rest};

/// What a session does next.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// Ask a field of the participant.
    Field {
        /// Its place among the fields.
        field: usize,
    },
    /// Ask a question.
    Question {
        name: String,
        /// What asks for it.
        asked: Asked,
    },
    /// Show a text, and wait for a word to go on.
    Say {
        /// The step, from 0.
        step: usize,
        /// Of a text before a block, the block's number.
        block: Option<u32>,
        /// Of a text after a trial, the number of that.
        run: Option<u32>,
        text: String,
        /// What ends it.
        until: Go,
    },
    Rest {
        step: usize,
        /// Planned trials of the step that are done.
        after: u32,
        /// How.
        rest: Rest,
    },
    /// Run a trial.
    Trial(Next),
    /// Ask the experimenter how to go on: a criterion was not reached.
    Decide {
        step: usize,
        /// How far the last trial was from it, in words.
        missed: Option<String>,
    },
    /// A criterion was not reached, and the step says that the session stops then.
    Stop { step: usize },
    /// Nothing is left to do.
    Nothing,
}

/// The trial that is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// The step, from 0.
    pub step: usize,
    /// The planned trial within the step, from 1.
    pub trial: u32,
    /// The attempt at it, from 1.
    pub attempt: u32,
    /// Its number in the session, from 1.
    pub run: u32,
    /// What starts it.
    pub go: Go,
    /// The staircase that sets its level, by its place among those of the step.
    pub staircase: Option<usize>,
}
