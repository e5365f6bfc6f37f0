//! A share of independent trials that came out one way (how often a contrast was found, how
//! often a tone was heard), with the interval of Wilson (1927), which stays within 0 and 1 and
//! holds the truth in about 95 % of cases even where the share is near either end (Brown, Cai
//! & DasGupta 2001).
//!
//! With z the 97.5th percentile of the normal distribution, p = k/n:
//! (p + z²/2n ± z √(p (1 − p)/n + z²/4n²)) / (1 + z²/n).
//!
//! Assumes independent trials with one probability. Limit: in small samples the coverage
//! swings around 95 %, by some per cent for single values of p.

use crate::estimate::Estimate;
use crate::moments::square;
use crate::no_estimate::NoEstimate;
use serde::Serialize;

/// The 97.5th percentile of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// A share with its interval for 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Proportion {
    /// How many came out this way.
    pub count: usize,
    /// Of how many.
    pub of: usize,
    pub share: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// The share of `count` among `of`.
pub fn proportion(count: usize, of: usize) -> Result<Proportion, NoEstimate> {
    NoEstimate::unless("trials", of, 1)?;
    let n = of as f64;
    let share = count as f64 / n;
    let wider = square(Z) / n;
    let middle = (share + wider / 2.0) / (1.0 + wider);
    let reach = Z * (share * (1.0 - share) / n + square(Z / n) / 4.0).sqrt() / (1.0 + wider);
    let (low, high) = ((middle - reach).max(0.0), (middle + reach).min(1.0));
    // The ends are exact where all or none came out this way; rounding is not.
    let low = if count == 0 { 0.0 } else { low };
    let high = if count == of { 1.0 } else { high };
    Ok(Proportion { count, of, share, low, high })
}

/// With the standard error of a share, which is not that of the interval.
impl From<Proportion> for Estimate {
    fn from(found: Proportion) -> Estimate {
        let Proportion { of, share: value, low, high, .. } = found;
        let standard_error = (value * (1.0 - value) / of as f64).sqrt();
        Estimate { value, standard_error, low, high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;

    #[test]
    fn the_interval_is_that_of_wilson() {
        // statsmodels 0.15.0: proportion_confint(k, n, method="wilson").
        let found = proportion(1, 5).unwrap();
        near(found.low, 0.036_224_108_632_430_2, 1e-12);
        near(found.high, 0.624_465_370_237_474_8, 1e-12);
        let none = proportion(0, 20).unwrap();
        assert_eq!(none.low, 0.0);
        near(none.high, 0.161_125_158_052_819_4, 1e-12);
        assert_eq!(proportion(20, 20).unwrap().high, 1.0);
        assert!(proportion(0, 0).is_err());
    }
}
