//! [`Missing`]: why levels that an outcome compares cannot be compared yet, or what else it asks is not answered. The
//! mean of one level is no answer.

use super::{
    LevelMean, Outcome, OutcomeFound, OutcomeQuestion, OutcomeRow, ends, grouped, is_numeric,
    people,
};
use crate::tables::{Source, Sources};
use std::fmt::{Display, Formatter};

/// What a comparison waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// These levels have no value, or there is but one level.
    Levels {
        /// The factor.
        over: String,
        /// Those without values that are named; empty where none is named.
        without: Vec<String>,
        /// Those with values.
        there: Vec<String>,
    },
    /// Levels are compared within people, and one alone has both.
    Both {
        /// The factor.
        over: String,
        /// That which is taken off, and the other.
        levels: [String; 2],
    },
    /// Levels are compared between people, and one has fewer than two.
    Groups {
        /// The factor.
        over: String,
        /// The levels, each with its people.
        levels: [(String, usize); 2],
    },
    /// How levels of one factor differ over another: too few people have what is compared.
    Cells {
        /// Both factors.
        over: [String; 2],
        /// Levels of both that have fewer than two people, where there are such, with how many.
        few: Vec<(String, usize)>,
    },
    /// Fewer than two people have what is held against a value, or enough levels for a line or a curve.
    People {
        /// So many have it.
        count: usize,
        /// The factor and the level at which a value is asked.
        at: Option<[String; 2]>,
        /// At how many levels a person must have a value; 1 where any is enough.
        levels: usize,
    },
    /// The people's mean curve has no bottom, or no top.
    Turn {
        /// The factor.
        over: String,
        /// What is looked for: `least` or `greatest`.
        sought: &'static str,
    },
}

impl OutcomeFound {
    /// Why what it asks is not answered; `None` where it is, or where it compares no levels.
    pub fn missing(&self) -> Option<Missing> {
        if self.outcome.is_answered_apart() {
            return self.answer.is_none().then(|| self.unanswered());
        }
        if self.outcome.asks == OutcomeQuestion::Slope {
            return self.slope.is_none().then(|| self.unanswered());
        }
        let over = self.outcome.over.clone()?;
        if self.contrast.is_some() || self.detection.is_some() || !self.outcome.compares_levels() {
            return None;
        }
        if self.rows.is_empty() {
            return Some(Missing::People { count: 0, at: None, levels: 1 });
        }
        if self.outcome.by.is_some() {
            return self.lack.clone();
        }
        let compared = ends(&self.levels, self.outcome.levels.as_ref());
        match (compared, &self.lack) {
            (Some(ends), None) => Some(few(&self.rows, ends, over)),
            (_, Some(lack)) => Some(lack.clone()),
            (None, None) => Some(without_levels(&self.levels, self.outcome.levels.as_ref(), over)),
        }
    }

    fn unanswered(&self) -> Missing {
        let Outcome { asks, over, level, .. } = &self.outcome;
        let over = over.clone().unwrap_or_default();
        let there = self.levels.iter().filter_map(|level| level.name.as_deref());
        if asks.is_of_numbers() && !self.rows.is_empty() && !is_numeric(there) {
            return without_levels(&self.levels, None, over);
        }
        let has = |rows: &[&OutcomeRow]| match asks.is_of_numbers() {
            true => rows.len() >= asks.points(),
            false => level.is_none() || rows.iter().any(|row| row.level == *level),
        };
        let of_people = grouped(&self.rows, |row| row.participant.as_deref());
        match of_people.iter().filter(|(_, rows)| has(rows)).count() {
            count @ (0 | 1) => {
                let at = level.clone().map(|level| [over, level]);
                Missing::People { count, at, levels: asks.points() }
            }
            _ => Missing::Turn { over, sought: asks.word() },
        }
    }
}

/// Levels that are named have no value, or there are too few levels.
fn without_levels(levels: &[LevelMean], named: Option<&[String; 2]>, over: String) -> Missing {
    let there: Vec<String> = levels.iter().filter_map(|level| level.name.clone()).collect();
    let named = named.into_iter().flatten();
    let without = named.filter(|name| !there.contains(name)).cloned().collect();
    Missing::Levels { over, without, there }
}

