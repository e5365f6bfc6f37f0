//! Whether every block has an order: one that is said, and one that its constraints allow.

use crate::plan::assign::Participant;
use crate::plan::draw::{self, Refusal, Restriction, Task};
use crate::plan::planner::{Block, Occasion, blocks, task};
use crate::study::experiment::Experiment;
use crate::study::factor::{Factor, Level};
use crate::study::step::{Constraint, Doing, Order, Step, Trials};
use chronotap_config::trial_files::reading::Page;
use chronotap_engine::random::Random;
use std::collections::HashSet;

/// More trials in one step are a mistake, and would fill the memory.
const TRIALS_MAX: u64 = 100_000;

/// Checks the orders of every step.
pub(crate) fn orders(page: &Page<'_>, experiment: &Experiment) {
    let first = Participant { label: "01".to_owned(), cell: 0, k: 0 };
    for step in &experiment.steps {
        let Doing::Trials(trials) = &step.doing else { continue };
        if !trials.conditions {
            continue;
        }
        let mut told = HashSet::new();
        for list in 0..experiment.lists.len() {
            let occasion = Occasion { list, ..Occasion::new(experiment, &first, 1) };
            for (message, cure) in of_list(&occasion, step, trials) {
                if told.insert(message.clone()) {
                    page.cured(page.start_of(step.line), message, cure);
                }
            }
        }
    }
}

type Mistake = (String, String);

fn of_list(occasion: &Occasion<'_>, step: &Step, trials: &Trials) -> Vec<Mistake> {
    let name = &step.name;
    let of_list = &occasion.experiment.lists[occasion.list];
    let conditions = occasion.conditions(step);
    let in_list = of_list.file.as_ref().map_or(String::new(), |file| format!(" of {file}"));
    if conditions.is_empty() {
        let message = format!("step {name}: no condition{in_list} has the levels of only");
        return vec![(message, "name levels that have a condition, or leave out less".to_owned())];
    }
    if !trials.staircases.is_empty() {
        let cure = "let only leave one condition, or give the step a trial of its own".to_owned();
        let message =
            format!("step {name}: staircases run in one condition, not in {}", conditions.len());
        return if conditions.len() > 1 { vec![(message, cure)] } else { Vec::new() };
    }
    let weight = |of: &usize| u64::from(of_list.conditions[*of].weight);
    let all: u64 = conditions.iter().map(weight).sum::<u64>() * u64::from(trials.repetitions);
    if all > TRIALS_MAX {
        let message = format!("step {name} would have {all} trials");
        return vec![(message, "a step has at most 100000; write fewer repetitions".to_owned())];
    }
    let mut mistakes = Vec::new();
    for block in blocks(occasion, step, trials) {
        mistakes.extend(of_block(occasion, name, trials, &block));
    }
    mistakes
}

fn of_block(
    occasion: &Occasion<'_>,
    name: &str,
    trials: &Trials,
    block: &Block,
) -> Option<Mistake> {
    let experiment = occasion.experiment;
    let conditions = block.conditions.len();
    if conditions > 1 && trials.practice.is_some() {
        return Some(practises_one(occasion, name, block));
    }
    if conditions > 1 && !trials.order_given {
        let message =
            format!("step {name} does not say in which order its {conditions} conditions come");
        let cure = "write shuffle = \"each repetition\", \"all\" or \"none\", or order = \"latin\" or \"williams\"";
        return Some((message, cure.to_owned()));
    }
    let weights = &experiment.lists[occasion.list].conditions;
    let square = matches!(trials.order, Order::Latin | Order::Williams);
    if square && block.conditions.iter().any(|of| weights[*of].weight > 1) {
        let message =
            format!("step {name}: a square has each condition once, but some have a weight");
        return Some((message, "write shuffle instead of order, or weights of 1".to_owned()));
    }
    let task = task(experiment, occasion.list, trials, block);
    if task.rules.is_empty() {
        return None;
    }
    impossible(experiment, name, trials, &task)
}

