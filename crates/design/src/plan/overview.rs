//! [`overview`]: an experiment told before anyone takes part: conditions, trials and their
//! lengths, the time of a session, every planned participant's order at a glance, and what
//! is not balanced.

mod balance;
mod lengths;
mod page;

use crate::plan::assign::Participant;
use crate::plan::planner::{Occasion, blocks};
use crate::study::experiment::DueVisit;
use crate::study::experiment::Experiment;
use crate::study::factor::Factor;
use crate::study::step::{Doing, Ends, Every, Go, Order, Rest, Step, StopIf, Trials};
use chronotap_config::ftap::account;
use chronotap_config::trial_files::reading::say_whole;
use chronotap_core::text::counted;
use chronotap_core::time::Nanos;
use lengths::Lengths;
use serde::Serialize;

/// So many orders are listed at most.
const ORDERS_MAX: usize = 500;

/// An experiment told beforehand.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Overview {
    pub file: String,
    pub title: String,
    pub description: Option<String>,
    /// The publication it follows.
    pub reference: Option<String>,
    /// The BIDS task label.
    pub task: String,
    pub seed: u64,
    /// In which languages it can be shown, its own first.
    pub languages: Vec<String>,
    /// How many participants are planned.
    pub participants: u32,
    /// How many sessions each has.
    pub sessions: u32,
    /// The factors of the conditions, and their levels.
    pub factors: Vec<(String, Vec<String>)>,
    /// The conditions of each list, each with its levels and its weight.
    pub conditions: Vec<Vec<(Vec<String>, u32)>>,
    /// The cells between participants; one without levels where there are no factors.
    pub cells: Vec<CellOverview>,
    /// Where levels between participants come from that are no draw, in words. Cells and orders are
    /// then those of participants who would come in turn.
    pub groups: Vec<String>,
    /// By what each of these is decided, in words.
    #[serde(skip)]
    pub decided: Vec<String>,
    pub steps: Vec<StepOverview>,
    /// For each session, its length in nanoseconds as far as it can be known, and whether
    /// taps, answers or waiting may change it.
    pub session_ns: Vec<(i64, bool)>,
    /// How long after a session the next one may begin, in words.
    pub visits: Vec<String>,
    /// The order of every planned participant and session, at most 500.
    pub orders: Vec<OrderOverview>,
    /// How many orders there are.
    pub orders_planned: usize,
    /// What is not balanced, and why.
    pub unbalanced: Vec<String>,
    /// What was read how in trial files of FTAP, each with the files and lines where it holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub read_of_ftap: Vec<String>,
    /// Doubts that do not keep it from running.
    pub warnings: Vec<String>,
    /// The trial files that nothing ends; `warnings` says it of each.
    #[serde(skip)]
    pub endless: Vec<String>,
}

/// One cell between participants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CellOverview {
    /// Its levels, by factor.
    pub levels: Vec<(String, String)>,
    /// How many of the planned participants it has.
    pub participants: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepOverview {
    pub name: String,
    /// What is done in it.
    pub what: String,
    /// Its trials, for participant 1; at most, where their number is open.
    pub trials: usize,
    /// Whether the number of trials is open.
    pub open: bool,
    /// The shortest and the longest trial in nanoseconds, where they can be known.
    pub lengths_ns: Option<(i64, i64)>,
    /// Whether taps may end a trial earlier.
    pub about: bool,
}

/// The order of one participant in one session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OrderOverview {
    pub participant: String,
    /// The session, from 1.
    pub session: u32,
    /// The place in the cell, from 0.
    pub k: u32,
    /// The levels between participants and of the session.
    pub levels: Vec<String>,
    /// For each step with several orders: its name and the order of its blocks, or of its
    /// first repetition.
    pub steps: Vec<(String, String)>,
}

