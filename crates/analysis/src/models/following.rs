//! Whose intervals follow whose (Konvalinka et al. 2010).
//!
//! Cross-correlation at lag j: r(j) = Σ (x\[k\] − x̄)(y\[k+j\] − ȳ) / √(Σ(x − x̄)² Σ(y − ȳ)²), over
//! intervals of the same place. r(1) is positive where the second follows the first, r(−1)
//! where the first follows the second; both, where each adapts to the other. What lies
//! beyond ± 1.96/√n counts. Someone is said to lead only where r(1) and r(−1) differ by more than
//! √2 times as much, and linear drifts are taken off before, since a shared one correlates at every
//! lag. Coupling in both directions by model: [`crate::correction`] with a partner each.
//!
//! Assumes intervals of both for the same beats: one that is missing must be missing in both lists. Those on both sides
//! of it are no neighbours.
//! Limits: the band is that of independent intervals; strongly autocorrelated ones go beyond it more
//! often than in 5 %.

use crate::autocorrelation::band;
use crate::intervals::{Placed, centre};
use crate::moments::{mean, square};
use crate::no_estimate::NoEstimate;
use chronotap_core::time::Nanos;
use serde::Serialize;
use std::f64::consts::SQRT_2;

/// Who follows whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Coupling {
    /// The second follows the first.
    FirstLeads,
    /// The first follows the second.
    SecondLeads,
    /// Each follows the other.
    Mutual,
    /// Neither follows the other, as far as these data tell.
    None,
}

/// The intervals of two people against each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Following {
    /// Intervals of each.
    pub n: usize,
    /// The first follows the second: r(−1).
    pub first_follows: f64,
    /// Both at once: r(0).
    pub together: f64,
    /// The second follows the first: r(1).
    pub second_follows: f64,
    /// The band of no correlation.
    pub band: f64,
    /// What the two outer correlations say, taken anew of the intervals without their linear drifts.
    pub coupling: Coupling,
}

/// Fewest intervals of each of which this is said.
pub const FEWEST: usize = 15;

/// Who follows whom, from intervals of the same places. Where one is missing, those on both sides of it are no
/// neighbours: the outer correlations are the mean product of neighbours, times n − 1, over the root of both sums of
/// squares.
///
/// # Errors
/// [`NoEstimate`] with fewer than [`FEWEST`] intervals, with lists of two lengths, and where nothing varies.
pub fn following(first: &Placed, second: &[Nanos]) -> Result<Following, NoEstimate> {
    NoEstimate::unless("intervals", first.len(), FEWEST)?;
    NoEstimate::unless_equal("intervals of the second", second.len(), first.len())?;
    let ms =
        |of: &[Nanos]| -> Vec<f64> { of.iter().map(|i| (*i - of[0]).as_millis_f64()).collect() };
    let (x, y) = (ms(first.intervals()), ms(second));
    let outer = outer(first, &x, &y).ok_or(NoEstimate::NothingVaries("intervals"))?;
    let together = cross_correlation(&x, &y, 0).ok_or(NoEstimate::NothingVaries("intervals"))?;
    let band = band(x.len()).unwrap_or(1.0);
    let straight = |of: &[f64]| without_line(of, first.places());
    let of_straight = self::outer(first, &straight(&x), &straight(&y)).unwrap_or_default();
    let (first_follows, second_follows) = outer;
    let coupling = coupling(of_straight, band);
    Ok(Following { n: x.len(), first_follows, together, second_follows, band, coupling })
}

/// How values of the first go with those of the second before them, and those of the second with those of the first.
fn outer(placed: &Placed, x: &[f64], y: &[f64]) -> Option<(f64, f64)> {
    let centred = |of: &[f64]| -> Option<Vec<f64>> {
        let mean = mean(of)?;
        Some(of.iter().map(|value| value - mean).collect())
    };
    let (x, y) = (centred(x)?, centred(y)?);
    let squares = |of: &[f64]| of.iter().map(|value| square(*value)).sum::<f64>();
    let both = squares(&x) * squares(&y);
    let pairs: Vec<(usize, usize)> = placed.next_to_each_other().collect();
    let scale = (x.len() as f64 - 1.0) / pairs.len() as f64 / both.sqrt();
    let sum = |later: &[f64], before: &[f64]| -> f64 {
        scale * pairs.iter().map(|(b, k)| later[*k] * before[*b]).sum::<f64>()
    };
    (both > 0.0 && !pairs.is_empty()).then(|| (sum(&x, &y), sum(&y, &x)))
}

/// Values less their straight line over these places.
fn without_line(values: &[f64], places: &[usize]) -> Vec<f64> {
    let (middle, centre) = (mean(values).unwrap_or(0.0), centre(places));
    let off = |place: usize| place as f64 - centre;
    let squares: f64 = places.iter().map(|place| square(off(*place))).sum();
    let products: f64 = places.iter().zip(values).map(|(p, v)| off(*p) * (v - middle)).sum();
    let slope = if squares > 0.0 { products / squares } else { 0.0 };
    places.iter().zip(values).map(|(place, value)| value - slope * off(*place)).collect()
}

/// What the outer correlations of intervals without their linear drifts say. Who leads is named only
/// where both correlations differ: their difference has √2 times the error of one of them.
fn coupling((first_follows, second_follows): (f64, f64), band: f64) -> Coupling {
    let differ = (first_follows - second_follows).abs() > SQRT_2 * band;
    match (first_follows > band, second_follows > band) {
        (false, false) => Coupling::None,
        _ if !differ => Coupling::Mutual,
        _ if first_follows > second_follows => Coupling::SecondLeads,
        _ => Coupling::FirstLeads,
    }
}

