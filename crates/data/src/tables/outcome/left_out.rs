//! [`LeftOut`]: who has trials in a study and is in none of the numbers that it came to, and what they lack. A
//! person counts once, by the mean over their conditions, so that whoever is not in a mean can be named.

use super::{LevelMean, OutcomeFound, OutcomeRow, grouped};
use crate::tables::Sources;
use std::collections::BTreeSet;
use std::fmt::{Display, Formatter};

/// Somebody who is in no comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// As in participants.tsv.
    pub participant: String,
    /// The levels at which they have no value; empty where they have none at all.
    pub without: Vec<String>,
}

impl Display for LeftOut {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match &self.without[..] {
            [] => write!(f, "{} without a value", self.participant),
            levels => write!(f, "{} without {}", self.participant, levels.join(" and ")),
        }
    }
}

/// So many are named in a sentence.
const NAMED: usize = 6;

/// The same of several, in a sentence.
pub fn named(all: &[LeftOut]) -> String {
    let said: Vec<String> = all.iter().take(NAMED).map(ToString::to_string).collect();
    match all.len().saturating_sub(NAMED) {
        0 => said.join(", "),
        more => format!("{} and {more} more", said.join(", ")),
    }
}

/// Everybody with a trial that has no value among these people.
pub(super) fn without_value<'a>(
    sources: &Sources,
    with: impl Iterator<Item = Option<&'a str>>,
) -> Vec<LeftOut> {
    let with: BTreeSet<Option<&str>> = with.collect();
    let all: BTreeSet<String> =
        sources.trials.iter().filter_map(|trial| trial.participant_id()).collect();
    let none = all.into_iter().filter(|who| !with.contains(&Some(&**who)));
    none.map(|participant| LeftOut { participant, without: Vec::new() }).collect()
}

/// Those of whom a comparison within people misses one of these levels.
pub(super) fn without_level(rows: &[OutcomeRow], levels: &[&LevelMean]) -> Vec<LeftOut> {
    let of = |(participant, rows): (Option<&str>, Vec<&OutcomeRow>)| {
        let misses = |level: &&&LevelMean| !rows.iter().any(|row| row.level == level.name);
        let without: Vec<String> =
            levels.iter().filter(misses).filter_map(|level| level.name.clone()).collect();
        (!without.is_empty())
            .then(|| LeftOut { participant: participant.unwrap_or("?").to_owned(), without })
    };
    grouped(rows, |row| row.participant.as_deref()).into_iter().filter_map(of).collect()
}

/// Those with a value at fewer levels than a line or a curve needs.
pub(super) fn with_too_few(
    rows: &[OutcomeRow],
    levels: &[LevelMean],
    points: usize,
) -> Vec<LeftOut> {
    let lack = without_level(rows, &levels.iter().collect::<Vec<&LevelMean>>());
    lack.into_iter().filter(|one| levels.len() < one.without.len() + points).collect()
}

impl OutcomeFound {
    /// The levels over the same people, and who is in none of their means. Where most people have all levels, these
    /// are they, as in the figure of the design; else each level is of all who have it.
    pub fn of_the_same(&self) -> (Vec<LevelMean>, Vec<LeftOut>) {
        let levels: Vec<&LevelMean> = self.levels.iter().collect();
        let lack = without_level(&self.rows, &levels);
        let people = grouped(&self.rows, |row| row.participant.as_deref());
        let within = people.iter().any(|(_, rows)| rows.len() > 1);
        let complete = people.len() - lack.len();
        if lack.is_empty()
            || !within
            || complete < 2
            || 2 * complete < people.len()
            || self.outcome.by.is_some()
        {
            return (self.levels.clone(), Vec::new());
        }
        let lacks = |row: &&OutcomeRow| {
            lack.iter().any(|one| row.participant.as_ref() == Some(&one.participant))
        };
        let again = |level: &LevelMean| {
            let rows = self.rows.iter().filter(|row| row.level == level.name && !lacks(row));
            LevelMean::of(level.name.clone(), rows.map(|row| row.value).collect())
        };
        (self.levels.iter().map(again).collect(), lack)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot be set up has failed
mod tests {
    use super::super::values::Value;
    use super::super::{Outcome, found};
    use super::*;
    use crate::tables::Source;

    /// Three people at three levels; c has none at 9 ms, and d has a trial without a value.
    fn came() -> OutcomeFound {
        let value = |(who, level, value): (&str, &str, f64)| Value {
            participant: Some(who.to_owned()),
            level: Some(level.to_owned()),
            value,
            ..Value::default()
        };
        let all = [
            ("sub-a", "0 ms", -10.0),
            ("sub-a", "9 ms", -20.0),
            ("sub-b", "0 ms", -20.0),
            ("sub-b", "9 ms", -34.0),
            ("sub-c", "0 ms", -90.0),
        ];
        let trial = |who: &str| Source { participant: Some(who.to_owned()), ..Source::default() };
        let trials = ["a", "b", "c", "d"].map(trial).to_vec();
        let outcome = Outcome {
            of: "mean asynchrony".to_owned(),
            over: Some("delay".to_owned()),
            ..Outcome::default()
        };
        found(outcome, "ms".to_owned(), &all.map(value), &Sources { trials, ..Sources::default() })
    }

    #[test]
    fn who_is_in_no_comparison_is_named_with_what_they_lack() {
        let said = came().to_string();
        let left =
            "(2 people, paired, d_z -4.24; left out: sub-c without 9 ms, sub-d without a value).";
        assert!(said.ends_with(left), "{said}");
    }

    /// The means of a table are of the people of the comparison: -15 and -27, not -40 and -27.
    #[test]
    fn levels_are_of_the_people_who_are_compared() {
        let (levels, lack) = came().of_the_same();
        assert_eq!(levels.iter().map(|level| level.mean).collect::<Vec<_>>(), [-15.0, -27.0]);
        assert_eq!(lack[0].to_string(), "sub-c without 9 ms");
    }

    #[test]
    fn of_many_the_first_are_named() {
        let one = |k: u8| LeftOut { participant: format!("sub-{k}"), without: Vec::new() };
        let said = named(&(1..=8).map(one).collect::<Vec<_>>());
        assert!(said.ends_with("sub-6 without a value and 2 more"), "{said}");
    }
}
