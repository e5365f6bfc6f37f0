//! The blocks of a step, and the order of conditions within each.

use super::Occasion;
use crate::plan::Method;
use crate::plan::draw::{self, Kind, Refusal, Restriction, Task};
use crate::plan::squares;
use crate::study::experiment::Experiment;
use crate::study::step::{Constraint, Order, Step, Trials};
use chronotap_engine::random::Random;
use std::collections::HashMap;

/// One block before its conditions are in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// The level of the blocks' factor; `None` where the step is one block.
    pub level: Option<usize>,
    /// Its conditions, in the order of the file.
    pub conditions: Vec<usize>,
}

/// Which row of the inner square the next use in a step takes.
pub(crate) struct Uses {
    next: usize,
}

impl Uses {
    /// Without an outer square the first use takes row k; else it begins at floor(k / n),
    /// n the rows of the outer square, so that the two are not confounded.
    pub fn of(occasion: &Occasion<'_>, step: &Step, trials: &Trials) -> Uses {
        let levels = levels(occasion, step, trials).len();
        let outer = trials.blocks.as_ref().map_or(1, |blocks| rows(&blocks.order, levels));
        Uses { next: occasion.place() / outer.max(1) }
    }

    fn take(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }
}

/// How many rows a square of `n` has; 1 for what is no square.
pub(crate) fn rows(order: &Order, n: usize) -> usize {
    match order {
        Order::Latin => n.max(1),
        Order::Williams => squares::williams_rows(n).max(1),
        _ => 1,
    }
}

/// The levels of the blocks' factor that have conditions, in the order of the file.
fn levels(occasion: &Occasion<'_>, step: &Step, trials: &Trials) -> Vec<usize> {
    let Some(factor) = factor_of_blocks(occasion.experiment, trials) else { return Vec::new() };
    let conditions = &occasion.experiment.lists[occasion.list].conditions;
    let mut levels: Vec<usize> =
        occasion.conditions(step).iter().map(|of| conditions[*of].levels[factor]).collect();
    levels.sort_unstable();
    levels.dedup();
    levels
}

fn factor_of_blocks(experiment: &Experiment, trials: &Trials) -> Option<usize> {
    let by = &trials.blocks.as_ref()?.by;
    experiment.factors.iter().position(|factor| factor.name == *by)
}

/// The blocks of a step in their order.
pub(crate) fn blocks(occasion: &Occasion<'_>, step: &Step, trials: &Trials) -> Vec<Block> {
    let all = occasion.conditions(step);
    let blocks = trials.blocks.as_ref();
    let Some((factor, blocks)) = factor_of_blocks(occasion.experiment, trials).zip(blocks) else {
        return vec![Block { level: None, conditions: all }];
    };
    let levels = levels(occasion, step, trials);
    let conditions = &occasion.experiment.lists[occasion.list].conditions;
    let block = |level: usize| Block {
        level: Some(level),
        conditions: all
            .iter()
            .copied()
            .filter(|c| conditions[*c].levels[factor] == level)
            .collect(),
    };
    block_order(occasion, step, &blocks.order, &levels).into_iter().map(block).collect()
}

fn block_order(
    occasion: &Occasion<'_>,
    step: &Step,
    order: &Order,
    levels: &[usize],
) -> Vec<usize> {
    let picked = |places: Vec<usize>| places.into_iter().map(|place| levels[place]).collect();
    match order {
        Order::Latin => picked(squares::latin(levels.len(), occasion.place())),
        Order::Williams => picked(squares::williams(levels.len(), occasion.place())),
        Order::Shuffle | Order::ShuffleEach => {
            let mut order = levels.to_vec();
            draw::shuffle(&mut order, &mut occasion.random(&format!("blocks.{}", step.name)));
            order
        }
        Order::By { factor, rows } => {
            let level = occasion.level(factor);
            let row = rows.iter().find(|(of, _)| Some(of.as_str()) == level);
            let row = row.map_or(levels, |(_, row)| row);
            row.iter().copied().filter(|level| levels.contains(level)).collect()
        }
        Order::File => levels.to_vec(),
    }
}

