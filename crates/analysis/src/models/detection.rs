//! Signal detection: how well somebody tells a signal from its absence, apart from how readily they
//! say yes (Green & Swets 1966; Macmillan & Creelman 2005, chapters 1 and 2).
//!
//! ```text
//! d' = z(H) − z(F)      c = −(z(H) + z(F)) / 2
//! ```
//!
//! H and F are the shares of hits and false alarms, z the quantile of the normal distribution. Half a
//! yes and one trial are added to both, so that nobody who is always right has d' = ∞ (the log-linear
//! rule of Hautus 1995).

use crate::no_estimate::NoEstimate;
use crate::student::normal_quantile;

/// Answers to trials with a signal and to those without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SignalAnswers {
    /// Trials with the signal, and those of them with a yes.
    pub signals: usize,
    pub hits: usize,
    /// Trials without it, and those of them with a yes.
    pub noises: usize,
    pub false_alarms: usize,
}

/// What somebody's answers come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detection {
    /// The share of yes where there was the signal, as it was.
    pub hit_rate: f64,
    /// The same where there was none.
    pub false_alarm_rate: f64,
    /// d': 0 tells nothing apart; above 0 tells it right.
    pub d_prime: f64,
    /// The criterion c: above 0 says yes seldom.
    pub criterion: f64,
}

impl SignalAnswers {
    /// Counts an answer.
    pub fn add(&mut self, signal: bool, yes: bool) {
        let (all, of) = match signal {
            true => (&mut self.signals, &mut self.hits),
            false => (&mut self.noises, &mut self.false_alarms),
        };
        *all += 1;
        *of += usize::from(yes);
    }

    /// What they come to.
    ///
    /// # Errors
    /// [`NoEstimate`] where there was never a signal, or always.
    pub fn detection(&self) -> Result<Detection, NoEstimate> {
        NoEstimate::unless("trials with the signal", self.signals, 1)?;
        NoEstimate::unless("trials without the signal", self.noises, 1)?;
        let (hits, signals) = (self.hits as f64, self.signals as f64);
        let (alarms, noises) = (self.false_alarms as f64, self.noises as f64);
        let z = |yes: f64, all: f64| normal_quantile((yes + 0.5) / (all + 1.0));
        let (of_hits, of_alarms) = (z(hits, signals), z(alarms, noises));
        Ok(Detection {
            hit_rate: hits / signals,
            false_alarm_rate: alarms / noises,
            d_prime: of_hits - of_alarms,
            criterion: -0.5 * (of_hits + of_alarms),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;

    /// Worked with the normal quantile of Python's `statistics`.
    #[test]
    fn worked_numbers_come_out() {
        let cases = [
            ((20, 25, 10, 25), 1.044498707092581, -0.2788451757356595),
            ((12, 12, 0, 12), 3.5376500770374117, 0.0),
            ((7, 16, 9, 16), -0.29597421945167773, 0.0),
        ];
        for ((hits, signals, false_alarms, noises), d_prime, criterion) in cases {
            let found = SignalAnswers { signals, hits, noises, false_alarms }.detection().unwrap();
            near(found.d_prime, d_prime, 1e-12);
            near(found.criterion, criterion, 1e-12);
        }
    }

    #[test]
    fn without_one_of_both_kinds_of_trials_nothing_is_told_apart() {
        let mut answers = SignalAnswers::default();
        answers.add(true, true);
        assert!(answers.detection().is_err());
        answers.add(false, false);
        assert_eq!((answers.hits, answers.false_alarms), (1, 0));
        assert!(answers.detection().unwrap().d_prime > 0.0);
    }
}
