//! [`Factorial`]: a number of each person in each cell of a design of up to three factors, the mean of each
//! cell over people, and its interval: what a figure of the design shows.

use crate::tables::quantity::quantities;
use crate::tables::{Analysis, Outcome, Source, Sources, TablesError, natural, outcome_of};
use chronotap_analysis::estimate::{Estimate, of_mean};
use chronotap_analysis::within::within;
use std::collections::{BTreeMap, BTreeSet};

/// Most factors of a figure: its axis, its lines, its panels.
const MOST_FACTORS: usize = 3;
/// Most levels that lines are told apart by.
const MOST_LINES: usize = 6;
/// Most panels.
const MOST_PANELS: usize = 9;

/// What a design came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Factorial {
    pub outcome: Outcome,
    /// The unit of the values; empty where they have none.
    pub unit: String,
    /// The factor of the axis, that of the lines, that of the panels.
    pub factors: Vec<Varied>,
    /// In the order of the levels; cells that nobody had are not there.
    pub cells: Vec<Cell>,
    pub people: Vec<OfPerson>,
    pub intervals: Intervals,
    /// Factors over which each person's values are averaged.
    pub averaged: Vec<String>,
    /// How many sessions each person's values are averaged over, where there are several.
    pub sessions: Option<usize>,
    /// People who have not every cell that others have; their points are there, but they are in no mean.
    pub incomplete: usize,
}

/// A factor of the figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Varied {
    pub name: String,
    /// In the order of the study.
    pub levels: Vec<String>,
    /// The numbers that the levels are, and their unit, where they are numbers.
    pub numbers: Option<(Vec<f64>, &'static str)>,
    /// Whether people have one level each.
    pub between: bool,
}

/// A mean over people. A place is that of a level, for each factor.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    pub at: Vec<usize>,
    pub mean: f64,
    /// `None` of one person.
    pub interval: Option<Estimate>,
    pub people: usize,
}

/// The values of a person.
#[derive(Clone, Debug, PartialEq)]
pub struct OfPerson {
    /// As in participants.tsv.
    pub participant: Option<String>,
    /// By the places of the cells.
    pub values: BTreeMap<Vec<usize>, f64>,
}

/// Which intervals the cells have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intervals {
    /// Of the same people's values in so many cells (Cousineau, 2005; Morey, 2008), within each group of people
    /// where a factor is between people too.
    Within { cells: usize, groups: bool },
    /// Student's, of each cell by itself.
    Student,
    /// None: there is one person.
    None,
}

/// What the factors of a study did to a number of each person; `None` where fewer than two levels have values.
/// Trials of these steps are left out (practice), where the outcome names no step.
///
/// # Errors
/// [`TablesError`] where a table of the dataset cannot be read.
pub fn factorial(
    outcome: &Outcome,
    practice: &[String],
    sources: &Sources,
    analysis: &Analysis,
) -> Result<Option<Factorial>, TablesError> {
    let design = Design { outcome, practice, sources, analysis };
    let chosen = design.chosen();
    if chosen.is_empty() {
        return Ok(None);
    }
    let (unit, people) = design.people(&chosen)?;
    Ok(design.found(&chosen, unit, people))
}

struct Design<'a> {
    outcome: &'a Outcome,
    practice: &'a [String],
    sources: &'a Sources,
    analysis: &'a Analysis,
}

/// What stands for the cell of a trial among the factors: no factor is called so.
const CELL: &str = "\u{1}cell";
/// What parts the levels in its name.
const AND: char = '\u{1f}';

