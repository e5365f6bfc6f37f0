//! [`Deviations`]: intervals less their mean or less their line, with gaps where some
//! were left out, and what the traces of the model's equations come to.
//!
//! R = I − Σ q qᵀ over one or two orthonormal vectors q (the constant; the slope). N is
//! symmetric with a 1 for each pair of neighbours, so that every trace is a sum over
//! elements and no matrix is ever made.

use crate::lanes::{Lanes, Product};
use crate::moments::square;
use chronotap_core::time::Nanos;
use std::ops::Range;

/// Intervals less what is fitted to them, in ms.
pub(super) struct Deviations {
    values: Vec<f64>,
    /// Where those are that follow each other without a gap.
    unbroken: Vec<Range<usize>>,
    /// The place of each among all intervals.
    places: Vec<usize>,
    /// What was taken off, orthonormal.
    basis: Vec<Vec<f64>>,
}

/// By row and column.
pub(super) type Products<const L: usize> = Vec<Vec<Lanes<L>>>;

/// How the variance of the clock is made up: what each interval has of its own, and what lasts, of which so much is left
/// at the next one. The rest lasts longer than a trial, whose mean takes it up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Memory {
    pub own: f64,
    pub lasting: f64,
    pub left: f64,
}

impl Memory {
    /// How alike the clock's part of neighbours is.
    pub fn lag_one(&self) -> f64 {
        self.lasting * self.left + 1.0 - self.own - self.lasting
    }
}

/// The Kalman filter of a tempo, what lasts of the clock and the delay of the tap before, of `C` columns, for each of
/// `L` steps of the tempo. Where nothing lasts (`LASTS`), that part is left out.
struct Filter<const C: usize, const L: usize, const LASTS: bool> {
    /// The variances of a delay, of a step of the tempo, and of all that an interval has of its own.
    rho: Lanes<L>,
    step: Lanes<L>,
    own: Lanes<L>,
    /// The variance of what lasts, and how much of it is left at the next interval.
    lasts: Lanes<L>,
    left: Lanes<L>,
    /// What is expected of each, by column.
    expected: [State<L>; C],
    covariances: Covariances<L>,
    determinant: Product<L>,
    products: [[Lanes<L>; C]; C],
}

/// Tempo, what lasts of the clock, and delay.
#[derive(Clone, Copy, Default)]
struct State<const L: usize> {
    tempo: Lanes<L>,
    lasting: Lanes<L>,
    delay: Lanes<L>,
}

/// Of tempo, what lasts, and delay, with themselves and with each other.
#[derive(Clone, Copy, Default)]
struct Covariances<const L: usize> {
    tt: Lanes<L>,
    tl: Lanes<L>,
    td: Lanes<L>,
    ll: Lanes<L>,
    ld: Lanes<L>,
    dd: Lanes<L>,
}

impl<const L: usize> Covariances<L> {
    /// Of each with the next interval, which is tempo and what lasts less the delay.
    #[inline(always)]
    fn seen<const LASTS: bool>(&self) -> State<L> {
        let Covariances { tt, tl, td, ll, ld, dd } = *self;
        match LASTS {
            true => State { tempo: tt + tl - td, lasting: tl + ll - ld, delay: td + ld - dd },
            false => State { tempo: tt - td, lasting: tl, delay: td - dd },
        }
    }
}

impl<const C: usize, const L: usize, const LASTS: bool> Filter<C, L, LASTS> {
    fn of(rho: f64, wanders: [f64; L], memory: Memory) -> Self {
        let clock = 1.0 - 2.0 * rho;
        let lasts = Lanes::all(clock * memory.lasting);
        Filter {
            rho: Lanes::all(rho),
            step: Lanes(wanders.map(square)),
            own: Lanes::all(clock * memory.own + rho),
            lasts,
            left: Lanes::all(memory.left),
            expected: [State::default(); C],
            covariances: Covariances { ll: lasts, ..Covariances::default() },
            determinant: Product::none(),
            products: [[Lanes::default(); C]; C],
        }
    }

