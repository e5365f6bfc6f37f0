//! Intervals of what describes asynchronies.

use super::SpectralSpread;
use super::autoregression::{Autoregression, reaching};
use super::mixture::normal_tail;
use crate::estimate::Estimate;
use crate::moments::{median, ms, rms_ns};
use crate::no_estimate::NoEstimate;
use crate::series::Series;
use chronotap_core::time::Nanos;
use serde::Serialize;

/// What describes asynchronies, with the intervals. Where nothing varies only those that
/// then still mean something are there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AsynchronyBounds {
    /// How many asynchronies.
    pub n: usize,
    pub mean_ms: Estimate,
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

/// How asynchronies lie about their mean, and the intervals that follow from it.
pub struct AsynchronySpread<'a> {
    /// As of any series.
    pub spread: SpectralSpread<'a>,
    /// The intervals of what describes them.
    pub bounds: AsynchronyBounds,
}

impl<'a> AsynchronySpread<'a> {
    /// Of a series of asynchronies. Two of them are no neighbours where a beat between them has
    /// none: the lag-1 autocorrelation is that of neighbours.
    ///
    /// Influences: of the mean d = A − mean; of ln SD d²/2s²; of ln mean |A| that of |A| / mean; of
    /// ln RMS A²/2q. All reach as far as an autoregression may: the median as its mean, mean |A| and
    /// RMS by the delta method as its mean and SD together (of normal values, by the method of
    /// variance estimates recovery; Zou & Donner 2008, Statistics in Medicine 27, 1693-1702).
    ///
    /// # Errors
    /// [`NoEstimate::TooFew`].
    pub fn of(series: &'a Series<'a>) -> Result<AsynchronySpread<'a>, NoEstimate> {
        let spread = SpectralSpread::of(series, "asynchronies")?;
        let bounds = bounds(&spread);
        Ok(AsynchronySpread { spread, bounds })
    }
}

fn bounds(spread: &SpectralSpread<'_>) -> AsynchronyBounds {
    let series = spread.series;
    let there = |value: Option<f64>| value.map_or(0.0, ms);
    let each = |of: &dyn Fn(f64) -> f64| spread.values.iter().map(|a| of(*a)).collect::<Vec<f64>>();
    let (distance, rms) = (there(series.mean_absolute_ns()), there(rms_ns(series.values())));
    let middle = median(series.values()).map_or(0.0, Nanos::as_millis_f64);
    let distances = each(&|a| a.abs() / distance);
    let squares = each(&|a| a * a / (2.0 * rms * rms));
    let bounds = AsynchronyBounds {
        n: spread.values.len(),
        mean_ms: spread.linear(there(series.mean_ns()), &spread.deviations),
        median_ms: spread.of_median(middle),
        sd_ms: series.sd_ns().and_then(|sd| spread.of_sd(ms(sd))),
        mean_absolute_ms: spread.logarithmic(distance, &distances),
        rms_ms: spread.logarithmic(rms, &squares),
        lag_one: spread.of_lag_one(),
    };
    spread.run().map_or(bounds, |run| reaching_all(bounds, run))
}

/// The same as far as an autoregression may reach.
fn reaching_all(found: AsynchronyBounds, run: &Autoregression) -> AsynchronyBounds {
    let mean = run.mean();
    let of_mean = |found: Estimate| reaching(found, (found.value + mean.0, found.value + mean.1));
    let sd = run.sd();
    let both =
        found.sd_ms.map(|of_sd| Both { mean: (found.mean_ms.value, mean), sd: (of_sd.value, sd) });
    let with = |of: Option<Estimate>, slopes: fn(&Both) -> [f64; 2]| {
        of.map(|of| both.as_ref().map_or(of, |both| both.reaching(of, slopes(both))))
    };
    AsynchronyBounds {
        mean_ms: of_mean(found.mean_ms),
        median_ms: of_mean(found.median_ms),
        sd_ms: found.sd_ms.map(|found| reaching(found, sd)),
        mean_absolute_ms: with(found.mean_absolute_ms, Both::of_distance),
        rms_ms: with(found.rms_ms, Both::of_rms),
        lag_one: found.lag_one.map(|found| reaching(found, run.lag_one())),
        ..found
    }
}

/// Mean and standard deviation, from which the distances from the beat follow, with their
/// ends; those of the mean from it.
struct Both {
    mean: (f64, (f64, f64)),
    sd: (f64, (f64, f64)),
}

impl Both {
    /// How the mean distance of normal values grows with the mean and the SD.
    fn of_distance(&self) -> [f64; 2] {
        let (above, density) = normal_tail(-self.mean.0 / self.sd.0);
        [2.0 * above - 1.0, 2.0 * density]
    }

    /// The same of the root of the mean square.
    fn of_rms(&self) -> [f64; 2] {
        let rms = libm::hypot(self.mean.0, self.sd.0);
        [self.mean.0 / rms, self.sd.0 / rms]
    }

    /// An interval that reaches to what both ends together make of it (Zou & Donner 2008), none
    /// below 0.
    fn reaching(&self, found: Estimate, [of_mean, of_sd]: [f64; 2]) -> Estimate {
        let (early, late) = self.mean.1;
        let (down, up) = if of_mean < 0.0 { (late, -early) } else { (-early, late) };
        let (of_mean, (low, high)) = (of_mean.abs(), self.sd.1);
        let reach = |mean: f64, sd: f64| libm::hypot(of_mean * mean.max(0.0), of_sd * sd.max(0.0));
        let low = (found.value - reach(down, self.sd.0 - low)).max(0.0);
        reaching(found, (low, found.value + reach(up, high - self.sd.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intervals::Placed;
    use crate::vector_1;
    use chronotap_core::time::Nanos;

    fn found(values: &[Nanos]) -> Result<AsynchronyBounds, NoEstimate> {
        let placed = Placed::all(values.to_vec());
        AsynchronySpread::of(&Series::of(&placed)).map(|found| found.bounds)
    }

    #[test]
    fn each_statistic_lies_in_its_interval() {
        let found = found(&[vector_1(), vector_1()].concat()).unwrap();
        assert_eq!((found.mean_ms.value, found.median_ms.value), (-22.5, -22.5));
        let spread = [found.sd_ms, found.mean_absolute_ms, found.rms_ms, found.lag_one];
        for one in spread.iter().flatten().chain([&found.mean_ms, &found.median_ms]) {
            assert!(one.low <= one.value && one.value <= one.high, "{one:?}");
        }
        assert!(spread.iter().all(Option::is_some));
    }

    #[test]
    fn few_and_equal_asynchronies_pretend_nothing() {
        let few = NoEstimate::TooFew { what: "asynchronies", needed: 10, found: 9 };
        assert_eq!(found(&vector_1()[..9]), Err(few));
        let found = found(&[Nanos::ZERO; 12]).unwrap();
        assert_eq!((found.mean_ms.low, found.mean_ms.high), (0.0, 0.0));
        assert_eq!((found.sd_ms, found.rms_ms, found.lag_one), (None, None, None));
    }
}