/// The conditions of a block in their order, each with its repetition, and the method.
pub(crate) fn order(
    occasion: &Occasion<'_>,
    step: &Step,
    trials: &Trials,
    number: u32,
    block: &Block,
    uses: &mut Uses,
) -> Result<(Vec<(usize, u32)>, Method), Refusal> {
    let n = block.conditions.len();
    let square = |row: usize| match trials.order {
        Order::Latin => squares::latin(n, row),
        _ => squares::williams(n, row),
    };
    match trials.order {
        Order::Latin | Order::Williams => {
            let mut order = Vec::with_capacity(n * trials.repetitions as usize);
            for repetition in 1..=trials.repetitions {
                let row = square(uses.take());
                order.extend(row.into_iter().map(|place| (block.conditions[place], repetition)));
            }
            Ok((order, Method::Square))
        }
        Order::Shuffle | Order::ShuffleEach => {
            let mut random = occasion.random(&format!("order.{}.{number}", step.name));
            drawn(occasion.experiment, occasion.list, trials, block, &mut random)
        }
        Order::File | Order::By { .. } => {
            let task = task(occasion.experiment, occasion.list, trials, block);
            Ok((numbered(&task.groups), Method::File))
        }
    }
}

fn drawn(
    experiment: &Experiment,
    list: usize,
    trials: &Trials,
    block: &Block,
    random: &mut Random,
) -> Result<(Vec<(usize, u32)>, Method), Refusal> {
    let task = task(experiment, list, trials, block);
    let (order, method) = draw::draw(&task, random)?;
    if trials.order == Order::ShuffleEach {
        let length = task.groups.first().map_or(1, Vec::len).max(1);
        let numbered = order.chunks(length).zip(1..);
        let each = numbered.flat_map(|(group, n)| group.iter().map(move |item| (*item, n)));
        return Ok((each.collect(), method));
    }
    // Which occurrence of its condition a trial is.
    let mut seen: HashMap<usize, u32> = HashMap::new();
    let occurrence = |item: usize| {
        let count = seen.entry(item).or_default();
        *count += 1;
        (item, *count)
    };
    Ok((order.into_iter().map(occurrence).collect(), method))
}

/// Groups one after another, each trial with the number of its group.
fn numbered(groups: &[Vec<usize>]) -> Vec<(usize, u32)> {
    let numbered = groups.iter().zip(1..);
    numbered.flat_map(|(group, n)| group.iter().map(move |item| (*item, n))).collect()
}

/// The conditions of the first repetition of a step that a square puts in order.
pub(crate) fn in_order(occasion: &Occasion<'_>, step: &Step, trials: &Trials) -> Vec<usize> {
    let blocks = blocks(occasion, step, trials);
    let Some(block) = blocks.first() else { return Vec::new() };
    let once = Trials { repetitions: 1, ..trials.clone() };
    let order = order(occasion, step, &once, 1, block, &mut Uses::of(occasion, step, trials));
    order.map_or(Vec::new(), |(order, _)| order.into_iter().map(|(item, _)| item).collect())
}

/// What is to be put in order in a block: every condition by its weight, in each repetition.
pub(crate) fn task(experiment: &Experiment, list: usize, trials: &Trials, block: &Block) -> Task {
    let conditions = &experiment.lists[list].conditions;
    let weighted = block
        .conditions
        .iter()
        .flat_map(|of| std::iter::repeat_n(*of, conditions[*of].weight as usize));
    let one: Vec<usize> = weighted.collect();
    let repetitions = trials.repetitions as usize;
    let groups = match trials.order {
        Order::Shuffle => vec![one.repeat(repetitions)],
        _ => vec![one; repetitions],
    };
    Task { groups, rules: rules(experiment, list, trials) }
}

/// The constraints of a step, each with the level of every condition of a list.
pub(crate) fn rules(experiment: &Experiment, list: usize, trials: &Trials) -> Vec<Restriction> {
    let rule = |constraint: &Constraint| {
        let (name, kind) = match constraint {
            Constraint::AtMostInARow { factor, n } => (factor, Kind::Run(*n as usize)),
            Constraint::Apart { factor, n } => (factor, Kind::Apart(*n as usize)),
            Constraint::NotFirst { factor, levels } => (factor, Kind::NotFirst(levels.clone())),
        };
        let place = experiment.factors.iter().position(|factor| factor.name == *name)?;
        let conditions = &experiment.lists[list].conditions;
        Some(Restriction { levels: conditions.iter().map(|of| of.levels[place]).collect(), kind })
    };
    trials.constraints.iter().filter_map(rule).collect()
}
