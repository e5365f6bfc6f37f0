//! Intervals of what describes inter-tap intervals.

use super::asynchronies::of_sd;
use super::{FEWEST, Waves, lag_one, median};
use crate::estimate::Estimate;
use crate::intervals::{Intervals, Placed, centre};
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
    of_placed(&Placed::all(intervals.to_vec()), found)
}

/// The same of those that count. Too few neighbours give no interval of what is theirs.
pub fn of_placed(placed: &Placed, found: &Intervals) -> Result<IntervalBounds, NoEstimate> {
    let intervals = placed.intervals();
    NoEstimate::unless("intervals", intervals.len(), FEWEST)?;
    let waves = Waves::of(intervals.len());
    let values: Vec<f64> = intervals.iter().map(|interval| interval.as_millis_f64()).collect();
    let deviations: Vec<f64> = values.iter().map(|value| value - found.mean_ms).collect();
    let mut sorted = values.clone();
    sorted.sort_by(f64::total_cmp);
    let pairs: Vec<[f64; 2]> =
        placed.neighbours().map(|(a, b)| [a, b].map(|one| one.as_millis_f64())).collect();
    let enough = pairs.len() + 1 >= FEWEST;
    let neighbours = Waves::of(pairs.len());
    Ok(IntervalBounds {
        n: values.len(),
        mean_ms: waves.linear(found.mean_ms, &deviations),
        median_ms: median(&waves, &values, &sorted, found.median_ms),
        sd_ms: found.sd_ms.and_then(|sd| of_sd(&waves, sd, &deviations)),
        cv: found.cv.and_then(|cv| of_cv(&waves, cv, found.mean_ms, &deviations)),
        rmssd_ms: found
            .rmssd_ms
            .filter(|_| enough)
            .and_then(|rmssd| of_rmssd(&neighbours, rmssd, &pairs)),
        drift_ms_per_interval: found
            .drift_ms_per_interval
            .map(|d| of_drift(&waves, d, &deviations, placed.places())),
        npvi: found.npvi.filter(|_| enough).and_then(|npvi| of_npvi(&neighbours, npvi, &pairs)),
        lag_one: enough.then(|| lag_one(&waves, &deviations, placed.followed())).flatten(),
    })
}

fn of_cv(waves: &Waves, cv: f64, mean: f64, deviations: &[f64]) -> Option<Estimate> {
    let variance = square(cv * mean);
    let influence = |d: &f64| square(*d) / (2.0 * variance) - d / mean;
    let influences: Vec<f64> = deviations.iter().map(influence).collect();
    waves.logarithmic(cv, &influences).filter(|_| cv > 0.0)
}

fn of_rmssd(waves: &Waves, rmssd: f64, pairs: &[[f64; 2]]) -> Option<Estimate> {
    let influence = |pair: &[f64; 2]| square(pair[1] - pair[0]) / (2.0 * square(rmssd));
    let influences: Vec<f64> = pairs.iter().map(influence).collect();
    waves.logarithmic(rmssd, &influences).filter(|_| rmssd > 0.0)
}

fn of_npvi(waves: &Waves, npvi: f64, pairs: &[[f64; 2]]) -> Option<Estimate> {
    let term = |pair: &[f64; 2]| 200.0 * (pair[1] - pair[0]).abs() / (pair[1] + pair[0]);
    let influences: Vec<f64> = pairs.iter().map(|pair| term(pair) / npvi).collect();
    waves.logarithmic(npvi, &influences).filter(|_| npvi > 0.0)
}

fn of_drift(waves: &Waves, drift: f64, deviations: &[f64], places: &[usize]) -> Estimate {
    let n = deviations.len() as f64;
    let middle = centre(places);
    let from_middle = |place: &usize| *place as f64 - middle;
    let residuals: Vec<f64> =
        places.iter().zip(deviations).map(|(place, d)| d - drift * from_middle(place)).collect();
    let spread: f64 = places.iter().map(|place| square(from_middle(place))).sum();
    waves.about(drift, waves.error_beyond_line(&residuals) * (n / spread).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intervals::{describe, describe_placed};

    fn run(drift: i64) -> Vec<Nanos> {
        (0..40).map(|k| Nanos::from_millis(500 + k * 7 % 13 - 6 + drift * k)).collect()
    }

    fn found(intervals: &[Nanos]) -> IntervalBounds {
        of_intervals(intervals, &describe(intervals).unwrap()).unwrap()
    }

    #[test]
    fn what_was_left_out_widens_the_intervals_of_neighbours() {
        let all = run(0);
        let places: Vec<usize> = (0..all.len()).filter(|place| place % 5 != 3).collect();
        let left = places.iter().map(|place| all[*place]).collect();
        let placed = Placed::new(left, places).unwrap();
        let described = describe_placed(&placed).unwrap();
        let parted = of_placed(&placed, &described).unwrap();
        assert_eq!(parted.n, 32);
        for (one, value) in [
            (parted.rmssd_ms.unwrap(), described.rmssd_ms.unwrap()),
            (parted.npvi.unwrap(), described.npvi.unwrap()),
            (parted.drift_ms_per_interval.unwrap(), described.drift_ms_per_interval.unwrap()),
        ] {
            assert!(one.value == value && one.low < value && value < one.high, "{one:?}");
        }
        let lag_one = parted.lag_one.unwrap();
        assert!(lag_one.low < lag_one.value && lag_one.value < lag_one.high);
        // Every other one has no neighbour at all.
        let places: Vec<usize> = (0..40).step_by(2).collect();
        let alone = Placed::new(all[..20].to_vec(), places).unwrap();
        let alone = of_placed(&alone, &describe_placed(&alone).unwrap()).unwrap();
        assert_eq!((alone.rmssd_ms, alone.npvi, alone.lag_one), (None, None, None));
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