impl Design<'_> {
    /// The trials of the figure.
    fn trials(&self) -> impl Iterator<Item = &Source> {
        let used = self.sources.trials.iter().enumerate().filter(|(at, _)| self.analysis.used[*at]);
        used.map(|(_, trial)| trial).filter(|trial| self.has(trial))
    }

    fn has(&self, trial: &Source) -> bool {
        let step = &trial.place[1];
        match &self.outcome.step {
            Some(_) => self.outcome.step == *step,
            None => !step.as_ref().is_some_and(|step| self.practice.contains(step)),
        }
    }

    /// The level of a trial; `step` and `session` are factors where the outcome is over them.
    fn level<'t>(&self, trial: &'t Source, factor: &str) -> Option<&'t str> {
        match factor {
            "step" if self.is_over("step") => trial.place[1].as_deref(),
            "session" if self.is_over("session") => trial.session.as_deref(),
            _ => {
                let place = self.sources.factors.iter().position(|name| name == factor)?;
                trial.levels.get(place)?.as_deref()
            }
        }
    }

    fn is_over(&self, what: &str) -> bool {
        [&self.outcome.over, &self.outcome.by].iter().any(|of| of.as_deref() == Some(what))
    }

    /// The factors of the figure: those of the outcome, then those of most levels; none that follows from
    /// others (a column of a table of conditions that says what another one means).
    fn chosen(&self) -> Vec<Varied> {
        let mut all = self.varied();
        all.sort_by_key(|factor| {
            let stated = [&self.outcome.over, &self.outcome.by];
            let named = stated.iter().position(|of| of.as_ref() == Some(&factor.name));
            (named.unwrap_or(stated.len()), importance(factor))
        });
        let mut chosen: Vec<Varied> = Vec::new();
        for factor in all {
            if chosen.len() < MOST_FACTORS && self.crosses(&chosen, &factor) {
                chosen.push(factor);
            }
        }
        placed(chosen)
    }

    /// Whether a factor varies within the cells of others, and they within its levels: a column that says
    /// what another one means does not, nor do items of which each belongs to one cell.
    fn crosses(&self, chosen: &[Varied], factor: &Varied) -> bool {
        let own: Vec<&Varied> = chosen.iter().collect();
        let with = self.count(&[&own[..], &[factor]].concat());
        chosen.is_empty() || with > self.count(&own) && with > self.count(&[factor])
    }

    /// The factors that vary between these trials.
    fn varied(&self) -> Vec<Varied> {
        let own = ["step", "session"].into_iter().filter(|of| self.is_over(of));
        let names = own.chain(self.sources.factors.iter().map(String::as_str));
        names.filter_map(|name| self.factor(name)).collect()
    }

    fn factor(&self, name: &str) -> Option<Varied> {
        let mut people: BTreeMap<Option<&str>, BTreeSet<&str>> = BTreeMap::new();
        let mut levels: Vec<String> = Vec::new();
        for trial in self.trials() {
            let Some(level) = self.level(trial, name) else { continue };
            people.entry(trial.participant.as_deref()).or_default().insert(level);
            if !levels.iter().any(|one| one == level) {
                levels.push(level.to_owned());
            }
        }
        self.sort(name, &mut levels);
        let numbers = numbers(&levels);
        let between = people.values().all(|levels| levels.len() < 2);
        (levels.len() > 1).then(|| Varied { name: name.to_owned(), levels, numbers, between })
    }

    /// In the order of the study; steps as they come.
    fn sort(&self, name: &str, levels: &mut [String]) {
        if name == "step" {
            return;
        }
        let place = self.sources.factors.iter().position(|factor| factor == name);
        let stated = place.and_then(|place| self.sources.stated.get(place));
        let stated = |level: &String| stated?.iter().position(|one| one == level);
        levels.sort_by(|a, b| natural(a).cmp(&natural(b)));
        levels.sort_by_key(|level| stated(level).unwrap_or(usize::MAX));
    }

    /// How many cells these factors make.
    fn count(&self, factors: &[&Varied]) -> usize {
        let levels = |trial| factors.iter().map(|f| self.level(trial, &f.name)).collect::<Vec<_>>();
        self.trials().map(levels).filter(|cell| cell.iter().all(Option::is_some)).collect::<BTreeSet<_>>().len()
    }

    /// The unit, and each person's value in each cell: the mean over trials, then over sessions.
    fn people(&self, chosen: &[Varied]) -> Result<(String, Vec<OfPerson>), TablesError> {
        let mut sources = self.sources.clone();
        let place = sources.factors.len();
        sources.factors.push(CELL.to_owned());
        for trial in &mut sources.trials {
            let levels = chosen.iter().map(|factor| self.level(trial, &factor.name));
            let cell: Option<Vec<&str>> = levels.collect();
            let cell = cell.filter(|_| self.has(trial)).map(|cell| cell.join(&AND.to_string()));
            trial.levels.resize(place, None);
            trial.levels.push(cell);
        }
        let by = self.trials().all(|trial| trial.session.is_some()).then(|| "session".to_owned());
        let outcome = Outcome {
            over: Some(CELL.to_owned()),
            by,
            signal: None,
            also: Vec::new(),
            ..self.outcome.clone()
        };
        let Some(found) = outcome_of(outcome, &sources, self.analysis)? else {
            return Ok((String::new(), Vec::new()));
        };
        let mut sums: Vec<(Option<String>, BTreeMap<Vec<usize>, (f64, usize)>)> = Vec::new();
        for row in &found.rows {
            let Some(at) = row.level.as_deref().and_then(|cell| at(chosen, cell)) else { continue };
            let place = sums.iter().position(|(who, _)| *who == row.participant);
            let place = place.unwrap_or_else(|| {
                sums.push((row.participant.clone(), BTreeMap::new()));
                sums.len() - 1
            });
            let sum = sums[place].1.entry(at).or_default();
            *sum = (sum.0 + row.value, sum.1 + 1);
        }
        let mean = |(at, (sum, count)): (Vec<usize>, (f64, usize))| (at, sum / count as f64);
        let person = |(participant, sums): (Option<String>, BTreeMap<Vec<usize>, (f64, usize)>)| {
            OfPerson { participant, values: sums.into_iter().map(mean).collect() }
        };
        Ok((found.unit, sums.into_iter().map(person).collect()))
    }

    fn found(&self, chosen: &[Varied], unit: String, people: Vec<OfPerson>) -> Option<Factorial> {
        let (cells, intervals, incomplete) = cells(chosen, &people);
        let sessions: BTreeSet<&str> =
            self.trials().filter_map(|trial| trial.session.as_deref()).collect();
        let apart = self.is_over("session");
        (cells.len() > 1).then(|| Factorial {
            outcome: self.outcome.clone(),
            unit,
            cells,
            intervals,
            incomplete,
            averaged: self.averaged(chosen),
            sessions: Some(sessions.len()).filter(|count| *count > 1 && !apart),
            people,
            factors: chosen.to_vec(),
        })
    }

    /// The factors that are neither in the figure nor follow from those that are.
    fn averaged(&self, chosen: &[Varied]) -> Vec<String> {
        let chosen: Vec<&Varied> = chosen.iter().collect();
        let own = self.count(&chosen);
        let adds = |factor: &Varied| {
            self.count(&chosen.iter().copied().chain([factor]).collect::<Vec<_>>()) > own
        };
        self.varied().into_iter().filter(adds).map(|factor| factor.name).collect()
    }
}