    /// Begins a stretch, before which so many were left out: the tempo wandered on, some of what lasted is left, and of
    /// the delay of the tap before nothing is known.
    fn begin(&mut self, left_out: usize) {
        let left = self.left.map(|left| left.powi(left_out as i32));
        let Covariances { tt, tl, ll, .. } = self.covariances;
        self.covariances = Covariances {
            tt: tt + self.step * Lanes::all(left_out as f64),
            tl: left * tl,
            ll: self.lasts + left * left * (ll - self.lasts),
            dd: self.rho,
            ..Covariances::default()
        };
        for of in &mut self.expected {
            *of = State { lasting: left * of.lasting, delay: Lanes::default(), ..*of };
        }
    }

    #[inline]
    fn step(&mut self, values: [f64; C]) {
        let seen = self.covariances.seen::<LASTS>();
        let variance = self.own + seen.tempo - seen.delay;
        let variance = if LASTS { variance + seen.lasting } else { variance };
        let inverse = Lanes::all(1.0) / variance;
        self.determinant.times(variance);
        let next = State { tempo: seen.tempo, lasting: self.left * seen.lasting, delay: self.rho };
        self.see(values, next, inverse);
        self.go_on(next, inverse);
    }

    /// What is expected after these values, by what each has to do with the next state.
    #[inline(always)]
    fn see(&mut self, values: [f64; C], next: State<L>, inverse: Lanes<L>) {
        let mut innovations = [Lanes::default(); C];
        for (column, of) in self.expected.iter_mut().enumerate() {
            let expected = of.tempo - of.delay;
            let expected = if LASTS { expected + of.lasting } else { expected };
            innovations[column] = Lanes::all(values[column]) - expected;
            let told = innovations[column] * inverse;
            of.tempo += next.tempo * told;
            if LASTS {
                of.lasting = self.left * of.lasting + next.lasting * told;
            }
            of.delay = next.delay * told;
        }
        for (row, own) in self.products.iter_mut().zip(innovations) {
            let own = own * inverse;
            row.iter_mut().zip(innovations).for_each(|(sum, of)| *sum += own * of);
        }
    }

    #[inline(always)]
    fn go_on(&mut self, next: State<L>, inverse: Lanes<L>) {
        let State { tempo, lasting, delay } = next;
        let (of_tempo, of_delay) = (tempo * inverse, delay * inverse);
        let now = &mut self.covariances;
        now.tt = now.tt - tempo * of_tempo + self.step;
        now.td = Lanes::default() - delay * of_tempo;
        now.dd = delay - delay * of_delay;
        if LASTS {
            now.tl = self.left * now.tl - lasting * of_tempo;
            now.ld = Lanes::default() - lasting * of_delay;
            let kept = self.left * self.left;
            now.ll = self.lasts + kept * (now.ll - self.lasts) - lasting * lasting * inverse;
        }
    }
}

impl Deviations {
    /// Less their mean.
    pub fn from_mean(intervals: &[Nanos], kept: &[bool]) -> Deviations {
        Deviations::without(intervals, kept, |count, _| vec![constant(count)])
    }

    /// Less their line, fitted by least squares over their place among all intervals.
    pub fn from_line(intervals: &[Nanos], kept: &[bool]) -> Deviations {
        Deviations::without(intervals, kept, |count, places| {
            [Some(constant(count)), slope(places)].into_iter().flatten().collect()
        })
    }

    fn without(
        intervals: &[Nanos],
        kept: &[bool],
        basis: impl Fn(usize, &[usize]) -> Vec<Vec<f64>>,
    ) -> Deviations {
        let places: Vec<usize> =
            (0..intervals.len()).filter(|place| kept.get(*place) == Some(&true)).collect();
        let basis = basis(places.len(), &places);
        // Differences are exact in integers; equal intervals then deviate by nothing.
        let first = places.first().map_or(Nanos::ZERO, |place| intervals[*place]);
        let mut values: Vec<f64> =
            places.iter().map(|place| (intervals[*place] - first).as_millis_f64()).collect();
        for direction in &basis {
            let length = dot(direction, &values);
            values.iter_mut().zip(direction).for_each(|(value, q)| *value -= length * q);
        }
        Deviations { values, unbroken: unbroken(&places), places, basis }
    }

    pub fn n(&self) -> usize {
        self.values.len()
    }

    /// How many have their neighbour after them.
    pub fn pairs(&self) -> usize {
        self.unbroken.iter().map(|stretch| stretch.len() - 1).sum()
    }

