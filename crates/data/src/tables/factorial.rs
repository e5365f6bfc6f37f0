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
    /// How many sessions each person's trials are of, where there are several.
    pub sessions: Option<usize>,
    /// People who have not every cell that others have; their points are there, but they are in no mean.
    pub incomplete: Vec<String>,
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
    /// what another one means does not, nor do items of which each belongs to one cell or to a few.
    fn crosses(&self, chosen: &[Varied], factor: &Varied) -> bool {
        let own: Vec<&Varied> = chosen.iter().collect();
        let with = self.count(&[&own[..], &[factor]].concat());
        let adds = with > self.count(&own) && with > self.count(&[factor]);
        let all: usize = own.iter().map(|one| one.levels.len()).product();
        chosen.is_empty() || adds && 2 * with > all * factor.levels.len()
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
        self.trials()
            .map(levels)
            .filter(|cell| cell.iter().all(Option::is_some))
            .collect::<BTreeSet<_>>()
            .len()
    }

    /// The unit, and each person's value in each cell: the mean over their conditions, as in the sentence.
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
        let outcome = Outcome {
            over: Some(CELL.to_owned()),
            by: None,
            signal: None,
            also: Vec::new(),
            ..self.outcome.clone()
        };
        let Some(found) = outcome_of(outcome, &sources, self.analysis)? else {
            return Ok((String::new(), Vec::new()));
        };
        let mut people: Vec<OfPerson> = Vec::new();
        for row in &found.rows {
            let Some(at) = row.level.as_deref().and_then(|cell| at(chosen, cell)) else { continue };
            let place = people.iter().position(|one| one.participant == row.participant);
            let place = place.unwrap_or_else(|| {
                let (participant, values) = (row.participant.clone(), BTreeMap::new());
                people.push(OfPerson { participant, values });
                people.len() - 1
            });
            people[place].values.insert(at, row.value);
        }
        Ok((found.unit, people))
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
    let place =
        |(level, factor): (&str, &Varied)| factor.levels.iter().position(|one| one == level);
    cell.split(AND).zip(chosen).map(place).collect()
}

/// The means of the cells, which intervals they have, and who is in none.
fn cells(chosen: &[Varied], people: &[OfPerson]) -> (Vec<Cell>, Intervals, Vec<String>) {
    let between: Vec<usize> = (0..chosen.len()).filter(|factor| chosen[*factor].between).collect();
    let group = |person: &OfPerson| {
        let first = person.values.keys().next()?;
        Some(between.iter().map(|factor| first[*factor]).collect::<Vec<usize>>())
    };
    let mut groups: BTreeMap<Vec<usize>, Vec<&OfPerson>> = BTreeMap::new();
    for person in people {
        groups
            .extend(group(person).filter(|of| !groups.contains_key(of)).map(|of| (of, Vec::new())));
        if let Some(own) = group(person).and_then(|of| groups.get_mut(&of)) {
            own.push(person);
        }
    }
    let repeated = |group: &[&OfPerson]| group.iter().any(|person| person.values.len() > 1);
    let split: Vec<Complete<'_>> = groups.values().map(|group| Complete::of(group)).collect();
    let most = |group: &Complete<'_>| group.people.len() >= group.incomplete.len();
    let all_within = split.iter().all(|group| most(group) && group.people.len() > 1);
    let mut found: Vec<Cell>;
    let (intervals, incomplete);
    if all_within && groups.values().any(|group| repeated(group)) {
        found = split.iter().flat_map(Complete::cells).collect();
        let most = split.iter().map(|group| group.cells.len()).max().unwrap_or(0);
        intervals = Intervals::Within { cells: most, groups: split.len() > 1 };
        let lack = split.iter().flat_map(|group| &group.incomplete);
        incomplete = lack.map(|one| one.participant.clone().unwrap_or_default()).collect();
    } else {
        found = alone(people);
        let one = found.iter().all(|cell| cell.interval.is_none());
        (intervals, incomplete) =
            (if one { Intervals::None } else { Intervals::Student }, Vec::new());
    }
    found.sort_by(|a, b| a.at.cmp(&b.at));
    (found, intervals, incomplete)
}

/// The people of a group who have every cell that anybody of it has.
struct Complete<'a> {
    cells: Vec<Vec<usize>>,
    people: Vec<&'a OfPerson>,
    /// The others.
    incomplete: Vec<&'a OfPerson>,
}

