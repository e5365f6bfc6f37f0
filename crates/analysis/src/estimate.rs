//! [`Estimate`]: a number and how sure one can be of it. Which interval it is (analytic,
//! or by resampling: [`crate::bootstrap`]), the estimating function says.

use crate::autocorrelation::pearson;
use crate::moments::{mean, square};
use crate::no_estimate::NoEstimate;
use crate::student;
use serde::Serialize;

/// The share of repetitions in which an interval should hold the truth.
pub const LEVEL: f64 = 0.95;

/// An estimate with an interval for [`LEVEL`], in the unit of the value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    pub standard_error: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// With an interval by Student's t of so many degrees of freedom.
    pub fn student(value: f64, standard_error: f64, freedom: f64) -> Estimate {
        let reach = student::quantile(0.5 + LEVEL / 2.0, freedom) * standard_error;
        Estimate { value, standard_error, low: value - reach, high: value + reach }
    }

    /// Whether the interval holds a value.
    pub fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// The mean of independent values (one for each trial or perturbation, not one for each tap
/// of a run) with Student's interval.
pub fn of_mean(what: &'static str, values: &[f64]) -> Result<Estimate, NoEstimate> {
    NoEstimate::unless(what, values.len(), 2)?;
    let n = values.len() as f64;
    let centre = mean(values).unwrap_or(0.0);
    let squares: f64 = values.iter().map(|value| square(value - centre)).sum();
    Ok(Estimate::student(centre, (squares / (n - 1.0) / n).sqrt(), n - 1.0))
}

/// Fewest pairs of values whose correlation has an interval.
const FEWEST_PAIRS: usize = 4;
/// The 97.5th percentile of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// Pearson's correlation of two equally long lists with the interval of Fisher (1921),
/// tanh(artanh r ± 1.96/√(n − 3)); its standard error is (1 − r²)/√(n − 3).
///
/// # Errors
/// [`NoEstimate`] below four pairs, where one of the lists does not vary, and where all lie on a line.
pub fn of_correlation(what: &'static str, x: &[f64], y: &[f64]) -> Result<Estimate, NoEstimate> {
    NoEstimate::unless(what, x.len(), FEWEST_PAIRS)?;
    NoEstimate::unless_equal(what, y.len(), x.len())?;
    let value = pearson(x, y).filter(|r| r.abs() < 1.0).ok_or(NoEstimate::NothingVaries(what))?;
    let error = 1.0 / (x.len() as f64 - 3.0).sqrt();
    let [low, high] = [-Z, Z].map(|z| libm::tanh(libm::atanh(value) + z * error));
    Ok(Estimate { value, standard_error: (1.0 - value * value) * error, low, high })
}

/// The difference of two means of independent values, first less second, with the interval
/// of Welch (1947), which does not suppose equal variances.
pub fn of_difference(
    what: &'static str,
    first: &[f64],
    second: &[f64],
) -> Result<Estimate, NoEstimate> {
    let (a, b) = (of_mean(what, first)?, of_mean(what, second)?);
    let (va, vb) = (square(a.standard_error), square(b.standard_error));
    let parts = square(va) / (first.len() as f64 - 1.0) + square(vb) / (second.len() as f64 - 1.0);
    let freedom = if parts > 0.0 { square(va + vb) / parts } else { 1.0 };
    Ok(Estimate::student(a.value - b.value, (va + vb).sqrt(), freedom))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;

    #[test]
    fn a_mean_has_students_interval() {
        let found = of_mean("trials", &[1.0, 2.0, 3.0, 4.0]).unwrap();
        near(found.value, 2.5, 1e-12);
        near(found.standard_error, 0.645497224, 1e-9);
        near(found.high - 2.5, 3.182446305 * 0.645497224, 1e-6);
        assert!(found.holds(2.0) && !found.holds(5.0));
        assert!(of_mean("trials", &[1.0]).is_err());
    }

    #[test]
    fn equal_values_differ_by_nothing() {
        let found = of_difference("trials", &[1.0, 1.0], &[1.0, 1.0]).unwrap();
        assert_eq!((found.value, found.standard_error), (0.0, 0.0));
    }
}
