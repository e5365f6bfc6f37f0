//! What altered feedback does: slowing, variability and errors, by delay and by pitch
//! (Finney 1997; Pfordresher & Palmer 2002).
//!
//! Each trial gives its mean interval and its CV, of intervals without those over missed and
//! doubled taps ([`crate::slips`]), and its errors per note. Slowing is the ratio of the
//! mean intervals (geometric means over trials) to that of the trials with feedback at once
//! and as expected, less 1; change of the CV is a difference. Intervals are Welch's
//! (1947) over trials; that of slowing is taken on logarithms.
//!
//! Assumes independent trials of one participant, or one mean trial of each of several. The
//! intervals do not use that participants were compared with themselves: for a group give each
//! participant's own slowing to [`crate::estimate::of_mean`].

use crate::described::Described;
use crate::estimate::{Estimate, of_difference, of_mean};
use crate::intervals::Placed;
use crate::no_estimate::NoEstimate;
use crate::slips;
use crate::statistics::of_intervals::{CV_INTERVAL, MEAN_INTERVAL};
use chronotap_core::time::Nanos;
use std::collections::BTreeMap;

/// A condition of feedback.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FeedbackCondition {
    pub delay: Nanos,
    /// The pitch condition by name; empty where it is as expected.
    pub pitch: String,
}

/// A trial under a condition of feedback.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeedbackTrial {
    pub condition: FeedbackCondition,
    /// Its inter-tap intervals.
    pub intervals: Vec<Nanos>,
    /// Notes that were to be produced, and how many were wrong, missing or too many; 0 of 0
    /// where errors are not counted.
    pub notes: usize,
    /// Errors among them.
    pub errors: usize,
}

/// What a condition did, against the baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct FeedbackEffect {
    pub condition: FeedbackCondition,
    /// Trials with at least [`FEWEST`] intervals.
    pub trials: usize,
    /// Trials with fewer, which do not count.
    pub too_short: usize,
    /// Mean of the trials' mean intervals, in ms.
    pub interval_ms: Result<Estimate, NoEstimate>,
    /// Slowing against the baseline, in percent; negative is faster.
    pub slowing_percent: Result<Estimate, NoEstimate>,
    /// Mean of the trials' CV.
    pub cv: Result<Estimate, NoEstimate>,
    /// The CV less that of the baseline.
    pub cv_change: Result<Estimate, NoEstimate>,
    /// Errors per note, mean over trials.
    pub errors_per_note: Result<Estimate, NoEstimate>,
}

/// Fewest intervals of a trial that counts.
pub const FEWEST: usize = 5;

/// What each trial comes to, in the order of the trials of a condition.
#[derive(Default)]
struct Values {
    too_short: usize,
    interval_ms: Vec<f64>,
    log_interval: Vec<f64>,
    cv: Vec<f64>,
    errors: Vec<f64>,
}

/// The effect of each condition, in ascending order of delay and pitch. The baseline is the
/// condition without delay and with the expected pitch.
pub fn effects(trials: &[FeedbackTrial]) -> Vec<FeedbackEffect> {
    let mut conditions: BTreeMap<&FeedbackCondition, Values> = BTreeMap::new();
    for trial in trials {
        add(conditions.entry(&trial.condition).or_default(), trial);
    }
    let none = Values::default();
    let baseline = conditions.get(&FeedbackCondition::default()).unwrap_or(&none);
    let effect = |(condition, values): (&&FeedbackCondition, &Values)| FeedbackEffect {
        condition: (*condition).clone(),
        trials: values.interval_ms.len(),
        too_short: values.too_short,
        interval_ms: of_mean("trials", &values.interval_ms),
        slowing_percent: of_difference("trials", &values.log_interval, &baseline.log_interval)
            .map(percent),
        cv: of_mean("trials", &values.cv),
        cv_change: of_difference("trials", &values.cv, &baseline.cv),
        errors_per_note: of_mean("trials", &values.errors),
    };
    conditions.iter().map(effect).collect()
}

fn add(values: &mut Values, trial: &FeedbackTrial) {
    if trial.notes > 0 {
        values.errors.push(trial.errors as f64 / trial.notes as f64);
    }
    let kept = slips::kept(&trial.intervals);
    let whole: Vec<Nanos> =
        trial.intervals.iter().zip(kept).filter(|(_, kept)| *kept).map(|(i, _)| *i).collect();
    let described = Described::intervals(&Placed::all(whole)).filter(|found| found.n() >= FEWEST);
    let both = |found: Described| Some((found.of(&MEAN_INTERVAL)?, found.of(&CV_INTERVAL)?));
    let Some((mean_ms, cv)) = described.and_then(both) else {
        values.too_short += 1;
        return;
    };
    values.interval_ms.push(mean_ms);
    values.log_interval.push(libm::log(mean_ms));
    values.cv.push(cv);
}

/// A difference of logarithms as a change in percent; the ends of the interval are turned
/// themselves, the standard error by its slope.
fn percent(logarithm: Estimate) -> Estimate {
    let percent = |x: f64| 100.0 * libm::expm1(x);
    Estimate {
        value: percent(logarithm.value),
        standard_error: 100.0 * libm::exp(logarithm.value) * logarithm.standard_error,
        low: percent(logarithm.low),
        high: percent(logarithm.high),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;

    fn trial(delay: i64, interval: i64, spread: i64) -> FeedbackTrial {
        let intervals = (0..20)
            .map(|k| Nanos::from_millis(interval + if k % 2 == 0 { spread } else { -spread }));
        let condition =
            FeedbackCondition { delay: Nanos::from_millis(delay), pitch: String::new() };
        FeedbackTrial {
            condition,
            intervals: intervals.collect(),
            notes: 20,
            errors: (delay / 100) as usize,
        }
    }

    #[test]
    fn a_delay_slows_and_makes_uneven() {
        let trials =
            [trial(0, 500, 10), trial(0, 500, 10), trial(200, 550, 22), trial(200, 550, 22)];
        let found = effects(&trials);
        assert_eq!(found.iter().map(|e| e.trials).collect::<Vec<_>>(), [2, 2]);
        near(found[0].slowing_percent.as_ref().unwrap().value, 0.0, 1e-12);
        near(found[1].slowing_percent.as_ref().unwrap().value, 10.0, 1e-9);
        near(found[1].cv.as_ref().unwrap().value / found[0].cv.as_ref().unwrap().value, 2.0, 1e-9);
        near(found[1].errors_per_note.as_ref().unwrap().value, 0.1, 1e-12);
    }

    #[test]
    fn short_trials_and_single_ones_give_reasons() {
        let mut short = trial(70, 500, 5);
        short.intervals.truncate(4);
        let found = effects(&[trial(0, 500, 10), short]);
        assert_eq!((found[1].trials, found[1].too_short), (0, 1));
        assert!(found[0].interval_ms.is_err() && found[1].slowing_percent.is_err());
        assert!(effects(&[]).is_empty());
    }
}
