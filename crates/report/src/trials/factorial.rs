//! The figure of a factorial design: the levels of a factor along the axis, lines by a second, panels by a
//! third, each person a point, and below it what its intervals are and what is not in it.

use super::words::{capital, counted, number, some_of};
use super::{RecordedTrials, study};
use crate::plot::{At, AxisLevels, Panel, Panels};
use chronotap_analysis::within::correction;
use chronotap_data::tables::{Cell, Factorial, Intervals, OfPerson, Outcome, Varied, factorial};

/// So many people are named below a figure.
const NAMED: usize = 6;
/// So many means are told in words.
const TOLD: usize = 4;

/// What the factors of the study did to a number; `None` where nothing varies, or there is no value.
pub(super) fn found(of: &RecordedTrials<'_>, outcome: &Outcome) -> Option<Factorial> {
    let practice = study::practice(of.study.as_ref());
    factorial(outcome, &practice, of.sources, of.analysis).ok().flatten()
}

/// The figure of it, alone in its row.
pub(super) fn alone(of: &RecordedTrials<'_>, outcome: &Outcome) -> Option<String> {
    Some(format!("<div class=\"plots alone\">\n{}</div>\n", figure(of, outcome)?))
}

/// The figure of it.
pub(super) fn figure(of: &RecordedTrials<'_>, outcome: &Outcome) -> Option<String> {
    let practice = study::practice(of.study.as_ref());
    let found = found(of, outcome)?;
    let left_out: Vec<String> = practice.into_iter().filter(|step| was_done(of, step)).collect();
    Some(drawn(&found, &left_out))
}

fn was_done(of: &RecordedTrials<'_>, step: &str) -> bool {
    of.sources.trials.iter().any(|trial| trial.place[1].as_deref() == Some(step))
}

fn drawn(found: &Factorial, practice: &[String]) -> String {
    let mut factors = found.factors.iter();
    let (axis, lines, panels) = (factors.next(), factors.next(), factors.next());
    let Some(axis) = axis else { return String::new() };
    let names = found.factors.iter().map(|factor| &*factor.name).collect::<Vec<_>>();
    let what = measured(&found.outcome);
    let mut figure = Panels {
        title: format!("{} by {}", capital(&what), listed(&names)),
        description: String::new(),
        x: AxisLevels {
            label: with_unit(&axis.name, axis.numbers.as_ref().map_or("", |(_, unit)| unit)),
            names: written(axis),
            numbers: axis.numbers.as_ref().map(|(numbers, _)| numbers.clone()),
            within: !axis.between,
        },
        // Short, since it stands upright: the title says of what it is.
        y: with_unit(
            &Outcome {
                of: found.outcome.of.clone(),
                is: found.outcome.is.clone(),
                ..Outcome::default()
            }
            .to_string(),
            &found.unit,
        ),
        lines: lines.map_or(Vec::new(), levels),
        panels: Vec::new(),
    };
    let names = panels.map_or(vec![String::new()], levels);
    figure.panels =
        names.into_iter().enumerate().map(|(place, name)| panel(found, place, name)).collect();
    figure.description = caption(found, practice, figure.drawn());
    figure.html()
}

/// What the number is: without the level that is a signal.
fn measured(outcome: &Outcome) -> String {
    Outcome { signal: None, over: None, by: None, ..outcome.clone() }.to_string()
}

fn with_unit(what: &str, unit: &str) -> String {
    if unit.is_empty() { what.to_owned() } else { format!("{what} ({unit})") }
}

/// Levels as they stand on an axis that says their unit.
fn written(factor: &Varied) -> Vec<String> {
    let unit = factor.numbers.as_ref().map_or("", |(_, unit)| unit);
    let bare = |level: &String| level.strip_suffix(unit).unwrap_or(level).trim_end().to_owned();
    factor.levels.iter().map(bare).collect()
}

fn levels(factor: &Varied) -> Vec<String> {
    factor.levels.iter().map(|level| format!("{} {level}", factor.name)).collect()
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [some @ .., last] => format!("{} and {last}", some.join(", ")),
    }
}