/// Tells an experiment beforehand. Nothing is run.
pub fn overview(experiment: &Experiment) -> Overview {
    let participants = experiment.in_order(experiment.participants);
    let mut lengths = Lengths::default();
    let mut warnings = experiment.warnings.clone();
    let first = &participants[0];
    let sessions: Vec<(i64, bool)> = (1..=experiment.sessions)
        .map(|session| lengths.session(experiment, first, session))
        .collect();
    let steps = steps(experiment, first, &mut lengths);
    warnings.extend(lengths.warnings(experiment));
    Overview {
        file: experiment.name.clone(),
        title: experiment.title.clone(),
        description: experiment.description.clone(),
        reference: experiment.reference.clone(),
        task: experiment.task.clone(),
        seed: experiment.seed,
        languages: experiment.languages().into_iter().map(str::to_owned).collect(),
        participants: experiment.participants,
        sessions: experiment.sessions,
        factors: factors(experiment),
        conditions: conditions(experiment),
        cells: cells(experiment, &participants),
        groups: experiment.between.iter().filter_map(Factor::origin_said).collect(),
        decided: experiment.between.iter().filter_map(decided).collect(),
        steps,
        session_ns: sessions,
        visits: experiment.visits.iter().map(visit).collect(),
        orders: orders(experiment, &participants),
        orders_planned: participants.len() * experiment.sessions as usize,
        unbalanced: balance::unbalanced(experiment, &participants),
        read_of_ftap: account(&experiment.of_ftap),
        warnings,
        endless: lengths.endless(),
    }
}

fn decided(factor: &Factor) -> Option<String> {
    Some(format!("{} {}", factor.name, factor.decided_by()?))
}

fn factors(experiment: &Experiment) -> Vec<(String, Vec<String>)> {
    let levels = |factor: &crate::Factor| factor.levels.iter().map(ToString::to_string).collect();
    experiment.factors.iter().map(|factor| (factor.name.clone(), levels(factor))).collect()
}

fn conditions(experiment: &Experiment) -> Vec<Vec<(Vec<String>, u32)>> {
    let said = |condition: &crate::Condition| {
        let levels = experiment.levels_in(condition).map(|(_, level)| level.to_string());
        (levels.collect(), condition.weight)
    };
    experiment.lists.iter().map(|list| list.conditions.iter().map(said).collect()).collect()
}

fn cells(experiment: &Experiment, participants: &[Participant]) -> Vec<CellOverview> {
    let mut counts = vec![0; experiment.cells()];
    participants.iter().for_each(|participant| counts[participant.cell] += 1);
    let cell =
        |(index, participants)| CellOverview { levels: experiment.cell(index), participants };
    counts.into_iter().enumerate().map(cell).collect()
}

/// At which answers it ends, and what does.
fn ends(stop_if: &StopIf) -> String {
    let answers = stop_if.answers.iter();
    let answers = answers.map(|(name, answers)| format!("{name} = {}", answers.join(" or ")));
    let what = match stop_if.ends {
        Ends::Participation => "participation",
        Ends::Session => "session",
    };
    format!("; the {what} ends at {}", answers.collect::<Vec<_>>().join(", "))
}

fn steps(experiment: &Experiment, first: &Participant, lengths: &mut Lengths) -> Vec<StepOverview> {
    let overview = |(index, step): (usize, &Step)| {
        let (mut what, trials, open) = match &step.doing {
            Doing::Say => ("shows a text".to_owned(), 0, false),
            Doing::Ask(questions) => (format!("asks {}", questions.join(", ")), 0, false),
            Doing::Person => ("asks about the participant".to_owned(), 0, false),
            Doing::Rest(rest) => (rests(rest), 0, false),
            Doing::Trials(trials) => {
                let (count, open) = lengths.trials(experiment, first, index, trials);
                (what(trials), count, open)
            }
        };
        what += &step.stop_if.as_ref().map_or(String::new(), ends);
        what += &in_sessions(step);
        let (lengths_ns, about) = lengths.of_step(index);
        StepOverview { name: step.name.clone(), what, trials, open, lengths_ns, about }
    };
    experiment.steps.iter().enumerate().map(overview).collect()
}

/// In which sessions a step is, where it is not in all.
fn in_sessions(step: &Step) -> String {
    let Some(sessions) = &step.sessions else { return String::new() };
    let word = if sessions.len() == 1 { "session" } else { "sessions" };
    let sessions: Vec<String> = sessions.iter().map(ToString::to_string).collect();
    format!("; in {word} {} only", sessions.join(", "))
}

