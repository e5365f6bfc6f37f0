//! [`Estimate`]: a number and how sure one can be of it. Which interval it is (analytic,
//! or by resampling: [`crate::bootstrap`]), the estimating function says.

use crate::autocorrelation::pearson;
use crate::moments::{mean, square};
use crate::no_estimate::NoEstimate;
use crate::student;
use serde::Serialize;

/// The share of repetitions in which an interval should hold the truth.
pub const LEVEL: f64 = 0.95;
/// An interval narrower than this share of its value is the rounding of values that are all the same.
const ROUNDING: f64 = 1e-9;

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

    /// Of this value, whose interval was found by a model that does not give the value: it reaches as far as that.
    pub fn about(self, value: f64) -> Estimate {
        let (low, high) = (self.low.min(value), self.high.max(value));
        Estimate { value, low, high, ..self }
    }

    /// The ends of the interval; `None` where all values are the same, so that they tell nothing of how far from
    /// them others may be.
    pub fn ends(&self) -> Option<[f64; 2]> {
        let width = self.high - self.low;
        (width > ROUNDING * self.value.abs()).then_some([self.low, self.high])
    }

    /// Whether the interval holds a value.
    pub fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// Student's test of an estimate against a value, mostly 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    pub t: f64,
    pub freedom: f64,
    /// The probability of a t as far from 0, to either side.
    pub p: f64,
}

impl Test {
    /// With the degrees of freedom of its interval; `None` where all values are the same: their error is unknown,
    /// and no t is infinite.
    pub fn of(estimate: &Estimate, freedom: f64) -> Option<Test> {
        Test::against(estimate, freedom, 0.0)
    }

    /// The same against another value.
    pub fn against(estimate: &Estimate, freedom: f64, value: f64) -> Option<Test> {
        estimate.ends()?;
        let t = (estimate.value - value) / estimate.standard_error;
        Some(Test { t, freedom, p: student::two_sided(t, freedom) })
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
    Ok(of_groups(what, &[(1.0, first), (-1.0, second)])?.0)
}

/// The sum of the means of independent groups, each times its weight, with an interval that does not suppose
/// equal variances; its degrees of freedom are those of Satterthwaite (1946). Of two groups with the weights 1
/// and -1 it is Welch's. These degrees of freedom stand beside it.
///
/// # Errors
/// [`NoEstimate`] where a group has fewer than two values.
pub fn of_groups(
    what: &'static str,
    groups: &[(f64, &[f64])],
) -> Result<(Estimate, f64), NoEstimate> {
    let (mut value, mut variance, mut parts) = (0.0, 0.0, 0.0);
    for (weight, group) in groups {
        let mean = of_mean(what, group)?;
        let of_mean = square(weight * mean.standard_error);
        value += weight * mean.value;
        variance += of_mean;
        parts += square(of_mean) / (group.len() as f64 - 1.0);
    }
    let freedom = if parts > 0.0 { square(variance) / parts } else { 1.0 };
    Ok((Estimate::student(value, variance.sqrt(), freedom), freedom))
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

    /// Means 2, 5, 1 and 9 with variances 1, 1, 1 and 4 of 3 values each: 2 - 5 - 1 + 9 = 5, variance
    /// (1 + 1 + 1 + 4) / 3, freedom (7/3)² / ((3 / 9 + 16 / 9) / 2).
    #[test]
    fn four_groups_are_weighed() {
        let groups: [(f64, &[f64]); 4] = [
            (1.0, &[1.0, 2.0, 3.0]),
            (-1.0, &[4.0, 5.0, 6.0]),
            (-1.0, &[0.0, 1.0, 2.0]),
            (1.0, &[7.0, 9.0, 11.0]),
        ];
        let (found, freedom) = of_groups("people", &groups).unwrap();
        near(freedom, 5.157_894_737, 1e-9);
        near(found.value, 5.0, 1e-12);
        near(found.standard_error, 1.527_525_232, 1e-9);
        // Student's 97.5th percentile with 5.157894737 degrees of freedom, by Simpson's rule on its density
        near(found.high - 5.0, 2.547093 * 1.527_525_232, 1e-5);
    }

    /// From scipy 1.17.1:
    ///
    ///     stats.ttest_ind([1, 4, 6, 9], [0, 2, 1], equal_var=False)
    ///     stats.ttest_1samp([1, 4, 6, 9], 0)
    #[test]
    fn tests_are_those_of_scipy() {
        let (first, second) = ([1.0, 4.0, 6.0, 9.0], [0.0, 2.0, 1.0]);
        let (welch, freedom) = of_groups("people", &[(1.0, &first), (-1.0, &second)]).unwrap();
        let test = Test::of(&welch, freedom).unwrap();
        near(test.t, 2.247_805_947_796_066, 1e-12);
        near(test.freedom, 3.671_186_440_677_967, 1e-12);
        near(test.p, 0.093_863_406_899_209_5, 1e-12);
        let mean = Test::of(&of_mean("people", &first).unwrap(), 3.0).unwrap();
        near(mean.t, 2.970_442_628_930_023, 1e-12);
        near(mean.p, 0.059_047_173_829_060_77, 1e-12);
        // stats.ttest_1samp([1.12, 0.97, 1.31, 1.05, 1.2, 1.08], 1)
        let ratios = of_mean("people", &[1.12, 0.97, 1.31, 1.05, 1.2, 1.08]).unwrap();
        let test = Test::against(&ratios, 5.0, 1.0).unwrap();
        near(test.t, 2.492_469_422_828_523, 1e-12);
        near(test.p, 0.054_994_559_596_510_4, 1e-12);
    }

    #[test]
    fn equal_values_differ_by_nothing() {
        let found = of_difference("trials", &[1.0, 1.0], &[1.0, 1.0]).unwrap();
        assert_eq!((found.value, found.standard_error), (0.0, 0.0));
        assert_eq!(Test::of(&found, 1.0), None);
        let all = of_mean("trials", &[2.0, 2.0]).unwrap();
        assert_eq!(Test::of(&all, 1.0), None, "no t is infinite");
    }
}