    /// c0 and c1. With gaps c1 is the mean product of neighbours times (n − 1)/n, as it is
    /// without.
    pub fn covariances(&self) -> Option<(f64, f64)> {
        let (n, pairs) = (self.n() as f64, self.pairs() as f64);
        let (s0, s1) = self.sums();
        (pairs > 0.0).then(|| (s0 / n, s1 / pairs * (n - 1.0) / n))
    }

    fn sums(&self) -> (f64, f64) {
        let stretches = self.unbroken.iter().map(|stretch| &self.values[stretch.clone()]);
        let pairs = stretches.flat_map(|values| values.windows(2));
        let products = pairs.map(|pair| pair[0] * pair[1]);
        (self.values.iter().map(|value| square(*value)).sum(), products.sum())
    }

    /// How many values are free: less those that the fit takes.
    pub fn freedom(&self) -> f64 {
        self.n() as f64 - self.basis.len() as f64
    }

    /// −½ ln |V|, and the products under V⁻¹ of what was taken off and of the values, the values
    /// last; V has the covariances of a clock and of delays with the variance ρ, which are 1 together, and those of a
    /// tempo whose steps have the SD ω. Of each ω in a lane of its own.
    pub fn products<const L: usize>(
        &self,
        rho: f64,
        wanders: [f64; L],
        memory: Memory,
    ) -> (Lanes<L>, Products<L>) {
        match memory.lasting > 0.0 {
            true => self.of_columns::<L, true>(rho, wanders, memory),
            false => self.of_columns::<L, false>(rho, wanders, memory),
        }
    }

    fn of_columns<const L: usize, const LASTS: bool>(
        &self,
        rho: f64,
        wanders: [f64; L],
        memory: Memory,
    ) -> (Lanes<L>, Products<L>) {
        let values = &self.values;
        match &self.basis[..] {
            [] => self.filtered([values], Filter::<1, L, LASTS>::of(rho, wanders, memory)),
            [constant] => {
                self.filtered([constant, values], Filter::<2, L, LASTS>::of(rho, wanders, memory))
            }
            [constant, slope, ..] => {
                let filter = Filter::<3, L, LASTS>::of(rho, wanders, memory);
                self.filtered([constant, slope, values], filter)
            }
        }
    }

    fn filtered<const C: usize, const L: usize, const LASTS: bool>(
        &self,
        columns: [&Vec<f64>; C],
        mut filter: Filter<C, L, LASTS>,
    ) -> (Lanes<L>, Products<L>) {
        let mut last_place = None;
        for stretch in &self.unbroken {
            let first = self.places[stretch.start];
            filter.begin(last_place.map_or(0, |last: usize| first - last - 1));
            stretch.clone().for_each(|place| filter.step(columns.map(|column| column[place])));
            last_place = self.places.get(stretch.end - 1).copied();
        }
        let log_weight = filter.determinant.logarithm() * Lanes::all(-0.5);
        (log_weight, filter.products.map(|row| row.to_vec()).to_vec())
    }

    /// Clock and motor variance from the two equations, by Cramer's rule; `None` where
    /// they have no one solution.
    pub fn solved(&self) -> Option<(f64, f64)> {
        let (s0, s1) = self.sums();
        let (r, rn, rnrn) = self.traces();
        let (a, b) = (r, 2.0 * r - rn);
        let (c, d) = (rn / 2.0, rn - rnrn / 2.0);
        let determinant = a * d - b * c;
        let solvable = determinant.abs() > 1e-9;
        solvable.then(|| ((s0 * d - b * s1) / determinant, (a * s1 - s0 * c) / determinant))
    }

    /// tr(R), tr(RN) and tr(RNRN).
    fn traces(&self) -> (f64, f64, f64) {
        let beside: Vec<Vec<f64>> = self.basis.iter().map(|q| self.summed(q)).collect();
        let r = self.n() as f64 - self.basis.len() as f64;
        let rn = -self.basis.iter().zip(&beside).map(|(q, nq)| dot(q, nq)).sum::<f64>();
        let nn = 2.0 * self.pairs() as f64;
        let once: f64 = beside.iter().map(|nq| dot(nq, nq)).sum();
        let crossed = |q: &Vec<f64>| beside.iter().map(|nq| square(dot(q, nq))).sum::<f64>();
        let twice: f64 = self.basis.iter().map(crossed).sum();
        (r, rn, nn - 2.0 * once + twice)
    }