/// The cross-correlation of two equally long lists; a positive lag looks at later values of
/// the second. `None` where one does not vary or the lengths differ.
pub fn cross_correlation(x: &[f64], y: &[f64], lag: isize) -> Option<f64> {
    let (mx, my) = (mean(x)?, mean(y)?);
    let shift = lag.unsigned_abs();
    let (x_from, y_from) = if lag < 0 { (shift, 0) } else { (0, shift) };
    let pairs = x.iter().skip(x_from).zip(y.iter().skip(y_from));
    let products: f64 = pairs.map(|(x, y)| (x - mx) * (y - my)).sum();
    let squares =
        |values: &[f64], centre: f64| values.iter().map(|v| square(v - centre)).sum::<f64>();
    let (xx, yy) = (squares(x, mx), squares(y, my));
    (x.len() == y.len() && xx > 0.0 && yy > 0.0).then(|| products / (xx * yy).sqrt())
}

/// A correlation within a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Windowed {
    /// Where the window of the first begins.
    pub start: usize,
    /// So many places later the window of the second begins.
    pub lag: isize,
    /// Pearson's r; `None` where one of both does not vary.
    pub r: Option<f64>,
}

/// Cross-correlations in windows of `window` values, each `step` after the one before, at lags from
/// −`lags` to `lags` (Boker, Xu, Rotondo & King 2002): coupling that changes with time. A window of the
/// second that reaches beyond its values is left out.
///
/// # Errors
/// [`NoEstimate`] where the lists are shorter than a window, a window than 4 values.
pub fn windowed(
    first: &[f64],
    second: &[f64],
    window: usize,
    step: usize,
    lags: usize,
) -> Result<Vec<Windowed>, NoEstimate> {
    NoEstimate::unless("values of a window", window, 4)?;
    NoEstimate::unless("values", first.len().min(second.len()), window)?;
    let lags = isize::try_from(lags).unwrap_or(isize::MAX);
    let of = |start: usize| {
        let part = &first[start..start + window];
        (-lags..=lags).filter_map(move |lag| {
            let begin = start.checked_add_signed(lag)?;
            let other = second.get(begin..begin + window)?;
            Some(Windowed { start, lag, r: cross_correlation(part, other, 0) })
        })
    };
    Ok((0..=first.len() - window).step_by(step.max(1)).flat_map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_engine::random::Random;

    fn following(first: &[Nanos], second: &[Nanos]) -> Result<Following, NoEstimate> {
        super::following(&Placed::all(first.to_vec()), second)
    }

    /// The second repeats the first's interval before; each third one is left out. Its neighbours still go together as
    /// if none were, and by the same size.
    #[test]
    fn a_missing_interval_has_no_neighbours() {
        let all = leader(601);
        let kept = || (1..601).filter(|k| k % 3 > 0);
        let first = Placed::new(kept().map(|k| all[k]).collect(), kept().collect()).unwrap();
        let second: Vec<Nanos> = kept().map(|k| all[k - 1]).collect();
        let found = super::following(&first, &second).unwrap();
        assert!(found.second_follows > 0.9, "{found:?}");
        assert!(found.first_follows.abs() < 4.0 / 200f64.sqrt(), "of 200 pairs: {found:?}");
    }

    fn leader(n: usize) -> Vec<Nanos> {
        let mut random = Random::named(1, "leader");
        (0..n).map(|_| Nanos::round_from_f64((500.0 + 20.0 * random.normal()) * 1e6)).collect()
    }

    /// The second follows by one place in the first half and leads by one in the second.
    #[test]
    fn a_window_shows_who_leads_when() {
        let noise = |k: usize| ((k * k * 37) % 101) as f64;
        let first: Vec<f64> = (0..60).map(noise).collect();
        let second: Vec<f64> =
            (1..61).map(|k| if k <= 30 { noise(k + 99) } else { noise(k) }).collect();
        let found = windowed(&first, &second, 10, 5, 2).unwrap();
        let best = |start: usize| {
            let of = found.iter().filter(|one| one.start == start);
            of.max_by(|a, b| a.r.unwrap().total_cmp(&b.r.unwrap())).map(|one| one.lag)
        };
        assert_eq!((best(10), best(40)), (Some(1), Some(-1)));
        assert!(found.iter().all(|one| one.start % 5 == 0 && one.start <= 50));
        assert_eq!(
            found.iter().filter(|one| one.start == 0).count(),
            3,
            "no window before the first"
        );
        assert!(windowed(&first, &second[..5], 10, 1, 0).is_err());
    }

    #[test]
    fn a_follower_is_found_on_the_side_he_follows() {
        let first = leader(60);
        let second = [&[Nanos::from_millis(500)], &first[..59]].concat();
        let found = following(&first, &second).unwrap();
        assert_eq!(found.coupling, Coupling::FirstLeads);
        assert!(found.second_follows > 0.9, "{found:?}");
        let found = following(&second, &first).unwrap();
        assert_eq!(found.coupling, Coupling::SecondLeads);
    }

    #[test]
    fn too_few_and_even_intervals_say_nothing() {
        let even = [Nanos::from_millis(500); 20];
        assert!(matches!(following(&even, &leader(20)), Err(NoEstimate::NothingVaries(_))));
        assert!(following(&even[..14], &even[..14]).is_err());
        assert!(following(&even, &even[..14]).is_err());
    }
}
