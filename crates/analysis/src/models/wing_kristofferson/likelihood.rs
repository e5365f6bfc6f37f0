//! What a run of intervals says of clock and motor variance under the model: how far both reach.
//!
//! Background: the variances of sC² and sM² as estimated (Bartlett 1946) depend on the true ones, which
//! are not known. With the estimates in their place, runs of 10 and 30 values held the clock variance in 76 to
//! 91 %, and runs with an estimate below 0, a quarter to a half of all, had no interval.
//!
//! Nor does people's tempo hold still where nothing paces: it wanders by about 0.8 % with each tap
//! (docs/participants.md), which passes for a clock that varies more and a hand that varies less. Taken as steady, trials
//! of 30 taps of adults held the clock variance in 63 %, those of 120 in 16 %, and less the line in 80 and 28 %.
//!
//! Solution: with g0 = sC² + 2 sM² and ρ = sM²/g0, the intervals have the covariances g0 V(ρ, ω), where V has a 1
//! on its diagonal and −ρ beside it, and on top those of a random walk whose steps have the SD ω. Given both, with p
//! columns X taken off (mean; mean and slope):
//!
//! ```text
//! Q    = the least (x − X b)ᵀ V⁻¹ (x − X b) over b
//! p(ρ, ω) ∝ |V|^−½ |Xᵀ V⁻¹ X|^−½ Q^(−(n − p)/2) p(ω)      (b, ln g0 flat; ρ flat between −½ and ½)
//! g0 given ρ, ω:  Q over χ² of n − p      sC² = (1 − 2ρ) g0      sM² = ρ g0
//! ```
//!
//! (Zellner 1971, An introduction to Bayesian inference in econometrics, ch. 4 and 7). The ends are the
//! 2.5 % points over all ρ and ω by their weights; what lies below 0 counts as 0. ρ may be negative here although the model
//! has no such run: with ρ cut at 0, the interval of a person with little motor delay held neither variance in
//! more than 91 %. V is that of a tempo and a delay, so that everything comes by one pass of a Kalman filter over the
//! values for each ρ, with all ω beside each other (Harvey 1989, 3.2); across an interval that was left out the tempo
//! wanders on and the delay begins anew.
//!
//! Nor need the clock's intervals be independent of each other: those of people who tap alone are about like 1/f noise
//! (Gilden, Thornton & Mallon 1995). Neighbours are then alike, which hides the motor delays: as independent ones, adults'
//! trials of 30 and 120 intervals with such a clock held the motor variance in 89 and 78 %. So all is done with a second clock
//! too, whose variance (1 − 2ρ) g0 is in part its own (w), in part lasts from interval to interval (A, of which q is left at the
//! next), and in part is the same throughout the trial, which the mean takes up:
//!
//! ```text
//! covariance of intervals k apart:  (1 − 2ρ) (w δ[k] + A q^k) + ρ (2 δ[k] − δ[k − 1])      w = 0.11, A = 0.47, q = 0.69
//! ```
//!
//! w, A and q are fitted to the spectrum of fractional Gaussian noise with an exponent of 0.9, on the logarithm, from a period of
//! 150 intervals on; what is left of slow noise passes for a tempo that wanders. Which clock it is, weighs the likelihood. Before
//! it the second has 0.3. With 0.4, adults' trials of 120 intervals with a 1/f clock would hold the motor variance in 93 instead of
//! 91 %, but those of a steady tapper with little motor delay in 92 instead of 93 %.

use super::deviations::{Deviations, Memory};
use crate::lanes::Lanes;
use crate::uncertainty::mixture::{beyond, normal_above, normal_tail, quantile};
use std::array::from_fn;

