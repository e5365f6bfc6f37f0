//! `[staircase.NAME]`.

use super::DAY;
use crate::field::{Field, well_named};
use crate::part::Part;
use crate::staircase::{AnswerCounts, Staircase, Stop};
use chronotap_experiment::reading::{Value, note};

/// Reads them all.
pub(crate) fn staircases(top: &Part<'_>) -> Vec<Staircase> {
    let named = top.named("staircase").into_iter();
    named
        .filter_map(|(name, at, field)| {
            well_named(top.page, at, name);
            staircase(name, &Part::of(&field, "staircase.NAME")?)
        })
        .collect()
}

fn staircase(name: &str, part: &Part<'_>) -> Option<Staircase> {
    let path = part.must("set", |f| {
        let path: Vec<String> = f.text()?.split('.').map(str::to_owned).collect();
        let whole = path.len() > 1 && path.iter().all(|key| !key.is_empty());
        if whole { Some(path) } else { f.wrong("the path of a key", "\"feedback.tone.delay\"") }
    });
    let start = part.must("start", level);
    let rule = part.must("rule", rule);
    let sizes = part.must("step", |f| f.some()?.iter().map(level).collect::<Option<Vec<_>>>());
    let between = part.must("between", |f| {
        let [least, greatest] = f.pair()?;
        Some((level(&least)?, level(&greatest)?))
    });
    let stop = part.must("stop", stop);
    let at_most = part.must("at_most", |f| f.count(1));
    let correct = part.must("correct", correct);
    let none = part.read("none", |f| f.word(&["repeat", "wrong"]));
    let weight = part.read("weight", |f| {
        f.number()
            .filter(|weight| (0.01..=100.0).contains(weight))
            .or_else(|| f.wrong("a number from 0.01 to 100", "3"))
    });
    let (start, sizes, between) = (start?, sizes?, between?);
    let staircase = Staircase {
        name: name.to_owned(),
        path: path?,
        timed: start.1,
        start: start.0,
        down: rule?.0,
        up: rule?.1,
        sizes: sizes.iter().map(|(size, _)| *size).collect(),
        weight: weight.unwrap_or(1.0),
        between: (between.0.0, between.1.0),
        stop: stop?,
        at_most: at_most?,
        correct: correct?,
        none_is_wrong: none == Some("wrong"),
    };
    let timed = sizes.iter().chain([&between.0, &between.1]).map(|(_, timed)| *timed);
    sound(part, &staircase, timed.collect::<Vec<_>>().iter().all(|timed| *timed == start.1));
    Some(staircase)
}

/// What must hold between the keys.
fn sound(part: &Part<'_>, staircase: &Staircase, one_kind: bool) {
    let said = part.said();
    if !one_kind {
        let message = format!("{said} mixes times and plain numbers");
        part.page.cured(part.at("start"), message, "write start, step and between alike");
        return;
    }
    let (least, greatest) = staircase.between;
    if !(least <= staircase.start && staircase.start <= greatest) {
        let message = format!("{said} starts outside of between");
        part.page.cured(part.at("start"), message, "let start lie between the two");
    }
    if staircase.sizes.iter().any(|size| *size <= 0.0) {
        let message = format!("{said} has a step of no size");
        part.page.cured(part.at("step"), message, "write sizes above 0; the rule says up and down");
    }
    if let Stop::Trials(trials) = staircase.stop
        && trials > staircase.at_most
    {
        let message =
            format!("{said} stops after {trials} trials, but has at most {}", staircase.at_most);
        part.page.cured(part.at("at_most"), message, format!("write at_most = {trials}"));
    }
}

/// A time in nanoseconds, or a plain number; and whether it is a time.
fn level(field: &Field<'_>) -> Option<(f64, bool)> {
    match field.node.value {
        Value::Text(_) => field.time(DAY * -1, DAY).map(|time| (time.0 as f64, true)),
        _ => field.number().map(|number| (number, false)),
    }
}

/// `"2 down 1 up"`.
fn rule(field: &Field<'_>) -> Option<(u32, u32)> {
    let text = field.text()?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let count = |word: &str| word.parse().ok().filter(|n: &u32| (1..=100).contains(n));
    let read = match words[..] {
        [down, "down", up, "up"] => count(down).zip(count(up)),
        [up, "up", down, "down"] => count(down).zip(count(up)),
        _ => None,
    };
    read.or_else(|| field.wrong("a rule such as \"2 down 1 up\"", "\"2 down 1 up\""))
}

/// `"8 reversals"` or `"40 trials"`.
fn stop(field: &Field<'_>) -> Option<Stop> {
    let text = field.text()?;
    let (count, what) = text.split_once(' ').unwrap_or((&text, ""));
    let count = count.parse().ok().filter(|n: &u32| (1..=100_000).contains(n));
    match (count, what.trim()) {
        (Some(n), "reversals" | "reversal") => Some(Stop::Reversals(n)),
        (Some(n), "trials" | "trial") => Some(Stop::Trials(n)),
        _ => field.wrong("a number of reversals or trials", "\"8 reversals\""),
    }
}

/// `"note C4"`.
fn correct(field: &Field<'_>) -> Option<AnswerCounts> {
    let text = field.text()?;
    let Some(named) = text.strip_prefix("note ") else {
        return field.wrong("which answer is correct", "\"note C4\"");
    };
    match note(named) {
        Ok(note) => Some(AnswerCounts::Note(note)),
        Err(fault) => {
            field.page.fault(field.node.at, &field.path, fault);
            None
        }
    }
}
