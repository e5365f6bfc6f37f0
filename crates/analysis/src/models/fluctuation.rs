//! Detrended fluctuation analysis, DFA-1 (Peng et al. 1994): whether long runs of taps
//! wander as white noise does (exponent 0.5), as 1/f noise does (1), or as a random walk
//! (1.5).
//!
//! Variant: profile y = cumulated sum of x less its mean; y is cut into ⌊N/n⌋ pieces of n
//! values that do not overlap, from the front (what is left over at the end is not used); a
//! line is taken off each piece by least squares; F(n) is the root of the mean square of
//! all residuals; the exponent is the slope of ln F on ln n by ordinary least squares. The
//! usual windows are 12 from 10 to N/4, evenly spaced in their logarithm.
//!
//! Apply it to intervals (continuation) and asynchronies (synchronization) apart, in any
//! unit. Assumes one run without gaps. Limits: use 256 taps, better 512 or more; the SD of
//! the exponent is about 0.16 at 128 values, 0.09 at 256, 0.07 at 512 and 0.06 at 1024
//! (Delignières et al. 2006). The points of the line depend on each other, and blocks of a bootstrap
//! would cut what is measured: the interval ([`with_interval`]) is by simulation.

mod interval;

use crate::moments::mean;
use crate::no_estimate::NoEstimate;
pub use interval::{Exponent, with_interval};
use serde::Serialize;

/// A fluctuation analysis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fluctuation {
    /// The scaling exponent.
    pub exponent: f64,
    /// Each window, in values, and the fluctuation F in the unit of the values.
    pub points: Vec<(usize, f64)>,
}

/// Fewest values of which an exponent is given.
pub const FEWEST: usize = 64;
/// The shortest of the usual windows.
const SHORTEST: usize = 10;
/// How many the usual windows are.
const WINDOWS: usize = 12;

/// The usual windows for so many values.
pub fn usual_windows(n: usize) -> Vec<usize> {
    let ratio = libm::log((n / 4).max(SHORTEST) as f64 / SHORTEST as f64);
    let window = |k: usize| {
        let share = k as f64 / (WINDOWS - 1) as f64;
        libm::round(SHORTEST as f64 * libm::exp(ratio * share)) as usize
    };
    let mut windows: Vec<usize> = (0..WINDOWS).map(window).collect();
    windows.dedup();
    windows
}

/// The exponent by the usual windows.
pub fn fluctuation(values: &[f64]) -> Result<Fluctuation, NoEstimate> {
    fluctuation_of(values, &usual_windows(values.len()))
}

/// The exponent by given windows, each of 4 values or more.
pub fn fluctuation_of(values: &[f64], windows: &[usize]) -> Result<Fluctuation, NoEstimate> {
    NoEstimate::unless("values", values.len(), FEWEST)?;
    let centre = mean(values).unwrap_or(0.0);
    let mut sum = 0.0;
    let profile = values.iter().map(|value| {
        sum += value - centre;
        sum
    });
    let profile: Vec<f64> = profile.collect();
    let usable = windows.iter().filter(|window| (4..=values.len()).contains(*window));
    let points: Vec<(usize, f64)> =
        usable.map(|window| (*window, residual(&profile, *window))).collect();
    NoEstimate::unless("windows", points.len(), 3)?;
    if points.iter().any(|(_, f)| *f <= 0.0) {
        return Err(NoEstimate::NothingVaries("values"));
    }
    let logarithms: Vec<(f64, f64)> =
        points.iter().map(|(n, f)| (libm::log(*n as f64), libm::log(*f))).collect();
    let exponent = slope(&logarithms).ok_or(NoEstimate::NothingVaries("windows"))?;
    Ok(Fluctuation { exponent, points })
}

/// The root of the mean square of what a line leaves of each piece.
fn residual(profile: &[f64], window: usize) -> f64 {
    let centre = (window as f64 - 1.0) / 2.0;
    let spread = window as f64 * (window as f64 * window as f64 - 1.0) / 12.0;
    let mut squares = 0.0;
    let pieces = profile.chunks_exact(window);
    let count = pieces.len();
    for piece in pieces {
        let height = piece.iter().sum::<f64>() / window as f64;
        let rise: f64 = piece.iter().zip(0..).map(|(y, k)| (f64::from(k) - centre) * y).sum();
        let slope = rise / spread;
        for (y, k) in piece.iter().zip(0..) {
            let off = y - height - slope * (f64::from(k) - centre);
            squares += off * off;
        }
    }
    (squares / (count * window) as f64).sqrt()
}

fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let n = points.len() as f64;
    let (mx, my) = points.iter().fold((0.0, 0.0), |(mx, my), (x, y)| (mx + x / n, my + y / n));
    let xy: f64 = points.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let xx: f64 = points.iter().map(|(x, _)| (x - mx) * (x - mx)).sum();
    (xx > 0.0).then(|| xy / xx)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_engine::random::Random;

    fn noise(n: usize) -> Vec<f64> {
        let mut random = Random::named(1, "fluctuation");
        (0..n).map(|_| random.normal()).collect()
    }

    #[test]
    fn white_noise_and_its_sum_differ_by_one() {
        let white = noise(4_096);
        let mut at = 0.0;
        let walk: Vec<f64> = white
            .iter()
            .map(|x| {
                at += x;
                at
            })
            .collect();
        let [a, b] = [&white, &walk].map(|x| fluctuation(x).unwrap().exponent);
        assert!((a - 0.5).abs() < 0.06 && (b - 1.5).abs() < 0.1, "{a} {b}");
    }

    #[test]
    fn the_unit_changes_nothing() {
        let white = noise(512);
        let small: Vec<f64> = white.iter().map(|x| x * 2.5e-4).collect();
        let [a, b] = [&white, &small].map(|x| fluctuation(x).unwrap().exponent);
        assert!((a - b).abs() < 1e-9);
    }

    #[test]
    fn the_usual_windows_reach_from_10_to_a_quarter() {
        let windows = usual_windows(512);
        assert_eq!((windows[0], *windows.last().unwrap(), windows.len()), (10, 128, 12));
        assert!(fluctuation(&noise(63)).is_err());
        assert_eq!(fluctuation(&[1.0; 100]), Err(NoEstimate::NothingVaries("values")));
    }
}