fn panel(found: &Factorial, place: usize, name: String) -> Panel {
    let here = |at: &[usize]| at.get(2).copied().unwrap_or(0) == place;
    let line = |at: &[usize]| at.get(1).copied().unwrap_or(0);
    let cells = found.cells.iter().filter(|cell| here(&cell.at));
    let means = cells.map(|cell| At {
        level: cell.at[0],
        line: line(&cell.at),
        mean: cell.mean,
        interval: cell.interval.and_then(|interval| Some(interval.ends()?.into())),
    });
    let points = |person: &OfPerson| {
        let values = person.values.iter().filter(|(at, _)| here(at));
        values.map(|(at, value)| (at[0], line(at), *value)).collect()
    };
    Panel { name, means: means.collect(), people: found.people.iter().map(points).collect() }
}

/// What is said below the figure.
fn caption(found: &Factorial, practice: &[String], drawn: usize) -> String {
    let people = found.people.len();
    let within = found.factors.iter().any(|factor| !factor.between);
    let joined = if within { ", thin lines join the values of one person" } else { "" };
    let mut said = vec![means(found)];
    said.push(match (people, drawn) {
        (1, _) => "There is one person: no interval.".to_owned(),
        (all, drawn) if drawn < all => {
            format!("Small dots are people; the first {drawn} of {all} are drawn, and the means are of all.")
        }
        _ => format!("Small dots are the {people} people{joined}."),
    });
    said.extend(intervals(found));
    if !found.incomplete.is_empty() {
        let who = some_of(&found.incomplete, NAMED);
        said.push(format!("In no mean, because they lack a cell: {who}."));
    }
    if !found.averaged.is_empty() {
        let names: Vec<&str> = found.averaged.iter().map(String::as_str).collect();
        said.push(format!("Each person's values are means over {}.", listed(&names)));
    }
    said.extend(found.sessions.map(|count| {
        format!(
            "The trials of the {} of a person are taken together; each condition of theirs weighs the same.",
            counted(count, "session")
        )
    }));
    if let Some(step) = &found.outcome.step {
        said.push(format!("Trials of the step {step} alone."));
    }
    if !practice.is_empty() {
        said.push(format!("Practice ({}) is left out.", practice.join(", ")));
    }
    said.join(" ")
}

/// The means that the sentence compares, for those who listen; the first ones where it compares none of these.
fn means(found: &Factorial) -> String {
    let unit = if found.unit.is_empty() { String::new() } else { format!(" {}", found.unit) };
    let name = |at: &[usize]| {
        let levels = found.factors.iter().zip(at);
        let named =
            levels.map(|(factor, place)| format!("{} {}", factor.name, factor.levels[*place]));
        named.collect::<Vec<_>>().join(", ")
    };
    let least = found.cells.iter().map(|cell| cell.mean.abs()).fold(0.0, f64::max);
    let decimals = if least >= 10.0 { 1 } else { 3 };
    let all: Vec<&Cell> = found.cells.iter().filter(|cell| is_compared(found, cell)).collect();
    let told: Vec<String> = all
        .iter()
        .take(TOLD)
        .map(|cell| format!("{} {}{unit}", name(&cell.at), number(cell.mean, decimals)))
        .collect();
    let more = match found.cells.len() - told.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    format!(
        "Means over people, in which each condition of a person weighs the same: {}{more}.",
        told.join("; ")
    )
}

/// Whether a cell is of levels that the sentence names, of each factor that it is about.
fn is_compared(found: &Factorial, cell: &Cell) -> bool {
    let of = &found.outcome;
    let stated = [(&of.over, &of.levels), (&of.by, &of.by_levels)];
    found.factors.iter().zip(&cell.at).all(|(factor, place)| {
        let own = stated.iter().find(|(name, _)| name.as_ref() == Some(&factor.name));
        match own {
            Some((_, Some(levels))) => levels.contains(&factor.levels[*place]),
            Some((_, None)) => *place == 0 || *place + 1 == factor.levels.len(),
            None => true,
        }
    })
}

fn intervals(found: &Factorial) -> Option<String> {
    match found.intervals {
        Intervals::None => None,
        Intervals::Student => {
            Some("Intervals for 95 % are Student's, of each mean by itself.".into())
        }
        Intervals::Within { cells, groups } => {
            let factor = number(correction(cells), 3);
            let (where_, not) = match groups {
                true => (" within each group", ", nor for comparing groups"),
                false => ("", ""),
            };
            Some(format!(
                "Intervals for 95 % are within people{where_} (Cousineau, 2005; Morey, 2008: {cells} cells, \
                 widened by {factor}): they are for comparing the means of the same people, not for where a \
                 mean lies{not}."
            ))
        }
    }
}
