//! [`compared`]: conditions of several people beside each other. Sessions, tasks and steps are
//! never joined: each has conditions of its own.

use crate::tables::{Analysis, ConditionRow, Sources};
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::joined::paired;
use chronotap_analysis::statistics::Statistic;
use std::collections::HashMap;

/// A condition of one session, task and step, with the row of each participant.
#[derive(Clone, Debug)]
pub struct Compared<'a> {
    /// The rows: one for each participant.
    pub rows: Vec<&'a ConditionRow>,
}

/// A mean, and its interval where it has one.
pub type MeanFound = (f64, Option<Estimate>);

/// Everything that can be compared: whole trials, and stretches that nothing paces. In the order of
/// sessions, tasks, steps and levels.
pub fn compared<'a>(sources: &Sources, analysis: &'a Analysis) -> Vec<Compared<'a>> {
    let mut places = HashMap::new();
    let mut groups: Vec<Compared<'a>> = Vec::new();
    let shown = |row: &&ConditionRow| row.stretch.is_none() || row.against.is_none();
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
    pub fn values(&self, of: &Statistic) -> Vec<(Option<&'a str>, f64)> {
        let value = |row: &&'a ConditionRow| Some((row.who[0].as_deref(), row.of(of).mean?));
        self.rows.iter().filter_map(value).collect()
    }

    /// The mean over participants, with its interval on the measure's scale.
    pub fn mean(&self, of: &Statistic) -> Option<MeanFound> {
        let values: Vec<f64> = self.values(of).into_iter().map(|(_, value)| value).collect();
        of.scale().mean(&values)
    }

    /// How much more this is than another condition in the same people, and how many they are. What
    /// people differ by altogether is not in it.
    pub fn less(&self, other: &Compared<'_>, of: &Statistic) -> Option<(usize, MeanFound)> {
        let theirs: HashMap<Option<&str>, f64> = other.values(of).into_iter().collect();
        let pair = |(who, value): (Option<&'a str>, f64)| Some((*theirs.get(&who)?, value));
        let pairs: Vec<(f64, f64)> = self.values(of).into_iter().filter_map(pair).collect();
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
            let has = |row: &&ConditionRow| other.rows.iter().any(|one| one.who[0] == row.who[0]);
            self.rows.iter().filter(|row| has(row)).count() > 1
        };
        let first = all.iter().find(|other| of(other) == of(self) && shares(other))?;
        (first.rows[0].levels != self.rows[0].levels).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_analysis::no_estimate::NoEstimate;

    fn condition(who: &str, level: &str) -> ConditionRow {
        ConditionRow {
            who: [Some(who.to_owned()), None, None, None],
            levels: vec![Some(level.to_owned())],
            input: "pad".into(),
            against: None,
            stretch: None,
            trials: 1,
            means: Vec::new(),
            directions: None,
            alpha: Err(NoEstimate::NothingVaries("taps")),
        }
    }

    /// Whether the second of two conditions is compared within these people.
    fn is_within(first: [&str; 2], second: [&str; 2]) -> bool {
        let rows =
            [first.map(|who| condition(who, "fast")), second.map(|who| condition(who, "slow"))];
        let groups: Vec<Compared<'_>> =
            rows.iter().map(|rows| Compared { rows: rows.iter().collect() }).collect();
        groups[1].first_within(&groups).is_some()
    }

    #[test]
    fn conditions_of_the_same_people_are_compared_within_them_and_those_of_others_are_not() {
        assert!(is_within(["01", "02"], ["01", "02"]));
        assert!(!is_within(["01", "02"], ["03", "04"]), "a factor between people");
        assert!(!is_within(["01", "02"], ["02", "03"]), "one of them alone");
    }
}
