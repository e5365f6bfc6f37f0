//! [`Line`]: what a line of a session's journal can say. Times are UTC, as text. What a
//! session does next follows from its plan and these lines alone ([`crate::Course`]).

use crate::person::Person;
use chronotap_design::TrialAnswer;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Something that happened in a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Line {
    /// The session began.
    Began(Box<Began>),
    /// The session went on after it had been stopped or cut short.
    Resumed {
        at: String,
        /// The program and its version.
        program: String,
        /// Who goes on with it; empty in journals of before this was written down.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        by: String,
        /// Files of the study that have changed since the session began, on the word of
        /// the experimenter.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        changed: Vec<String>,
        /// Version of the journal's lines from here on; 0 in journals of before this was
        /// written down.
        #[serde(default)]
        version: u32,
        /// The language of what the participant reads from here on, where the study has several.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        language: Option<String>,
        /// On which ports, where somebody taps.
        #[serde(default, skip_serializing_if = "SessionPorts::are_none")]
        ports: SessionPorts,
    },
    /// A text of a step was shown, and the participant went on.
    Said {
        at: String,
        /// Number of the step in the experiment file, from 0.
        step: usize,
        /// Of a text before a block, the block's number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        block: Option<u32>,
        /// Of a text after a trial, the number of that in the session.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run: Option<u32>,
    },
    /// A question or a field was answered.
    Answered(GivenAnswer),
    /// A trial is about to begin.
    TrialBegan(Box<TrialBegan>),
    /// A trial came to its end, and its files are there.
    TrialEnded(Box<TrialEnded>),
    /// A trial was cut short by whatever ended the program.
    TrialCut {
        /// When that was found.
        at: String,
        run: u32,
        /// SHA-256 of its files by their names, where anything could be saved.
        files: BTreeMap<String, String>,
    },
    /// A rest is over.
    Rested {
        at: String,
        step: usize,
        /// How many planned trials of the step were done by then.
        after: u32,
    },
    /// The experimenter decided how a step goes on whose criterion was not reached.
    Decided {
        at: String,
        step: usize,
        /// Whether the session goes on.
        go_on: bool,
        /// Whether it goes on with one more trial of practice.
        #[serde(default, skip_serializing_if = "is_false")]
        again: bool,
        by: String,
    },
    /// The experimenter wrote a note.
    Noted {
        /// When they wrote it: in a trial, before the end of that, which stands above it.
        at: String,
        text: String,
        by: String,
    },
    /// The trial that was run last does not count, and is run again.
    Repeated {
        at: String,
        run: u32,
        reason: String,
        /// Who says so.
        by: String,
    },
    /// A planned trial is left out.
    Skipped {
        at: String,
        step: usize,
        /// The planned trial, from 1.
        trial: u32,
        reason: String,
        /// Who says so.
        by: String,
    },
    /// What was entered about the participant was corrected, and with it perhaps their group.
    Corrected(Box<Corrected>),
    /// The answers are given from which the group follows: it and the place are assigned, and the session
    /// is planned to its end.
    Assigned(Box<Assigned>),
    /// The experimenter paused the session.
    Paused { at: String, by: String },
    /// A pause is over.
    WentOn { at: String, by: String },
    /// Tones were played before the first trial, and somebody confirmed how they sound.
    ToneConfirmed {
        at: String,
        /// The outputs that they were played on.
        outputs: Vec<String>,
        by: String,
    },
    /// The session was stopped, to go on another time.
    Stopped { at: String, by: String },
    /// The experimenter says that the participant will not come back, or does so after all.
    DroppedOut {
        at: String,
        /// Why, and who says so.
        reason: String,
        by: String,
        /// Whether they take part again, so that what was said before does not hold.
        #[serde(default, skip_serializing_if = "is_false")]
        back: bool,
    },
    /// The session came to its end.
    Completed { at: String },
}

/// What holds for a whole session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Began {
    /// Version of the journal's lines.
    pub version: u32,
    pub at: String,
    /// The program and its version.
    pub program: String,
    /// The participant's label.
    pub participant: String,
    /// The session, from 1.
    pub session: u32,
    /// The cell: a level of each between-participant factor.
    pub cell: BTreeMap<String, String>,
    /// Whether the experimenter named the cell.
    pub cell_was_named: bool,
    /// The place in Latin and Williams squares, from 0.
    pub k: u32,
    /// SHA-256 of the plan.
    pub plan: String,
    /// The name of the experiment file.
    pub experiment: String,
    /// SHA-256 of each file of the study by its name.
    pub files: BTreeMap<String, String>,
    /// Answers to fields of the participant that decide their group: they come before the plan.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, String>,
    /// Who taps, where that is a simulated participant or a script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<String>,
    /// Who runs the session.
    pub by: String,
    /// Of a trial run of the study: the step that it begins with, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
    /// The language of what the participant reads, where the study has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Why it was out of its turn, where somebody decided to begin all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub despite: Option<String>,
    /// Whether group and place come with answers in the session; `cell` then has what is known before.
    #[serde(default, skip_serializing_if = "is_false")]
    pub waits: bool,
    /// On which ports it began, where somebody taps.
    #[serde(default, skip_serializing_if = "SessionPorts::are_none")]
    pub ports: SessionPorts,
}

