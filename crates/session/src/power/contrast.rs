//! [`PowerContrast`]: what is looked for: a statistic at one level of a factor less the same at
//! another, as in `mean asynchrony: delay 200 ms - 0 ms`.

use crate::level::check_level;
use chronotap_analysis::estimate::{Estimate, of_difference, of_mean};
use chronotap_analysis::no_estimate::NoEstimate;
use chronotap_analysis::statistics::{Found, find};
use chronotap_analysis::summary::Summary;
pub use chronotap_data::tables::ContrastError;
use chronotap_data::tables::Outcome;
use chronotap_design::Experiment;
use std::fmt::{Display, Formatter};

/// A statistic at one level of a factor less the same at another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PowerContrast {
    /// The statistic, by its short or its full name.
    pub statistic: String,
    pub factor: String,
    /// The level whose statistic counts.
    pub level: String,
    /// The level whose statistic is taken off.
    pub less: String,
}

/// What one contrast is estimated from: the value of each participant at each of both levels.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    /// The trials of the participant who is under way, at either level.
    open: [Vec<f64>; 2],
    /// Participants who have both.
    both: Vec<(f64, f64)>,
    /// Participants who have one.
    one: [Vec<f64>; 2],
}

impl Values {
    /// Ends a participant: means over trials.
    pub(super) fn close(&mut self) {
        let mean = |values: &mut Vec<f64>| {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let some = !values.is_empty();
            values.clear();
            some.then_some(mean)
        };
        let [level, less] = &mut self.open;
        match (mean(level), mean(less)) {
            (Some(level), Some(less)) => self.both.push((level, less)),
            (Some(level), None) => self.one[0].push(level),
            (None, Some(less)) => self.one[1].push(less),
            (None, None) => {}
        }
    }
}

impl PowerContrast {
    /// Of two levels of a statistic that summaries have; `None` of anything else, for which the tables of an
    /// analysis are needed.
    pub fn of(asked: &Outcome) -> Option<PowerContrast> {
        let [level, less] = asked.levels.clone()?;
        let simple = asked.is.is_none()
            && asked.by.is_none()
            && asked.step.is_none()
            && asked.compares_levels();
        find(&asked.of).filter(|_| simple)?;
        Some(PowerContrast { statistic: asked.measure(), factor: asked.over.clone()?, level, less })
    }
}

impl Display for PowerContrast {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} {} - {}", self.statistic, self.factor, self.level, self.less)
    }
}

impl PowerContrast {
    /// Whether factor and levels are there.
    pub(super) fn check(&self, experiment: &Experiment) -> Result<(), ContrastError> {
        check_level(experiment, &self.factor, &self.level)?;
        Ok(check_level(experiment, &self.factor, &self.less)?)
    }

    /// Takes in a trial of the participant who is under way.
    pub(super) fn take(
        &self,
        values: &mut Values,
        levels: &[(&str, impl AsRef<str>)],
        summary: &Summary,
    ) {
        let here = levels.iter().find(|(factor, _)| *factor == self.factor);
        let here = here.map(|(_, level)| level.as_ref());
        let side = match here {
            Some(level) if level == self.level => 0,
            Some(level) if level == self.less => 1,
            _ => return,
        };
        values.open[side].extend(self.value(summary));
    }

    fn value(&self, summary: &Summary) -> Option<f64> {
        let full = |statistic: &&Found<'_>| statistic.to_string() == self.statistic;
        let short = |statistic: &&Found<'_>| {
            statistic.known.name == self.statistic && statistic.stretch.is_none()
        };
        let all = summary.statistics();
        all.iter().find(full).or_else(|| all.iter().find(short))?.value
    }

    /// The difference over participants: paired where they have both levels, else that of two
    /// groups, by Welch (1947).
    pub(super) fn estimate(&self, values: &Values) -> Result<Estimate, NoEstimate> {
        if values.both.is_empty() {
            return of_difference("participants", &values.one[0], &values.one[1]);
        }
        let differences: Vec<f64> = values.both.iter().map(|(level, less)| level - less).collect();
        of_mean("participants", &differences)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_both_levels_is_compared_with_themselves() {
        let contrast = PowerContrast::of(&"taps: delay 1 - 0".parse().unwrap()).unwrap();
        let mut values = Values::default();
        for (level, less) in [(3.0, 1.0), (14.0, 11.0), (27.0, 26.0)] {
            values.open = [vec![level, level], vec![less]];
            values.close();
        }
        let paired = contrast.estimate(&values).unwrap();
        assert_eq!(paired.value, 2.0);
        let groups =
            Values { one: [vec![3.0, 14.0, 27.0], vec![1.0, 11.0, 26.0]], ..Values::default() };
        let groups = contrast.estimate(&groups).unwrap();
        assert!(groups.standard_error > 5.0 * paired.standard_error);
    }
}
