//! [`Posterior`]: what a Bayesian staircase knows of the threshold. QUEST (Watson and Pelli 1983,
//! "QUEST: a Bayesian adaptive psychometric method", Perception & Psychophysics 33, 113-120): the
//! threshold has a probability on a grid of levels, each answer multiplies it by how likely the
//! answer was (Bayes' rule), and the next trial is at a quantile of it.
//!
//! The psychometric function is logistic. With the threshold a, the guessing rate g and the lapse
//! rate l, a trial at level x is answered correctly with the probability
//!     g + (1 - g - l) / (1 + exp(-(x - a) / s)),
//! so that the threshold is the level halfway between guessing and lapsing. Its width is the
//! distance over which the curve rises from 5 % to 95 % of its way (as Schütt et al. 2016,
//! Vision Research 122, 105-123, have it): s = width / (2 ln 19).

use crate::study::staircase::Quest;

/// Levels of the grid, both bounds included: the step is 1/400 of the range.
const LEVELS: u32 = 401;

/// No answer is quite impossible, whatever guessing and lapses are thought to be.
const LEAST_PROBABILITY: f64 = 1e-15;

/// What is known of a threshold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Posterior {
    of: Quest,
    least: f64,
    step: f64,
    log: Vec<f64>, // of the probability of each level of the grid, but for a constant
}

impl Posterior {
    /// Before the first answer: normal around `start`, or every level as likely as any other.
    pub(crate) fn new(of: Quest, start: f64, (least, greatest): (f64, f64)) -> Posterior {
        let step = (greatest - least) / f64::from(LEVELS - 1);
        let deviation = |level: f64| of.prior_sd.map_or(0.0, |sd| (level - start) / sd);
        let log = (0..LEVELS).map(|n| -0.5 * deviation(least + step * f64::from(n)).powi(2));
        Posterior { of, least, step, log: log.collect() }
    }

    /// Takes in an answer at this level.
    pub(crate) fn answer(&mut self, level: f64, correct: bool) {
        let (of, least, step) = (self.of, self.least, self.step);
        for (n, log) in self.log.iter_mut().enumerate() {
            let right = of.right(level - (least + step * n as f64));
            let probability = if correct { right } else { 1.0 - right };
            *log += libm::log(probability.max(LEAST_PROBABILITY));
        }
    }

    /// The level of the next trial: the quantile at which an answer tells most.
    pub(crate) fn next(&self) -> f64 {
        self.quantile(self.of.quantile())
    }

    /// Mean and standard deviation of the threshold.
    pub(crate) fn mean_and_sd(&self) -> (f64, f64) {
        let probabilities = self.probabilities();
        let each = || self.levels().zip(&probabilities);
        let mean: f64 = each().map(|(level, p)| level * p).sum();
        let variance: f64 = each().map(|(level, p)| (level - mean).powi(2) * p).sum();
        (mean, variance.sqrt())
    }

    /// The bound that is the most probable level of all, where one is.
    pub(crate) fn bound(&self) -> Option<f64> {
        let most = self.log.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let ends = [(0, self.least), (LEVELS - 1, self.least + self.step * f64::from(LEVELS - 1))];
        let is_most = |(place, _): &(u32, f64)| self.log[*place as usize] == most;
        ends.into_iter().find(is_most).map(|(_, level)| level)
    }

    fn levels(&self) -> impl Iterator<Item = f64> {
        (0..LEVELS).map(|n| self.least + self.step * f64::from(n))
    }

    fn probabilities(&self) -> Vec<f64> {
        let greatest = self.log.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = self.log.iter().map(|log| libm::exp(log - greatest)).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }

    /// Linear between the levels of the grid.
    fn quantile(&self, share: f64) -> f64 {
        let (mut below, mut last) = (0.0, self.least);
        for (n, (level, p)) in self.levels().zip(self.probabilities()).enumerate() {
            if below + p >= share {
                let part = if n == 0 { 1.0 } else { (share - below) / p };
                return last + part * (level - last);
            }
            (below, last) = (below + p, level);
        }
        last
    }
}

impl Quest {
    /// The probability of a correct answer so far above the threshold.
    fn right(self, above: f64) -> f64 {
        let slope = self.width / (2.0 * libm::log(19.0));
        self.guess + (1.0 - self.guess - self.lapse) / (1.0 + libm::exp(-above / slope))
    }

