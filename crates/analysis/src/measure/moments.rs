//! Means and deviations, in the order of the data.

use chronotap_core::time::Nanos;

/// Mean in ns; the sum is taken in integers.
pub(crate) fn mean_ns(values: &[Nanos]) -> Option<f64> {
    let sum: i128 = values.iter().map(|value| i128::from(value.0)).sum();
    (!values.is_empty()).then(|| sum as f64 / values.len() as f64)
}

/// Standard deviation in ns with n − 1 in the denominator; `None` below two values.
pub(crate) fn sd_ns(values: &[Nanos]) -> Option<f64> {
    sd_ns_about(values, mean_ns(values)?)
}

/// The same where the mean is known.
pub(crate) fn sd_ns_about(values: &[Nanos], mean: f64) -> Option<f64> {
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

/// Standard deviation of plain numbers with n − 1; `None` below two.
pub(crate) fn sd(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    let squares: f64 = values.iter().map(|value| square(value - mean)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}

/// x².
pub(crate) fn square(x: f64) -> f64 {
    x * x
}

/// Nanoseconds as milliseconds.
pub(crate) fn ms(ns: f64) -> f64 {
    ns / 1e6
}

/// Median in whole nanoseconds: the middle one, or the mean of the middle two (halves
/// away from zero). `None` where there are none.
pub(crate) fn median(values: &[Nanos]) -> Option<Nanos> {
    let mut parted = values.to_vec();
    if parted.is_empty() {
        return None;
    }
    let middle = parted.len() / 2;
    let (below, upper, _) = parted.select_nth_unstable(middle);
    let upper = *upper;
    let lower = if values.len().is_multiple_of(2) { below.iter().max().copied()? } else { upper };
    let sum = i128::from(lower.0) + i128::from(upper.0);
    Some(Nanos(((sum + sum.signum()) / 2) as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_or_between_the_middle_two() {
        assert_eq!(median(&[3, 1, 9].map(Nanos)), Some(Nanos(3)));
        assert_eq!(median(&[3, 1, 9, 6].map(Nanos)), Some(Nanos(5)));
        assert_eq!(median(&[1, 2].map(Nanos)), Some(Nanos(2)));
        assert_eq!(median(&[-1, -2].map(Nanos)), Some(Nanos(-2)));
        assert_eq!(median(&[Nanos(i64::MAX); 2]), Some(Nanos(i64::MAX)));
        assert_eq!(median(&[]), None);
    }
}
