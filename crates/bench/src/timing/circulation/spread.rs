//! [`TimeSpread`]: a set of times in a few numbers and one histogram.

use chronotap_analysis::lateness::{Bucket, histogram, quantile};
use chronotap_core::time::Nanos;
use serde::Serialize;

/// Times described, in microseconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimeSpread {
    pub n: usize,
    pub mean_us: f64,
    /// Standard deviation, with n - 1; `None` below two.
    pub sd_us: Option<f64>,
    /// Least.
    pub min_us: f64,
    pub median_us: f64,
    /// 99th percentile.
    pub p99_us: f64,
    /// Greatest.
    pub max_us: f64,
    /// Peak jitter: greatest minus least.
    pub peak_jitter_us: f64,
    /// Average jitter: mean of |x - mean|.
    pub average_jitter_us: f64,
    /// In the buckets of every histogram of this program; empty ones left out.
    pub histogram: Vec<Bucket>,
}

impl TimeSpread {
    /// Describes times; `None` where there are none.
    pub fn of(times: &[Nanos]) -> Option<TimeSpread> {
        let mut sorted = times.to_vec();
        sorted.sort_unstable();
        let n = sorted.len() as f64;
        let sum: i128 = sorted.iter().map(|time| i128::from(time.0)).sum();
        let (least, greatest) = (*sorted.first()?, *sorted.last()?);
        let mean = sum as f64 / n;
        let away = || sorted.iter().map(|time| (time.0 as f64 - mean).abs());
        let squares: f64 = away().map(|x| x * x).sum();
        Some(TimeSpread {
            n: sorted.len(),
            mean_us: mean / 1e3,
            sd_us: (sorted.len() > 1).then(|| (squares / (n - 1.0)).sqrt() / 1e3),
            min_us: least.as_micros_f64(),
            median_us: quantile(&sorted, 1, 2)?.as_micros_f64(),
            p99_us: quantile(&sorted, 99, 100)?.as_micros_f64(),
            max_us: greatest.as_micros_f64(),
            peak_jitter_us: (greatest - least).as_micros_f64(),
            average_jitter_us: away().sum::<f64>() / n / 1e3,
            histogram: histogram(&sorted).into_iter().filter(|bar| bar.count > 0).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jitter_is_what_its_definition_says() {
        let found = TimeSpread::of(&[1, 2, 3, 6].map(Nanos::from_millis)).unwrap();
        assert_eq!((found.mean_us, found.peak_jitter_us), (3_000.0, 5_000.0));
        assert_eq!(found.average_jitter_us, 1_500.0); // (2 + 1 + 0 + 3) / 4
        assert_eq!((found.min_us, found.median_us, found.max_us), (1_000.0, 2_000.0, 6_000.0));
        assert!((found.sd_us.unwrap() - 2_160.247).abs() < 1e-3);
        assert_eq!(TimeSpread::of(&[]), None);
    }
}
