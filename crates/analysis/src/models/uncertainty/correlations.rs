//! Intervals of correlations between two runs: prediction and tracking, and who follows whom.
//!
//! Influence of a pair of values, both less their mean and over their SD, on a correlation r:
//! x y − r (x² + y²)/2. The interval is on Fisher's z, so that it ends at 1. Two people's tempi wander: theirs
//! reaches at least as far as what wanders so correlates by chance ([`super::wandering`]).

use super::Waves;
use super::wandering::by_chance;
use crate::estimate::Estimate;
use crate::following::{self, Following};
use crate::intervals::Placed;
use crate::moments::{mean, square};
use crate::no_estimate::NoEstimate;
use crate::tracking::{self, Tracking};
use chronotap_core::time::Nanos;
use serde::Serialize;

/// Prediction and tracking with their intervals. What the pacing itself is counts as known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TrackingIntervals {
    /// Pairs of intervals.
    pub n: usize,
    /// Of r0: prediction.
    pub r0: Option<Estimate>,
    /// Of r1: tracking.
    pub r1: Option<Estimate>,
    /// Of r0 / r1; `None` unless both are above 0.
    pub ratio: Option<Estimate>,
    /// Of r0 − r1.
    pub index: Option<Estimate>,
    /// Of r0 less what the pacing's own correlation explains.
    pub r0_less_own: Option<Estimate>,
    /// Of r1 less the same.
    pub r1_less_own: Option<Estimate>,
}

/// The cross-correlations of two people with their intervals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FollowingIntervals {
    /// Intervals of each.
    pub n: usize,
    /// At lag −1: the first follows the second.
    pub first_follows: Option<Estimate>,
    /// At lag 0.
    pub together: Option<Estimate>,
    /// At lag 1: the second follows the first.
    pub second_follows: Option<Estimate>,
}

/// The indices of inter-tap intervals against the pacing's, as [`tracking::tracking`] takes them.
///
/// # Errors
/// Those of [`tracking::tracking`].
pub fn of_tracking(taps: &Placed, pacing: &Placed) -> Result<TrackingIntervals, NoEstimate> {
    let found = tracking::tracking(taps, pacing)?;
    let (x, y) = (in_ms(taps.intervals()), in_ms(&pacing.at(taps.places())));
    let pairs: Vec<(usize, usize)> = taps.next_to_each_other().collect();
    let (later, earlier): (Vec<f64>, Vec<f64>) =
        pairs.iter().map(|(before, now)| (x[*now], y[*before])).unzip();
    let (now, before) = (influences(&x, &y, found.r0), influences(&later, &earlier, found.r1));
    let (whole, shorter) = (Waves::of(x.len()), Waves::of(pairs.len()));
    let r0 = on_z(&whole, found.r0, &now);
    let r1 = on_z(&shorter, found.r1, &before);
    let both = |of: &dyn Fn(f64, f64) -> f64| -> Vec<f64> {
        pairs.iter().zip(&before).map(|((_, place), before)| of(now[*place], *before)).collect()
    };
    let relative = both(&|now, before| now / found.r0 - before / found.r1);
    let positive = found.r0 > 0.0 && found.r1 > 0.0;
    let ratio = found.ratio.filter(|_| positive);
    Ok(TrackingIntervals {
        n: found.n,
        r0,
        r1,
        ratio: ratio.and_then(|ratio| shorter.logarithmic(ratio, &relative)),
        index: Some(shorter.linear(found.index, &both(&|now, before| now - before))),
        r0_less_own: r0.and_then(|r0| less_own(&r0, &found)),
        r1_less_own: r1.and_then(|r1| less_own(&r1, &found)),
    })
}

/// Who follows whom, from intervals of the same places, as [`following::following`] takes them.
///
/// # Errors
/// Those of [`following::following`].
pub fn of_following(first: &Placed, second: &[Nanos]) -> Result<FollowingIntervals, NoEstimate> {
    let Following { n, first_follows, together, second_follows, .. } =
        following::following(first, second)?;
    let (x, y) = (in_ms(first.intervals()), in_ms(second));
    let waves = Waves::of(n);
    let beside: Vec<(usize, usize)> = first.next_to_each_other().collect();
    let before: Vec<(usize, usize)> = beside.iter().map(|(one, next)| (*next, *one)).collect();
    let chance = by_chance(&x, &y);
    let outer = |r: f64, pairs: &[(usize, usize)]| {
        Some(as_far_as_chance(on_z(&waves, r, &of_pairs(&x, &y, r, pairs))?, chance))
    };
    let same: Vec<(usize, usize)> = (0..n).map(|place| (place, place)).collect();
    Ok(FollowingIntervals {
        n,
        first_follows: outer(first_follows, &before),
        together: outer(together, &same),
        second_follows: outer(second_follows, &beside),
    })
}