/// The ports of the study's inputs and outputs by their names, as somebody wrote them: whoever goes on with the
/// session finds them again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionPorts {
    pub inputs: BTreeMap<String, String>,
    pub outputs: BTreeMap<String, String>,
}

impl SessionPorts {
    /// Whether nobody named any.
    pub fn are_none(&self) -> bool {
        self.inputs.is_empty() && self.outputs.is_empty()
    }

    /// Those of a session by the lines of its journal: the last ones.
    pub fn of(lines: &[Line]) -> SessionPorts {
        let named = lines.iter().rev().filter_map(|line| match line {
            Line::Began(began) => Some(&began.ports),
            Line::Resumed { ports, .. } => Some(ports),
            _ => None,
        });
        named.into_iter().find(|ports| !ports.are_none()).cloned().unwrap_or_default()
    }
}

/// What holds from the assignment on, where that comes in the session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assigned {
    pub at: String,
    /// A level of each between-participant factor.
    pub cell: BTreeMap<String, String>,
    /// The place in Latin and Williams squares, from 0.
    pub k: u32,
    /// SHA-256 of the plan.
    pub plan: String,
}

/// What holds from a correction on, for the whole session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Corrected {
    pub at: String,
    /// Who corrected it, and why.
    pub by: String,
    pub reason: String,
    /// A level of each between-participant factor.
    pub cell: BTreeMap<String, String>,
    /// The place in Latin and Williams squares, from 0.
    pub k: u32,
    /// SHA-256 of the plan, which was made anew.
    pub plan: String,
    /// Fields of the participant that have another answer now.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, String>,
}

/// An answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenAnswer {
    pub at: String,
    /// The name of the question or field.
    pub name: String,
    /// What was answered.
    pub answer: String,
    /// How it came.
    pub by: AnsweredBy,
    /// What asked for it.
    pub asked: Asked,
}

/// Who answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnsweredBy {
    /// Whoever was asked: at a terminal the participant or the experimenter, on a page of their own
    /// the participant.
    #[default]
    Person,
    /// The experimenter, on their own page.
    Experimenter,
    /// The command line, before anybody was asked.
    Option,
    /// A draw from the seed, for a simulated participant.
    Draw,
}

/// What asked for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// A field of the participant, before the first step.
    #[default]
    Participant,
    /// The step itself.
    Step(usize),
    /// A block of a step.
    Block(usize, u32),
    /// The trial that was begun as this number.
    Run(u32),
    /// A trial that takes up a result which is missing or out of bounds; the name of the
    /// answer is that of the result, such as `own_tempo.tempo`.
    Result,
}

/// A trial as it is about to begin.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialBegan {
    pub at: String,
    /// Its number in the session, from 1: every attempt has one of its own.
    pub run: u32,
    /// The step, from 0.
    pub step: usize,
    /// The planned trial within the step, from 1.
    pub trial: u32,
    /// The attempt at it, from 1.
    pub attempt: u32,
    pub seed: u64,
    /// The staircase that sets its level, in a step that has some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub staircase: Option<String>,
    /// Values that are not those of the plan, by the path of their key: of a staircase, or
    /// from results of earlier trials.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, String>,
}

/// A trial that came to its end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialEnded {
    /// When it ended.
    pub at: String,
    pub run: u32,
    /// When it began, by the clock of its own files.
    pub onset: String,
    /// Its length in seconds.
    pub length_s: f64,
    /// Whether its timing passed.
    pub timing_passed: bool,
    /// Whether its data can be used.
    pub data_usable: bool,
    /// Whether somebody ended it before its end.
    pub interrupted: bool,
    /// What is unusual about it, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// Its statistics by their full names, those that have a value.
    pub statistics: BTreeMap<String, f64>,
    /// What of the step's `if_any` holds, so that the trial is to be done again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<String>,
    /// Results that the step keeps: a time in nanoseconds, else the plain number.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub kept: BTreeMap<String, f64>,
    /// What was answered, where a staircase asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<StaircaseAnswer>,
    /// Taps before an answer could be given, which are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub early_taps: u32,
    /// What was tapped after the answer, where that was another key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub then_answered: Option<StaircaseAnswer>,
    /// Whether the answer was a reversal of a staircase that has some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reversal: Option<bool>,
    /// Whether the step's criterion was reached with it, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached: Option<bool>,
    /// How the step's practice ended, in words, where it ended with this trial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub criterion: Option<String>,
    /// How far it was from the criterion, in words, where it did not reach it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed: Option<String>,
    /// SHA-256 of its files by their names.
    pub files: BTreeMap<String, String>,
}

