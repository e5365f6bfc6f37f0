//! Intervals of the two SDs of bGLS. The noise H is a moving average of order one,
//! e\[k\] + θ e\[k−1\] with innovations of variance v: g0 = v (1 + θ²), ρ = g1/g0 = θ/(1 + θ²), and
//! sM² = −ρ g0, sT² = (1 + 2ρ) g0. In long runs ρ and v are estimated independently of each
//! other, v with the variance 2 v²/n (Box & Jenkins 1970), ρ with the error of the fit, in which α
//! and ρ are counted together. The delta method brings both to sT² and sM²; the interval of an SD
//! is the root of theirs, which ends at 0.
//!
//! Limit: the bounds sT ≥ sM ≥ 0 of the method hold the estimates back, not these intervals, so
//! that in an even metronome they are wide.

use super::least_squares::Fit;
use crate::estimate::Estimate;
use crate::moments::square;
use crate::student;

/// Timekeeper and motor SD with their intervals.
pub(super) fn of(fit: &Fit, freedom: f64) -> Option<(Estimate, Estimate)> {
    let (g0, g1) = fit.covariances;
    let error = fit.ratio_error.filter(|_| g0 > 0.0)?;
    let ratio = g1 / g0;
    let theta = 2.0 * ratio / (1.0 + (1.0 - 4.0 * square(ratio)).max(0.0).sqrt());
    let innovation = g0 / (1.0 + square(theta));
    // dρ/dθ = (1 − θ²)/(1 + θ²)²
    let steepness = (1.0 - square(theta)) / square(1.0 + square(theta));
    let g0_over_ratio = innovation * 2.0 * theta / steepness;
    let relative = (2.0 / fit.rows as f64).sqrt();
    let t = student::quantile(0.975, freedom);
    let sd = |variance: f64, over_ratio: f64| {
        let spread = square(over_ratio * error) + square(variance * relative);
        rooted(variance, spread.sqrt(), t)
    };
    let motor = sd(-g1, -g0 - ratio * g0_over_ratio);
    let timekeeper = sd(g0 + 2.0 * g1, 2.0 * g0 + (1.0 + 2.0 * ratio) * g0_over_ratio);
    Some((timekeeper, motor))
}

/// The greater of this and 0. Of 0 and -0 `max` gives either, as the compiler likes, and a table shows which.
fn not_below_zero(x: f64) -> f64 {
    if x > 0.0 { x } else { 0.0 }
}

/// An SD from its variance with the variance's error.
fn rooted(variance: f64, error: f64, t: f64) -> Estimate {
    let variance = not_below_zero(variance);
    let reach = t * error;
    let value = variance.sqrt();
    let (low, high) = (not_below_zero(variance - reach).sqrt(), (variance + reach).sqrt());
    Estimate { value, standard_error: error / (2.0 * value.max(high / 2.0)), low, high }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_no_variance_begins_at_0_and_not_below() {
        let found = rooted(-0.0, 0.0, 2.0);
        assert!(found.low.is_sign_positive() && found.value.is_sign_positive());
    }
}
