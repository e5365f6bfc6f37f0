//! What follows from a finished trial, as pure functions: whether practice is enough,
//! whether a trial is done again, which attempt counts.

pub(crate) mod quest;
pub(crate) mod staircase_run;

use crate::study::measure::{Measure, TrialTest};
use crate::study::step::{Criterion, Redo};
use chronotap_core::time::Nanos;

/// A finished trial, as far as rules ask for it.
pub trait Finished {
    /// Whether a verdict in words holds; never asked for a comparison.
    fn verdict(&self, test: &TrialTest) -> bool;
    /// A statistic in its unit; `None` where the data have no such value.
    fn statistic(&self, measure: &Measure) -> Option<f64>;
    /// For each audible beat in order, the asynchrony of the tap that was matched to it.
    fn asynchronies(&self) -> Vec<Option<Nanos>>;
}

/// How many of the last `of` audible beats have a tap within ± `within`, the bounds
/// included. Where a trial has fewer beats, all of them are looked at.
pub fn hits(asynchronies: &[Option<Nanos>], of: u32, within: Nanos) -> u32 {
    let first = asynchronies.len().saturating_sub(of as usize);
    let hit = |tap: &&Option<Nanos>| tap.is_some_and(|asynchrony| asynchrony.abs() <= within);
    asynchronies[first..].iter().filter(hit).count() as u32
}

impl TrialTest {
    /// Whether it holds. A comparison without a value does not.
    pub fn holds(&self, trial: &impl Finished) -> bool {
        match self {
            TrialTest::Compare { measure, comparison, value, .. } => {
                trial.statistic(measure).is_some_and(|found| comparison.holds(found, *value))
            }
            verdict => trial.verdict(verdict),
        }
    }
}

/// A number without decimals that say nothing.
fn short(said: &str) -> String {
    let (number, unit) = said.split_once(' ').unwrap_or((said, ""));
    let number = number.trim_end_matches('0').trim_end_matches('.');
    format!("{number} {unit}").trim_end().to_owned()
}

impl TrialTest {
    /// A comparison with the value that was found; `None` of a verdict.
    fn found(&self, trial: &impl Finished) -> Option<String> {
        let TrialTest::Compare { measure, written, .. } = self else { return None };
        let found = match trial.statistic(measure) {
            Some(value) => {
                let said = format!("{value:.4} {}", measure.known.unit.symbol());
                format!("it is {}", short(&said))
            }
            None => "it has no value".to_owned(),
        };
        Some(format!("{written} is needed, and {found}"))
    }
}

impl Criterion {
    /// How many hits a trial has, where hits are counted.
    pub fn hits(&self, trial: &impl Finished) -> Option<u32> {
        match self {
            Criterion::Hits { of, within, .. } => Some(hits(&trial.asynchronies(), *of, *within)),
            Criterion::All(_) => None,
        }
    }

    /// How far this trial is from it, in words; nothing where it reaches it.
    pub fn missed(&self, trial: &impl Finished) -> Option<String> {
        if self.is_met(trial) {
            return None;
        }
        match self {
            Criterion::Hits { hits: needed, of, within } => {
                let all = trial.asynchronies();
                let of = (*of as usize).min(all.len());
                let n = hits(&all, of as u32, *within);
                Some(format!("{n} of the last {of} beats were hit, and {needed} are needed"))
            }
            Criterion::All(tests) => {
                let failed = tests.iter().filter(|test| !test.holds(trial));
                let said: Vec<String> = failed.filter_map(|test| test.found(trial)).collect();
                Some(said.join("; "))
            }
        }
    }

    /// Whether this trial, by itself, reaches it.
    pub fn is_met(&self, trial: &impl Finished) -> bool {
        match self {
            Criterion::Hits { hits: needed, of, within } => {
                hits(&trial.asynchronies(), *of, *within) >= *needed
            }
            Criterion::All(tests) => tests.iter().all(|test| test.holds(trial)),
        }
    }
}

impl Redo {
    /// Why a trial failed: the tests that hold of it.
    pub fn failed<'r>(&'r self, trial: &impl Finished) -> Vec<&'r TrialTest> {
        self.if_any.iter().filter(|test| test.holds(trial)).collect()
    }

    /// Whether a trial is done again after these attempts, each passed or not. Attempts
    /// that were cut short are none of them.
    pub fn again(&self, passed: &[bool]) -> bool {
        !passed.is_empty()
            && !passed.contains(&true)
            && passed.len() as u64 <= u64::from(self.at_most)
    }
}

/// Which of a trial's attempts counts, from 0, each passed or not: the first that passed,
/// else the last.
pub fn counting(passed: &[bool]) -> Option<usize> {
    passed.iter().position(|passed| *passed).or(passed.len().checked_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::measure::NumberComparison;
    use crate::study::step::RedoTime;
    use chronotap_analysis::statistics::of_taps::TAPS;

    struct Trial(Vec<Option<Nanos>>, f64);

    impl Finished for Trial {
        fn verdict(&self, test: &TrialTest) -> bool {
            *test == TrialTest::TimingFailed
        }
        fn statistic(&self, _: &Measure) -> Option<f64> {
            Some(self.1)
        }
        fn asynchronies(&self) -> Vec<Option<Nanos>> {
            self.0.clone()
        }
    }

    fn beats(ms: &[i64]) -> Vec<Option<Nanos>> {
        ms.iter().map(|ms| (*ms < 1_000).then_some(Nanos::from_millis(*ms))).collect()
    }

    #[test]
    fn only_the_last_beats_are_looked_at_and_a_missing_tap_is_no_hit() {
        let within = Nanos::from_millis(80);
        let taps = beats(&[0, 0, 0, 81, -80, 9_999, 80, 79]);
        assert_eq!(hits(&taps, 5, within), 3);
        assert_eq!(hits(&taps, 100, within), 6);
        assert_eq!(hits(&[], 10, within), 0);
    }

    #[test]
    fn a_criterion_of_hits_is_judged_on_one_trial() {
        let until = Criterion::Hits { hits: 8, of: 10, within: Nanos::from_millis(80) };
        assert!(until.is_met(&Trial(beats(&[0; 8]), 0.0)));
        assert!(!until.is_met(&Trial(beats(&[0; 7]), 0.0)));
    }

    #[test]
    fn a_failed_trial_is_done_again_at_most_so_often_and_never_after_it_passed() {
        let taps = TrialTest::Compare {
            measure: Measure { known: &TAPS, input: None, against: None, stretch: None },
            comparison: NumberComparison::Below,
            value: 30.0,
            written: "taps < 30".to_owned(),
        };
        let redo =
            Redo { if_any: vec![taps, TrialTest::InputLost], at_most: 2, place: RedoTime::AtOnce };
        assert_eq!(redo.failed(&Trial(Vec::new(), 29.0)).len(), 1);
        assert!(redo.failed(&Trial(Vec::new(), 30.0)).is_empty());
        assert!(redo.again(&[false]) && redo.again(&[false, false]));
        assert!(
            !redo.again(&[false, false, false]) && !redo.again(&[false, true]) && !redo.again(&[])
        );
    }

    #[test]
    fn the_first_attempt_that_passes_counts_else_the_last() {
        assert_eq!(counting(&[false, true, true]), Some(1));
        assert_eq!(counting(&[false, false]), Some(1));
        assert_eq!(counting(&[]), None);
    }
}