impl Line {
    /// The language of what the participant reads from this line on, where it says one.
    pub fn language(&self) -> Option<&str> {
        match self {
            Line::Began(began) => began.language.as_deref(),
            Line::Resumed { language, .. } => language.as_deref(),
            _ => None,
        }
    }

    /// When it happened.
    pub fn at(&self) -> Option<&str> {
        Some(match self {
            Line::Began(began) => &began.at,
            Line::Answered(answered) => &answered.at,
            Line::Corrected(corrected) => &corrected.at,
            Line::Assigned(assigned) => &assigned.at,
            Line::TrialBegan(began) => &began.at,
            Line::TrialEnded(ended) => &ended.at,
            Line::Resumed { at, .. }
            | Line::Said { at, .. }
            | Line::TrialCut { at, .. }
            | Line::Rested { at, .. }
            | Line::Decided { at, .. }
            | Line::Noted { at, .. }
            | Line::Repeated { at, .. }
            | Line::Skipped { at, .. }
            | Line::Paused { at, .. }
            | Line::WentOn { at, .. }
            | Line::ToneConfirmed { at, .. }
            | Line::Stopped { at, .. }
            | Line::DroppedOut { at, .. }
            | Line::Completed { at } => at,
        })
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde gives a reference
fn is_false(flag: &bool) -> bool {
    !flag
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde gives a reference
fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Began {
    /// Who it is, with what was assigned to them.
    pub fn person(&self) -> Person {
        let (label, cell) = (self.participant.clone(), self.cell.clone());
        Person { label, cell, k: self.k, waits: self.waits, ..Person::default() }
    }
}

/// The last answer to each of the participant's fields, by its name.
pub fn fields(lines: &[Line]) -> impl Iterator<Item = (&str, &str)> {
    let given = lines.iter().flat_map(|line| match line {
        Line::Began(began) => in_pairs(&began.answers),
        Line::Corrected(corrected) => in_pairs(&corrected.answers),
        Line::Answered(answered) if answered.asked == Asked::Participant => {
            vec![(&*answered.name, &*answered.answer)]
        }
        _ => Vec::new(),
    });
    let mut last: Vec<(&str, &str)> = Vec::new();
    for (name, answer) in given {
        match last.iter_mut().find(|(of, _)| *of == name) {
            Some(before) => before.1 = answer,
            None => last.push((name, answer)),
        }
    }
    last.into_iter()
}

/// The language in which a session with these lines goes on; `None` where its study has only one.
pub fn language(lines: &[Line]) -> Option<String> {
    lines.iter().rev().find_map(|line| line.language().map(str::to_owned))
}

fn in_pairs(answers: &BTreeMap<String, String>) -> Vec<(&str, &str)> {
    answers.iter().map(|(name, answer)| (&**name, &**answer)).collect()
}

/// What holds for the session that has these lines; `None` where it did not begin.
pub fn beginning(lines: &[Line]) -> Option<Began> {
    let Some(Line::Began(began)) = lines.first() else { return None };
    let mut began = (**began).clone();
    for line in lines {
        match line {
            Line::Corrected(now) => {
                let (cell, plan) = (now.cell.clone(), now.plan.clone());
                began = Began { cell, k: now.k, plan, ..began };
            }
            Line::Assigned(now) => {
                let (cell, plan) = (now.cell.clone(), now.plan.clone());
                began = Began { cell, k: now.k, plan, waits: false, ..began };
            }
            _ => {}
        }
    }
    Some(began)
}

/// What a participant answered to a trial of a staircase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StaircaseAnswer {
    /// The correct answer.
    Correct,
    /// Another answer.
    Wrong,
    None,
}

impl StaircaseAnswer {
    /// As a staircase takes it.
    pub fn heard(self) -> TrialAnswer {
        match self {
            StaircaseAnswer::Correct => TrialAnswer::Correct,
            StaircaseAnswer::Wrong => TrialAnswer::Wrong,
            StaircaseAnswer::None => TrialAnswer::Nothing,
        }
    }

    /// Its word in the table of trials.
    pub fn word(self) -> &'static str {
        match self {
            StaircaseAnswer::Correct => "correct",
            StaircaseAnswer::Wrong => "wrong",
            StaircaseAnswer::None => "none",
        }
    }
}

impl From<TrialAnswer> for StaircaseAnswer {
    fn from(heard: TrialAnswer) -> StaircaseAnswer {
        match heard {
            TrialAnswer::Correct => StaircaseAnswer::Correct,
            TrialAnswer::Wrong => StaircaseAnswer::Wrong,
            TrialAnswer::Nothing => StaircaseAnswer::None,
        }
    }
}

/// Version of the journal's lines; raised when one changes its meaning.
pub const SESSION_JOURNAL_VERSION: u32 = 1;
