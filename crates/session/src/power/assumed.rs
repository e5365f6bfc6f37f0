//! [`no_effect`]: whether an effect is looked for that nobody assumed, so that what is found are false alarms.

use super::Power;
use crate::described::model_of;
use chronotap_data::tables::Outcome;
use chronotap_design::{Doing, Experiment, Factor, Setting, Step};
use std::collections::BTreeSet;

/// The factor between whose levels simulated people cannot differ but by chance, and its last level: no trial depends
/// on it, and no difference is of it. With two factors one of them is enough.
pub fn no_effect(
    outcome: &Outcome,
    power: &Power,
    experiment: &Experiment,
) -> Option<(String, String)> {
    let states_more = model_of(&power.model) != power.model;
    let factors = [&outcome.over, &outcome.by].into_iter().flatten();
    let mut by_chance = factors.filter_map(|name| experiment.factor(name)).filter(|factor| {
        let assumed = power.differences.iter().any(|of| of.factor == factor.name);
        !assumed && !bears_on_trials(experiment, &factor.name)
    });
    let factor = by_chance.next().filter(|_| outcome.value.is_none() && !states_more)?;
    Some((factor.name.clone(), factor.levels.last()?.to_string()))
}

/// Whether trials may be other ones at other levels of a factor: by itself, or because one that bears on them has other
/// levels beside it in the table of conditions. What a staircase sets counts as that.
fn bears_on_trials(experiment: &Experiment, factor: &str) -> bool {
    let bears = |factor: &Factor| sets_trials(experiment, &factor.name);
    let within = &experiment.factors;
    let Some(place) = within.iter().position(|of| of.name == factor) else {
        return sets_trials(experiment, factor) || !experiment.staircases.is_empty();
    };
    let bearing: Vec<usize> = (0..within.len()).filter(|&of| bears(&within[of])).collect();
    let beside = |level: usize| -> BTreeSet<Vec<usize>> {
        let all = experiment.lists.iter().flat_map(|list| &list.conditions);
        let of_level = all.filter(|one| one.levels[place] == level);
        of_level.map(|one| bearing.iter().map(|&of| one.levels[of]).collect()).collect()
    };
    let mut levels = (0..within[place].levels.len()).map(beside);
    let first = levels.next();
    levels.any(|level| Some(level) != first) || !experiment.staircases.is_empty()
}

/// Whether what is set in trials, or which steps there are, goes by a factor.
fn sets_trials(experiment: &Experiment, factor: &str) -> bool {
    let sets = |all: &[Setting]| all.iter().any(|setting| setting.factor() == Some(factor));
    let of_step = |step: &Step| {
        let settings = match &step.doing {
            Doing::Trials(trials) => sets(&trials.settings),
            _ => false,
        };
        settings || step.only.iter().any(|limit| limit.factor == factor)
    };
    sets(&experiment.settings) || experiment.steps.iter().any(of_step)
}