/// ρ is looked at in so many points at a time.
const POINTS: usize = 16;
/// Values of ω, and what is thought of each: those of people who tap alone (docs/participants.md).
const WANDERS: [(f64, f64); 10] = [
    (0.0, 0.1),
    (0.06, 0.15),
    (0.085, 0.1),
    (0.12, 0.1),
    (0.17, 0.1),
    (0.25, 0.1),
    (0.35, 0.1),
    (0.5, 0.1),
    (0.7, 0.1),
    (1.0, 0.05),
];
/// The same where the clock's memory is long, whose noise wanders by itself.
const WANDERS_BESIDE: [(f64, f64); 4] = [(0.0, 0.2), (0.1, 0.35), (0.25, 0.3), (0.6, 0.15)];
/// Each interval is independent of the last.
const NONE: Memory = Memory { own: 1.0, lasting: 0.0, left: 0.0 };
/// About fractional Gaussian noise with an exponent of 0.9 beside a tempo that wanders.
const LONG: Memory = Memory { own: 0.11, lasting: 0.47, left: 0.69 };
/// How likely it is thought that the memory is long.
const LONG_THOUGHT: f64 = 0.3;
/// The least ρ that there can be with a long memory: with less, what alternates would have a variance below 0.
const LEAST_WITH_LONG: f64 = -0.05;
/// What is less likely than e to the minus this, beside the likeliest, is nothing.
const NOTHING: f64 = 10.0;
/// How often the points are put closer.
const CLOSER: usize = 8;
/// So much lies outside at each end of an interval.
const OUTSIDE: f64 = 0.025;
/// Shares are taken no nearer to 0 and 1 than this.
const NEAREST: f64 = 1e-6;

/// The weights of ρ and ω, and g0 given each.
pub(super) struct Likelihood {
    points: Vec<Point>,
    /// Half the distance of two points.
    half: f64,
    /// n − p.
    freedom: f64,
}

/// A ρ that may be, with one of the ω and of the clock's memories.
#[derive(Clone, Copy)]
struct Point {
    rho: f64,
    /// The lag-1 autocorrelation of the intervals about their tempo.
    lag_one: f64,
    /// The logarithm of its weight, then the weight.
    weight: f64,
    /// Q/(n − p).
    variance: f64,
}

impl Likelihood {
    /// `None` where nothing varies.
    pub fn of(deviations: &Deviations) -> Option<Likelihood> {
        let (mut low, mut high) = (-0.5, 0.5);
        let mut points = points(deviations, low, high);
        for _ in 0..CLOSER {
            let step = (high - low) / POINTS as f64;
            let (from, to) = (points.first()?.rho - 1.5 * step, points.last()?.rho + 1.5 * step);
            if to - from > 0.6 * (high - low) {
                break;
            }
            (low, high) = (from.max(-0.5), to.min(0.5));
            points = self::points(deviations, low, high);
        }
        let all: f64 = points.iter().map(|point| point.weight).sum();
        points.iter_mut().for_each(|point| point.weight /= all);
        let half = (high - low) / (2 * POINTS) as f64;
        (all > 0.0).then_some(Likelihood { points, half, freedom: deviations.freedom() })
    }

    /// The ends of sC².
    pub fn clock(&self) -> (f64, f64) {
        let parts: Vec<Point> = self.scaled(|rho| 1.0 - 2.0 * rho);
        (self.below(&parts, OUTSIDE), self.below(&parts, 1.0 - OUTSIDE))
    }

    /// The ends of sM²; `None` where less than 2.5 % lies above 0.
    pub fn motor(&self) -> Option<(f64, f64)> {
        let parts = self.scaled(|rho| rho);
        let positive: f64 = parts.iter().map(|point| point.weight).sum();
        let left = (OUTSIDE - (1.0 - positive)) / positive;
        let low = if left > 0.0 { self.below(&parts, left) } else { 0.0 };
        (positive > OUTSIDE).then(|| (low, self.below(&parts, 1.0 - OUTSIDE / positive)))
    }

    /// The ends of the lag-1 autocorrelation.
    pub fn lag_one(&self) -> (f64, f64) {
        let mut grid: Vec<(f64, f64)> =
            self.points.iter().map(|point| (point.lag_one, point.weight)).collect();
        grid.sort_by(|a, b| a.0.total_cmp(&b.0));
        let end = |share: f64| quantile(grid.iter().copied(), self.half, share);
        (end(OUTSIDE), end(1.0 - OUTSIDE))
    }

    /// The parts of a variance that is so many times g0, those above 0.
    fn scaled(&self, times: impl Fn(f64) -> f64) -> Vec<Point> {
        let scaled =
            |point: &Point| Point { variance: point.variance * times(point.rho), ..*point };
        self.points.iter().map(scaled).filter(|point| point.variance > 0.0).collect()
    }