/// What stands first: numbers of three levels or more, then most levels.
fn importance(factor: &Varied) -> (bool, std::cmp::Reverse<usize>, bool) {
    let is_scale = factor.numbers.is_some() && factor.levels.len() > 2;
    (!is_scale, std::cmp::Reverse(factor.levels.len()), factor.numbers.is_none())
}

/// The axis first, then what lines and panels have room for; what has none is left to be averaged over.
fn placed(mut factors: Vec<Varied>) -> Vec<Varied> {
    factors.sort_by_key(importance);
    let axis = factors.drain(..factors.len().min(1));
    let mut placed: Vec<Varied> = axis.collect();
    let line = factors.iter().position(|factor| factor.levels.len() <= MOST_LINES);
    placed.extend(line.map(|line| factors.remove(line)));
    if placed.len() > 1 {
        placed.extend(factors.into_iter().find(|factor| factor.levels.len() <= MOST_PANELS));
    }
    placed
}

/// The numbers that all levels are, and their unit.
fn numbers(levels: &[String]) -> Option<(Vec<f64>, &'static str)> {
    let quantity = quantities(&["level".to_owned()], |_| levels.iter().map(String::as_str)).pop();
    let number = |level: &String| match &quantity {
        Some(quantity) => quantity.of(Some(level)),
        None => level.parse().ok().filter(|number: &f64| number.is_finite()),
    };
    let numbers: Option<Vec<f64>> = levels.iter().map(number).collect();
    Some((numbers?, quantity.map_or("", |quantity| quantity.unit())))
}

