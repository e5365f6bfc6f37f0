//! What people did: factors and their levels, within or between them, trials of each condition, the order.

use super::{Told, either, ran, staircases};
use crate::trials::words::{counted, in_order, number};
use chronotap_core::time::Nanos;
use chronotap_design::{
    Constraint, Criterion, Doing, NumberComparison, Order, Step, TrialTest, Trials,
};
use std::collections::{BTreeMap, BTreeSet};

/// Most levels of a factor that are told one by one.
const LEVELS: usize = 12;

pub(super) fn sentences(told: &Told<'_>) -> Vec<String> {
    let mut said = vec![amount(told)];
    said.extend(ran::beats(told));
    said.extend(factors(told));
    said.extend(cells(told));
    said.extend(ran::groups(told));
    said.extend(ran::sessions(told));
    said.extend(ran::languages(told));
    let steps = told.of.study.iter().flat_map(|study| &study.steps);
    let steps: Vec<(&Step, &Trials)> = steps
        .filter_map(|step| match &step.doing {
            Doing::Trials(trials) => Some((step, &**trials)),
            _ => None,
        })
        .collect();
    said.extend(steps.iter().flat_map(|(step, trials)| of_step(told, step, trials)));
    if told.of.study.is_none() && told.of.sources.dataset.is_some() {
        said.push("In which order the trials were planned is not known from these data.".into());
    }
    said
}

/// How many trials there were, of which length.
fn amount(told: &Told<'_>) -> String {
    let seconds: f64 = told.all.iter().map(|(_, course)| course.length_s).sum();
    let average = if told.all.len() > 1 { " on average" } else { "" };
    format!(
        "The analysis has {} of {} s{average}{}.",
        counted(told.all.len(), "trial"),
        number(seconds / told.all.len() as f64, 1),
        sessions(told)
    )
}

/// In how many sessions of each participant the trials are that are used; nothing of one.
fn sessions(told: &Told<'_>) -> String {
    let mut of: BTreeMap<Option<&str>, BTreeSet<&str>> = BTreeMap::new();
    for (at, _) in &told.all {
        let trial = &told.of.sources.trials[*at];
        of.entry(trial.participant.as_deref()).or_default().extend(trial.session.as_deref());
    }
    let counts: Vec<usize> = of.values().map(BTreeSet::len).collect();
    match (counts.iter().min(), counts.iter().max()) {
        (None, _) | (_, None | Some(0 | 1)) => String::new(),
        (Some(least), Some(most)) if least == most => {
            format!(" in {most} sessions of each participant")
        }
        (Some(least), Some(most)) => format!(" in {least} to {most} sessions of a participant"),
    }
}

/// Each factor with its levels, within or between people; none whose levels follow from those of another one.
fn factors(told: &Told<'_>) -> Vec<String> {
    let sources = told.of.sources;
    let outcome = told.of.study.as_ref().and_then(|study| study.outcome());
    let stated = |place: &usize| {
        let name = &sources.factors[*place];
        let of = outcome.map(|of| [&of.over, &of.by].into_iter().flatten().any(|one| one == name));
        of != Some(true)
    };
    let mut places: Vec<usize> = (0..sources.factors.len()).collect();
    places.sort_by_key(stated);
    let mut kept: Vec<usize> = Vec::new();
    for place in places {
        if kept.is_empty() || !follows(told, &kept, place) {
            kept.push(place);
        }
    }
    kept.sort_unstable();
    let all: Vec<String> = kept.into_iter().filter_map(|place| factor(told, place)).collect();
    match &all[..] {
        [] => Vec::new(),
        [one] => vec![format!("The factor was {one}.")],
        some => vec![format!("The factors were {}.", either(some, "and"))],
    }
}

/// The level of a trial in a factor.
fn level<'t>(told: &'t Told<'_>, trial: usize, factor: usize) -> Option<&'t str> {
    told.of.sources.trials[trial].levels.get(factor).and_then(Option::as_deref)
}

/// Whether the level of a factor is always the same where those of others are.
fn follows(told: &Told<'_>, from: &[usize], place: usize) -> bool {
    let mut of: BTreeMap<Vec<Option<&str>>, Option<&str>> = BTreeMap::new();
    told.main().all(|(at, _)| {
        let key = from.iter().map(|factor| level(told, *at, *factor)).collect();
        let own = level(told, *at, place);
        *of.entry(key).or_insert(own) == own
    })
}

/// A factor, where it has several levels.
fn factor(told: &Told<'_>, place: usize) -> Option<String> {
    let sources = told.of.sources;
    let mut of: BTreeMap<Option<&str>, BTreeSet<&str>> = BTreeMap::new();
    for (at, _) in told.main() {
        let who = sources.trials[*at].participant.as_deref();
        of.entry(who).or_default().extend(level(told, *at, place));
    }
    let mut levels: Vec<&str> = of.values().flatten().copied().collect();
    levels.sort_by(|a, b| in_order(a).cmp(&in_order(b)));
    levels.dedup();
    let stated = sources.stated.get(place);
    levels.sort_by_key(|level| stated.and_then(|all| all.iter().position(|one| one == level)));
    let within = of.values().any(|own| own.len() > 1);
    let how = if within { "within participants" } else { "between participants" };
    let name = &sources.factors[place];
    (levels.len() > 1).then(|| format!("{name} ({}; {how})", listed(&levels)))
}

