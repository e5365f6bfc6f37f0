//! Taps that are partly in phase and partly against it: a mixture of two von Mises
//! distributions, half a circle apart, of one concentration.
//!
//! f(θ) = w VM(θ; μ, κ) + (1 − w) VM(θ; μ + π, κ), fitted by maximum likelihood with the EM
//! algorithm (Dempster, Laird & Rubin 1977; Fisher 1993, ch. 4), from the moments of the
//! doubled angles. μ is between −π/2 and π/2, so that w is the share in phase. Whether two
//! modes are needed is told by `gain`: twice the log of the likelihood ratio to one von
//! Mises distribution; over 3.84 in 5 % of samples of one mode, or fewer.
//!
//! Limits: with κ below about 1 the modes overlap and w and κ trade places. The intervals
//! ([`intervals_of`]) need not have independent taps; the gain does.

mod intervals;

use super::von_mises::{concentration, concentration_near, log_bessel};
use super::{Circular, describe};
use crate::no_estimate::NoEstimate;
pub use intervals::{MixtureIntervals, intervals_of};
use serde::Serialize;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// A fitted mixture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mixture {
    /// Angles.
    pub n: usize,
    /// The share in phase, w.
    pub in_phase: f64,
    /// The direction of the mode in phase, μ, in radians, −π/2 to π/2.
    pub direction_rad: f64,
    /// The concentration of both modes, κ.
    pub concentration: f64,
    /// Log likelihood of the mixture.
    pub log_likelihood: f64,
    /// Twice the log of the likelihood ratio of the mixture to one von Mises distribution.
    pub gain: f64,
    /// Whether the algorithm came to rest.
    pub converged: bool,
}

/// Fewest angles of which a mixture is fitted.
pub const FEWEST: usize = 20;
/// Most steps of the EM algorithm.
const STEPS: usize = 10_000;

/// Fits the mixture to angles in radians.
pub fn mixture(angles: &[f64]) -> Result<Mixture, NoEstimate> {
    NoEstimate::unless("taps", angles.len(), FEWEST)?;
    let one = describe(angles).ok_or(NoEstimate::NothingVaries("taps"))?;
    let directions: Vec<(f64, f64)> =
        angles.iter().map(|angle| (libm::cos(*angle), libm::sin(*angle))).collect();
    let mut modes = start(angles, &directions);
    let mut converged = false;
    for _ in 0..STEPS {
        let next = step(&directions, &modes);
        converged = next.differs_by(&modes) < 1e-12;
        modes = next;
        if converged {
            break;
        }
    }
    let modes = modes.folded();
    let log_likelihood = modes.log_likelihood(&directions);
    Ok(Mixture {
        n: angles.len(),
        in_phase: modes.share,
        direction_rad: modes.direction,
        concentration: modes.concentration,
        log_likelihood,
        gain: 2.0 * (log_likelihood - of_one(&one)),
        converged,
    })
}

#[derive(Clone, Copy)]
struct Modes {
    share: f64,
    direction: f64,
    concentration: f64,
}

impl Modes {
    fn differs_by(&self, other: &Modes) -> f64 {
        let concentration = (self.concentration - other.concentration).abs();
        (self.share - other.share).abs()
            + (self.direction - other.direction).abs()
            + concentration / (1.0 + other.concentration)
    }

    /// The same mixture with the first mode between −π/2 and π/2.
    fn folded(self) -> Modes {
        if self.direction.abs() <= FRAC_PI_2 {
            return self;
        }
        let direction = self.direction - libm::copysign(PI, self.direction);
        Modes { share: 1.0 - self.share, direction, ..self }
    }

    fn log_likelihood(&self, directions: &[(f64, f64)]) -> f64 {
        let (along, across) = (libm::cos(self.direction), libm::sin(self.direction));
        let constant = libm::log(TAU) + log_bessel(self.concentration);
        let density = |(c, s): &(f64, f64)| {
            let x = self.concentration * (c * along + s * across);
            let (a, b) = (self.share, 1.0 - self.share);
            // The greater exponent goes in front, so that none overflows.
            x.abs() + libm::log(a * libm::exp(x - x.abs()) + b * libm::exp(-x - x.abs()))
        };
        directions.iter().map(|direction| density(direction) - constant).sum()
    }
}

/// Doubled angles bring both modes together: half their direction is that of the axis.
fn start(angles: &[f64], directions: &[(f64, f64)]) -> Modes {
    let doubled: Vec<f64> = angles.iter().map(|angle| 2.0 * angle).collect();
    let axis = describe(&doubled).and_then(|doubled| doubled.direction_rad).unwrap_or(0.0);
    let direction = axis / 2.0;
    let (along, across) = (libm::cos(direction), libm::sin(direction));
    let projected = directions.iter().map(|(c, s)| c * along + s * across);
    let near = projected.clone().filter(|x| *x > 0.0).count() as f64;
    let n = directions.len() as f64;
    let length = projected.map(f64::abs).sum::<f64>() / n;
    Modes { share: (near / n).clamp(0.05, 0.95), direction, concentration: concentration(length) }
}

/// One step of EM: how far each angle belongs to either mode, then the mean direction with
/// those of the second mode turned about.
fn step(directions: &[(f64, f64)], modes: &Modes) -> Modes {
    let (along, across) = (libm::cos(modes.direction), libm::sin(modes.direction));
    let (mut share, mut c, mut s) = (0.0, 0.0, 0.0);
    for (x, y) in directions {
        let odds = libm::exp(-2.0 * modes.concentration * (x * along + y * across));
        let first = modes.share / (modes.share + (1.0 - modes.share) * odds);
        share += first;
        c += (2.0 * first - 1.0) * x;
        s += (2.0 * first - 1.0) * y;
    }
    let n = directions.len() as f64;
    let concentration = concentration_near(modes.concentration, libm::hypot(c, s) / n);
    Modes { share: share / n, direction: libm::atan2(s, c), concentration }
}

/// Log likelihood of one von Mises distribution at its best.
fn of_one(one: &Circular) -> f64 {
    let k = concentration(one.resultant);
    one.n as f64 * (k * one.resultant - libm::log(TAU) - log_bessel(k))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_clear_modes_are_parted() {
        let near: Vec<f64> = (0..30).map(|k| f64::from(k % 7 - 3) * 0.05 - 0.2).collect();
        let against: Vec<f64> = (0..10).map(|k| PI - 0.2 + f64::from(k % 5 - 2) * 0.05).collect();
        let found = mixture(&[near, against].concat()).unwrap();
        assert!(found.converged && (found.in_phase - 0.75).abs() < 1e-6, "{found:?}");
        assert!((found.direction_rad + 0.2).abs() < 0.02 && found.gain > 50.0, "{found:?}");
    }

    #[test]
    fn one_mode_gains_nothing_from_a_second() {
        let near: Vec<f64> = (0..30).map(|k| f64::from(k % 7 - 3) * 0.1).collect();
        let found = mixture(&near).unwrap();
        assert!(found.in_phase > 0.999 && found.gain.abs() < 1e-6, "{found:?}");
        assert!(mixture(&near[..19]).is_err());
        let same = mixture(&[0.3; 20]).unwrap();
        assert!((same.direction_rad - 0.3).abs() < 1e-9 && same.concentration.is_finite());
    }
}
