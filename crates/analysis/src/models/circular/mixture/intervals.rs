//! Intervals of a mixture's parameters, by formula.
//!
//! The estimates are where the scores (the slopes of the log likelihood) add up to nothing. With J
//! the mean of their own slopes, the influence of a tap is −J⁻¹ · its scores, whether taps are
//! independent or not (Huber 1967; White 1982). Its long-run variance is that of
//! [`crate::uncertainty`], so that taps may stay in a mode for a while. The share has its interval
//! on its logit, κ on its logarithm.
//!
//! Limit: with one mode that holds less than [`FEWEST_IN_MODE`] taps there is no interval.

use super::Mixture;
use crate::circular::von_mises;
use crate::estimate::Estimate;
use crate::no_estimate::NoEstimate;
use crate::uncertainty::Waves;
use serde::Serialize;

/// The parameters of a mixture with their intervals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MixtureIntervals {
    /// The share in phase.
    pub in_phase: Estimate,
    /// The direction of the mode in phase, in radians.
    pub direction_rad: Estimate,
    /// The concentration of both modes.
    pub concentration: Estimate,
}

/// Fewest taps that each mode must hold, by its share.
pub const FEWEST_IN_MODE: usize = 3;

/// Share, direction and concentration.
type Parameters = [f64; 3];

/// The intervals of a mixture that was fitted to these angles.
pub fn intervals_of(angles: &[f64], found: &Mixture) -> Result<MixtureIntervals, NoEstimate> {
    let at = [found.in_phase, found.direction_rad, found.concentration];
    let fewer = found.in_phase.min(1.0 - found.in_phase) * angles.len() as f64;
    NoEstimate::unless("taps of the smaller mode", fewer as usize, FEWEST_IN_MODE)?;
    let alike = NoEstimate::Indistinct("the parts of the mixture");
    let inverse = inverted(slopes(angles, at)).ok_or(alike)?;
    let scores: Vec<Parameters> = angles.iter().map(|angle| scores(*angle, at)).collect();
    let influences = |row: usize| -> Vec<f64> {
        let of = |scores: &Parameters| -> f64 {
            inverse[row].iter().zip(scores).map(|(weight, score)| -weight * score).sum()
        };
        scores.iter().map(of).collect()
    };
    let waves = Waves::of(angles.len());
    let [share, direction, concentration] = at;
    let logit = libm::log(share / (1.0 - share));
    let back = |logit: f64| 1.0 / (1.0 + libm::exp(-logit));
    let slope = 1.0 / (share * (1.0 - share));
    let on_logarithm = (libm::log(concentration), 1.0 / concentration);
    Ok(MixtureIntervals {
        in_phase: waves.scaled(share, (logit, slope), &influences(0), back),
        direction_rad: waves.linear(direction, &influences(1)),
        concentration: waves.scaled(concentration, on_logarithm, &influences(2), libm::exp),
    })
}

/// The slopes of the log likelihood of one angle on the share, the direction and κ.
fn scores(angle: f64, [share, direction, concentration]: Parameters) -> Parameters {
    let (along, across) = (libm::cos(angle - direction), libm::sin(angle - direction));
    let odds = libm::exp(-2.0 * concentration * along);
    // How far the angle belongs to the mode in phase.
    let first = share / (share + (1.0 - share) * odds);
    let side = 2.0 * first - 1.0;
    [
        first / share - (1.0 - first) / (1.0 - share),
        side * concentration * across,
        side * along - von_mises::resultant(concentration),
    ]
}

/// J: the mean slopes of the scores, by central differences.
fn slopes(angles: &[f64], at: Parameters) -> [Parameters; 3] {
    let steps = [1e-4 * at[0].min(1.0 - at[0]), 1e-5, 1e-5 * at[2]];
    let mut slopes = [[0.0; 3]; 3];
    for column in 0..3 {
        for sign in [1.0, -1.0] {
            let mut moved = at;
            moved[column] += sign * steps[column];
            let weight = sign / (2.0 * steps[column] * angles.len() as f64);
            for scores in angles.iter().map(|angle| scores(*angle, moved)) {
                (0..3).for_each(|row| slopes[row][column] += weight * scores[row]);
            }
        }
    }
    slopes
}

/// By cofactors; `None` where the parameters are not told apart.
fn inverted(m: [Parameters; 3]) -> Option<[Parameters; 3]> {
    let minor = |row: usize, column: usize| {
        let ([a, b], [c, d]) = (rest(row), rest(column));
        let sign = if (row + column).is_multiple_of(2) { 1.0 } else { -1.0 };
        sign * (m[a][c] * m[b][d] - m[a][d] * m[b][c])
    };
    let determinant: f64 = (0..3).map(|column| m[0][column] * minor(0, column)).sum();
    let size: f64 = (0..3).map(|place| m[place][place].abs()).product();
    let inverse = [0, 1, 2].map(|row| [0, 1, 2].map(|column| minor(column, row) / determinant));
    (determinant.abs() > 1e-9 * size && determinant.is_finite()).then_some(inverse)
}

fn rest(place: usize) -> [usize; 2] {
    match place {
        0 => [1, 2],
        1 => [0, 2],
        _ => [0, 1],
    }
}

#[cfg(test)]
mod tests {
    use super::super::mixture;
    use super::*;
    use std::f64::consts::PI;

    fn two_modes(of_second: usize) -> Vec<f64> {
        let spread = |k: usize| (k * 7 % 11) as f64 * 0.1 - 0.5;
        let angle = |k: usize| spread(k) + if k % 10 < of_second { PI - 0.2 } else { -0.2 };
        (0..60).map(angle).collect()
    }

    #[test]
    fn the_intervals_lie_around_the_parameters() {
        let angles = two_modes(3);
        let fitted = mixture(&angles).unwrap();
        let found = intervals_of(&angles, &fitted).unwrap();
        for one in [found.in_phase, found.direction_rad, found.concentration] {
            assert!(one.low < one.value && one.value < one.high, "{one:?}");
        }
        assert!(found.in_phase.holds(0.7) && found.in_phase.high < 1.0, "{found:?}");
    }

    #[test]
    fn the_scores_add_up_to_nothing_at_the_estimate() {
        let angles = two_modes(3);
        let fitted = mixture(&angles).unwrap();
        let at = [fitted.in_phase, fitted.direction_rad, fitted.concentration];
        for row in 0..3 {
            let sum: f64 = angles.iter().map(|angle| scores(*angle, at)[row]).sum();
            assert!(sum.abs() < 1e-6, "{row}: {sum}");
        }
    }

    #[test]
    fn one_mode_alone_has_no_interval() {
        let angles = two_modes(0);
        let why = intervals_of(&angles, &mixture(&angles).unwrap()).unwrap_err();
        assert!(matches!(why, NoEstimate::TooFew { needed: FEWEST_IN_MODE, .. }), "{why}");
    }
}