/// How long a rest lasts, and after what it comes.
fn rests(rest: &Rest) -> String {
    let least = if rest.go == Go::AtOnce { "" } else { "at least " };
    let length = match rest.length {
        Nanos::ZERO => String::new(),
        length => format!(" {least}{}", say_whole(length)),
    };
    let every = match rest.every {
        None => String::new(),
        Some(Every::Trials(n)) => format!(" after every {}", counted(n, "trial")),
        Some(Every::Time(time)) => format!(" after every {}", say_whole(time)),
    };
    format!("rests{length}{every}")
}

/// When the session after another one may begin.
fn visit(due: &DueVisit) -> String {
    let (after, next) = (due.after, due.after + 1);
    let nights = due.nights.map(|nights| format!("at least {}", counted(nights, "night")));
    let times = match (due.at_least, due.at_most) {
        (Some(least), Some(most)) => Some(format!("{} to {}", say_whole(least), say_whole(most))),
        (Some(least), None) => Some(format!("at least {}", say_whole(least))),
        (None, Some(most)) => Some(format!("at most {}", say_whole(most))),
        (None, None) => None,
    };
    let when: Vec<String> = nights.into_iter().chain(times).collect();
    match &when[..] {
        [] => format!("session {next} comes after session {after}"),
        when => {
            let when = when.join(" and ");
            format!("session {next} begins {when} after the end of session {after}")
        }
    }
}

/// What a step with trials does, in words.
fn what(trials: &Trials) -> String {
    let file = &trials.file;
    if let Some(practice) = &trials.practice {
        return format!("practises {file}, at most {} trials", practice.at_most);
    }
    if !trials.staircases.is_empty() {
        return format!("follows {} in {file}", trials.staircases.join(" and "));
    }
    if !trials.conditions {
        return format!("runs {file} once");
    }
    let order = match trials.order {
        Order::Shuffle => "all shuffled together",
        Order::ShuffleEach => "each repetition shuffled",
        Order::Latin => "each repetition a row of a Latin square",
        Order::Williams => "each repetition a row of a Williams square",
        _ => "in the order of the file",
    };
    let blocks = trials.blocks.as_ref();
    let blocks = blocks.map_or(String::new(), |blocks| format!(", blocks by {}", blocks.by));
    let rest = trials.rest.as_ref().map_or(String::new(), |rest| format!(", {}", rests(rest)));
    format!("runs the conditions in {file}, {order}{blocks}{rest}")
}

fn orders(experiment: &Experiment, participants: &[Participant]) -> Vec<OrderOverview> {
    let mut orders = Vec::new();
    for participant in participants {
        for session in 1..=experiment.sessions {
            if orders.len() == ORDERS_MAX {
                return orders;
            }
            let occasion = Occasion::new(experiment, participant, session);
            let levels = occasion.between.iter().chain(&occasion.session_level);
            orders.push(OrderOverview {
                participant: participant.label.clone(),
                session,
                k: participant.k,
                levels: levels.map(|(_, level)| level.clone()).collect(),
                steps: experiment.steps.iter().filter_map(|step| order(&occasion, step)).collect(),
            });
        }
    }
    orders
}

/// The order of a step's blocks, or of its first repetition where a square gives it.
fn order(occasion: &Occasion<'_>, step: &Step) -> Option<(String, String)> {
    let Doing::Trials(trials) = &step.doing else { return None };
    let open = trials.practice.is_some() || !trials.staircases.is_empty();
    if !trials.conditions || open || !occasion.has(step) {
        return None;
    }
    let blocks = blocks(occasion, step, trials);
    let by = trials.blocks.as_ref().map(|blocks| &blocks.by);
    let factor = occasion.experiment.factors.iter().find(|factor| Some(&factor.name) == by);
    if let Some(factor) = factor {
        let levels = blocks.iter().filter_map(|block| block.level);
        let levels: Vec<String> = levels.map(|level| factor.levels[level].to_string()).collect();
        return Some((step.name.clone(), levels.join(", ")));
    }
    matches!(trials.order, Order::Latin | Order::Williams)
        .then(|| (step.name.clone(), balance::first_row(occasion, step, trials)))
}