/// Where no levels are named, the study's first and last are compared: those of them that no trial of the dataset has.
/// A middle one in the place of the last would be another question.
pub(super) fn ends_nobody_had(
    (over, named): (&Option<String>, Option<&[String; 2]>),
    levels: &[LevelMean],
    sources: &Sources,
) -> Option<Missing> {
    let over = over.clone().filter(|_| named.is_none() && levels.len() > 1)?;
    let place = sources.factors.iter().position(|factor| *factor == over)?;
    let [first, .., last] = &sources.stated.get(place)?[..] else { return None };
    let had = |level: &&String| {
        let of = |trial: &Source| trial.levels.get(place).cloned().flatten();
        sources.trials.iter().any(|trial| of(trial).as_ref() == Some(level))
    };
    let without: Vec<String> =
        [first, last].into_iter().filter(|level| !had(level)).cloned().collect();
    let there = levels.iter().filter_map(|level| level.name.clone()).collect();
    (!without.is_empty()).then_some(Missing::Levels { over, without, there })
}

/// Why a difference over one factor is not compared between levels of another.
pub(super) fn of_cells(
    outcome: &Outcome,
    rows: &[OutcomeRow],
    [first, second]: [&[LevelMean]; 2],
) -> Missing {
    let over = [&outcome.over, &outcome.by].map(|factor| factor.clone().unwrap_or_default());
    let named = [&outcome.levels, &outcome.by_levels].map(Option::as_ref);
    let Some(of_first) = ends(first, named[0]) else {
        return without_levels(first, named[0], over[0].clone());
    };
    let Some(of_second) = ends(second, named[1]) else {
        return without_levels(second, named[1], over[1].clone());
    };
    let cell = |level: &LevelMean, other: &LevelMean| {
        let is_here = |row: &&OutcomeRow| row.level == level.name && row.second == other.name;
        let [name, other] = [level, other].map(|of| of.name.clone().unwrap_or_default());
        let name = format!("{} {name}, {} {other}", over[0], over[1]);
        (name, rows.iter().filter(is_here).count())
    };
    let cells = of_first.iter().flat_map(|level| of_second.map(|other| cell(level, other)));
    let few = cells.filter(|(_, people)| *people < 2).collect();
    Missing::Cells { over, few }
}

/// Both levels have values, of too few people.
fn few(rows: &[OutcomeRow], [less, level]: [&LevelMean; 2], over: String) -> Missing {
    let has =
        |rows: &[&OutcomeRow], level: &LevelMean| rows.iter().any(|row| row.level == level.name);
    let of_people = grouped(rows, |row| row.participant.as_deref());
    let both = of_people.iter().filter(|(_, rows)| has(rows, less) && has(rows, level)).count();
    let name = |level: &LevelMean| level.name.clone().unwrap_or_default();
    match both {
        0 => Missing::Groups {
            over,
            levels: [less, level].map(|level| (name(level), level.values.len())),
        },
        _ => Missing::Both { over, levels: [less, level].map(name) },
    }
}

impl Display for Missing {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Missing::People { .. } => write!(f, "no answer yet, because ")?,
            Missing::Turn { sought, .. } => write!(f, "no {sought} value can be placed, because ")?,
            _ => write!(f, "no comparison yet, because ")?,
        }
        match self {
            Missing::Levels { over, without, there } if without.is_empty() => {
                write!(f, "all values are of {over} {}", there.join(", "))
            }
            Missing::Levels { over, without, .. } => {
                write!(f, "nobody has a value at {over} {}", without.join(" and "))
            }
            Missing::Both { over, levels: [less, level] } => {
                write!(f, "1 person has values at {over} {less} and {over} {level}; it takes 2")
            }
            Missing::Groups { over, levels: [(less, few), (level, many)] } => {
                write!(f, "{over} {less} has {} and {level} {}", people(*few), people(*many))?;
                write!(f, "; it takes 2 in each")
            }
            Missing::Cells { over: [over, by], few } => put_cells(f, [over, by], few),
            Missing::People { count, at, levels } => put_people(f, *count, at.as_ref(), *levels),
            Missing::Turn { over, sought } => {
                let bends = if *sought == "least" { "upwards" } else { "downwards" };
                write!(f, "the people's mean curve over {over} is not told to bend {bends}")
            }
        }
    }
}

fn put_cells(
    f: &mut Formatter<'_>,
    [over, by]: [&str; 2],
    few: &[(String, usize)],
) -> std::fmt::Result {
    let has = |(cell, count): &(String, usize)| match count {
        0 => format!("nobody has a value at {cell}"),
        count => format!("{} has a value at {cell}", people(*count)),
    };
    match few {
        [] => write!(f, "too few people have what is compared of {over} and {by}"),
        few => {
            let each: Vec<String> = few.iter().map(has).collect();
            write!(f, "{}; it takes 2 in each", each.join(" and "))
        }
    }
}

