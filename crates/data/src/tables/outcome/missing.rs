//! [`Missing`]: why levels that an outcome compares cannot be compared yet, or what else it asks is not answered. The
//! mean of one level is no answer.

use super::{Found, Level, Outcome, Row, ends, grouped, people};
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
    /// Levels are compared within people, and one alone has both: that which is taken off, and the other.
    Both([String; 2]),
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
    },
    /// Fewer than two people have what is held against a value, or enough levels for a curve.
    People(usize),
    /// The people's mean curve has no bottom, or no top.
    Turn {
        /// The factor.
        over: String,
        /// What is looked for: `least` or `greatest`.
        sought: &'static str,
    },
}

impl Found {
    /// Why what it asks is not answered; `None` where it is, or where it compares no levels.
    pub fn missing(&self) -> Option<Missing> {
        if self.outcome.is_answered_apart() {
            return self.answer.is_none().then(|| self.unanswered());
        }
        let over = self.outcome.over.clone()?;
        if self.contrast.is_some() || self.detection.is_some() || !self.outcome.compares_levels() {
            return None;
        }
        if let Some(by) = self.outcome.by.clone() {
            return Some(Missing::Cells { over: [over, by] });
        }
        let Some(ends) = ends(&self.levels, self.outcome.levels.as_ref()) else {
            return Some(self.without_levels(over));
        };
        Some(few(&self.rows, ends, over))
    }

    fn unanswered(&self) -> Missing {
        let Outcome { asks, over, level, .. } = &self.outcome;
        let has = |rows: &[&Row]| match asks.is_of_numbers() {
            true => rows.len() >= 3,
            false => level.is_none() || rows.iter().any(|row| row.level == *level),
        };
        let of_people = grouped(&self.rows, |row| row.participant.as_deref());
        match of_people.iter().filter(|(_, rows)| has(rows)).count() {
            count @ (0 | 1) => Missing::People(count),
            _ => Missing::Turn { over: over.clone().unwrap_or_default(), sought: asks.word() },
        }
    }

    fn without_levels(&self, over: String) -> Missing {
        let there: Vec<String> =
            self.levels.iter().filter_map(|level| level.name.clone()).collect();
        let named = self.outcome.levels.iter().flatten();
        let without = named.filter(|name| !there.contains(name)).cloned().collect();
        Missing::Levels { over, without, there }
    }
}

/// Both levels have values, of too few people.
fn few(rows: &[Row], [less, level]: [&Level; 2], over: String) -> Missing {
    let has = |rows: &[&Row], level: &Level| rows.iter().any(|row| row.level == level.name);
    let of_people = grouped(rows, |row| row.participant.as_deref());
    let both = of_people.iter().filter(|(_, rows)| has(rows, less) && has(rows, level)).count();
    let name = |level: &Level| level.name.clone().unwrap_or_default();
    match both {
        0 => Missing::Groups {
            over,
            levels: [less, level].map(|level| (name(level), level.values.len())),
        },
        _ => Missing::Both([less, level].map(name)),
    }
}

impl Display for Missing {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Missing::People(_) => write!(f, "no answer yet, because ")?,
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
            Missing::Both([less, level]) => {
                write!(f, "1 person has both {less} and {level}; it takes 2")
            }
            Missing::Groups { over, levels: [(less, few), (level, many)] } => {
                write!(f, "{over} {less} has {} and {level} {}", people(*few), people(*many))?;
                write!(f, "; it takes 2 in each")
            }
            Missing::Cells { over: [over, by] } => {
                write!(f, "too few people have what is compared of {over} and {by}")
            }
            Missing::People(0) => write!(f, "nobody has what it takes"),
            Missing::People(count) => write!(f, "{} has what it takes; it takes 2", people(*count)),
            Missing::Turn { over, sought } => {
                let bends = if *sought == "least" { "upwards" } else { "downwards" };
                write!(f, "the people's mean curve over {over} is not told to bend {bends}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::found;
    use super::super::values::Value;
    use super::*;
    use crate::tables::Sources;

    /// What came of these values of people at levels, each as `person level value`.
    fn came(over: &str, levels: Option<[&str; 2]>, values: &[(&str, &str, f64)]) -> Found {
        let value = |(who, level, value): &(&str, &str, f64)| {
            let (participant, level) = (Some((*who).to_owned()), Some((*level).to_owned()));
            Value { participant, level, value: *value, ..Value::default() }
        };
        let (of, over) = ("mean asynchrony".to_owned(), Some(over.to_owned()));
        let levels = levels.map(|levels| levels.map(str::to_owned));
        let outcome = Outcome { of, over, levels, ..Outcome::default() };
        let values: Vec<Value> = values.iter().map(value).collect();
        found(outcome, "ms".to_owned(), &values, &Sources::default())
    }

    #[test]
    fn the_first_participant_of_a_study_has_no_comparison_and_no_mean_in_its_place() {
        let of = came("delay", None, &[("a", "0 ms", -43.0), ("a", "50 ms", -60.0)]);
        let levels = ["0 ms", "50 ms"].map(str::to_owned);
        assert_eq!(of.missing(), Some(Missing::Both(levels)));
        assert_eq!(of.effect(), None);
        let said = "mean asynchrony over delay: no comparison yet, because 1 person has both 0 ms and 50 ms; it \
                    takes 2.";
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
        let planned = Found { outcome: Outcome { stands, ..of.outcome.clone() }, ..of };
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
        let plain = Found { outcome: Outcome { over: None, ..plain.outcome.clone() }, ..plain };
        assert_eq!(plain.missing(), None);
        assert!(plain.to_string().ends_with(": 1.00 ms (1 person)."), "{plain}");
    }
}
