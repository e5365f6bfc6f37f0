//! Clock and motor variance of self-paced tapping (Wing & Kristofferson 1973).
//!
//! Background: an interval is a clock interval plus the difference of two motor
//! delays, I\[k\] = C\[k\] + M\[k+1\] − M\[k\]. Neighbours share a motor delay, so that
//! their covariance is −sM², and the variance is sC² + 2 sM².
//!
//! Solution: the moments give sM² = −c1 and sC² = c0 + 2 c1. In short runs both
//! are biased, since the mean (and the drift) is that of the same data. The unbiased
//! estimates solve the two equations of expectation for S0 = Σ d² and S1 = Σ d\[k\] d\[k+1\],
//! the sums over the deviations d = R I, where R takes off the mean, or mean and drift:
//!
//! ```text
//! S0 =   tr(R)    sC² + (2 tr(R)  −   tr(RN)  ) sM²
//! S1 = ½ tr(RN)   sC² + (  tr(RN) − ½ tr(RNRN)) sM²
//! ```
//!
//! N has a 1 for each pair of neighbours. It has none across an interval that was left
//! out ([`crate::slips`]), so that those cost data and give no bias. With nothing left out and
//! the mean alone taken off these are S0 = (n − 1) sC² + (2n − 2/n) sM² and
//! S1 = −((n − 1)/n) sC² − (n − 1 + 2/n²) sM².

mod deviations;
pub mod interval;
mod likelihood;

use crate::intervals::Placed;
use crate::slips;
use chronotap_core::time::Nanos;
use deviations::Deviations;
use serde::Serialize;

/// Estimated variances, in ms². They may be negative: then the model does not fit
/// these data, [`WingKristofferson::admissible`] is false, and averages over runs
/// must still use them as they are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WingKristofferson {
    /// How many intervals.
    pub n: usize,
    /// How many more were left out: over missed taps, and the parts of doubled ones.
    pub excluded: usize,
    /// How many pairs of neighbours there are among the intervals.
    pub pairs: usize,
    /// Lag-1 autocorrelation of the intervals, the estimator with 1/n; over neighbours.
    pub r1: f64,
    /// Clock variance by moments.
    pub clock_ms2: f64,
    /// Motor variance by moments.
    pub motor_ms2: f64,
    /// Clock variance without the bias of short runs.
    pub clock_unbiased_ms2: f64,
    /// Motor variance without the bias of short runs.
    pub motor_unbiased_ms2: f64,
    /// Whether −0.5 < r1 < 0, as the model has it, and no variance is negative.
    pub admissible: bool,
    /// The same with the linear drift of the intervals taken off; `None` below four.
    pub detrended: Option<Detrended>,
}

/// The estimates after a linear drift of the intervals is taken off. A drift makes
/// neighbours alike, so that it hides motor variance and passes for that of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Detrended {
    /// Lag-1 autocorrelation.
    pub r1: f64,
    /// Clock variance by moments.
    pub clock_ms2: f64,
    /// Motor variance by moments.
    pub motor_ms2: f64,
    /// Clock variance without the bias of short runs.
    pub clock_unbiased_ms2: f64,
    /// Motor variance without the bias of short runs.
    pub motor_unbiased_ms2: f64,
    /// Whether −0.5 < r1 < 0, as the model has it, and no variance is negative.
    pub admissible: bool,
}

/// Estimates clock and motor variance from inter-tap intervals that are all whole.
/// `None` below three intervals or where nothing varies.
pub fn estimate(intervals: &[Nanos]) -> Option<WingKristofferson> {
    estimate_of(intervals, &vec![true; intervals.len()])
}

/// The same of intervals with slips: those over missed and doubled taps are left out
/// and counted ([`slips::kept`]).
pub fn estimate_without_slips(intervals: &[Nanos]) -> Option<WingKristofferson> {
    estimate_of(intervals, &slips::kept(intervals))
}

/// The same where intervals were left out before: those part neighbours, too.
pub fn estimate_placed(placed: &Placed) -> Option<WingKristofferson> {
    estimate_kept(placed, &slips::kept(placed.intervals()))
}

/// The same of intervals that are all whole.
pub fn estimate_with_slips(placed: &Placed) -> Option<WingKristofferson> {
    estimate_kept(placed, &vec![true; placed.len()])
}