fn put_people(
    f: &mut Formatter<'_>,
    count: usize,
    at: Option<&[String; 2]>,
    levels: usize,
) -> std::fmt::Result {
    let who = if count == 0 { "nobody".to_owned() } else { people(count) };
    match (at, levels) {
        (Some([over, level]), _) => write!(f, "{who} has a value at {over} {level}")?,
        (None, 0 | 1) => write!(f, "{who} has a value")?,
        (None, levels) => write!(f, "{who} has values at {levels} levels or more")?,
    }
    write!(f, "; it takes 2 people")
}

#[cfg(test)]
mod tests {
    use super::super::found;
    use super::super::values::Value;
    use super::*;

    /// What came of these values of people at levels, each as `person level value`.
    fn came(over: &str, levels: Option<[&str; 2]>, values: &[(&str, &str, f64)]) -> OutcomeFound {
        came_in(over, levels, values, &Sources::default())
    }

    fn came_in(
        over: &str,
        levels: Option<[&str; 2]>,
        values: &[(&str, &str, f64)],
        sources: &Sources,
    ) -> OutcomeFound {
        let (of, over) = ("mean asynchrony".to_owned(), Some(over.to_owned()));
        let levels = levels.map(|levels| levels.map(str::to_owned));
        came_of(Outcome { of, over, levels, ..Outcome::default() }, values, sources)
    }

    fn came_of(outcome: Outcome, values: &[(&str, &str, f64)], sources: &Sources) -> OutcomeFound {
        let value = |(who, level, value): &(&str, &str, f64)| {
            let (participant, level) = (Some((*who).to_owned()), Some((*level).to_owned()));
            Value { participant, level, value: *value, ..Value::default() }
        };
        let values: Vec<Value> = values.iter().map(value).collect();
        found(outcome, "ms".to_owned(), &values, sources)
    }

    #[test]
    fn the_first_participant_of_a_study_has_no_comparison_and_no_mean_in_its_place() {
        let of = came("delay", None, &[("a", "0 ms", -43.0), ("a", "50 ms", -60.0)]);
        let levels = ["0 ms", "50 ms"].map(str::to_owned);
        assert_eq!(of.missing(), Some(Missing::Both { over: "delay".to_owned(), levels }));
        assert_eq!(of.effect(), None);
        let said = "mean asynchrony over delay: no comparison yet, because 1 person has values at delay 0 ms and \
                    delay 50 ms; it takes 2.";
        assert_eq!(of.to_string(), said);
    }

    #[test]
    fn one_group_alone_or_one_person_in_a_group_is_told() {
        let young = [("a", "young", -40.0), ("b", "young", -44.0), ("c", "young", -30.0)];
        let of = came("group", None, &young);
        let alone = Missing::Levels {
            over: "group".to_owned(),
            without: Vec::new(),
            there: vec!["young".to_owned()],
        };
        assert_eq!((of.missing(), of.effect()), (Some(alone), None));
        assert!(of.to_string().ends_with("because all values are of group young."), "{of}");
        let of = came("group", None, &[&young[..], &[("d", "old", -50.0)]].concat());
        let levels = [("young".to_owned(), 3), ("old".to_owned(), 1)];
        assert_eq!(of.missing(), Some(Missing::Groups { over: "group".to_owned(), levels }));
        let said = "because group young has 3 people and old 1 person; it takes 2 in each.";
        assert!(of.to_string().ends_with(said), "{of}");
    }

    /// Of three groups that the study states the last has nobody yet: the middle one does not take its place.
    #[test]
    fn a_level_of_the_study_that_nobody_had_is_told_and_none_takes_its_place() {
        let all = [
            ("a", "young", -40.0),
            ("b", "young", -44.0),
            ("c", "middle", -30.0),
            ("d", "middle", -20.0),
        ];
        let stated = ["young", "middle", "old"].map(str::to_owned).to_vec();
        let trial = |(who, level, _): &(&str, &str, f64)| Source {
            participant: Some((*who).to_owned()),
            levels: vec![Some((*level).to_owned())],
            ..Source::default()
        };
        let sources = Sources {
            factors: vec!["group".to_owned()],
            stated: vec![stated],
            trials: all.iter().map(trial).collect(),
            ..Sources::default()
        };
        let said = |sources: &Sources| came_in("group", None, &all, sources).to_string();
        let told = said(&sources);
        assert!(told.ends_with("because nobody has a value at group old."), "{told}");
        let told = said(&Sources { stated: vec![Vec::new()], ..sources });
        assert!(told.contains("group young less middle: -17.0 ms"), "{told}");
    }