/// At least as wide, on Fisher's z, as the correlations of independent runs with this SD.
fn as_far_as_chance(found: Estimate, sd: f64) -> Estimate {
    let (z, reach) = (libm::atanh(found.value), NORMAL * sd);
    let Estimate { value, standard_error, low, high } = found;
    let low = low.min(libm::tanh(z - reach));
    Estimate { value, standard_error, low, high: high.max(libm::tanh(z + reach)) }
}

/// Two standard deviations that leave out 5 % of a normal distribution.
const NORMAL: f64 = 1.959_964;

fn in_ms(values: &[Nanos]) -> Vec<f64> {
    values.iter().map(|value| value.as_millis_f64()).collect()
}

/// r* = (r − a)/(1 − a), and so its ends.
fn less_own(found: &Estimate, of: &Tracking) -> Option<Estimate> {
    let rest = 1.0 - of.own;
    let turned = |r: f64| (r - of.own) / rest;
    let Estimate { value, standard_error, low, high } = *found;
    let standard_error = standard_error / rest;
    let turned =
        Estimate { value: turned(value), standard_error, low: turned(low), high: turned(high) };
    (rest > 0.0).then_some(turned)
}

fn on_z(waves: &Waves, r: f64, influences: &[f64]) -> Option<Estimate> {
    let inside = r.abs() < 1.0;
    inside.then(|| waves.scaled(r, (libm::atanh(r), 1.0 / (1.0 - r * r)), influences, libm::tanh))
}

/// One for each place of `x`.
fn influences(x: &[f64], y: &[f64], r: f64) -> Vec<f64> {
    let same: Vec<(usize, usize)> = (0..x.len()).map(|place| (place, place)).collect();
    of_pairs(x, y, r, &same)
}

/// The same where a place of `x` goes with another of `y`; what has no partner is its own square alone. Products of
/// neighbours count as much as if none were left out.
fn of_pairs(x: &[f64], y: &[f64], r: f64, pairs: &[(usize, usize)]) -> Vec<f64> {
    let (x, y) = (standardized(x), standardized(y));
    let own = |place: usize| -r * (square(x[place]) + square(y[place])) / 2.0;
    let mut all: Vec<f64> = (0..x.len()).map(own).collect();
    let apart = pairs.iter().any(|(one, other)| one != other);
    let possible = x.len() - usize::from(apart);
    let scale = possible as f64 / pairs.len().max(1) as f64;
    pairs.iter().for_each(|(one, other)| all[*one] += scale * x[*one] * y[*other]);
    all
}

/// Less the mean, over the SD with n.
fn standardized(values: &[f64]) -> Vec<f64> {
    let centre = mean(values).unwrap_or(0.0);
    let squares: f64 = values.iter().map(|value| square(value - centre)).sum();
    let sd = (squares / values.len() as f64).sqrt();
    values.iter().map(|value| (value - centre) / sd).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_engine::random::Random;

    fn ns(ms: f64) -> Nanos {
        Nanos::round_from_f64(ms * 1e6)
    }

    #[test]
    fn each_index_lies_in_its_interval() {
        let mut random = Random::named(2, "tracking");
        let tempo = |k: i32| 500.0 + 80.0 * libm::sin(std::f64::consts::TAU * f64::from(k) / 12.0);
        let pacing: Vec<Nanos> = (0..48).map(|k| ns(tempo(k))).collect();
        let tap = |k: i32| 0.7 * tempo(k) + 0.3 * tempo(k - 1);
        let taps: Vec<Nanos> = (0..48).map(|k| ns(tap(k) + 20.0 * random.normal())).collect();
        let found = of_tracking(&Placed::all(taps), &Placed::all(pacing)).unwrap();
        let all =
            [found.r0, found.r1, found.ratio, found.index, found.r0_less_own, found.r1_less_own];
        for one in all.map(Option::unwrap) {
            assert!(one.low < one.value && one.value < one.high, "{one:?}");
        }
        assert!(found.r0.unwrap().high < 1.0 && found.r0_less_own.unwrap().low > 0.0, "{found:?}");
    }

    #[test]
    fn each_lag_lies_in_its_interval() {
        let mut random = Random::named(2, "following");
        let first: Vec<f64> = (0..61).map(|_| 20.0 * random.normal()).collect();
        let second: Vec<Nanos> =
            (1..61).map(|k| ns(500.0 + 0.6 * first[k - 1] + 10.0 * random.normal())).collect();
        let first: Vec<Nanos> = first[1..].iter().map(|x| ns(500.0 + x)).collect();
        let found = of_following(&Placed::all(first.clone()), &second).unwrap();
        let all = [found.first_follows, found.together, found.second_follows];
        for one in all.map(Option::unwrap) {
            assert!(one.low < one.value && one.value < one.high, "{one:?}");
        }
        assert!(found.second_follows.unwrap().low > 0.3 && found.together.unwrap().holds(0.0));
        assert!(of_following(&Placed::all(first[..9].to_vec()), &second[..9]).is_err());
    }
}