/// Of these intervals. Those that were left out before are not counted as left out.
fn estimate_kept(placed: &Placed, kept: &[bool]) -> Option<WingKristofferson> {
    let (all, kept) = placed.among_all(kept);
    let left_out_before = all.len() - placed.len();
    let found = estimate_of(&all, &kept)?;
    Some(WingKristofferson { excluded: found.excluded - left_out_before, ..found })
}

/// The intervals with a place for each that was left out before, and which of them are kept.
fn among_all(placed: &Placed) -> (Vec<Nanos>, Vec<bool>) {
    placed.among_all(&slips::kept(placed.intervals()))
}

fn estimate_of(intervals: &[Nanos], kept: &[bool]) -> Option<WingKristofferson> {
    let raw = Deviations::from_mean(intervals, kept);
    let (n, pairs) = (raw.n(), raw.pairs());
    let levels = levels(&raw).filter(|_| n > 2)?;
    let detrended = Deviations::from_line(intervals, kept);
    Some(WingKristofferson {
        n,
        excluded: intervals.len() - n,
        pairs,
        r1: levels.r1,
        clock_ms2: levels.clock_ms2,
        motor_ms2: levels.motor_ms2,
        clock_unbiased_ms2: levels.clock_unbiased_ms2,
        motor_unbiased_ms2: levels.motor_unbiased_ms2,
        admissible: levels.admissible,
        detrended: self::levels(&detrended).filter(|_| n > 3),
    })
}

/// Less variance than this, in ms², is that of rounding: a tenth of a nanosecond, squared.
const ROUNDING_MS2: f64 = 1e-14;

/// `None` where nothing varies or no two are neighbours.
fn levels(deviations: &Deviations) -> Option<Detrended> {
    let (c0, c1) = deviations.covariances().filter(|(c0, _)| *c0 > ROUNDING_MS2)?;
    let r1 = c1 / c0;
    let (clock, motor) = deviations.solved()?;
    Some(Detrended {
        r1,
        clock_ms2: c0 + 2.0 * c1,
        motor_ms2: -c1,
        clock_unbiased_ms2: clock,
        motor_unbiased_ms2: motor,
        admissible: r1 > -0.5 && r1 < 0.0 && clock >= 0.0 && motor >= 0.0,
    })
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
        assert_eq!((found.n, found.excluded, found.pairs), (9, 0, 8));
    }

    #[test]
    fn slips_that_were_left_out_before_part_neighbours_as_those_found_here() {
        let mut intervals = vector_1_intervals();
        intervals.insert(4, Nanos::from_millis(1_190));
        let found = estimate_without_slips(&intervals).unwrap();
        assert_eq!((found.n, found.excluded, found.pairs), (9, 1, 7));
        assert_eq!(estimate_placed(&Placed::all(intervals.clone())), Some(found));
        intervals.remove(4);
        let places = (0..10).filter(|place| *place != 4).collect();
        let left = estimate_placed(&Placed::new(intervals, places).unwrap()).unwrap();
        assert_eq!(left, WingKristofferson { excluded: 0, ..found });
    }

    #[test]
    fn data_that_the_model_does_not_fit_are_flagged_and_not_bent() {
        let drifting = [500, 510, 520, 530, 540].map(Nanos::from_millis);
        let found = estimate(&drifting).unwrap();
        assert!(!found.admissible && found.motor_ms2 < 0.0);
    }

    #[test]
    fn a_drift_changes_the_detrended_estimate_by_nothing() {
        let intervals = vector_1_intervals();
        let steeper: Vec<Nanos> =
            (0..).zip(&intervals).map(|(k, i)| *i + Nanos::from_millis(7 * k)).collect();
        let [found, drifting] = [&intervals, &steeper].map(|i| estimate(i).unwrap());
        let [a, b] = [found, drifting].map(|levels| levels.detrended.unwrap());
        near(a.clock_unbiased_ms2, b.clock_unbiased_ms2, 1e-6);
        near(a.motor_unbiased_ms2, b.motor_unbiased_ms2, 1e-6);
        assert!((found.motor_unbiased_ms2 - drifting.motor_unbiased_ms2).abs() > 50.0);
    }

    #[test]
    fn too_little_data_give_no_estimate() {
        assert_eq!(estimate(&[]), None);
        assert_eq!(estimate(&[Nanos(5), Nanos(6)]), None);
        assert_eq!(estimate(&[Nanos(5); 10]), None);
    }
}
