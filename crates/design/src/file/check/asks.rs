//! Whether an answer keeps its cell: asked in a step of its own, a question is answered in the row of
//! the last trial before it, or of the first where none came before. A second answer there takes the
//! place of the first, which the journal alone has then. That is a doubt and no mistake, because it
//! may depend on how a session goes.

use crate::plan::assign::Participant;
use crate::plan::planner::Occasion;
use crate::study::experiment::Experiment;
use crate::study::step::{Doing, Step, Trials};
use chronotap_config::trial_files::reading::Page;
use std::collections::{HashMap, HashSet};

/// The steps by which an answer is in a row, by the names of their questions.
type Row<'e> = HashMap<&'e str, &'e Step>;

/// Warns of steps whose answers take the place of others, each once.
pub(crate) fn asks(page: &Page<'_>, experiment: &Experiment) {
    let mut told = HashSet::new();
    for cell in 0..experiment.cells() {
        let person = Participant { label: "01".to_owned(), cell, k: 0 };
        for session in 1..=experiment.sessions {
            let occasion = Occasion::new(experiment, &person, session);
            let steps = experiment.steps.iter().filter(|step| occasion.has(step));
            of_session(steps, |first, second, name| {
                if told.insert((first.line, second.line, name.to_owned())) {
                    warn(page, first, second, name);
                }
            });
        }
    }
}

fn warn(page: &Page<'_>, first: &Step, second: &Step, name: &str) {
    let message = format!(
        "step {} asks {name}, and so does step {} (line {}), in the row of the same trial: the table \
         keeps only the later answer, and the journal both",
        second.name, first.name, first.line
    );
    page.warn(page.start_of(second.line), message);
}

/// Tells of two steps and the name of a question whose answers are in one row.
fn of_session<'e>(
    steps: impl Iterator<Item = &'e Step>,
    mut told: impl FnMut(&'e Step, &'e Step, &'e str),
) {
    let (mut row, mut before_trials) = (Row::new(), true);
    let mut ask = |row: &mut Row<'e>, names: &'e [String], step: &'e Step| {
        for name in names {
            if let Some(first) = row.insert(name, step) {
                told(first, step, name);
            }
        }
    };
    for step in steps {
        match &step.doing {
            Doing::Ask(names) => ask(&mut row, names, step),
            Doing::Trials(trials) => {
                if !before_trials {
                    row.clear();
                }
                ask(&mut row, &trials.ask, step); // with what was asked before the first trial
                if !(before_trials && is_one(trials)) {
                    let of_blocks = trials.blocks.iter().flat_map(|blocks| &blocks.ask);
                    let of_step = trials.ask.iter().chain(of_blocks);
                    row = of_step.map(|name| (name.as_str(), step)).collect();
                }
                before_trials = false;
            }
            Doing::Say | Doing::Person | Doing::Rest(_) => {}
        }
    }
}

/// Whether it has one trial and no more.
fn is_one(trials: &Trials) -> bool {
    !trials.conditions && trials.practice.is_none() && trials.staircases.is_empty()
}
