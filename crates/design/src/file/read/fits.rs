//! Which keys of a step with trials go together: an open number of trials leaves nothing to order,
//! and a constraint needs something to act on.

use crate::study::step::{Constraint, Trials};
use chronotap_config::trial_files::reading::Part;

const OF_ORDERS: [&str; 4] = ["block", "repetitions", "shuffle", "order"];
const OF_CONSTRAINTS: [&str; 3] = ["at_most_in_a_row", "not_first", "apart"];

/// Keys that exclude each other, or have nothing to act on.
pub(super) fn fits_together(part: &Part<'_>, trials: &Trials) {
    match ["until", "staircases"].into_iter().find(|key| part.has(key)) {
        Some(which) => fits_an_open_end(part, trials, which),
        None => {
            let given = OF_CONSTRAINTS.into_iter().filter(|key| part.has(key));
            given.for_each(|key| constraint_has_to_act_on(part, trials, key));
            leaves_nothing(part, trials);
        }
    }
}

/// A question has one cell in the row of a trial: asked after each trial, it cannot be asked after a
/// block too, whose answer stands in the row of its last trial.
pub(super) fn asks_once(part: &Part<'_>, trials: &Trials) {
    let of_blocks = trials.blocks.as_ref().map_or(&[][..], |blocks| &blocks.ask);
    for name in of_blocks.iter().filter(|name| trials.ask.contains(name)) {
        let (said, line) = (part.said(), part.page.line(part.at("ask")));
        let message = format!(
            "{said} asks {name} after each block, and after each trial (ask in line {line}): the \
             answer about a block would take the place of the one about its last trial"
        );
        let cure = format!(
            "ask one question after blocks and another after trials, such as {name}_of_block"
        );
        part.page.cured(part.at("block"), message, cure);
    }
}

/// What does not go with a number of trials that is open, as `which` makes it.
fn fits_an_open_end(part: &Part<'_>, trials: &Trials, which: &str) {
    let said = part.said();
    for key in OF_ORDERS.iter().chain(&OF_CONSTRAINTS).filter(|key| part.has(key)) {
        let message = format!("{said}: {key} does not go with {which}");
        let open = format!("the number of trials is open with {which}");
        let cure = match trials.blocks.as_ref().filter(|_| *key == "block") {
            Some(blocks) => format!(
                "{open}; leave block out, or make a step for each level of {} with only in its place",
                blocks.by
            ),
            None => format!("{open}; leave {key} out"),
        };
        part.page.cured(part.at(key), message, cure);
    }
    if part.has("until") && part.has("staircases") {
        let message = format!("{said} has both until and staircases");
        part.page.cured(part.at("staircases"), message, "make two steps of it");
    }
    if part.has("redo") {
        let message = format!("{said}: redo does not go with {which}");
        part.page.cured(part.at("redo"), message, "leave redo out");
    }
}

/// Levels that are `apart` never follow each other, so that a number in a row says nothing more.
fn leaves_nothing(part: &Part<'_>, trials: &Trials) {
    let is_apart = |name: &str| {
        let mut all = trials.constraints.iter();
        all.any(|of| matches!(of, Constraint::Apart { factor, .. } if factor == name))
    };
    for of in &trials.constraints {
        let Constraint::AtMostInARow { factor, n } = of else { continue };
        if *n > 1 && is_apart(factor) {
            let message = format!(
                "{}: at_most_in_a_row allows {n} with the same {factor}, and apart none: apart holds",
                part.said()
            );
            part.page.warn(part.at("at_most_in_a_row"), message);
        }
    }
}

/// A constraint needs conditions that are drawn, and levels that vary within a block.
fn constraint_has_to_act_on(part: &Part<'_>, trials: &Trials, key: &str) {
    let said = part.said();
    let is_drawn = ["random", "randomized", "randomised", "shuffled"]; // it is told that shuffle is meant
    let order = part.table.get("order").and_then(|entry| entry.node.text());
    if order.is_some_and(|order| is_drawn.contains(&order)) {
        return;
    }
    if part.has("order") {
        let message = format!("{said}: {key} stands beside order, which leaves nothing to draw");
        let cure = "write shuffle instead of order, or leave it out";
        part.page.cured(part.at(key), message, cure);
    } else if !trials.conditions {
        let message = format!("{said}: {key} has no conditions to act on");
        part.page.cured(part.at(key), message, "leave it out, or give the step shuffle");
    }
    let by = trials.blocks.as_ref().map(|blocks| blocks.by.as_str());
    let named = part.table.get(key).and_then(|entry| entry.node.table());
    if let Some(entry) = by.and_then(|by| named?.get(by)) {
        let message = format!("{said}: {key} names {}, the factor of the blocks", entry.key);
        part.page.cured(entry.at, message, "within a block it has one level; leave it out");
    }
}
