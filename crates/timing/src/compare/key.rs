//! [`Key`]: what makes series the same thing, and what of it was asked for.

use crate::results::FIFO;
use crate::{Conditions, POOLED, Quantity, SampleSeries, TestFound};
use chronotap_machine::grant::Grant;

/// Conditions that tell where a test ran.
const PLACES: [&str; 3] = ["ports", "card", "input"];

/// The condition by which other programs tell who saw the lateness, such as `kernel thread`.
pub const SEEN_BY: &str = "seen_by";

/// Whether that is a thread of a user's program, as ours are.
pub fn is_user(seen_by: &str) -> bool {
    matches!(seen_by, "thread" | "user thread")
}

/// What makes series the same thing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key {
    pub(super) test: String,
    pub(super) quantity: Quantity,
    /// As they were.
    pub(super) conditions: Conditions,
    /// As they were asked for: without the place, and rights by their class alone.
    pub(super) asked: Conditions,
}

impl Key {
    pub(super) fn of(found: &TestFound, series: &SampleSeries) -> Key {
        let mut conditions = series.conditions.clone();
        POOLED.iter().for_each(|name| drop(conditions.remove(*name)));
        let asked = asked(found, series.quantity, &conditions);
        Key { test: found.test.clone(), quantity: series.quantity, conditions, asked }
    }

    /// Whether both measured the same.
    pub(super) fn measures_what(&self, other: &Key) -> bool {
        self.test == other.test && self.quantity == other.quantity
    }

    pub(super) fn is(&self, other: &Key) -> bool {
        self.measures_what(other) && self.conditions == other.conditions
    }

    pub(super) fn asks_what(&self, other: &Key) -> bool {
        self.measures_what(other) && self.asked == other.asked
    }

    /// Whether a series of another program belongs here. Such programs do not tell a load,
    /// say, or a memory lock: theirs belongs wherever what it tells does not contradict.
    pub(super) fn takes(&self, theirs: &Key) -> bool {
        let differs = |(name, value): &(&String, &String)| match self.asked.get(*name) {
            Some(ours) => ours != *value,
            // Other programs tell who saw the lateness; ours is always seen by a thread of a user.
            None => name.as_str() == SEEN_BY && !is_user(value),
        };
        self.measures_what(theirs) && !theirs.asked.iter().any(|told| differs(&told))
    }

    /// Names of the conditions in which both were asked for different things: those that both
    /// tell, and only where these are the same the others.
    pub(super) fn differences(&self, other: &Key) -> Vec<String> {
        let names = self.asked.keys().chain(other.asked.keys());
        let differs = |name: &&String| self.asked.get(*name) != other.asked.get(*name);
        let mut all: Vec<String> = names.filter(differs).cloned().collect();
        all.sort();
        all.dedup();
        let both =
            |name: &&String| self.asked.contains_key(*name) && other.asked.contains_key(*name);
        let told: Vec<String> = all.iter().filter(both).cloned().collect();
        if told.is_empty() { all } else { told }
    }
}

fn asked(found: &TestFound, quantity: Quantity, told: &Conditions) -> Conditions {
    let mut asked = told.clone();
    for place in PLACES {
        // In a card or without one is another test; in which card is not.
        if asked.contains_key(place) {
            asked.insert(place.to_owned(), String::new());
        }
    }
    if matches!(quantity, Quantity::AudioRoundTrip | Quantity::TapToSound | Quantity::PadDelay) {
        asked.remove("rate_hz"); // the card's own
    }
    match told.get("scheduling") {
        // What the thread of the card had; nobody asked it.
        Some(_) if quantity == Quantity::DspCycle && told.contains_key("card") => {
            asked.remove("scheduling");
        }
        Some(had) => {
            asked.insert("scheduling".into(), class(found, had));
        }
        None => {}
    }
    asked
}

/// `SCHED_FIFO` of `SCHED_FIFO 80, memory locked`, and of what a thread had to which this was
/// refused. A timer slack was asked for.
fn class(found: &TestFound, had: &str) -> String {
    let slack = had.split(", ").find(|part| part.starts_with("timer slack"));
    let class = had.split([' ', ',']).next().unwrap_or(had);
    match slack {
        Some(slack) => format!("{class}, {slack}"),
        None if class == "ordinary" && was_refused(found) => FIFO.into(),
        None => class.into(),
    }
}

/// Whether a test that wanted real-time priority for all its threads has it nowhere.
fn was_refused(found: &TestFound) -> bool {
    let mut refused = found.grant.iter().flat_map(Grant::refused);
    refused.any(|item| item.what == "real-time priority")
        && !found.series.iter().any(SampleSeries::is_real_time)
}

/// What was refused to the threads of a test, as `real-time priority, memory lock`, or
/// `nothing`; `None` where that is not told.
pub(super) fn refused(found: &TestFound) -> Option<String> {
    let refused = found.grant.as_ref()?.refused();
    let refused: Vec<&str> = refused.map(|item| item.what.as_str()).collect();
    Some(if refused.is_empty() { "nothing".into() } else { refused.join(", ") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Histogram;

    fn key(conditions: &[(&str, &str)]) -> Key {
        let series = SampleSeries::of(Quantity::Lateness, conditions, Histogram::new());
        Key::of(&TestFound { test: "wakeup".into(), ..TestFound::default() }, &series)
    }

    #[test]
    fn what_another_program_does_not_tell_is_no_contradiction() {
        let ours = key(&[
            ("scheduling", "SCHED_FIFO 80, memory locked"),
            ("interval_us", "1000"),
            ("load", "none"),
        ]);
        let takes = |conditions: &[(&str, &str)]| ours.takes(&key(conditions));
        assert!(takes(&[("thread", "0"), ("scheduling", "SCHED_FIFO 90")]));
        assert!(takes(&[("seen_by", "thread")]) && !takes(&[("seen_by", "irq")]));
        assert!(takes(&[("seen_by", "user thread")]) && !takes(&[("seen_by", "kernel thread")]));
        assert!(!takes(&[("interval_us", "200")]) && !takes(&[("scheduling", "ordinary")]));
        assert!(!ours.asks_what(&key(&[("load", "none")])));
    }

    #[test]
    fn a_timer_slack_was_asked_for_and_a_priority_is_a_detail() {
        let asks = |one: &str, other: &str| {
            key(&[("scheduling", one)]).asks_what(&key(&[("scheduling", other)]))
        };
        assert!(asks("SCHED_FIFO 80, memory locked", "SCHED_FIFO 85"));
        assert!(!asks("ordinary", "ordinary, timer slack 1 ns") && !asks("ordinary", "nice -20"));
    }
}
