//! [`Contrast`]: what is looked for: a statistic at one level of a factor less the same at
//! another, as in `mean asynchrony: delay 200 ms - 0 ms`.

use super::level::{UnknownLevel, check_level};
use chronotap_analysis::estimate::{Estimate, of_difference, of_mean};
use chronotap_analysis::no_estimate::NoEstimate;
use chronotap_analysis::statistics::{Found, columns, find};
use chronotap_analysis::summary::Summary;
use chronotap_core::text::nearest;
use chronotap_design::Experiment;
use std::fmt::{Display, Formatter};
use std::str::FromStr;

/// A statistic at one level of a factor less the same at another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    /// The statistic, by its short or its full name.
    pub statistic: String,
    pub factor: String,
    /// The level whose statistic counts.
    pub level: String,
    /// The level whose statistic is taken off.
    pub less: String,
}

/// Why a contrast cannot be estimated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContrastError {
    /// It is not of the form that is asked for.
    #[error("\"{0}\" is no contrast")]
    Form(String),
    /// A level less itself.
    #[error("{0} less {0} is nothing to look for")]
    Same(String),
    /// There is no such statistic.
    #[error("there is no statistic \"{name}\"")]
    Statistic {
        /// What was asked for.
        name: String,
        /// The nearest name.
        nearest: Option<&'static str>,
    },
    /// The study has no such factor or level.
    #[error("a contrast: {0}")]
    Level(#[from] UnknownLevel),
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

impl FromStr for Contrast {
    type Err = ContrastError;

    fn from_str(text: &str) -> Result<Contrast, ContrastError> {
        let parts = || {
            let (statistic, rest) = text.split_once(':')?;
            let (first, less) = rest.split_once(" - ")?;
            let (factor, level) = first.trim().split_once(' ')?;
            let parts = [statistic, factor, level, less].map(|part| part.trim().to_owned());
            parts.iter().all(|part| !part.is_empty()).then_some(parts)
        };
        let [statistic, factor, level, less] =
            parts().ok_or_else(|| ContrastError::Form(text.to_owned()))?;
        Ok(Contrast { statistic, factor, level, less })
    }
}

impl Display for Contrast {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} {} - {}", self.statistic, self.factor, self.level, self.less)
    }
}

impl Contrast {
    /// Whether statistic, factor and levels are there.
    pub(super) fn check(&self, experiment: &Experiment) -> Result<(), ContrastError> {
        let short = self.statistic.split(" of ").next().unwrap_or_default();
        if find(short).is_none() {
            let nearest = nearest(short, columns().iter().map(|known| known.name));
            return Err(ContrastError::Statistic { name: short.to_owned(), nearest });
        }
        if self.level == self.less {
            return Err(ContrastError::Same(self.level.clone()));
        }
        check_level(experiment, &self.factor, &self.level)?;
        Ok(check_level(experiment, &self.factor, &self.less)?)
    }

    /// Takes in a trial of the participant who is under way.
    pub(super) fn take(&self, values: &mut Values, levels: &[(&str, &str)], summary: &Summary) {
        let here =
            levels.iter().find(|(factor, _)| *factor == self.factor).map(|(_, level)| *level);
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
    fn a_contrast_is_read_and_said_in_the_same_words() {
        let text = "mean asynchrony of pad against metronome: delay 200 ms - 0 ms";
        let contrast: Contrast = text.parse().unwrap();
        assert_eq!((&*contrast.level, &*contrast.less), ("200 ms", "0 ms"));
        assert_eq!(contrast.to_string(), text);
        for wrong in
            ["", "mean asynchrony", "taps: delay", ": delay 1 - 2", "taps: delay 200 ms-0 ms"]
        {
            assert!(wrong.parse::<Contrast>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn who_has_both_levels_is_compared_with_themselves() {
        let contrast: Contrast = "taps: delay 1 - 0".parse().unwrap();
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
