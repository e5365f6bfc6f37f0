//! Autocorrelation: how far a value follows from those before it.

use crate::moments::{mean, square};

/// Autocovariance c\[j\] = (1/n) Σ (x\[k\] − mean)(x\[k+j\] − mean). `None` where there
/// are no pairs at this lag.
pub fn autocovariance(values: &[f64], lag: usize) -> Option<f64> {
    covariance_about(values, mean(values)?, lag)
}

/// The same where the mean is known.
fn covariance_about(values: &[f64], mean: f64, lag: usize) -> Option<f64> {
    let later = values.get(lag..).filter(|later| !later.is_empty())?;
    let products = values.iter().zip(later).map(|(a, b)| (a - mean) * (b - mean));
    Some(products.sum::<f64>() / values.len() as f64)
}

/// Autocorrelation c\[lag\] / c\[0\], the estimator with 1/n. `None` where there are no
/// pairs or nothing varies.
pub fn autocorrelation(values: &[f64], lag: usize) -> Option<f64> {
    let mean = mean(values)?;
    let variance = covariance_about(values, mean, 0).filter(|variance| *variance > 0.0)?;
    Some(covariance_about(values, mean, lag)? / variance)
}

/// The same of a run in which NaN stands for a value that is missing: the mean product of those two that are both there,
/// times (n − lag)/n, over the variance of the n that are there. Where none is missing it is [`autocorrelation`].
pub fn autocorrelation_with_gaps(values: &[f64], lag: usize) -> Option<f64> {
    let there: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let center = mean(&there)?;
    let squares: f64 = there.iter().map(|value| square(value - center)).sum();
    let pairs = values.iter().zip(values.get(lag..)?);
    let products = pairs.map(|(a, b)| (a - center) * (b - center));
    let products: Vec<f64> = products.filter(|product| !product.is_nan()).collect();
    let n = there.len() as f64;
    Some(mean(&products).filter(|_| squares > 0.0)? * (n - lag as f64) / squares)
}

/// The band that the autocorrelation of independent values stays in for 95 % of lags,
/// ± 1.96/√n (Bartlett 1946; for large n).
pub fn band(n: usize) -> Option<f64> {
    (n > 0).then(|| 1.959_963_984_540_054 / (n as f64).sqrt())
}

/// Pearson's correlation of two equally long lists. `None` where one of them does
/// not vary.
pub fn pearson(x: &[f64], y: &[f64]) -> Option<f64> {
    let (mx, my) = (mean(x)?, mean(y)?);
    let products: f64 = x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum();
    let xx: f64 = x.iter().map(|x| square(x - mx)).sum();
    let yy: f64 = y.iter().map(|y| square(y - my)).sum();
    (x.len() == y.len() && xx > 0.0 && yy > 0.0).then(|| products / (xx * yy).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{in_ms, near, vector_1, vector_1_intervals};

    #[test]
    fn the_worked_example_comes_out() {
        let a = in_ms(&vector_1());
        near(autocorrelation(&a, 1).unwrap(), -0.235384615, 1e-9);
        near(pearson(&a[..9], &a[1..]).unwrap(), -0.245094734, 1e-9);
        near(autocorrelation(&in_ms(&vector_1_intervals()), 1).unwrap(), -0.422259930, 1e-9);
    }

    #[test]
    fn no_pair_reaches_across_a_value_that_is_missing() {
        let of = autocorrelation_with_gaps;
        let whole = in_ms(&vector_1());
        near(of(&whole, 1).unwrap(), autocorrelation(&whole, 1).unwrap(), 1e-12);
        near(of(&whole, 3).unwrap(), autocorrelation(&whole, 3).unwrap(), 1e-12);
        // About their mean 1 these are -1, 1, missing, -1, 1: two pairs of -1 each, times 3/4.
        let gap = [0.0, 2.0, f64::NAN, 0.0, 2.0];
        near(of(&gap, 1).unwrap(), -0.75, 1e-12);
        // At lag 3 it is two pairs of 1 each, times 1/4.
        near(of(&gap, 3).unwrap(), 0.25, 1e-12);
        assert_eq!(of(&[1.0, f64::NAN, 2.0], 1), None);
        assert_eq!(of(&[f64::NAN], 1), None);
    }

    #[test]
    fn the_band_narrows_with_the_root_of_the_count() {
        near(band(100).unwrap(), 0.1959964, 1e-7);
        assert_eq!(band(0), None);
    }

    #[test]
    fn too_little_or_nothing_varying_gives_none() {
        assert_eq!(autocorrelation(&[], 1), None);
        assert_eq!(autocorrelation(&[1.0], 1), None);
        assert_eq!(autocorrelation(&[2.0, 2.0, 2.0], 1), None);
        assert_eq!(autocorrelation(&[1.0, 2.0], 0), Some(1.0));
        assert_eq!(pearson(&[1.0, 1.0], &[1.0, 2.0]), None);
    }
}