    /// The variance that this share of these parts lies below: χ² is taken to the normal distribution
    /// by its cube root (Wilson & Hilferty 1931).
    fn below(&self, parts: &[Point], share: f64) -> f64 {
        let all: f64 = parts.iter().map(|point| point.weight).sum();
        let share = share.clamp(NEAREST, 1.0 - NEAREST);
        let spread = 2.0 / (9.0 * self.freedom);
        let (centre, sd, z) = (1.0 - spread, spread.sqrt(), normal_above(share));
        let parts: Vec<(f64, f64)> =
            parts.iter().map(|point| (point.weight / all, libm::cbrt(point.variance))).collect();
        let own = |(weight, root): &(f64, f64)| (*weight, (centre + z * sd) / root);
        let x = beyond(&parts, share, own, |(_, root), x| {
            let (above, density) = normal_tail((root * x - centre) / sd);
            (above, density * root / sd)
        });
        1.0 / (x * x * x)
    }
}

/// The points between two ρ that are not unlikely, in their order.
fn points(deviations: &Deviations, low: f64, high: f64) -> Vec<Point> {
    let step = (high - low) / POINTS as f64;
    let rho = |k: usize| low + (k as f64 + 0.5) * step;
    let mut points: Vec<Point> = (0..POINTS).flat_map(|k| of_rho(deviations, rho(k))).collect();
    let likeliest = points.iter().map(|point| point.weight).fold(f64::MIN, f64::max);
    points.retain(|point| likeliest - point.weight < NOTHING);
    points.iter_mut().for_each(|point| point.weight = libm::exp(point.weight - likeliest));
    points
}

/// The points of one ρ, of both memories.
fn of_rho(deviations: &Deviations, rho: f64) -> impl Iterator<Item = Point> {
    let none = thought_of(deviations, rho, WANDERS, (NONE, 1.0 - LONG_THOUGHT));
    let long = (rho > LEAST_WITH_LONG)
        .then(|| thought_of(deviations, rho, WANDERS_BESIDE, (LONG, LONG_THOUGHT)));
    none.into_iter().chain(long.into_iter().flatten())
}

/// The points of one ρ and one memory, with what is thought of each.
fn thought_of<const L: usize>(
    deviations: &Deviations,
    rho: f64,
    wanders: [(f64, f64); L],
    (memory, share): (Memory, f64),
) -> [Point; L] {
    let mut points = points_of(deviations, rho, wanders.map(|(wanders, _)| wanders), memory);
    for (point, (_, thought)) in points.iter_mut().zip(wanders) {
        point.weight += libm::log(share * thought);
    }
    points
}

