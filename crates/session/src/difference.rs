//! [`Difference`]: how a parameter of the participants differs in the trials of one level, as in
//! `delay 200 ms: mean - 15 +- 5 ms`: by −15 ms on average, with an SD of 5 ms between
//! participants.

use crate::drawn::draw;
use crate::level::{UnknownLevel, check_level};
use chronotap_config::trial_files::performers::within;
use chronotap_design::Experiment;
use std::fmt::{Display, Formatter};
use std::str::FromStr;

/// What is added to a parameter of each participant in the trials of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    pub factor: String,
    pub level: String,
    /// The parameter, by its name in docs/participants.md.
    pub parameter: String,
    /// What is added on average.
    pub mean: f64,
    /// SD between participants of what is added.
    pub sd: f64,
    /// The unit of both; empty for plain numbers.
    pub unit: String,
}

/// Why a difference cannot be put in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DifferenceError {
    /// It is not of the form that is asked for.
    #[error("\"{0}\" is no difference")]
    Form(String),
    /// The participants' description does not state the parameter.
    #[error("the participants do not state {0}, to which a difference is to be added")]
    NotStated(String),
    /// The parameter stands there in another unit.
    #[error("{parameter} is stated in \"{stated}\", and the difference in another unit")]
    Unit { parameter: String, stated: String },
    /// The study has no such factor or level.
    #[error("a difference: {0}")]
    Level(#[from] UnknownLevel),
}

impl FromStr for Difference {
    type Err = DifferenceError;

    fn from_str(text: &str) -> Result<Difference, DifferenceError> {
        parts(text).ok_or_else(|| DifferenceError::Form(text.to_owned()))
    }
}

/// As it is read.
impl Display for Difference {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Difference { factor, level, parameter, mean, sd, unit } = self;
        let (sign, size) = if *mean < 0.0 { ('-', -mean) } else { ('+', *mean) };
        write!(f, "{factor} {level}: {parameter} {sign} {size} +- {sd} {unit}")
    }
}

fn parts(text: &str) -> Option<Difference> {
    let (at, rest) = text.split_once(':')?;
    let (factor, level) = at.trim().split_once(' ')?;
    let rest = rest.trim();
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
    let (parameter, amount) = rest.split_at(end);
    let amount = amount.trim();
    let (sign, amount) = match amount.strip_prefix('-').or_else(|| amount.strip_prefix('\u{2212}'))
    {
        Some(amount) => (-1.0, amount),
        None => (1.0, amount.strip_prefix('+')?),
    };
    let (mean, sd) = match amount.split_once("+-").or_else(|| amount.split_once('±')) {
        Some((mean, sd)) => (mean, sd),
        None => (amount, ""),
    };
    let ((mean, mean_unit), (sd, sd_unit)) = (number(mean)?, number(sd).unwrap_or((0.0, "")));
    let unit = if sd_unit.is_empty() { mean_unit } else { sd_unit };
    let whole = |text: &str| text.trim().to_owned();
    (!parameter.is_empty() && sd >= 0.0).then(|| Difference {
        factor: whole(factor),
        level: whole(level),
        parameter: whole(parameter),
        mean: sign * mean,
        sd,
        unit: whole(unit),
    })
}

/// A number and what stands behind it.
fn number(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-');
    let end = text.find(|c| !part(c)).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    Some((number.parse().ok()?, unit.trim()))
}

impl Difference {
    /// Whether a trial has the level.
    pub(crate) fn holds(&self, levels: &[(&str, impl AsRef<str>)]) -> bool {
        let is_this = |level: &str| level == self.level;
        levels.iter().any(|(factor, level)| *factor == self.factor && is_this(level.as_ref()))
    }

    /// Whether factor, level and parameter are there.
    pub(crate) fn check(
        &self,
        experiment: &Experiment,
        model: &str,
    ) -> Result<(), DifferenceError> {
        check_level(experiment, &self.factor, &self.level)?;
        self.put(&crate::models::example(model), 0, "1").map(drop)
    }

