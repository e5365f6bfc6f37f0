//! What does not come out equally often over the planned participants, found by counting
//! and not by rule, so that it holds for every kind of order.

use crate::plan::assign::Participant;
use crate::plan::planner::{Occasion, blocks, in_order};
use crate::study::experiment::Experiment;
use crate::study::factor::Factor;
use crate::study::step::{Doing, Order, Step, Trials};
use std::collections::BTreeMap;

/// So many conditions are looked at, over all participants and sessions of a step.
const WORK_MAX: usize = 200_000;

/// Sentences on what is not balanced; empty where everything is.
pub(super) fn unbalanced(experiment: &Experiment, participants: &[Participant]) -> Vec<String> {
    let mut said = Vec::new();
    if !experiment.between.iter().any(Factor::is_measured) {
        said.extend(cells(experiment, participants));
    }
    said.extend(lists(experiment, participants));
    said.extend(weights(experiment));
    said.extend(crossing(experiment));
    for (index, step) in experiment.steps.iter().enumerate() {
        if let Doing::Trials(trials) = &step.doing
            && trials.conditions
        {
            said.extend(firsts(experiment, participants, index, step, trials));
        }
    }
    said
}

/// Whether counts are equal; in words where they are not.
fn uneven(counts: &BTreeMap<String, u32>, expected: usize) -> Option<String> {
    let (least, most) = (counts.values().min()?, counts.values().max()?);
    let least = if counts.len() < expected { &0 } else { least };
    (least != most).then(|| format!("{least} to {most}"))
}

fn cells(experiment: &Experiment, participants: &[Participant]) -> Option<String> {
    let mut counts = BTreeMap::new();
    for participant in participants {
        *counts.entry(participant.cell.to_string()).or_default() += 1;
    }
    let range = uneven(&counts, experiment.cells())?;
    let (n, cells) = (participants.len(), experiment.cells());
    Some(format!(
        "cells between participants have {range} participants: {n} is no multiple of {cells}"
    ))
}

fn lists(experiment: &Experiment, participants: &[Participant]) -> Option<String> {
    let mut counts = BTreeMap::new();
    for participant in participants {
        *counts.entry(experiment.list_of(participant, 1).to_string()).or_default() += 1;
    }
    let range = uneven(&counts, experiment.lists.len())?;
    Some(format!("lists of conditions have {range} participants in session 1"))
}

fn weights(experiment: &Experiment) -> Option<String> {
    let weights = experiment.lists.iter().flat_map(|list| &list.conditions).map(|of| of.weight);
    let (least, most) = (weights.clone().min()?, weights.max()?);
    (least != most)
        .then(|| format!("conditions come unequally often: their weights are {least} to {most}"))
}

fn crossing(experiment: &Experiment) -> Option<String> {
    let list = experiment.lists.first().filter(|list| list.file.is_none())?;
    let all: usize = experiment.factors.iter().map(|factor| factor.levels.len()).product();
    let names: Vec<&str> = experiment.factors.iter().map(|factor| factor.name.as_str()).collect();
    let left = all - list.conditions.len().min(all);
    (left > 0).then(|| {
        let names = names.join(" and ");
        format!("{names} are not fully crossed: {left} of {all} combinations are left out")
    })
}

/// What comes first in a step, over all participants and sessions, by itself and with each
/// level between participants and of the sessions.
fn firsts(
    experiment: &Experiment,
    participants: &[Participant],
    index: usize,
    step: &Step,
    trials: &Trials,
) -> Vec<String> {
    let square = matches!(trials.order, Order::Latin | Order::Williams);
    let Some(what) = what_is_first(trials, square) else { return Vec::new() };
    let Firsts { counts, with } = Firsts::counted(experiment, participants, index, step, trials);
    let (name, expected) = (&step.name, counts.len());
    if let Some(range) = uneven(&counts, expected) {
        return vec![format!("step {name}: {what} comes first {range} times, not equally often")];
    }
    let asked_for = match trials.blocks.as_ref().map(|blocks| &blocks.order) {
        Some(Order::By { factor, .. }) => Some(factor),
        _ => None,
    };
    let others = with.iter().filter(|((factor, _), _)| asked_for != Some(factor));
    others
        .filter_map(|((factor, level), counts)| {
            let range = uneven(counts, expected)?;
            Some(format!(
                "step {name}: with {factor} = {level}, {what} comes first {range} times, not \
                 equally often"
            ))
        })
        .collect()
}

/// How often each comes first.
#[derive(Default)]
struct Firsts {
    counts: BTreeMap<String, u32>,
    /// The same with each level of a factor, by their names.
    with: BTreeMap<(String, String), BTreeMap<String, u32>>,
}

impl Firsts {
    fn counted(
        experiment: &Experiment,
        participants: &[Participant],
        index: usize,
        step: &Step,
        trials: &Trials,
    ) -> Firsts {
        let mut found = Firsts::default();
        let sessions = 1..=experiment.sessions;
        let all = participants.iter().flat_map(|of| sessions.clone().map(move |n| (of, n)));
        let conditions = experiment.lists.iter().map(|list| list.conditions.len()).max();
        let most = (WORK_MAX / conditions.unwrap_or(1).max(1)).clamp(1, 2_000);
        for (participant, session) in all.take(most) {
            let occasion = Occasion::new(experiment, participant, session);
            if occasion.has(&experiment.steps[index]) {
                found.count(&occasion, &first(&occasion, step, trials));
            }
        }
        found
    }

    fn count(&mut self, occasion: &Occasion<'_>, first: &str) {
        *self.counts.entry(first.to_owned()).or_default() += 1;
        for (factor, level) in occasion.between.iter().chain(&occasion.session_level) {
            let of = self.with.entry((factor.clone(), level.clone())).or_default();
            *of.entry(first.to_owned()).or_default() += 1;
        }
    }
}

/// What can be balanced in a step: its blocks, or the rows of its square.
fn what_is_first(trials: &Trials, square: bool) -> Option<String> {
    match &trials.blocks {
        Some(blocks) if blocks.order != Order::File => Some(format!("each level of {}", blocks.by)),
        None if square => Some("each condition".to_owned()),
        _ => None,
    }
}

fn first(occasion: &Occasion<'_>, step: &Step, trials: &Trials) -> String {
    match trials.blocks {
        Some(_) => {
            let blocks = blocks(occasion, step, trials);
            format!("{:?}", blocks.first().and_then(|block| block.level))
        }
        None => format!("{:?}", in_order(occasion, step, trials).first()),
    }
}

/// The first repetition of a step that a square puts in order: its levels.
pub(super) fn first_row(occasion: &Occasion<'_>, step: &Step, trials: &Trials) -> String {
    let experiment = occasion.experiment;
    let conditions = &experiment.lists[occasion.list].conditions;
    let said = |condition: &usize| {
        let levels = experiment.levels_in(&conditions[*condition]);
        levels.map(|(_, level)| level.to_string()).collect::<Vec<_>>().join(" ")
    };
    let order = in_order(occasion, step, trials);
    let shown: Vec<String> = order.iter().take(12).map(said).collect();
    let more = if order.len() > 12 { ", ..." } else { "" };
    format!("{}{more}", shown.join(", "))
}
