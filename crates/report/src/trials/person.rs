//! Each participant: the taps, asynchronies and intervals over time, directions, responses to
//! perturbations, and models with their intervals.

use super::taken::{Taken, taken};
use super::words::{counted, number, pair, people, person};
use super::{RecordedTrials, models, odd, pictures, responses};
use crate::figures::{linked, plain};
use crate::html::{element, escape};
use std::collections::BTreeMap;

/// So many participants stand open.
const OPEN: usize = 2;
/// So many are drawn: a page with more would open slowly.
const DRAWN: usize = 60;

pub(super) fn section(of: &RecordedTrials<'_>) -> String {
    let people = people(of.sources);
    let mut html = String::new();
    for (place, label) in people.iter().take(DRAWN).enumerate() {
        html += &one(of, (place, *label), people.len() == 1);
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

fn one(of: &RecordedTrials<'_>, (place, label): (usize, Option<&str>), alone: bool) -> String {
    let mut pairs: BTreeMap<String, Vec<Taken<'_>>> = BTreeMap::new();
    let theirs = |trial: usize| of.sources.trials[trial].participant.as_deref() == label;
    let mut trials = 0;
    for (at, course) in odd::used(of).filter(|(at, _)| theirs(*at)) {
        trials += 1;
        for taken in course.pairs.iter().map(|pair| taken(of, at, course, pair)) {
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
    let inside = linked(&part(place, label), &inside);
    if alone {
        return inside;
    }
    let summary = format!("{}: {}{}", person(label), counted(trials, "trial"), in_short(&pairs));
    let open = if place < OPEN { " open" } else { "" };
    format!(
        "<details{open} class=\"person\"><summary>{}</summary>\n{inside}</details>\n",
        escape(&summary)
    )
}

/// What the files of their figures are called: by the label where that is a plain name, else by the place.
fn part(place: usize, label: Option<&str>) -> String {
    match label.filter(|label| plain(label) == **label) {
        Some(label) => format!("participant-{label}"),
        None => format!("participant-number-{}", place + 1),
    }
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