/// A step that practises has one condition; the cure names the first.
fn practises_one(occasion: &Occasion<'_>, name: &str, block: &Block) -> Mistake {
    let experiment = occasion.experiment;
    let conditions = &block.conditions;
    let message = format!(
        "step {name}: one trial is practised again and again, and not {} conditions",
        conditions.len()
    );
    let of = &experiment.lists[occasion.list].conditions[conditions[0]];
    let said = |(factor, level): (&Factor, &Level)| format!("{} = {}", factor.name, level.toml());
    let levels = experiment.levels_in(of).map(said).collect::<Vec<_>>().join(", ");
    (message, format!("let only leave one condition, as in only = {{ {levels} }}"))
}

/// Why a block's constraints cannot be satisfied, if so.
fn impossible(
    experiment: &Experiment,
    name: &str,
    trials: &Trials,
    task: &Task,
) -> Option<Mistake> {
    if trials.order == Order::File {
        let broken = task.rules.iter().position(|rule| !holds_in_file_order(task, rule))?;
        let constraint = said(experiment, &trials.constraints[broken]);
        let message = format!("step {name}: the order of the file breaks {constraint}");
        return Some((message, "shuffle, or leave the constraint out".to_owned()));
    }
    let mut random = Random::named(experiment.seed, &format!("check.{name}"));
    match draw::possible(task, &mut random) {
        Ok(()) => None,
        Err(Refusal::NotFound) => {
            let all: Vec<String> = trials.constraints.iter().map(|c| said(experiment, c)).collect();
            let message = format!(
                "step {name}: an order that satisfies {} was not found, nor a proof that there is none",
                all.join(" and ")
            );
            Some((message, "loosen the constraints, or write fewer".to_owned()))
        }
        Err(Refusal::Impossible(rules)) => {
            let message = contradiction(experiment, trials, task, &rules);
            let cure = "loosen it, or change the conditions".to_owned();
            Some((format!("step {name}: {message}"), cure))
        }
    }
}

/// Which constraints no order can satisfy, and why.
fn contradiction(experiment: &Experiment, trials: &Trials, task: &Task, rules: &[usize]) -> String {
    let named: Vec<String> =
        rules.iter().map(|rule| said(experiment, &trials.constraints[*rule])).collect();
    let level = |rule: usize, level: usize| {
        let factor = factor_of(&trials.constraints[rule]);
        let of = experiment.factors.iter().find(|of| of.name == factor);
        format!("{factor} = {}", of.map_or(String::new(), |of| of.levels[level].to_string()))
    };
    let why = draw::reason(task, rules, level);
    format!("{} cannot be satisfied: {why}", named.join(" and "))
}

fn holds_in_file_order(task: &Task, rule: &Restriction) -> bool {
    let alone = Task { groups: task.groups.clone(), rules: vec![rule.clone()] };
    alone.is_satisfied_in_file_order()
}

fn factor_of(constraint: &Constraint) -> &str {
    match constraint {
        Constraint::AtMostInARow { factor, .. }
        | Constraint::NotFirst { factor, .. }
        | Constraint::Apart { factor, .. } => factor,
    }
}

/// A constraint as it stands in the file.
fn said(experiment: &Experiment, constraint: &Constraint) -> String {
    match constraint {
        Constraint::AtMostInARow { factor, n } => {
            format!("at_most_in_a_row = {{ {factor} = {n} }}")
        }
        Constraint::Apart { factor, n } => format!("apart = {{ {factor} = {n} }}"),
        Constraint::NotFirst { factor, levels } => {
            let of = experiment.factors.iter().find(|of| of.name == *factor);
            let toml = |level: &usize| of.map_or(String::new(), |of| of.levels[*level].toml());
            let levels: Vec<String> = levels.iter().map(toml).collect();
            match &levels[..] {
                [one] => format!("not_first = {{ {factor} = {one} }}"),
                _ => format!("not_first = {{ {factor} = [{}] }}", levels.join(", ")),
            }
        }
    }
}
