//! Means and deviations, in the order of the data.

use chronotap_time::Nanos;

/// Mean in ns; the sum is taken in integers.
pub(crate) fn mean_ns(values: &[Nanos]) -> Option<f64> {
    let sum: i128 = values.iter().map(|value| i128::from(value.0)).sum();
    (!values.is_empty()).then(|| sum as f64 / values.len() as f64)
}

/// Standard deviation in ns with n − 1 in the denominator; `None` below two values.
pub(crate) fn sd_ns(values: &[Nanos]) -> Option<f64> {
    let mean = mean_ns(values)?;
    let squares: f64 = values.iter().map(|value| square(value.0 as f64 - mean)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}

/// Root of the mean square, in ns.
pub(crate) fn rms_ns(values: &[Nanos]) -> Option<f64> {
    let squares: f64 = values.iter().map(|value| square(value.0 as f64)).sum();
    (!values.is_empty()).then(|| (squares / values.len() as f64).sqrt())
}

/// Mean of plain numbers.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// x².
pub(crate) fn square(x: f64) -> f64 {
    x * x
}

/// Nanoseconds as milliseconds.
pub(crate) fn ms(ns: f64) -> f64 {
    ns / 1e6
}