/// The points of one ρ and one memory, one for each ω.
fn points_of<const L: usize>(
    deviations: &Deviations,
    rho: f64,
    wanders: [f64; L],
    memory: Memory,
) -> [Point; L] {
    let (mut log_weight, mut products) = deviations.products(rho, wanders, memory);
    let freedom = deviations.freedom();
    let last = products.len() - 1;
    // Each column taken off the others; what is left of the values is Q.
    for k in 0..last {
        let pivot = products[k].clone();
        log_weight -= Lanes::all(0.5) * pivot[k].map(libm::log);
        for row in &mut products[k + 1..] {
            let share = row[k] / pivot[k];
            row.iter_mut().zip(&pivot).for_each(|(cell, of)| *cell -= share * *of);
        }
    }
    let q = products[last][last].map(|q| q.max(f64::MIN_POSITIVE));
    let weight = log_weight - Lanes::all(0.5 * freedom) * q.map(libm::log);
    let lag_one = (1.0 - 2.0 * rho) * memory.lag_one() - rho;
    let variance = |of: usize| q.0[of] / freedom;
    from_fn(|of| Point { rho, lag_one, weight: weight.0[of], variance: variance(of) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;
    use chronotap_core::time::Nanos;

    /// ln |V|, ln |XᵀV⁻¹X| and Q by matrices written out, with a gap and a line taken off, and of a tempo
    /// that wanders across the gap. The columns
    /// here are not orthonormal, which adds the same to the weight of every ρ.
    #[test]
    fn one_pass_gives_what_the_matrices_give() {
        let intervals: Vec<Nanos> =
            (0..12).map(|k| Nanos::from_millis(500 + k * k * 5 % 17)).collect();
        let kept: Vec<bool> = (0..12).map(|k| k != 4).collect();
        let found = Deviations::from_line(&intervals, &kept);
        let places: Vec<usize> = (0..12).filter(|k| kept[*k]).collect();
        let none =
            [(-0.4, 0.0), (0.0, 0.0), (0.3, 0.0), (0.49, 0.0), (-0.4, 0.3), (0.2, 0.3), (0.4, 1.0)];
        let long = [(-0.04, 0.0), (0.0, 0.0), (0.3, 0.0), (0.49, 0.0), (0.2, 0.3), (0.4, 1.0)];
        let noises = none.map(|of| (of, NONE)).into_iter().chain(long.map(|of| (of, LONG)));
        let [zero] = points_of(&found, 0.0, [0.0], NONE);
        let zero = (zero.weight, by_matrices(&intervals, &places, (0.0, 0.0), NONE).0);
        for ((rho, wanders), memory) in noises {
            let (weight, q) = by_matrices(&intervals, &places, (rho, wanders), memory);
            let [point] = points_of(&found, rho, [wanders], memory);
            near(point.variance * found.freedom(), q, 1e-6 * q);
            near(point.weight - zero.0, weight - zero.1, 1e-6);
        }
    }

    /// The logarithm of the weight of ρ, ω and a memory, and Q.
    fn by_matrices(
        intervals: &[Nanos],
        places: &[usize],
        (rho, wanders): (f64, f64),
        Memory { own, lasting, left }: Memory,
    ) -> (f64, f64) {
        let columns: [Vec<f64>; 3] = [
            places.iter().map(|_| 1.0).collect(),
            places.iter().map(|k| *k as f64).collect(),
            places.iter().map(|k| intervals[*k].as_millis_f64()).collect(),
        ];
        let clock = 1.0 - 2.0 * rho;
        let cell = |i: usize, j: usize| {
            let apart = i.abs_diff(j);
            let noise = [clock * own + 2.0 * rho, -rho].get(apart).copied().unwrap_or(0.0);
            let lasts = clock * lasting * left.powi(apart as i32);
            noise + lasts + wanders * wanders * i.min(j) as f64
        };
        let row = |i: &usize| places.iter().map(|j| cell(*i, *j)).collect();
        let (log_v, solved) = solved(places.iter().map(row).collect(), &columns);
        let product = |a: usize, b: usize| -> f64 {
            columns[a].iter().zip(&solved[b]).map(|(x, y)| x * y).sum()
        };
        let [one, both, line] = [product(0, 0), product(0, 1), product(1, 1)];
        let determinant = one * line - both * both;
        let (b0, b1) = (product(0, 2), product(1, 2));
        let fitted = (b0 * (line * b0 - both * b1) + b1 * (one * b1 - both * b0)) / determinant;
        let q = product(2, 2) - fitted;
        let freedom = (places.len() - 2) as f64;
        (-0.5 * (log_v + determinant.ln() + freedom * q.ln()), q)
    }

    /// ln |V| and V⁻¹ times each column, by Gauss.
    fn solved(mut v: Vec<Vec<f64>>, columns: &[Vec<f64>; 3]) -> (f64, [Vec<f64>; 3]) {
        let mut solved = columns.clone();
        let mut log = 0.0;
        for k in 0..v.len() {
            let pivot = v[k].clone();
            log += pivot[k].ln();
            for i in (0..v.len()).filter(|i| *i != k) {
                let share = v[i][k] / pivot[k];
                v[i].iter_mut().zip(&pivot).for_each(|(cell, of)| *cell -= share * of);
                solved.iter_mut().for_each(|column| column[i] -= share * column[k]);
            }
        }
        for column in &mut solved {
            column.iter_mut().enumerate().for_each(|(k, cell)| *cell /= v[k][k]);
        }
        (log, solved)
    }
}
