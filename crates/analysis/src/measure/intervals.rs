//! Inter-tap intervals. What describes them is in [`crate::statistics`].

mod placed;

use crate::moments::{mean, mean_ns};
use chronotap_core::time::Nanos;
pub use placed::Placed;
pub(crate) use placed::centre;

/// The intervals between successive onsets.
pub fn between(onsets: &[Nanos]) -> Vec<Nanos> {
    onsets.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// Lag-1 autocorrelation of the intervals that count: the mean product of neighbours times
/// (n − 1)/n over the variance, which is the estimator with 1/n where nothing was left out.
pub fn lag_one(placed: &Placed) -> Option<f64> {
    let intervals = placed.intervals();
    // Differences are exact in integers; equal intervals then deviate by nothing.
    let first = *intervals.first()?;
    let centre = mean_ns(&intervals.iter().map(|one| *one - first).collect::<Vec<_>>())?;
    let off = |interval: Nanos| (interval - first).0 as f64 - centre;
    let products: Vec<f64> = placed.neighbours().map(|(a, b)| off(a) * off(b)).collect();
    let squares: f64 = intervals.iter().map(|one| off(*one) * off(*one)).sum();
    let products = mean(&products).filter(|_| squares > 0.0)?;
    Some(products * (intervals.len() as f64 - 1.0) / squares)
}

/// The intervals without their linear drift, about the same mean; rounded to the
/// nanosecond.
pub fn detrended(intervals: &[Nanos]) -> Vec<Nanos> {
    let places: Vec<usize> = (0..intervals.len()).collect();
    let mean = mean_ns(intervals);
    let slope = mean.and_then(|mean| slope_ns(intervals, &places, mean)).unwrap_or(0.0);
    let centre = (intervals.len() as f64 - 1.0) / 2.0;
    let drift = |k: usize| Nanos::round_from_f64(slope * (k as f64 - centre));
    intervals.iter().enumerate().map(|(k, interval)| *interval - drift(k)).collect()
}

/// Ordinary least squares of the values, with this mean, on their places.
pub(crate) fn slope_ns(values: &[Nanos], places: &[usize], mean: f64) -> Option<f64> {
    let centre = centre(places);
    let (mut products, mut squares) = (0.0, 0.0);
    for (place, value) in places.iter().zip(values) {
        let x = *place as f64 - centre;
        products += x * (value.0 as f64 - mean);
        squares += x * x;
    }
    (squares > 0.0).then(|| products / squares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{near, vector_1_intervals};

    fn ms(ms: &[i64]) -> Vec<Nanos> {
        ms.iter().copied().map(Nanos::from_millis).collect()
    }

    #[test]
    fn the_lag_one_is_that_of_neighbours() {
        near(lag_one(&Placed::all(vector_1_intervals())).unwrap(), -0.422259930, 1e-9);
        // Of 500 510 (980) 540 550 570 the one in brackets is left out.
        let left = Placed::new(ms(&[500, 510, 540, 550, 570]), vec![0, 1, 3, 4, 5]).unwrap();
        let d = [500.0, 510.0, 540.0, 550.0, 570.0].map(|interval| interval - 534.0);
        let products = (d[0] * d[1] + d[2] * d[3] + d[3] * d[4]) / 3.0 * 4.0;
        near(lag_one(&left).unwrap(), products / d.iter().map(|d| d * d).sum::<f64>(), 1e-12);
    }

    #[test]
    fn detrending_takes_a_drift_away_and_keeps_the_mean() {
        let slowing = [500, 510, 520, 530].map(Nanos::from_millis);
        assert_eq!(detrended(&slowing), [Nanos::from_millis(515); 4]);
        let found = detrended(&vector_1_intervals());
        let mean = mean_ns(&found).unwrap();
        near(mean / 1e6, 599.444444, 1e-6);
        let places: Vec<usize> = (0..found.len()).collect();
        near(slope_ns(&found, &places, mean).unwrap() / 1e6, 0.0, 1e-6);
        assert!(detrended(&[]).is_empty());
    }
}