    #[test]
    fn a_slope_of_one_person_or_over_two_levels_is_no_slope_yet() {
        let asks = OutcomeQuestion::Slope;
        let levels = ["0 ms", "9 ms", "30 ms"];
        let of =
            |who: &'static str, n: usize| levels[..n].iter().map(move |level| (who, *level, 5.0));
        let said = |values: Vec<(&str, &str, f64)>| {
            let of = came("delay", None, &values);
            let outcome = Outcome { asks, ..of.outcome };
            came_of(outcome, &values, &Sources::default()).to_string()
        };
        let told = said(of("a", 3).collect());
        let ends = "because 1 person has values at 2 levels or more; it takes 2 people.";
        assert!(
            told.starts_with("mean asynchrony: slope over delay: no answer yet")
                && told.ends_with(ends),
            "{told}"
        );
        let outcome = Outcome { asks, value: Some(1.0), ..came("delay", None, &[]).outcome };
        let values: Vec<_> = of("a", 3).collect();
        let told = came_of(outcome, &values, &Sources::default()).to_string();
        assert!(told.contains("slope over delay against 1 ms per ms: no answer yet"), "{told}");
        let told = said(of("a", 2).chain(of("b", 2)).collect());
        assert!(
            told.ends_with("no comparison yet, because all values are of delay 0 ms, 9 ms."),
            "{told}"
        );
    }

    /// Four patients and no control, then one.
    #[test]
    fn a_group_that_is_empty_or_has_one_person_is_named_where_two_factors_meet() {
        let hears = ["tone", "click"];
        let of = |who: &'static str, group: &'static str| {
            hears.map(|level| Value {
                participant: Some(who.to_owned()),
                level: Some(level.to_owned()),
                second: Some(group.to_owned()),
                value: 1.0,
                ..Value::default()
            })
        };
        let outcome = Outcome {
            of: "mean asynchrony".to_owned(),
            over: Some("hears".to_owned()),
            by: Some("clinic".to_owned()),
            ..Outcome::default()
        };
        let mut values = [of("a", "patient"), of("b", "patient")].concat();
        let said = |values: &[Value]| {
            found(outcome.clone(), "ms".to_owned(), values, &Sources::default()).to_string()
        };
        let told = said(&values);
        assert!(told.ends_with("because all values are of clinic patient."), "{told}");
        values.extend(of("c", "control"));
        let told = said(&values);
        let ends = "because 1 person has a value at hears tone, clinic control and 1 person has a value at hears click, \
                    clinic control; it takes 2 in each.";
        assert!(told.ends_with(ends), "{told}");
    }

    #[test]
    fn a_level_that_is_named_and_has_no_value_is_told() {
        let values =
            [("a", "0 ms", 1.0), ("b", "0 ms", 2.0), ("a", "9 ms", 1.0), ("b", "9 ms", 3.0)];
        let of = came("delay", Some(["50 ms", "0 ms"]), &values);
        assert!(of.to_string().ends_with("because nobody has a value at delay 50 ms."), "{of}");
    }

    /// Two people who differ by exactly the same: nothing tells how far others would be from it.
    #[test]
    fn what_is_the_same_for_all_has_neither_an_interval_nor_a_test() {
        let values = [
            ("a", "0 ms", -40.0),
            ("a", "9 ms", -60.0),
            ("b", "0 ms", -30.0),
            ("b", "9 ms", -50.0),
        ];
        let of = came("delay", None, &values);
        let said = "mean asynchrony: delay 9 ms less 0 ms: -20.0 ms, without an interval because it is the same \
                    for all (2 people, paired).";
        assert_eq!(of.to_string(), said);
        let stands = super::super::Stands::Planned;
        let planned = OutcomeFound { outcome: Outcome { stands, ..of.outcome.clone() }, ..of };
        assert!(planned.to_string().ends_with("(2 people, paired); no test."), "{planned}");
        assert!(!planned.finds());
        let nobody_differs = came("delay", None, &values.map(|(who, level, _)| (who, level, 5.0)));
        assert!(nobody_differs.to_string().contains(": 0.0 ms, without an interval because"));
        assert!(!nobody_differs.finds());
    }

    #[test]
    fn what_can_be_compared_or_compares_nothing_misses_nothing() {
        let values =
            [("a", "0 ms", 1.0), ("a", "9 ms", 2.0), ("b", "0 ms", 1.0), ("b", "9 ms", 4.0)];
        assert_eq!(came("delay", None, &values).missing(), None);
        let plain = came("delay", None, &values[..1]);
        let plain =
            OutcomeFound { outcome: Outcome { over: None, ..plain.outcome.clone() }, ..plain };
        assert_eq!(plain.missing(), None);
        assert!(plain.to_string().ends_with(": 1.00 ms (1 person)."), "{plain}");
    }
}