    /// The description of a participant with the difference put in. What a participant's own
    /// difference is follows from the seed, the label and the words of the difference.
    pub(crate) fn put(
        &self,
        model: &str,
        seed: u64,
        label: &str,
    ) -> Result<String, DifferenceError> {
        let by = self.mean + self.sd * self.normal(seed, label);
        let mut found = false;
        let part = |part: &str| -> Result<String, DifferenceError> {
            let Some((key, value)) = part.split_once('=') else { return Ok(part.to_owned()) };
            if key.trim() != self.parameter {
                return Ok(part.to_owned());
            }
            found = true;
            let (value, unit) =
                number(value).ok_or_else(|| DifferenceError::NotStated(self.parameter.clone()))?;
            let stated = unit.trim_end_matches([',', ';']).trim();
            if stated != self.unit {
                let (parameter, stated) = (self.parameter.clone(), stated.to_owned());
                return Err(DifferenceError::Unit { parameter, stated });
            }
            let shifted = within(key.trim(), value + by, &self.unit);
            Ok(format!("{key}= {shifted:.6} {unit}"))
        };
        let parts: Result<String, _> = model.split_inclusive([',', ';']).map(part).collect();
        let put = parts?;
        if found { Ok(put) } else { Err(DifferenceError::NotStated(self.parameter.clone())) }
    }

    /// A draw from the standard normal distribution, by Box and Muller (1958).
    fn normal(&self, seed: u64, label: &str) -> f64 {
        let Difference { factor, level, parameter, .. } = self;
        let of =
            |what: &str| format!("{seed}/{label}/difference/{factor}/{level}/{parameter}/{what}");
        let uniform = |text: &str| (draw(text) >> 11) as f64 / (1u64 << 53) as f64;
        let (first, second) = (1.0 - uniform(&of("radius")), uniform(&of("angle")));
        (-2.0 * libm::log(first)).sqrt() * libm::cos(std::f64::consts::TAU * second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Difference {
        text.parse().unwrap()
    }

    #[test]
    fn a_difference_is_read_with_sign_sd_and_unit() {
        let found = read("delay 200 ms: mean - 15 +- 5 ms");
        assert_eq!((found.mean, found.sd, &*found.unit), (-15.0, 5.0, "ms"));
        assert_eq!((&*found.factor, &*found.level, &*found.parameter), ("delay", "200 ms", "mean"));
        let plain = read("hand left: alpha + 0.1");
        assert_eq!((plain.mean, plain.sd, &*plain.unit), (0.1, 0.0, ""));
        for wrong in
            ["", "delay: mean + 5 ms", "delay 1: mean 5 ms", "delay 1: + 5 ms", "delay 1: mean + x"]
        {
            assert!(wrong.parse::<Difference>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn it_holds_for_trials_of_its_level_alone() {
        let found = read("delay 200 ms: mean - 15 ms");
        assert!(found.holds(&[("hand", "left"), ("delay", "200 ms")]));
        for other in [("delay", "0 ms"), ("hand", "200 ms")] {
            assert!(!found.holds(&[other]), "{other:?}");
        }
    }

    #[test]
    fn it_is_added_to_what_the_participant_has() {
        let found = read("delay 200 ms: mean - 15 ms");
        let model = "tapper, mean = -30 ms, alpha = 0.5";
        let put = found.put(model, 1, "01").unwrap();
        assert_eq!(put, "tapper, mean = -45.000000 ms, alpha = 0.5");
        assert!(matches!(found.put("tapper", 1, "01"), Err(DifferenceError::NotStated(_))));
        let plain = read("delay 200 ms: mean - 15");
        let Err(DifferenceError::Unit { stated, .. }) = plain.put(model, 1, "01") else { panic!() };
        assert_eq!(stated, "ms");
    }

    #[test]
    fn what_it_leads_out_of_the_range_of_a_parameter_becomes_the_end_of_it() {
        let put = |text: &str, model: &str| read(text).put(model, 1, "01").unwrap();
        let low = put("group old: alpha - 0.2", "tapper, mean = -30 ms, alpha = 0.1");
        assert_eq!(low, "tapper, mean = -30 ms, alpha = 0.000000 ");
        let clock = put("group old: clock - 20 ms", "tapper, clock = 9 ms, alpha = 0.1");
        assert_eq!(clock, "tapper, clock = 0.000000 ms, alpha = 0.1");
    }

    #[test]
    fn participants_differ_with_the_stated_sd() {
        let found = read("delay 1: mean + 10 +- 4 ms");
        let draws: Vec<f64> =
            (0..2_000).map(|label| 10.0 + 4.0 * found.normal(1, &label.to_string())).collect();
        let mean = draws.iter().sum::<f64>() / 2_000.0;
        let sd = (draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 1_999.0).sqrt();
        assert!((mean - 10.0).abs() < 0.4 && (sd - 4.0).abs() < 0.3, "{mean} {sd}");
    }
}
