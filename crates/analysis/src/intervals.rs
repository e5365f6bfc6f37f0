//! Inter-tap intervals: their length, their variability, and their drift.

mod placed;

use crate::moments::{mean, mean_ns, median, ms, rms_ns, sd_ns};
use chronotap_time::Nanos;
pub use placed::Placed;
pub(crate) use placed::centre;
use serde::Serialize;

/// Inter-tap intervals described. Times in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Intervals {
    /// How many.
    pub n: usize,
    /// Their mean.
    pub mean_ms: f64,
    /// Their median: the middle one, or the mean of the middle two in whole nanoseconds.
    pub median_ms: f64,
    /// Standard deviation, with n − 1; `None` below two.
    pub sd_ms: Option<f64>,
    /// Coefficient of variation, SD / mean.
    pub cv: Option<f64>,
    /// Root of the mean square of successive differences; `None` below two.
    pub rmssd_ms: Option<f64>,
    /// Least-squares slope of the interval over its number, in ms per interval;
    /// positive when slowing down. `None` below two.
    pub drift_ms_per_interval: Option<f64>,
    /// Normalized pairwise variability index (Grabe & Low 2002):
    /// 100 / (n − 1) · Σ |I[k+1] − I[k]| / ((I[k+1] + I[k]) / 2). `None` below two.
    pub npvi: Option<f64>,
}

/// The intervals between successive onsets.
pub fn between(onsets: &[Nanos]) -> Vec<Nanos> {
    onsets.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// Describes intervals; `None` where there are none.
pub fn describe(intervals: &[Nanos]) -> Option<Intervals> {
    describe_placed(&Placed::all(intervals.to_vec()))
}

/// The same of those that count: differences are those of neighbours, never across what was
/// left out, and the drift is over the number among all.
pub fn describe_placed(placed: &Placed) -> Option<Intervals> {
    let intervals = placed.intervals();
    let mean = mean_ns(intervals)?;
    let sd = sd_ns(intervals);
    let differences: Vec<Nanos> = placed.neighbours().map(|(a, b)| b - a).collect();
    Some(Intervals {
        n: intervals.len(),
        mean_ms: ms(mean),
        median_ms: median(intervals)?.as_millis_f64(),
        sd_ms: sd.map(ms),
        cv: sd.filter(|_| mean > 0.0).map(|sd| sd / mean),
        rmssd_ms: rms_ns(&differences).map(ms),
        drift_ms_per_interval: slope_ns(intervals, placed.places()).map(ms),
        npvi: npvi(placed),
    })
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
    let slope = slope_ns(intervals, &places).unwrap_or(0.0);
    let centre = (intervals.len() as f64 - 1.0) / 2.0;
    let drift = |k: usize| Nanos::round_from_f64(slope * (k as f64 - centre));
    intervals.iter().enumerate().map(|(k, interval)| *interval - drift(k)).collect()
}

/// Ordinary least squares of the values on their places.
fn slope_ns(values: &[Nanos], places: &[usize]) -> Option<f64> {
    let centre = centre(places);
    let mean = mean_ns(values)?;
    let (mut products, mut squares) = (0.0, 0.0);
    for (place, value) in places.iter().zip(values) {
        let x = *place as f64 - centre;
        products += x * (value.0 as f64 - mean);
        squares += x * x;
    }
    (squares > 0.0).then(|| products / squares)
}

fn npvi(placed: &Placed) -> Option<f64> {
    let term = |(a, b): (Nanos, Nanos)| {
        let (a, b) = (a.0 as f64, b.0 as f64);
        (a + b > 0.0).then(|| (b - a).abs() / ((a + b) / 2.0))
    };
    let terms: Option<Vec<f64>> = placed.neighbours().map(term).collect();
    Some(100.0 * mean(&terms?)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{near, vector_1_intervals};

    #[test]
    fn the_worked_example_comes_out() {
        let found = describe(&vector_1_intervals()).unwrap();
        near(found.mean_ms, 599.444444, 1e-6);
        assert_eq!(found.median_ms, 585.0);
        near(found.sd_ms.unwrap(), 35.039660, 1e-6);
        near(found.cv.unwrap(), 0.058453557, 1e-9);
        near(found.rmssd_ms.unwrap(), 58.576873, 1e-6);
        near(found.drift_ms_per_interval.unwrap(), -1.666667, 1e-6);
        near(found.npvi.unwrap(), 7.762606006, 1e-9);
    }

    #[test]
    fn what_was_left_out_parts_neighbours_and_keeps_its_number() {
        let ms = |ms: &[i64]| ms.iter().copied().map(Nanos::from_millis).collect::<Vec<_>>();
        // Of 500 510 (980) 540 550 570 the one in brackets is left out.
        let left = Placed::new(ms(&[500, 510, 540, 550, 570]), vec![0, 1, 3, 4, 5]).unwrap();
        let found = describe_placed(&left).unwrap();
        near(found.rmssd_ms.unwrap(), (600.0_f64 / 3.0).sqrt(), 1e-9);
        let terms = [10.0 / 505.0, 10.0 / 545.0, 20.0 / 560.0];
        near(found.npvi.unwrap(), 100.0 * terms.iter().sum::<f64>() / 3.0, 1e-9);
        near(found.drift_ms_per_interval.unwrap(), 238.0 / 17.2, 1e-9);
        let whole = Placed::all(ms(&[500, 510, 540, 550, 570]));
        assert_eq!(describe(whole.intervals()), describe_placed(&whole));
        near(lag_one(&Placed::all(vector_1_intervals())).unwrap(), -0.422259930, 1e-9);
        let d = [500.0, 510.0, 540.0, 550.0, 570.0].map(|interval| interval - 534.0);
        let products = (d[0] * d[1] + d[2] * d[3] + d[3] * d[4]) / 3.0 * 4.0;
        near(lag_one(&left).unwrap(), products / d.iter().map(|d| d * d).sum::<f64>(), 1e-12);
        let apart = Placed::new(ms(&[500, 510]), vec![0, 2]).unwrap();
        let apart = describe_placed(&apart).unwrap();
        assert_eq!((apart.rmssd_ms, apart.npvi), (None, None));
    }

    #[test]
    fn detrending_takes_a_drift_away_and_keeps_the_mean() {
        let slowing = [500, 510, 520, 530].map(Nanos::from_millis);
        assert_eq!(detrended(&slowing), [Nanos::from_millis(515); 4]);
        let found = describe(&detrended(&vector_1_intervals())).unwrap();
        near(found.mean_ms, 599.444444, 1e-6);
        near(found.drift_ms_per_interval.unwrap(), 0.0, 1e-6);
        assert!(detrended(&[]).is_empty());
    }

    #[test]
    fn one_interval_has_a_mean_and_no_spread() {
        assert_eq!(describe(&between(&[Nanos(1)])), None);
        let one = describe(&between(&[Nanos(0), Nanos::from_millis(500)])).unwrap();
        assert_eq!((one.mean_ms, one.sd_ms, one.cv), (500.0, None, None));
        assert_eq!((one.rmssd_ms, one.drift_ms_per_interval, one.npvi), (None, None, None));
    }

    #[test]
    fn simultaneous_taps_give_no_infinities() {
        let none = describe(&[Nanos(0), Nanos(0)]).unwrap();
        assert_eq!((none.cv, none.npvi, none.sd_ms), (None, None, Some(0.0)));
    }
}
