//! Intervals of what describes asynchronies.

use super::autoregression::{Autoregression, reaching};
use super::mixture::normal_tail;
use super::{FEWEST, Waves, lag_one, median};
use crate::asynchrony::Asynchrony;
use crate::estimate::Estimate;
use crate::intervals::Placed;
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
/// ln RMS A²/2q. All reach as far as an autoregression may: the median as its mean, mean |A| and RMS
/// by the delta method as its mean and SD together (of normal values, by the method of variance
/// estimates recovery; Zou & Donner 2008, Statistics in Medicine 27, 1693-1702).
pub fn of_asynchronies(
    asynchronies: &[Nanos],
    found: &Asynchrony,
) -> Result<AsynchronyBounds, NoEstimate> {
    of_placed_asynchronies(&Placed::all(asynchronies.to_vec()), found)
}

/// The same of asynchronies of which some are no neighbours, because the beat between them has
/// none: the lag-1 autocorrelation is that of neighbours.
pub fn of_placed_asynchronies(
    placed: &Placed,
    found: &Asynchrony,
) -> Result<AsynchronyBounds, NoEstimate> {
    let asynchronies = placed.intervals();
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
    let sd = found.sd_ms.and_then(|sd| of_sd(&waves, sd, &deviations));
    let bounds = AsynchronyBounds {
        n: values.len(),
        mean_ms: waves.linear(found.mean_ms, &deviations),
        median_ms: median(&waves, &values, &sorted, found.median_ms),
        sd_ms: sd,
        mean_absolute_ms: waves.logarithmic(distance, &distances).filter(|_| distance > 0.0),
        rms_ms: waves.logarithmic(rms, &squares).filter(|_| rms > 0.0),
        lag_one: lag_one(&waves, &deviations, placed.followed()),
    };
    let run = Autoregression::of(&deviations);
    Ok(run.map_or(bounds, |run| reaching_all(bounds, &run)))
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
