//! Clock and motor variance of self-paced tapping (Wing & Kristofferson 1973).
//!
//! Background: an interval is a clock interval plus the difference of two motor
//! delays, I\[k\] = C\[k\] + M\[k+1\] − M\[k\]. Neighbours share a motor delay, so that
//! their covariance is −sM², and the variance is sC² + 2 sM².
//!
//! Solution: the moments give sM² = −c1 and sC² = c0 + 2 c1. In short runs both
//! are biased, since the mean is that of the same data; the unbiased estimates
//! solve the two equations of expectation for S0 = Σ d² and S1 = Σ d\[k\] d\[k+1\]:
//!
//! ```text
//! S0 = (n − 1) sC² + (2n − 2/n) sM²
//! S1 = −((n − 1)/n) sC² − (n − 1 + 2/n²) sM²
//! ```

use crate::autocorrelation::autocovariance;
use chronotap_time::Nanos;
use serde::Serialize;

/// Estimated variances, in ms². They may be negative: then the model does not fit
/// these data, [`WingKristofferson::admissible`] is false, and averages over runs
/// must still use them as they are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WingKristofferson {
    /// How many intervals.
    pub n: usize,
    /// Lag-1 autocorrelation of the intervals, the estimator with 1/n.
    pub r1: f64,
    /// Clock variance by moments.
    pub clock_ms2: f64,
    /// Motor variance by moments.
    pub motor_ms2: f64,
    /// Clock variance without the bias of short runs.
    pub clock_unbiased_ms2: f64,
    /// Motor variance without the bias of short runs.
    pub motor_unbiased_ms2: f64,
    /// Whether −0.5 < r1 < 0, as the model has it.
    pub admissible: bool,
}

/// Estimates clock and motor variance from inter-tap intervals. A drift raises c1:
/// take it away first by [`crate::intervals::detrended`], and report both. `None` below three intervals or where nothing varies.
pub fn estimate(intervals: &[Nanos]) -> Option<WingKristofferson> {
    let n = intervals.len();
    let ms: Vec<f64> = intervals.iter().map(|interval| interval.as_millis_f64()).collect();
    let c0 = autocovariance(&ms, 0).filter(|c0| n > 2 && *c0 > 0.0)?;
    let c1 = autocovariance(&ms, 1)?;
    let r1 = c1 / c0;
    let (clock_unbiased_ms2, motor_unbiased_ms2) = unbiased(n as f64, c0, c1);
    Some(WingKristofferson {
        n,
        r1,
        clock_ms2: c0 + 2.0 * c1,
        motor_ms2: -c1,
        clock_unbiased_ms2,
        motor_unbiased_ms2,
        admissible: r1 > -0.5 && r1 < 0.0,
    })
}

/// Clock and motor variance from the two equations above, by Cramer's rule.
fn unbiased(n: f64, c0: f64, c1: f64) -> (f64, f64) {
    let (s0, s1) = (n * c0, n * c1);
    let (a, b) = (n - 1.0, 2.0 * n - 2.0 / n);
    let (c, d) = (-(n - 1.0) / n, -(n - 1.0 + 2.0 / (n * n)));
    let determinant = a * d - b * c; // 0 for n = 2, negative above
    ((s0 * d - b * s1) / determinant, (a * s1 - s0 * c) / determinant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{near, vector_1_intervals};

    #[test]
    fn the_worked_example_comes_out() {
        let found = estimate(&vector_1_intervals()).unwrap();
        near(found.r1, -0.422260, 1e-6);
        near(found.motor_ms2, 460.836763, 1e-6);
        near(found.clock_ms2, 169.684499, 1e-6);
        near(found.clock_unbiased_ms2, 105.102041, 1e-6);
        near(found.motor_unbiased_ms2, 505.204082, 1e-6);
        assert!(found.admissible);
    }

    #[test]
    fn data_that_the_model_does_not_fit_are_flagged_and_not_bent() {
        let drifting = [500, 510, 520, 530, 540].map(Nanos::from_millis);
        let found = estimate(&drifting).unwrap();
        assert!(!found.admissible && found.motor_ms2 < 0.0);
    }

    #[test]
    fn too_little_data_give_no_estimate() {
        assert_eq!(estimate(&[]), None);
        assert_eq!(estimate(&[Nanos(5), Nanos(6)]), None);
        assert_eq!(estimate(&[Nanos(5); 10]), None);
    }
}