impl<'a> Complete<'a> {
    fn of(group: &[&'a OfPerson]) -> Complete<'a> {
        let cells: BTreeSet<&Vec<usize>> = group.iter().flat_map(|one| one.values.keys()).collect();
        let has_all = |one: &&OfPerson| one.values.len() == cells.len();
        let (people, incomplete) = group.iter().copied().partition(has_all);
        Complete { cells: cells.into_iter().cloned().collect(), people, incomplete }
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

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot be set up has failed
mod tests {
    use super::*;

    fn varied(name: &str, levels: &[&str], between: bool) -> Varied {
        let levels: Vec<String> = levels.iter().map(|level| (*level).to_owned()).collect();
        Varied { name: name.to_owned(), numbers: numbers(&levels), levels, between }
    }

    /// People who each have the cells at these places of the first factor, in this group.
    fn person(group: usize, values: &[(usize, f64)]) -> OfPerson {
        let values = values.iter().map(|(level, value)| (vec![*level, group], *value)).collect();
        OfPerson { participant: None, values }
    }

    fn near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-6, "{found} is not {wanted}");
    }

    fn reach(cell: &Cell) -> f64 {
        let interval = cell.interval.unwrap();
        (interval.high - interval.low) / 2.0
    }

    /// Normalised within each group, by Python:
    ///
    /// ```python
    /// for y in [[[1, 3], [4, 5], [2, 7]], [[10, 30], [20, 30]]]:
    ///     n, t = len(y), {3: 4.302652729749464, 2: 12.706204736174698}[len(y)]
    ///     z = [[v - sum(r) / 2 + sum(map(sum, y)) / (2 * n) for v in r] for r in y]
    ///     for j in range(2):
    ///         reach = t * statistics.stdev(r[j] for r in z) / math.sqrt(n) * math.sqrt(2)
    ///         print(sum(r[j] for r in y) / n, reach)
    /// ```
    #[test]
    fn a_mixed_design_is_normalised_within_each_group() {
        let chosen =
            [varied("delay", &["0 ms", "50 ms"], false), varied("group", &["young", "old"], true)];
        let people = [
            person(0, &[(0, 1.0), (1, 3.0)]),
            person(0, &[(0, 4.0), (1, 5.0)]),
            person(0, &[(0, 2.0), (1, 7.0)]),
            person(1, &[(0, 10.0), (1, 30.0)]),
            person(1, &[(0, 20.0), (1, 30.0)]),
        ];
        let (cells, intervals, incomplete) = cells(&chosen, &people);
        assert_eq!(
            (intervals, incomplete),
            (Intervals::Within { cells: 2, groups: true }, Vec::new())
        );
        let wanted = [
            ([0, 0], 7.0 / 3.0, 3.656_552),
            ([0, 1], 15.0, 44.923_218),
            ([1, 0], 5.0, 3.656_552),
            ([1, 1], 30.0, 44.923_218),
        ];
        for (cell, (at, mean, half)) in cells.iter().zip(wanted) {
            assert_eq!(cell.at, at);
            near(cell.mean, mean);
            near(reach(cell), half);
        }
    }

    /// Groups of 1, 3, 5 and of 2, 8: t(2) = 4.302653 × 2/√3 and t(1) = 12.706205 × √18/√2.
    #[test]
    fn between_people_each_mean_has_students_interval() {
        let chosen = [varied("group", &["young", "old"], true)];
        let person = |group, value| OfPerson {
            participant: None,
            values: BTreeMap::from([(vec![group], value)]),
        };
        let people =
            [person(0, 1.0), person(0, 3.0), person(0, 5.0), person(1, 2.0), person(1, 8.0)];
        let (cells, intervals, _) = cells(&chosen, &people);
        assert_eq!(intervals, Intervals::Student);
        near(reach(&cells[0]), 4.302_652_73 * 2.0 / 3.0_f64.sqrt());
        near(reach(&cells[1]), 12.706_204_736 * 3.0);
        assert_eq!((cells[0].mean, cells[1].mean, cells[1].people), (3.0, 5.0, 2));
    }

    /// The third person lacks a cell: the means are 1.5 and 3.5, not 11 and 3.5.
    #[test]
    fn who_lacks_a_cell_is_in_no_mean_unless_most_do() {
        let chosen = [varied("delay", &["0 ms", "50 ms"], false), varied("x", &["a"], true)];
        let two = [person(0, &[(0, 1.0), (1, 3.0)]), person(0, &[(0, 2.0), (1, 4.0)])];
        let alone = OfPerson { participant: Some("sub-03".into()), ..person(0, &[(0, 30.0)]) };
        let all = [&two[..], &[alone]].concat();
        let (means, intervals, incomplete) = cells(&chosen, &all);
        assert_eq!((means[0].mean, means[1].mean), (1.5, 3.5));
        assert_eq!(incomplete, ["sub-03"]);
        assert_eq!(intervals, Intervals::Within { cells: 2, groups: false });
        let few = [&two[..1], &[person(0, &[(0, 30.0)]), person(0, &[(1, 5.0)])]].concat();
        let (means, intervals, incomplete) = cells(&chosen, &few);
        assert_eq!((means[0].mean, means[1].mean, incomplete.len()), (15.5, 4.0, 0));
        assert_eq!(intervals, Intervals::Student);
        let (means, intervals, _) = cells(&chosen, &two[..1]);
        assert_eq!((means.len(), intervals), (2, Intervals::None));
    }

    #[test]
    fn numbers_of_three_levels_lie_along_the_axis_and_lines_and_panels_have_room() {
        let many: Vec<String> = (0..9).map(|n| format!("w{n}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let names = |factors: Vec<Varied>| -> Vec<String> {
            placed(factors).into_iter().map(|factor| factor.name).collect()
        };
        let [hand, delay, word, pair] = [
            varied("hand", &["left", "right"], false),
            varied("delay", &["0 ms", "50 ms", "200 ms"], false),
            varied("word", &many, false),
            varied("pair", &["1", "2"], false),
        ];
        assert_eq!(
            names(vec![hand.clone(), word.clone(), delay.clone()]),
            ["delay", "hand", "word"]
        );
        assert_eq!(names(vec![hand.clone(), pair.clone()]), ["pair", "hand"]);
        assert_eq!(names(vec![word.clone(), word.clone()]), ["word"], "nine lines are too many");
        assert_eq!(delay.numbers, Some((vec![0.0, 50.0, 200.0], "ms")));
        assert_eq!(hand.numbers, None);
    }
}