    /// N q: for each element the sum of its neighbours'.
    fn summed(&self, q: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; q.len()];
        for stretch in &self.unbroken {
            let (before, after) = (stretch.start..stretch.end - 1, stretch.start + 1..stretch.end);
            let add = |(sum, q): (&mut f64, &f64)| *sum += q;
            sums[after.clone()].iter_mut().zip(&q[before.clone()]).for_each(add);
            sums[before].iter_mut().zip(&q[after]).for_each(add);
        }
        sums
    }
}

/// Where places follow each other without a gap, each stretch as long as it can be.
fn unbroken(places: &[usize]) -> Vec<Range<usize>> {
    let mut stretches: Vec<Range<usize>> = Vec::new();
    for (index, place) in places.iter().enumerate() {
        match stretches.last_mut() {
            Some(last) if places[last.end - 1] + 1 == *place => last.end = index + 1,
            _ => stretches.push(index..index + 1),
        }
    }
    stretches
}

fn constant(count: usize) -> Vec<f64> {
    vec![1.0 / (count.max(1) as f64).sqrt(); count]
}

/// Orthogonal to the constant; `None` where there is nothing to tell a slope by.
fn slope(places: &[usize]) -> Option<Vec<f64>> {
    let centre = places.iter().sum::<usize>() as f64 / places.len().max(1) as f64;
    let mut q: Vec<f64> = places.iter().map(|place| *place as f64 - centre).collect();
    let length = dot(&q, &q).sqrt();
    q.iter_mut().for_each(|x| *x /= length);
    (length > 0.0).then_some(q)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;

    fn of(n: usize, kept: &[bool]) -> Deviations {
        let intervals: Vec<Nanos> =
            (0..n as i64).map(|k| Nanos::from_millis(500 + k * k % 7)).collect();
        Deviations::from_mean(&intervals, kept)
    }

    #[test]
    fn without_gaps_the_traces_are_those_of_the_closed_form() {
        let n = 12.0;
        let (r, rn, rnrn) = of(12, &[true; 12]).traces();
        near(r, n - 1.0, 1e-12);
        near(2.0 * r - rn, 2.0 * n - 2.0 / n, 1e-12);
        near(rn / 2.0, -(n - 1.0) / n, 1e-12);
        near(rn - rnrn / 2.0, -(n - 1.0 + 2.0 / (n * n)), 1e-12);
    }

    /// The same traces by matrices written out, with gaps and a line taken off.
    #[test]
    fn with_gaps_the_traces_are_those_of_the_matrices() {
        let kept = [true, true, false, true, true, true, false, false, true, true];
        let intervals: Vec<Nanos> = (0..10).map(|k| Nanos::from_millis(500 + k * k % 7)).collect();
        let found = Deviations::from_line(&intervals, &kept);
        let n = found.n();
        let identity = |i: usize, j: usize| f64::from(u8::from(i == j));
        let r: Vec<Vec<f64>> = (0..n)
            .map(|i| {
                let off = |j: usize| found.basis.iter().map(|q| q[i] * q[j]).sum::<f64>();
                (0..n).map(|j| identity(i, j) - off(j)).collect()
            })
            .collect();
        let places: Vec<usize> = (0..10).filter(|place| kept[*place]).collect();
        let near_by = |i: usize, j: usize| places[i].abs_diff(places[j]) == 1;
        let beside: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(near_by(i, j)))).collect()).collect();
        let times = |a: &Vec<Vec<f64>>, b: &Vec<Vec<f64>>| -> Vec<Vec<f64>> {
            let cell = |i: usize, j: usize| (0..n).map(|k| a[i][k] * b[k][j]).sum();
            (0..n).map(|i| (0..n).map(|j| cell(i, j)).collect()).collect()
        };
        let trace = |m: &Vec<Vec<f64>>| (0..n).map(|i| m[i][i]).sum::<f64>();
        let rn = times(&r, &beside);
        let traces = found.traces();
        near(traces.0, trace(&r), 1e-12);
        near(traces.1, trace(&rn), 1e-12);
        near(traces.2, trace(&times(&rn, &rn)), 1e-12);
    }
}
