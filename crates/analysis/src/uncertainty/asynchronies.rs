//! Intervals of what describes asynchronies.

use super::autoregression::{Autoregression, reaching};
use super::{FEWEST, Waves, lag_one, median};
use crate::asynchrony::Asynchrony;
use crate::estimate::Estimate;
use crate::moments::square;
use crate::no_estimate::NoEstimate;
use chronotap_time::Nanos;
use serde::Serialize;

/// The statistics of [`Asynchrony`] with their intervals. Where nothing varies only those that
/// then still mean something are there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AsynchronyBounds {
    /// How many asynchronies.
    pub n: usize,
    /// Of the mean.
    pub mean_ms: Estimate,
    /// Of the median.
    pub median_ms: Estimate,
    /// Of the standard deviation.
    pub sd_ms: Option<Estimate>,
    /// Of the mean distance from the beat.
    pub mean_absolute_ms: Option<Estimate>,
    /// Of the root of the mean square.
    pub rms_ms: Option<Estimate>,
    /// Of the lag-1 autocorrelation.
    pub lag_one: Option<Estimate>,
}

/// The intervals of asynchronies described.
///
/// Influences: of the mean d = A − mean; of ln SD d²/2s²; of ln mean |A| that of |A| / mean; of
/// ln RMS A²/2q. Those of the SD and of the autocorrelation reach as far as an autoregression may.
pub fn of_asynchronies(
    asynchronies: &[Nanos],
    found: &Asynchrony,
) -> Result<AsynchronyBounds, NoEstimate> {
    NoEstimate::unless("asynchronies", asynchronies.len(), FEWEST)?;
    let waves = Waves::of(asynchronies.len());
    let values: Vec<f64> = asynchronies.iter().map(|a| a.as_millis_f64()).collect();
    let deviations: Vec<f64> = values.iter().map(|a| a - found.mean_ms).collect();
    let mut sorted = values.clone();
    sorted.sort_by(f64::total_cmp);
    let each = |of: &dyn Fn(f64) -> f64| values.iter().map(|a| of(*a)).collect::<Vec<f64>>();
    let (distance, rms) = (found.mean_absolute_ms, found.rms_ms);
    let distances = each(&|a| a.abs() / distance);
    let squares = each(&|a| a * a / (2.0 * rms * rms));
    let of_a_run = Autoregression::of(&deviations);
    let with = |ends: fn(&Autoregression) -> (f64, f64), found: Option<Estimate>| {
        let ends = of_a_run.as_ref().map(ends);
        found.map(|found| ends.map_or(found, |ends| reaching(found, ends)))
    };
    let sd = found.sd_ms.and_then(|sd| of_sd(&waves, sd, &deviations));
    Ok(AsynchronyBounds {
        n: values.len(),
        mean_ms: waves.linear(found.mean_ms, &deviations),
        median_ms: median(&waves, &values, &sorted, found.median_ms),
        sd_ms: with(Autoregression::sd, sd),
        mean_absolute_ms: waves.logarithmic(distance, &distances).filter(|_| distance > 0.0),
        rms_ms: waves.logarithmic(rms, &squares).filter(|_| rms > 0.0),
        lag_one: with(Autoregression::lag_one, lag_one(&waves, &deviations)),
    })
}

/// The interval of a standard deviation, from values less their mean.
pub(super) fn of_sd(waves: &Waves, sd: f64, deviations: &[f64]) -> Option<Estimate> {
    let influences: Vec<f64> = deviations.iter().map(|d| square(*d) / (2.0 * square(sd))).collect();
    waves.logarithmic(sd, &influences).filter(|_| sd > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asynchrony::describe;
    use crate::vector_1;

    #[test]
    fn each_statistic_lies_in_its_interval() {
        let values = [vector_1(), vector_1()].concat();
        let described = describe(&values).unwrap();
        let found = of_asynchronies(&values, &described).unwrap();
        assert_eq!((found.mean_ms.value, found.median_ms.value), (-22.5, -22.5));
        let spread = [found.sd_ms, found.mean_absolute_ms, found.rms_ms, found.lag_one];
        for one in spread.iter().flatten().chain([&found.mean_ms, &found.median_ms]) {
            assert!(one.low <= one.value && one.value <= one.high, "{one:?}");
        }
        assert!(spread.iter().all(Option::is_some));
    }

    #[test]
    fn few_and_equal_asynchronies_pretend_nothing() {
        let few = vector_1()[..9].to_vec();
        let why = of_asynchronies(&few, &describe(&few).unwrap()).unwrap_err();
        assert_eq!(why.to_string(), "9 asynchronies are too few: at least 10 are needed");
        let none = [Nanos::ZERO; 12];
        let found = of_asynchronies(&none, &describe(&none).unwrap()).unwrap();
        assert_eq!((found.mean_ms.low, found.mean_ms.high), (0.0, 0.0));
        assert_eq!((found.sd_ms, found.rms_ms, found.lag_one), (None, None, None));
    }
}
