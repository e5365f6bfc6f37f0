//! Intervals of what describes directions on a circle.

use super::Circular;
use crate::estimate::Estimate;
use crate::moments::{mean, square};
use crate::no_estimate::NoEstimate;
use crate::uncertainty::autoregression::{Autoregression, reaching};
use crate::uncertainty::{FEWEST, Waves};
use serde::Serialize;
use std::f64::consts::{PI, TAU};

/// The statistics of [`Circular`] with their intervals. None of them is there where R is 0
/// or 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CircularBounds {
    /// How many directions.
    pub n: usize,
    /// Of R.
    pub resultant: Option<Estimate>,
    /// Of the mean direction, in radians. Where it reaches half way round, nothing is known of
    /// the direction.
    pub direction_rad: Option<Estimate>,
    /// Of the circular standard deviation, in radians.
    pub sd_rad: Option<Estimate>,
    /// Of the angular deviation, in radians.
    pub deviation_rad: Option<Estimate>,
}

/// The intervals of angles, in radians, described.
///
/// Influences: of R cos(θ − μ), of μ sin(θ − μ)/R (Fisher 1993, ch. 4, for independent
/// directions). R and μ reach as far as an autoregression may. Both deviations fall as R grows: their
/// ends are those of R. Limit: an R near 0
/// is biased upward, and its interval with it; look at Rayleigh's test first.
pub fn of_directions(angles: &[f64], found: &Circular) -> Result<CircularBounds, NoEstimate> {
    NoEstimate::unless("taps", angles.len(), FEWEST)?;
    let r = found.resultant;
    let direction = found.direction_rad.filter(|_| r < 1.0);
    let waves = Waves::of(angles.len());
    let run = direction.and_then(|direction| Run::of(direction, angles));
    let resultant = direction.map(|direction| {
        let found = of_resultant(&waves, r, direction, angles);
        run.as_ref().map_or(found, |run| reaching(found, run.resultant(r)))
    });
    let deviation = |of: fn(f64) -> f64| resultant.map(|found| turned(&found, of));
    Ok(CircularBounds {
        n: angles.len(),
        resultant,
        direction_rad: direction
            .map(|direction| of_direction(&waves, r, direction, angles, run.as_ref())),
        sd_rad: deviation(|r| (-2.0 * libm::log(r)).max(0.0).sqrt()),
        deviation_rad: deviation(|r| (2.0 * (1.0 - r)).max(0.0).sqrt()),
    })
}

fn of_resultant(waves: &Waves, r: f64, direction: f64, angles: &[f64]) -> Estimate {
    let along: Vec<f64> = angles.iter().map(|angle| libm::cos(angle - direction) - r).collect();
    let logit = libm::log(r / (1.0 - r));
    let back = |logit: f64| 1.0 / (1.0 + libm::exp(-logit));
    waves.scaled(r, (logit, 1.0 / (r * (1.0 - r))), &along, back)
}

/// The distances from the mean direction as an autoregression.
struct Run {
    autoregression: Autoregression,
    /// The variance of the distances.
    variance: f64,
}

impl Run {
    fn of(direction: f64, angles: &[f64]) -> Option<Run> {
        let distance = |angle: &f64| (angle - direction + PI).rem_euclid(TAU) - PI;
        let mut distances: Vec<f64> = angles.iter().map(distance).collect();
        let centre = mean(&distances)?;
        distances.iter_mut().for_each(|distance| *distance -= centre);
        let squares: f64 = distances.iter().map(|distance| square(*distance)).sum();
        let variance = squares / (distances.len() as f64 - 1.0);
        Some(Run { autoregression: Autoregression::of(&distances)?, variance })
    }

    /// The ends of R. −2 ln R is the square of the circular SD: where the SD may be k times as
    /// large, R may be R^(k²).
    fn resultant(&self, r: f64) -> (f64, f64) {
        let (low, high) = self.autoregression.sd();
        let end = |sd: f64| libm::pow(r, square(sd) / self.variance);
        (end(high), end(low))
    }
}

fn of_direction(
    waves: &Waves,
    r: f64,
    direction: f64,
    angles: &[f64],
    run: Option<&Run>,
) -> Estimate {
    let across: Vec<f64> = angles.iter().map(|angle| libm::sin(angle - direction) / r).collect();
    let found = waves.linear(direction, &across);
    let ends = run.map_or((0.0, 0.0), |run| run.autoregression.mean());
    let found = reaching(found, (direction + ends.0, direction + ends.1));
    let (low, high) = (found.low.max(direction - PI), found.high.min(direction + PI));
    Estimate { low, high, ..found }
}

/// A deviation with the interval of R turned into its own.
fn turned(found: &Estimate, of: impl Fn(f64) -> f64) -> Estimate {
    let (value, low, high) = (of(found.value), of(found.high), of(found.low));
    let step = found.value.min(1.0 - found.value) * 1e-4;
    let slope = (of(found.value - step) - of(found.value + step)) / (2.0 * step);
    Estimate { value, standard_error: slope * found.standard_error, low, high }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circular::describe;

    #[test]
    fn each_statistic_lies_in_its_interval() {
        let angles: Vec<f64> = (0..30).map(|k| f64::from(k * 7 % 11) * 0.1 - 0.8).collect();
        let described = describe(&angles).unwrap();
        let found = of_directions(&angles, &described).unwrap();
        let all = [found.resultant, found.direction_rad, found.sd_rad, found.deviation_rad];
        for one in all.map(Option::unwrap) {
            assert!(one.low < one.value && one.value < one.high, "{one:?}");
        }
        assert!(found.resultant.unwrap().high < 1.0);
        assert_eq!(found.sd_rad.unwrap().value, described.sd_rad.unwrap());
    }

    #[test]
    fn equal_and_evenly_spread_directions_have_no_interval() {
        for angles in [vec![0.0; 12], (0..12).map(|k| f64::from(k) * PI / 6.0).collect()] {
            let found = of_directions(&angles, &describe(&angles).unwrap()).unwrap();
            assert_eq!((found.resultant, found.direction_rad), (None, None));
        }
    }
}