fn listed(levels: &[&str]) -> String {
    match levels {
        [first, .., last] if levels.len() > LEVELS => {
            format!("{} levels, {first} to {last}", levels.len())
        }
        some => some.join(", "),
    }
}

/// How many trials each participant has in each condition.
fn cells(told: &Told<'_>) -> Option<String> {
    let sources = told.of.sources;
    let mut counts: BTreeMap<(Option<&str>, &[Option<String>]), usize> = BTreeMap::new();
    for (at, _) in told.main() {
        let trial = &sources.trials[*at];
        if trial.levels.iter().any(Option::is_some) {
            *counts.entry((trial.participant.as_deref(), &trial.levels)).or_default() += 1;
        }
    }
    let conditions: BTreeSet<&[Option<String>]> =
        counts.keys().map(|(_, levels)| *levels).collect();
    let (least, most) = (counts.values().min()?, counts.values().max()?);
    let trials = match least == most {
        true => counted(*least, "trial"),
        false => format!("{least} to {most} trials"),
    };
    Some(format!(
        "There were {}, with {trials} of each participant in each that they had.",
        counted(conditions.len(), "condition")
    ))
}

fn of_step(told: &Told<'_>, step: &Step, trials: &Trials) -> Vec<String> {
    let name = &step.name;
    let done = told.of.sources.trials.iter().any(|trial| trial.place[1].as_ref() == Some(name));
    if !done {
        return Vec::new();
    }
    if let Some(practice) = &trials.practice {
        return vec![ran::practice(told, name, practice, &criterion(&practice.until))];
    }
    if !trials.staircases.is_empty() {
        let climbed = staircases::sentences(told, name, &trials.staircases);
        return climbed.into_iter().chain(ran::between(told, name, trials)).collect();
    }
    let mut said: Vec<String> =
        if trials.conditions { vec![order(name, trials)] } else { Vec::new() };
    said.extend(ran::broken(told, name, trials));
    said.extend(ran::between(told, name, trials));
    said.extend(trials.redo.as_ref().map(|redo| {
        let why: Vec<String> = redo.if_any.iter().map(test).collect();
        format!(
            "A trial of {name} was to be repeated, at most {}, if {}.",
            if redo.at_most == 1 { "once".to_owned() } else { format!("{} times", redo.at_most) },
            either(&why, "or")
        )
    }));
    said
}

fn order(name: &str, trials: &Trials) -> String {
    let constraints: Vec<String> = trials.constraints.iter().map(constraint).collect();
    let constraints = match &constraints[..] {
        [] => String::new(),
        some => format!(", {}", some.join(" and ")),
    };
    let own = ordered(&trials.order);
    let blocks = trials.blocks.as_ref().map(|blocks| {
        format!(", in blocks of equal {}; the blocks {}", blocks.by, ordered(&blocks.order))
    });
    let within = if blocks.is_some() { " within a block" } else { "" };
    let blocks = blocks.unwrap_or_default();
    format!("The conditions of {name} were planned {own}{within}{constraints}{blocks}.")
}

fn ordered(of: &Order) -> &'static str {
    match of {
        Order::Shuffle => "in random order",
        Order::ShuffleEach => "in random order, drawn anew for each repetition",
        Order::Latin => "in the order of a row of a cyclic Latin square",
        Order::Williams => {
            "in the order of a row of a Williams square, where each condition follows each other one equally often"
        }
        Order::File => "in a fixed order",
        Order::By { .. } => "in the order that belongs to a group or session",
    }
}

fn constraint(of: &Constraint) -> String {
    match of {
        Constraint::AtMostInARow { factor, n } => {
            format!("with at most {n} trials of equal {factor} one after another")
        }
        Constraint::NotFirst { factor, .. } => format!("some levels of {factor} never first"),
        Constraint::Apart { factor, n } => {
            format!(
                "with equal levels of {factor} at least {} apart",
                counted(*n as usize, "trial")
            )
        }
    }
}

fn criterion(of: &Criterion) -> String {
    match of {
        Criterion::Hits { hits, of, within } => {
            format!("{hits} of the last {of} beats of a trial had a tap within {} ms", ms(*within))
        }
        Criterion::All(tests) => either(&tests.iter().map(test).collect::<Vec<_>>(), "and"),
    }
}

fn ms(time: Nanos) -> String {
    format!("{}", time.as_millis_f64())
}

fn test(of: &TrialTest) -> String {
    match of {
        TrialTest::TimingFailed => "its tones were late beyond the limit".into(),
        TrialTest::DataUnusable => "its data could not be used".into(),
        TrialTest::InputLost => "a device was lost".into(),
        TrialTest::Compare { measure, comparison, written, value } => {
            let unit = written.split(|c: char| c.is_ascii_digit()).next_back().unwrap_or_default();
            let unit =
                if unit.trim().is_empty() { String::new() } else { format!(" {}", unit.trim()) };
            let how = match comparison {
                NumberComparison::Below => "was below",
                NumberComparison::AtMost => "was at most",
                NumberComparison::Above => "was above",
                NumberComparison::AtLeast => "was at least",
                NumberComparison::Equal => "was",
            };
            let of = measure.input.as_ref().map_or(String::new(), |input| format!(" of {input}"));
            let what = match measure.known.name {
                "taps" => "the number of taps",
                name => name,
            };
            let value = if unit == " %" { (value * 1e8).round() / 1e6 } else { *value };
            format!("{what}{of} {how} {value}{unit}")
        }
    }
}
