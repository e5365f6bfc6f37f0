//! Each participant: the taps, asynchronies and intervals over time, directions, responses to
//! perturbations, and models with their intervals.

use super::taken::{Taken, taken};
use super::words::{counted, number, pair, people, person};
use super::{Recorded, models, odd, pictures, responses};
use crate::html::{element, escape};
use std::collections::BTreeMap;

/// So many participants stand open.
const OPEN: usize = 2;
/// So many are drawn: a page with more would open slowly.
const DRAWN: usize = 60;

pub(super) fn section(of: &Recorded<'_>) -> String {
    let people = people(of.sources);
    let mut html = String::new();
    for (place, label) in people.iter().take(DRAWN).enumerate() {
        html += &one(of, *label, place < OPEN, people.len() == 1);
    }
    if people.len() > DRAWN {
        let more = counted(people.len() - DRAWN, "participant");
        html += &element(
            "p",
            &format!("{more} more are in the tables, and in a report of one participant."),
        );
    }
    html
}

fn one(of: &Recorded<'_>, label: Option<&str>, open: bool, alone: bool) -> String {
    let mut pairs: BTreeMap<String, Vec<Taken<'_>>> = BTreeMap::new();
    let theirs = |place: usize| of.sources.trials[place].participant.as_deref() == label;
    let mut trials = 0;
    for (place, course) in odd::used(of).filter(|(place, _)| theirs(*place)) {
        trials += 1;
        for taken in course.pairs.iter().map(|pair| taken(of, place, course, pair)) {
            let name = pair(&taken.pair.input, taken.pair.against.as_deref());
            pairs.entry(name).or_default().push(taken);
        }
    }
    let mut inside = String::new();
    for (name, taken) in &pairs {
        inside += &element("h3", name);
        inside += &format!(
            "<div class=\"plots\">\n{}{}</div>\n",
            pictures::all(taken),
            responses::pictures(taken)
        );
        inside += &responses::table(taken);
    }
    inside += &models::tables(of, label);
    if pairs.is_empty() {
        inside += &element("p", "No trial of theirs is used.");
    }
    if alone {
        return inside;
    }
    let summary = format!("{}: {}{}", person(label), counted(trials, "trial"), in_short(&pairs));
    let open = if open { " open" } else { "" };
    format!(
        "<details{open} class=\"person\"><summary>{}</summary>\n{inside}</details>\n",
        escape(&summary)
    )
}

/// The mean and SD of all asynchronies, where there are any.
fn in_short(pairs: &BTreeMap<String, Vec<Taken<'_>>>) -> String {
    let taps = pairs.values().flatten().flat_map(|taken| &taken.pair.taps);
    let all: Vec<f64> = taps.filter_map(|tap| tap.asynchrony_ms).collect();
    if all.len() < 2 {
        return String::new();
    }
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    format!(", mean asynchrony {} ms", number(mean, 1))
}
