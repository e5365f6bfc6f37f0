//! [`Key`]: what makes series the same thing.

use crate::{Conditions, Found, Quantity, Series};

/// Conditions over which series count together.
const POOLED: [&str; 3] = ["core", "run", "thread"];

/// What makes series the same thing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key {
    pub(super) test: String,
    pub(super) quantity: Quantity,
    pub(super) conditions: Conditions,
}

impl Key {
    pub(super) fn of(found: &Found, series: &Series) -> Key {
        let mut conditions = series.conditions.clone();
        POOLED.iter().for_each(|name| drop(conditions.remove(*name)));
        Key { test: found.test.clone(), quantity: series.quantity, conditions }
    }

    /// Whether another series belongs here. Ours say all their conditions, which must
    /// be the same. Other programs do not tell a load, say, or a memory lock: theirs
    /// belongs wherever what it tells does not contradict.
    pub(super) fn takes(&self, other: &Key, ours: bool) -> bool {
        let same = self.test == other.test && self.quantity == other.quantity;
        same && match ours {
            true => self.conditions == other.conditions,
            false => self.agrees(&other.conditions),
        }
    }

    fn agrees(&self, told: &Conditions) -> bool {
        told.iter().all(|(name, value)| match (name.as_str(), self.conditions.get(name)) {
            ("scheduling", Some(ours)) => class(ours) == class(value),
            // timerlat tells who saw the lateness; ours is always seen by a thread.
            ("seen_by", None) => value == "thread",
            (_, Some(ours)) => ours == value,
            (_, None) => true,
        })
    }
}

/// `SCHED_FIFO` of `SCHED_FIFO 80, memory locked`.
fn class(scheduling: &str) -> &str {
    scheduling.split([' ', ',']).next().unwrap_or(scheduling)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Histogram;

    fn key(conditions: &[(&str, &str)]) -> Key {
        let series = Series::of(Quantity::Lateness, conditions, Histogram::new());
        Key::of(&Found { test: "wakeup".into(), ..Found::default() }, &series)
    }

    #[test]
    fn what_another_program_does_not_tell_is_no_contradiction() {
        let ours = key(&[
            ("scheduling", "SCHED_FIFO 80, memory locked"),
            ("interval_us", "1000"),
            ("load", "none"),
        ]);
        let takes = |conditions: &[(&str, &str)]| ours.takes(&key(conditions), false);
        assert!(takes(&[("thread", "0"), ("scheduling", "SCHED_FIFO 90")]));
        assert!(takes(&[("seen_by", "thread")]) && !takes(&[("seen_by", "irq")]));
        assert!(!takes(&[("interval_us", "200")]) && !takes(&[("scheduling", "ordinary")]));
        assert!(!ours.takes(&key(&[("load", "none")]), true));
    }
}