    /// At which quantile of the threshold the next trial lies: where answers tell most of it, by
    /// the approximation of Watson and Pelli (1983, appendix), as Psychtoolbox has it.
    fn quantile(self) -> f64 {
        let (low, high) = (self.guess, 1.0 - self.lapse);
        let part = |p: f64| if p > 0.0 { p * libm::log(p) } else { 0.0 };
        let bits = part(high) - part(low) + part(1.0 - high) - part(1.0 - low);
        let best = 1.0 / (1.0 + libm::exp(bits / (low - high)));
        (best - low) / (high - low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::staircase_run::{NoThreshold, StaircaseEnding, StaircaseRun, TrialAnswer};
    use crate::study::staircase::{Staircase, StaircaseRule, StaircaseStop};
    use chronotap_engine::random::Random;
    use serde_json::Value;

    const QUEST: Quest = Quest { width: 40.0, guess: 0.5, lapse: 0.02, prior_sd: Some(40.0) };

    /// What SweetSpot 1.15.1 (CC0, PyPI), another program, finds; `tests/oracles/quest.py` made it.
    const ORACLE: &str = include_str!("../../tests/oracles/quest.json");

    #[test]
    fn levels_and_thresholds_are_those_that_another_program_finds() {
        let cases: Vec<Value> = serde_json::from_str(ORACLE).unwrap();
        assert!(cases.len() >= 4);
        for case in cases {
            let number = |of: &Value| of.as_f64().unwrap();
            let of = |name: &str| number(&case[name]);
            let prior_sd = case["prior_sd"].as_f64();
            let quest =
                Quest { width: of("width"), guess: of("guess"), lapse: of("lapse"), prior_sd };
            let mut posterior = Posterior::new(quest, of("start"), (of("least"), of("greatest")));
            for trial in case["trials"].as_array().unwrap() {
                posterior.answer(number(&trial["level"]), trial["correct"].as_bool().unwrap());
                let (mean, sd) = posterior.mean_and_sd();
                let range = of("greatest") - of("least");
                for (ours, theirs) in [(posterior.next(), "next"), (mean, "mean"), (sd, "sd")] {
                    let theirs = number(&trial[theirs]);
                    assert!((ours - theirs).abs() < 1e-9 * range, "{ours}, not {theirs}: {trial}");
                }
            }
        }
    }

    fn staircase(stop: StaircaseStop) -> Staircase {
        Staircase {
            rule: StaircaseRule::Quest(QUEST),
            start: 150.0,
            between: (0.0, 300.0),
            stop,
            at_most: 400,
            ..crate::judge::staircase_run::tests::staircase()
        }
    }

    /// An observer whose threshold is 100, asked until the staircase has ended.
    fn observe(staircase: &Staircase, seed: u64) -> StaircaseRun {
        let mut run = StaircaseRun::new(staircase);
        let mut random = Random::named(seed, "observer");
        while run.ended().is_none() {
            let right = QUEST.right(run.level() - 100.0);
            let correct = random.uniform() < right;
            run.answer(if correct { TrialAnswer::Correct } else { TrialAnswer::Wrong });
        }
        run
    }

    #[test]
    fn it_finds_the_threshold_of_an_observer_and_its_uncertainty_is_true() {
        let found: Vec<(f64, f64)> = (0..200)
            .map(|seed| observe(&staircase(StaircaseStop::Trials(60)), seed).threshold().unwrap())
            .map(|threshold| (threshold.mean, threshold.se.unwrap()))
            .collect();
        let mean = found.iter().map(|(mean, _)| mean).sum::<f64>() / 200.0;
        assert!((mean - 100.0).abs() < 2.0, "{mean}");
        let error =
            (found.iter().map(|(mean, _)| (mean - 100.0).powi(2)).sum::<f64>() / 200.0).sqrt();
        let said = found.iter().map(|(_, sd)| sd).sum::<f64>() / 200.0;
        assert!((0.75..1.33).contains(&(error / said)), "error {error}, said {said}");
    }

    #[test]
    fn it_stops_when_the_threshold_is_known_so_well_or_after_so_many_trials() {
        let known = observe(&staircase(StaircaseStop::Sd(5.0)), 1);
        assert_eq!(known.ended(), Some(StaircaseEnding::Stopped));
        assert!(known.threshold().unwrap().se.unwrap() < 5.0);
        let few = observe(&Staircase { at_most: 3, ..staircase(StaircaseStop::Sd(0.001)) }, 1);
        assert_eq!(few.ended(), Some(StaircaseEnding::AtMost));
        assert_eq!(few.threshold(), Err(NoThreshold::NotStopped));
    }

    #[test]
    fn whose_threshold_lies_beyond_a_bound_has_none() {
        let mut run = StaircaseRun::new(&staircase(StaircaseStop::Trials(40)));
        (0..40).for_each(|_| run.answer(TrialAnswer::Wrong));
        assert_eq!(run.threshold(), Err(NoThreshold::OnBound(300.0)));
    }

    #[test]
    fn answers_that_were_thought_impossible_leave_a_threshold() {
        let sure = Quest { guess: 0.0, lapse: 0.0, width: 0.001, prior_sd: None };
        let mut posterior = Posterior::new(sure, 1.0, (0.0, 300.0));
        for (level, correct) in [(0.0, true), (300.0, false), (150.0, true), (150.0, false)] {
            posterior.answer(level, correct);
            let (mean, sd) = posterior.mean_and_sd();
            assert!((0.0..=300.0).contains(&mean) && sd.is_finite(), "{mean} {sd}");
            assert!((0.0..=300.0).contains(&posterior.next()));
        }
    }
}
