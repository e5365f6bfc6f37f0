//! `plan`: a study as people × trials, with the length of a session.

use crate::asked::Asked;
use crate::refused::Refused;
use chronotap_design::overview;
use serde::Serialize;

/// So many people are shown one by one.
const PEOPLE_SHOWN: usize = 24;
/// So many trials of each.
const TRIALS_SHOWN: usize = 400;

/// What a study plans.
#[derive(Serialize)]
pub(crate) struct Planned {
    participants: u32,
    sessions: u32,
    /// The minutes of each session as far as they can be known, and whether they may differ.
    minutes: Vec<(f64, bool)>,
    /// The first people, in the order in which they would come, each in the first session.
    people: Vec<Person>,
}

#[derive(Serialize)]
struct Person {
    participant: u32,
    trials: Vec<Planning>,
    /// How many more trials there are than stand here.
    more: usize,
}

#[derive(Serialize)]
struct Planning {
    step: String,
    block: u32,
    /// The levels of its factors, in the order of the file.
    levels: Vec<String>,
}

/// The plan of the experiment.
pub(crate) fn plan(asked: &Asked) -> Result<Planned, Refused> {
    if !asked.is_experiment() {
        return Err(Refused::NoExperiment);
    }
    let experiment = asked.experiment()?;
    let told = overview(&experiment);
    let people = experiment.in_order(experiment.participants.min(PEOPLE_SHOWN as u32));
    let plans = (1..).zip(&people).filter_map(|(participant, person)| {
        let plan = experiment.plan(person, 1).ok()?;
        let all: Vec<Planning> = plan
            .trials()
            .map(|(step, trial)| Planning {
                step: step.name.clone(),
                block: trial.block,
                levels: plan
                    .levels(trial)
                    .filter_map(|(_, level)| level.map(str::to_owned))
                    .collect(),
            })
            .collect();
        let more = all.len().saturating_sub(TRIALS_SHOWN);
        let trials = all.into_iter().take(TRIALS_SHOWN).collect();
        Some(Person { participant, trials, more })
    });
    let minutes = told.session_ns.iter().map(|(ns, about)| (*ns as f64 / 60e9, *about));
    Ok(Planned {
        participants: told.participants,
        sessions: told.sessions,
        minutes: minutes.collect(),
        people: plans.collect(),
    })
}
