//! [`compared`]: conditions of several people beside each other. Sessions, tasks and steps are
//! never joined: each has conditions of its own.

use crate::measures::place;
use crate::{Analysis, Condition, MEASURES, Sources};
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::joined::paired;
use std::collections::HashMap;

/// A condition of one session, task and step, with the row of each participant.
#[derive(Clone, Debug)]
pub struct Compared<'a> {
    /// The rows: one for each participant.
    pub rows: Vec<&'a Condition>,
}

/// A mean, and its interval where it has one.
pub type Found = (f64, Option<Estimate>);

/// Everything that can be compared: whole trials, and stretches that nothing paces. In the order of
/// sessions, tasks, steps and levels.
pub fn compared<'a>(sources: &Sources, analysis: &'a Analysis) -> Vec<Compared<'a>> {
    let mut places = HashMap::new();
    let mut groups: Vec<Compared<'a>> = Vec::new();
    let shown = |row: &&Condition| row.stretch.is_none() || row.against.is_none();
    for row in analysis.conditions.iter().filter(shown) {
        let key = (&row.who[1..], &row.levels, &row.input, &row.against, &row.stretch);
        let place = *places.entry(key).or_insert_with(|| {
            groups.push(Compared { rows: Vec::new() });
            groups.len() - 1
        });
        groups[place].rows.push(row);
    }
    // Other people's conditions may be others: these are told where they belong.
    let mut steps: HashMap<&[Option<String>], usize> = HashMap::new();
    for group in &groups {
        let next = steps.len();
        steps.entry(&group.rows[0].who[1..]).or_insert(next);
    }
    groups.sort_by(|a, b| {
        let (a, b) = (a.rows[0], b.rows[0]);
        let by_levels = || sources.compare_levels(&a.levels, &b.levels);
        steps[&a.who[1..]].cmp(&steps[&b.who[1..]]).then_with(by_levels)
    });
    groups
}

impl<'a> Compared<'a> {
    /// The participants' means of a measure over their trials, for each who has one.
    pub fn values(&self, name: &str) -> Vec<(Option<&'a str>, f64)> {
        let place = place(name);
        let value = |row: &&'a Condition| Some((row.who[0].as_deref(), row.means[place].mean?));
        self.rows.iter().filter_map(value).collect()
    }

    /// The mean over participants, with its interval on the measure's scale.
    pub fn mean(&self, name: &str) -> Option<Found> {
        let values: Vec<f64> = self.values(name).into_iter().map(|(_, value)| value).collect();
        MEASURES[place(name)].scale().mean(&values)
    }

    /// How much more this is than another condition in the same people, and how many they are. What
    /// people differ by altogether is not in it.
    pub fn less(&self, other: &Compared<'_>, name: &str) -> Option<(usize, Found)> {
        let theirs: HashMap<Option<&str>, f64> = other.values(name).into_iter().collect();
        let pair = |(who, value): (Option<&'a str>, f64)| Some((*theirs.get(&who)?, value));
        let pairs: Vec<(f64, f64)> = self.values(name).into_iter().filter_map(pair).collect();
        Some((pairs.len(), paired(&pairs)?))
    }

    /// The first of these conditions that the same people had in the same place; `None` where that
    /// is this one itself.
    pub fn first_within<'b>(&self, all: &'b [Compared<'a>]) -> Option<&'b Compared<'a>> {
        let of = |group: &Compared<'a>| {
            let row = group.rows[0];
            (&row.who[1..], &row.input, &row.against, &row.stretch)
        };
        let shares = |other: &Compared<'_>| {
            let has = |row: &&Condition| other.rows.iter().any(|one| one.who[0] == row.who[0]);
            self.rows.iter().filter(|row| has(row)).count() > 1
        };
        let first = all.iter().find(|other| of(other) == of(self) && shares(other))?;
        (first.rows[0].levels != self.rows[0].levels).then_some(first)
    }
}