/// The place of a cell's level in each factor.
fn at(chosen: &[Varied], cell: &str) -> Option<Vec<usize>> {
    let place = |(level, factor): (&str, &Varied)| factor.levels.iter().position(|one| one == level);
    cell.split(AND).zip(chosen).map(place).collect()
}

/// The means of the cells, which intervals they have, and how many people are in none.
fn cells(chosen: &[Varied], people: &[OfPerson]) -> (Vec<Cell>, Intervals, usize) {
    let between: Vec<usize> =
        (0..chosen.len()).filter(|factor| chosen[*factor].between).collect();
    let group = |person: &OfPerson| {
        let first = person.values.keys().next()?;
        Some(between.iter().map(|factor| first[*factor]).collect::<Vec<usize>>())
    };
    let mut groups: BTreeMap<Vec<usize>, Vec<&OfPerson>> = BTreeMap::new();
    for person in people {
        groups.extend(group(person).filter(|of| !groups.contains_key(of)).map(|of| (of, Vec::new())));
        if let Some(own) = group(person).and_then(|of| groups.get_mut(&of)) {
            own.push(person);
        }
    }
    let repeated = |group: &[&OfPerson]| group.iter().any(|person| person.values.len() > 1);
    let split: Vec<Complete<'_>> = groups.values().map(|group| Complete::of(group)).collect();
    let all_within = split.iter().all(|group| 2 * group.people.len() >= group.of && group.people.len() > 1);
    let mut found: Vec<Cell>;
    let (intervals, incomplete);
    if all_within && groups.values().any(|group| repeated(group)) {
        found = split.iter().flat_map(Complete::cells).collect();
        let most = split.iter().map(|group| group.cells.len()).max().unwrap_or(0);
        intervals = Intervals::Within { cells: most, groups: split.len() > 1 };
        incomplete = split.iter().map(|group| group.of - group.people.len()).sum();
    } else {
        found = alone(people);
        let one = found.iter().all(|cell| cell.interval.is_none());
        (intervals, incomplete) = (if one { Intervals::None } else { Intervals::Student }, 0);
    }
    found.sort_by(|a, b| a.at.cmp(&b.at));
    (found, intervals, incomplete)
}

/// The people of a group who have every cell that anybody of it has.
struct Complete<'a> {
    cells: Vec<Vec<usize>>,
    people: Vec<&'a OfPerson>,
    /// Of how many.
    of: usize,
}

impl<'a> Complete<'a> {
    fn of(group: &[&'a OfPerson]) -> Complete<'a> {
        let cells: BTreeSet<&Vec<usize>> = group.iter().flat_map(|one| one.values.keys()).collect();
        let people = group.iter().copied().filter(|one| one.values.len() == cells.len()).collect();
        Complete { cells: cells.into_iter().cloned().collect(), people, of: group.len() }
    }

    fn cells(&self) -> Vec<Cell> {
        let rows: Vec<Vec<f64>> =
            self.people.iter().map(|person| person.values.values().copied().collect()).collect();
        let found = within(&rows);
        let cell = |(place, at): (usize, &Vec<usize>)| {
            let values: Vec<f64> = rows.iter().map(|row| row[place]).collect();
            let own = || of_mean("people", &values).ok(); // a group of one cell each
            let interval = found.as_ref().map_or_else(|_| own(), |all| Some(all[place]));
            cell(at, &values, interval)
        };
        self.cells.iter().enumerate().map(cell).collect()
    }
}

/// Each cell by itself.
fn alone(people: &[OfPerson]) -> Vec<Cell> {
    let mut values: BTreeMap<&Vec<usize>, Vec<f64>> = BTreeMap::new();
    for (at, value) in people.iter().flat_map(|person| &person.values) {
        values.entry(at).or_default().push(*value);
    }
    values.iter().map(|(at, values)| cell(at, values, of_mean("people", values).ok())).collect()
}

fn cell(at: &[usize], values: &[f64], interval: Option<Estimate>) -> Cell {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    Cell { at: at.to_vec(), mean, interval, people: values.len() }
}
