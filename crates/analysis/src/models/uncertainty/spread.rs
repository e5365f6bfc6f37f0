//! [`SpectralSpread`]: how the values of a series lie about their mean, from which the interval of each of
//! its statistics is made.

use super::autoregression::Autoregression;
use super::mixture::Z;
use super::{FEWEST, Waves};
use crate::estimate::Estimate;
use crate::moments::{mean, ms, square};
use crate::no_estimate::NoEstimate;
use crate::series::Series;
use std::cell::OnceCell;

/// The values of a series with the waves that it is looked at with.
pub struct SpectralSpread<'a> {
    pub series: &'a Series<'a>,
    /// Its values in ms.
    pub values: Vec<f64>,
    /// The same less their mean.
    pub deviations: Vec<f64>,
    pub(crate) waves: Waves,
    sorted: OnceCell<Vec<f64>>,
    run: OnceCell<Option<Autoregression>>,
    reach: OnceCell<Option<Reach>>,
    of_differences: OnceCell<Option<Reach>>,
}

impl<'a> SpectralSpread<'a> {
    /// Of a series of so called values.
    ///
    /// # Errors
    /// [`NoEstimate::TooFew`].
    pub fn of(
        series: &'a Series<'a>,
        what: &'static str,
    ) -> Result<SpectralSpread<'a>, NoEstimate> {
        NoEstimate::unless(what, series.n(), FEWEST)?;
        let mean = series.mean_ns().map_or(0.0, ms);
        let values: Vec<f64> = series.values().iter().map(|one| one.as_millis_f64()).collect();
        Ok(SpectralSpread {
            series,
            deviations: values.iter().map(|value| value - mean).collect(),
            waves: Waves::of(values.len()),
            values,
            sorted: OnceCell::new(),
            run: OnceCell::new(),
            reach: OnceCell::new(),
            of_differences: OnceCell::new(),
        })
    }

    /// The interval of a value from the influences of the series on it.
    pub fn linear(&self, value: f64, influences: &[f64]) -> Estimate {
        self.waves.linear(value, influences)
    }

    /// The same of a value above 0, from the influences on its logarithm.
    pub fn logarithmic(&self, value: f64, influences: &[f64]) -> Option<Estimate> {
        self.waves.logarithmic(value, influences).filter(|_| value > 0.0)
    }

    /// The interval of what grows as the differences of neighbours do. Too few of them give none.
    pub fn of_neighbours(&self, value: f64) -> Option<Estimate> {
        let reach = self.of_differences.get_or_init(|| {
            let differences: Vec<f64> =
                self.series.neighbours().map(|(a, b)| (b - a).as_millis_f64()).collect();
            let centre = mean(&differences)?;
            let deviations: Vec<f64> = differences.iter().map(|one| one - centre).collect();
            Reach::of(&deviations, Autoregression::of(&deviations).as_ref())
        });
        reach.as_ref()?.about(value).filter(|_| self.has_neighbours())
    }

    /// The interval of what grows by the line from one value to the next, from what lies off it;
    /// `times` the error of their mean is its error.
    pub(crate) fn about_line(&self, value: f64, residuals: &[f64], times: f64) -> Estimate {
        self.waves.about(value, self.waves.error_beyond_line(residuals) * times)
    }

    /// Whether enough of its values are neighbours.
    pub fn has_neighbours(&self) -> bool {
        self.series.neighbours().count() + 1 >= FEWEST
    }

    /// The interval of the median.
    pub(crate) fn of_median(&self, median: f64) -> Estimate {
        let sorted = self.sorted.get_or_init(|| {
            let mut sorted = self.values.clone();
            sorted.sort_by(f64::total_cmp);
            sorted
        });
        super::median(&self.waves, &self.values, sorted, median)
    }

    /// The interval of the lag-1 autocorrelation.
    pub(crate) fn of_lag_one(&self) -> Option<Estimate> {
        super::lag_one(&self.waves, &self.deviations, self.series.placed().followed())
    }

    /// The interval of what grows as the standard deviation does, that of an autoregression.
    pub(crate) fn as_sd(&self, value: f64) -> Option<Estimate> {
        let reach = self.reach.get_or_init(|| Reach::of(&self.deviations, self.run()));
        reach.as_ref()?.about(value)
    }

    /// The interval of the lag-1 autocorrelation, that of an autoregression.
    pub(crate) fn as_lag_one(&self, value: f64) -> Option<Estimate> {
        let found = self.of_lag_one().filter(|_| self.has_neighbours())?;
        let (low, high) = self.run()?.lag_one();
        Some(Estimate { low: low.min(value), high: high.max(value), ..found })
    }

    /// The values as an autoregression.
    pub(super) fn run(&self) -> Option<&Autoregression> {
        self.run.get_or_init(|| Autoregression::of(&self.deviations)).as_ref()
    }

    /// The interval of the standard deviation.
    pub(crate) fn of_sd(&self, sd: f64) -> Option<Estimate> {
        super::of_sd(&self.waves, sd, &self.deviations)
    }
}

/// How far the SD of an autoregression reaches.
struct Reach {
    sd: f64,
    ends: (f64, f64),
}

impl Reach {
    fn of(deviations: &[f64], run: Option<&Autoregression>) -> Option<Reach> {
        let squares: f64 = deviations.iter().map(|one| square(*one)).sum();
        let sd = (squares / (deviations.len() as f64 - 1.0)).sqrt();
        Some(Reach { sd, ends: run?.sd() })
    }

    /// The interval of what grows as that SD does.
    fn about(&self, value: f64) -> Option<Estimate> {
        let [low, high] = [self.ends.0, self.ends.1].map(|end| value * end / self.sd);
        let standard_error = value * libm::log(high / low) / (2.0 * Z);
        (value > 0.0).then_some(Estimate { value, standard_error, low, high })
    }
}
