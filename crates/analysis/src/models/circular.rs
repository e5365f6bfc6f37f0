//! Circular statistics: taps as directions on a circle that one interval goes
//! round, which needs no matching (Fisher 1993; Berens 2009).
//!
//! Angle θ = 2π · asynchrony / interval; C and S are the means of cos θ and sin θ.

mod bounds;
pub mod mixture;
pub mod v_test;
pub mod von_mises;

pub use bounds::{CircularBounds, of_directions};
use chronotap_core::time::Nanos;
use serde::Serialize;
use std::f64::consts::TAU;

/// Directions described.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Circular {
    pub n: usize,
    /// Length of the mean vector, R = √(C² + S²): 0 spread all round, 1 all alike.
    pub resultant: f64,
    /// Mean direction, atan2(S, C), in radians; `None` where R is 0.
    pub direction_rad: Option<f64>,
    /// Circular standard deviation, √(−2 ln R), in radians; `None` where R is 0.
    pub sd_rad: Option<f64>,
    /// Angular deviation, √(2 (1 − R)), in radians.
    pub deviation_rad: f64,
    /// Rayleigh's test against an even spread; `None` below two.
    pub rayleigh: Option<Rayleigh>,
}

/// Rayleigh's test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rayleigh {
    /// z = n R².
    pub z: f64,
    /// Its probability under an even spread, by Zar's approximation
    /// p = exp(√(1 + 4n + 4(n² − (nR)²)) − (1 + 2n)).
    pub p: f64,
}

/// An R below this is the rounding of 0.
const RESULTANT_FLOOR: f64 = 1e-12;

/// Angles in radians of onsets relative to their beats; `interval` above 0.
pub fn angles(asynchronies: &[Nanos], interval: Nanos) -> Vec<f64> {
    asynchronies.iter().map(|a| TAU * a.0 as f64 / interval.0 as f64).collect()
}

/// Describes angles in radians; `None` where there are none.
pub fn describe(angles: &[f64]) -> Option<Circular> {
    let n = angles.len();
    if n == 0 {
        return None;
    }
    let (mut c, mut s) = (0.0, 0.0);
    for angle in angles {
        c += libm::cos(*angle);
        s += libm::sin(*angle);
    }
    let resultant = (libm::hypot(c, s) / n as f64).min(1.0);
    let directed = resultant > RESULTANT_FLOOR;
    Some(Circular {
        n,
        resultant,
        direction_rad: directed.then(|| libm::atan2(s, c)),
        sd_rad: directed.then(|| (-2.0 * libm::log(resultant)).max(0.0).sqrt()),
        deviation_rad: (2.0 * (1.0 - resultant)).sqrt(),
        rayleigh: rayleigh(n, resultant),
    })
}

/// How far directions move from the first to the last along their least-squares line, each taken
/// on the turn on which it is closest to the one before; in radians, positive when taps come later
/// and later. `None` below two.
///
/// Half a cycle or more is the mark of somebody at another tempo than the beat.
pub fn phase_drift(angles: &[f64]) -> Option<f64> {
    let (first, n) = (*angles.first()?, angles.len());
    let mut on_line = Vec::with_capacity(n);
    let mut last = first;
    for angle in angles {
        let step = angle - last;
        last += step - TAU * libm::round(step / TAU);
        on_line.push(last - first);
    }
    let centre = (n as f64 - 1.0) / 2.0;
    let mean = on_line.iter().sum::<f64>() / n as f64;
    let (mut products, mut squares) = (0.0, 0.0);
    for (place, value) in on_line.iter().enumerate() {
        let off = place as f64 - centre;
        products += off * (value - mean);
        squares += off * off;
    }
    (n > 1).then(|| products / squares * (n as f64 - 1.0))
}

/// Rayleigh's test of `n` directions with mean vector length `resultant`.
pub fn rayleigh(n: usize, resultant: f64) -> Option<Rayleigh> {
    if n < 2 {
        return None;
    }
    let n = n as f64;
    let length = n * resultant;
    let root = (1.0 + 4.0 * n + 4.0 * (n * n - length * length)).sqrt();
    Some(Rayleigh { z: length * resultant, p: libm::exp(root - (1.0 + 2.0 * n)).min(1.0) })
}

impl Circular {
    /// The mean direction as an asynchrony, in milliseconds.
    pub fn mean_asynchrony_ms(&self, interval: Nanos) -> Option<f64> {
        self.direction_rad.map(|direction| direction / TAU * interval.as_millis_f64())
    }

    /// logit R = ln(R / (1 − R)), for parametric tests; `None` where R is 0 or 1.
    pub fn logit(&self) -> Option<f64> {
        let inside = self.resultant > RESULTANT_FLOOR && self.resultant < 1.0;
        inside.then(|| libm::log(self.resultant / (1.0 - self.resultant)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{near, vector_1};

    const T: Nanos = Nanos::from_millis(600);

    #[test]
    fn the_worked_example_comes_out() {
        let found = describe(&angles(&vector_1(), T)).unwrap();
        near(found.resultant, 0.977911036, 1e-9);
        near(found.direction_rad.unwrap(), -0.235329774, 1e-9);
        near(found.mean_asynchrony_ms(T).unwrap(), -22.472338, 1e-6);
        near(found.sd_rad.unwrap(), 0.211360253, 1e-9);
        near(found.deviation_rad, 0.210185460, 1e-9);
        near(found.logit().unwrap(), 3.790340588, 1e-8);
        let rayleigh = found.rayleigh.unwrap();
        near(rayleigh.z, 9.563099945, 1e-8);
        near(rayleigh.p, 1.587993e-6, 1e-11);
    }

    #[test]
    fn taps_all_round_the_beat_have_no_direction() {
        let spread = [-200, -90, -20, 40, 110, 170, 240, -280].map(Nanos::from_millis);
        let found = describe(&angles(&spread, T)).unwrap();
        near(found.resultant, 0.110790467, 1e-9);
        near(found.mean_asynchrony_ms(T).unwrap(), 106.35476, 1e-5);
        near(found.rayleigh.unwrap().p, 0.911491904, 1e-8);
        let even = describe(&[0.0, TAU / 3.0, 2.0 * TAU / 3.0]).unwrap();
        assert!(even.resultant < 1e-12);
        assert_eq!((even.direction_rad, even.sd_rad, even.logit()), (None, None, None));
    }

    #[test]
    fn zars_approximation_gives_the_worked_probabilities() {
        for (resultant, p) in [(0.5, 0.079356), (0.7, 0.004760), (0.8, 0.000612)] {
            near(rayleigh(10, resultant).unwrap().p, p, 1e-6);
        }
    }

    #[test]
    fn a_drift_through_the_cycle_is_followed_round_it() {
        let turning = |step: f64| -> Vec<f64> {
            (0..40).map(|k| (step * f64::from(k)).rem_euclid(TAU)).collect()
        };
        near(phase_drift(&turning(0.3)).unwrap(), 0.3 * 39.0, 1e-9);
        near(phase_drift(&turning(-0.1)).unwrap(), -3.9, 1e-9);
        let jumps = [3.1, -3.1, 3.1, -3.1];
        assert!(phase_drift(&jumps).unwrap().abs() < 0.2);
        assert_eq!((phase_drift(&[]), phase_drift(&[1.0])), (None, None));
    }

    #[test]
    fn one_tap_points_fully_and_is_not_tested() {
        let one = describe(&[1.0]).unwrap();
        near(one.resultant, 1.0, 1e-12);
        assert_eq!(one.rayleigh, None);
        assert_eq!(describe(&[]), None);
    }
}
