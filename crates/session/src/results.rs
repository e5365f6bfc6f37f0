//! Results of earlier steps that a trial takes up: which it wants, which value serves, and what
//! may be said in its place where none does. Nothing is ever replaced by a default.

use crate::line::{Asked, Line};
use chronotap_config::trial_files::reading::{say, time};
use chronotap_core::time::Nanos;
use chronotap_design::question::{NumberForm, Time};
use chronotap_design::{Answer, Experiment, GivenValue, PlannedTrial};

/// A step, the name of its result, and the value: nanoseconds for a time, else the number.
pub type KeptResult = (String, String, f64);

/// A result that a trial takes up.
#[derive(Clone, Debug)]
pub struct ResultUse {
    step: String,
    result: String,
    path: String, // of the key that is made of it
    times: f64,
    within: Option<(f64, f64)>,
    timed: bool,
}

/// Least and greatest time that may be said where the file gives no bounds, in nanoseconds.
const ANY_TIME: (f64, f64) = (1e6, 3_600e9);
/// The same for a plain number.
const ANY_NUMBER: (f64, f64) = (-1e9, 1e9);

/// The results that a planned trial takes up.
pub fn wanted(experiment: &Experiment, planned: &PlannedTrial) -> Vec<ResultUse> {
    let mut all = Vec::new();
    for setting in &planned.settings {
        if let GivenValue::Result { step, result, times, within } = &setting.value {
            let timed = experiment.is_time(step, result);
            let (step, result, path) = (step.clone(), result.clone(), setting.path.join("."));
            all.push(ResultUse { step, result, path, times: *times, within: *within, timed });
        }
    }
    all
}

/// What was said in place of results, the last first.
pub fn said(lines: &[Line]) -> Vec<KeptResult> {
    let of = |line: &Line| match line {
        Line::Answered(answered) if answered.asked == Asked::Result => {
            let (step, result) = answered.name.split_once('.')?;
            Some((step.to_owned(), result.to_owned(), number(&answered.answer)?))
        }
        _ => None,
    };
    lines.iter().rev().filter_map(of).collect()
}

/// A time in nanoseconds, or a plain number.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().or_else(|| time(text).ok().map(|exact| exact.round().0 as f64))
}

impl ResultUse {
    /// The name that an answer in its place has, such as `own_tempo.tempo`.
    pub fn name(&self) -> String {
        format!("{}.{}", self.step, self.result)
    }

    /// The measured value where it leads into the bounds, else what was said last in its place,
    /// where that does. Of several in `measured` the first is meant.
    pub fn fitting(&self, measured: &[KeptResult], said: &[KeptResult]) -> Option<f64> {
        let fits = |value: &f64| self.fits(*value);
        let mut said = said.iter().filter(|kept| self.is(kept)).map(|kept| kept.2);
        self.measured(measured).filter(fits).or_else(|| said.find(fits))
    }

    /// The result with a value.
    pub fn kept(self, value: f64) -> KeptResult {
        (self.step, self.result, value)
    }

    /// What may be said in its place: what leads into the bounds.
    pub fn answer(&self) -> Answer {
        let (least, greatest) = match (self.within, self.timed) {
            (Some((a, b)), _) if self.times > 0.0 => (a / self.times, b / self.times),
            (Some((a, b)), _) if self.times < 0.0 => (b / self.times, a / self.times),
            (_, true) => ANY_TIME,
            (_, false) => ANY_NUMBER,
        };
        if !self.timed {
            return NumberForm { least, greatest }.into();
        }
        let (mut least, mut greatest) = (least.ceil(), greatest.floor());
        // A quotient that was rounded may lie beyond its bound by less than a nanosecond.
        least += f64::from(u8::from(!self.fits(least)));
        greatest -= f64::from(u8::from(!self.fits(greatest)));
        Time { least: Nanos(least as i64), greatest: Nanos(greatest as i64) }.into()
    }

    /// The question to the experimenter.
    pub fn question(&self, measured: &[KeptResult]) -> String {
        let ResultUse { step, result, path, .. } = self;
        let why = match self.measured(measured) {
            None => format!("Step {step} kept no result \"{result}\" for {path}."),
            Some(value) => {
                let value = self.written(value);
                format!(
                    "The result \"{result}\" of step {step}, {value}, leads {path} out of its bounds."
                )
            }
        };
        format!("{why} Which value shall take its place?")
    }

    fn measured(&self, all: &[KeptResult]) -> Option<f64> {
        all.iter().find(|kept| self.is(kept)).map(|kept| kept.2)
    }

    fn is(&self, kept: &KeptResult) -> bool {
        kept.0 == self.step && kept.1 == self.result
    }

    fn fits(&self, value: f64) -> bool {
        let value = value * self.times;
        self.within.is_none_or(|(least, greatest)| (least..=greatest).contains(&value))
    }

    fn written(&self, value: f64) -> String {
        if self.timed { say(Nanos(value.round() as i64)) } else { value.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(times: f64, within: Option<(f64, f64)>) -> ResultUse {
        let (step, result, path) = ("own".into(), "tempo".into(), "interval".into());
        ResultUse { step, result, path, times, within, timed: true }
    }

    fn kept(ms: f64) -> KeptResult {
        ("own".into(), "tempo".into(), ms * 1e6)
    }

    #[test]
    fn the_measured_value_serves_and_after_it_the_last_that_was_said_and_fits() {
        let wanted = wanted(2.0, Some((100e6, 400e6)));
        assert_eq!(wanted.fitting(&[kept(150.0)], &[kept(60.0)]), Some(150e6));
        assert_eq!(wanted.fitting(&[kept(250.0)], &[kept(20.0), kept(60.0)]), Some(60e6));
        assert_eq!(wanted.fitting(&[], &[kept(20.0)]), None);
    }

    #[test]
    fn whatever_may_be_said_leads_into_the_bounds() {
        for times in [0.7, 0.8, 1.0, 1.2, 3.0, 7.0] {
            let wanted = wanted(times, Some((150e6, 2_500e6)));
            let answer = wanted.answer();
            let Time { least, greatest } = answer.form().unwrap();
            assert!(wanted.fits(least.0 as f64) && wanted.fits(greatest.0 as f64), "{times}");
        }
    }

    #[test]
    fn the_question_says_what_was_measured() {
        let wanted = wanted(1.0, Some((100e6, 400e6)));
        assert!(wanted.question(&[kept(512.0)]).contains("of step own, 512 ms, leads interval"));
        assert!(wanted.question(&[]).starts_with("Step own kept no result \"tempo\""));
    }
}
