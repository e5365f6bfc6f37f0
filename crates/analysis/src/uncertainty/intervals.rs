//! Intervals of what describes inter-tap intervals.

use super::asynchronies::of_sd;
use super::{FEWEST, Waves, lag_one, median};
use crate::estimate::Estimate;
use crate::intervals::Intervals;
use crate::moments::square;
use crate::no_estimate::NoEstimate;
use chronotap_time::Nanos;
use serde::Serialize;

/// The statistics of [`Intervals`] with their intervals for 95 %. Where nothing varies only
/// those that then still mean something are there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct IntervalBounds {
    /// How many inter-tap intervals.
    pub n: usize,
    /// Of the mean.
    pub mean_ms: Estimate,
    /// Of the median.
    pub median_ms: Estimate,
    /// Of the standard deviation.
    pub sd_ms: Option<Estimate>,
    /// Of the coefficient of variation.
    pub cv: Option<Estimate>,
    /// Of the root of the mean square of successive differences.
    pub rmssd_ms: Option<Estimate>,
    /// Of the drift.
    pub drift_ms_per_interval: Option<Estimate>,
    /// Of the pairwise variability index.
    pub npvi: Option<Estimate>,
    /// Of the lag-1 autocorrelation.
    pub lag_one: Option<Estimate>,
}

/// The intervals of inter-tap intervals described.
///
/// Influences, with d = I − mean and δ = I\[k+1\] − I\[k\]: of ln CV d²/2s² − d/mean; of ln RMSSD
/// δ²/2q; of ln nPVI each term of its sum over their mean. The drift has the error
/// √(Ω / Σ (k − k̄)²), as least squares for a line loses nothing to serial dependence in long runs
/// (Grenander 1954).
pub fn of_intervals(intervals: &[Nanos], found: &Intervals) -> Result<IntervalBounds, NoEstimate> {
    NoEstimate::unless("intervals", intervals.len(), FEWEST)?;
    let waves = Waves::of(intervals.len());
    let values: Vec<f64> = intervals.iter().map(|interval| interval.as_millis_f64()).collect();
    let deviations: Vec<f64> = values.iter().map(|value| value - found.mean_ms).collect();
    let mut sorted = values.clone();
    sorted.sort_by(f64::total_cmp);
    let neighbours = Waves::of(values.len() - 1);
    Ok(IntervalBounds {
        n: values.len(),
        mean_ms: waves.linear(found.mean_ms, &deviations),
        median_ms: median(&waves, &values, &sorted, found.median_ms),
        sd_ms: found.sd_ms.and_then(|sd| of_sd(&waves, sd, &deviations)),
        cv: found.cv.and_then(|cv| of_cv(&waves, cv, found.mean_ms, &deviations)),
        rmssd_ms: found.rmssd_ms.and_then(|rmssd| of_rmssd(&neighbours, rmssd, &values)),
        drift_ms_per_interval: found
            .drift_ms_per_interval
            .map(|d| of_drift(&waves, d, &deviations)),
        npvi: found.npvi.and_then(|npvi| of_npvi(&neighbours, npvi, &values)),
        lag_one: lag_one(&waves, &deviations),
    })
}

fn of_cv(waves: &Waves, cv: f64, mean: f64, deviations: &[f64]) -> Option<Estimate> {
    let variance = square(cv * mean);
    let influence = |d: &f64| square(*d) / (2.0 * variance) - d / mean;
    let influences: Vec<f64> = deviations.iter().map(influence).collect();
    waves.logarithmic(cv, &influences).filter(|_| cv > 0.0)
}

fn of_rmssd(waves: &Waves, rmssd: f64, values: &[f64]) -> Option<Estimate> {
    let influence = |pair: &[f64]| square(pair[1] - pair[0]) / (2.0 * square(rmssd));
    let influences: Vec<f64> = values.windows(2).map(influence).collect();
    waves.logarithmic(rmssd, &influences).filter(|_| rmssd > 0.0)
}

fn of_npvi(waves: &Waves, npvi: f64, values: &[f64]) -> Option<Estimate> {
    let term = |pair: &[f64]| 200.0 * (pair[1] - pair[0]).abs() / (pair[1] + pair[0]);
    let influences: Vec<f64> = values.windows(2).map(|pair| term(pair) / npvi).collect();
    waves.logarithmic(npvi, &influences).filter(|_| npvi > 0.0)
}

fn of_drift(waves: &Waves, drift: f64, deviations: &[f64]) -> Estimate {
    let n = deviations.len() as f64;
    let from_middle = |place: usize| place as f64 - (n - 1.0) / 2.0;
    let residuals: Vec<f64> =
        (0..).zip(deviations).map(|(place, d)| d - drift * from_middle(place)).collect();
    let spread = n * (n * n - 1.0) / 12.0;
    waves.about(drift, waves.error_beyond_line(&residuals) * (n / spread).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intervals::describe;

    fn run(drift: i64) -> Vec<Nanos> {
        (0..40).map(|k| Nanos::from_millis(500 + k * 7 % 13 - 6 + drift * k)).collect()
    }

    fn found(intervals: &[Nanos]) -> IntervalBounds {
        of_intervals(intervals, &describe(intervals).unwrap()).unwrap()
    }

    #[test]
    fn each_statistic_lies_in_its_interval() {
        let found = found(&run(0));
        let spread = [found.sd_ms, found.cv, found.rmssd_ms, found.npvi, found.lag_one];
        assert!(spread.iter().all(Option::is_some));
        let centre = [found.mean_ms, found.median_ms, found.drift_ms_per_interval.unwrap()];
        for one in spread.iter().flatten().chain(&centre) {
            assert!(one.low <= one.value && one.value <= one.high, "{one:?}");
        }
    }

    #[test]
    fn a_drift_is_told_from_none() {
        let drift = |ms: i64| found(&run(ms)).drift_ms_per_interval.unwrap();
        assert!(drift(0).holds(0.0) && drift(2).low > 1.0, "{:?} {:?}", drift(0), drift(2));
    }

    #[test]
    fn even_intervals_have_a_mean_and_no_spread() {
        let found = found(&[Nanos::from_millis(500); 20]);
        assert_eq!((found.mean_ms.low, found.mean_ms.high), (500.0, 500.0));
        let spread = [found.sd_ms, found.cv, found.rmssd_ms, found.npvi, found.lag_one];
        assert_eq!(spread, [None; 5]);
        let few = run(0)[..9].to_vec();
        assert!(of_intervals(&few, &describe(&few).unwrap()).is_err());
    }
}
