//! The ends of a mixture of distributions: the points beyond which a given share of it lies. They
//! are needed thousands of times, so they come from formulas whose error is too small to matter for
//! an interval of 95 %.

use std::f64::consts::TAU;

/// What 2.5 % of the standard normal distribution lie above.
pub(crate) const Z: f64 = 1.959_963_984_540_054;
/// From so near on the normal scale a step leads there: what it misses is below 1e-5 of probability.
const NEAR: f64 = 0.01;

/// The x that `share` of a mixture lies above, by Newton's steps, or by halving where one leads
/// out. Of each part: its weight, its own such x, and what lies above any x with the density there.
///
/// The steps are taken on the scale of the normal distribution, on which the tail of a mixture is
/// nearly a line: one or two are enough.
pub(crate) fn beyond<P>(
    parts: &[P],
    share: f64,
    own: impl Fn(&P) -> (f64, f64),
    above: impl Fn(&P, f64) -> (f64, f64),
) -> f64 {
    let (mut low, mut high, mut x) = (f64::MAX, f64::MIN, 0.0);
    for (weight, end) in parts.iter().map(&own) {
        (low, high, x) = (low.min(end), high.max(end), x + weight * end);
    }
    let aim = normal_above(share);
    for _ in 0..60 {
        let (mut more, mut density) = (0.0, 0.0);
        for part in parts {
            let weight = own(part).0;
            let (over, there) = above(part, x);
            (more, density) = (more + weight * over, density + weight * there);
        }
        let here = normal_above(more);
        if high <= low || here == aim {
            break;
        }
        if more > share {
            low = x
        } else {
            high = x
        }
        let next = x + (aim - here) * libm::exp(-0.5 * here * here) / TAU.sqrt() / density;
        x = if low < next && next < high { next } else { 0.5 * (low + high) };
        if (aim - here).abs() < NEAR && x == next {
            break;
        }
    }
    x
}

/// Where this share of the weights of a grid lies below: of each point its place and its weight, in
/// order, the weight spread evenly over `half` to either side.
pub(crate) fn quantile(grid: impl Iterator<Item = (f64, f64)>, half: f64, share: f64) -> f64 {
    let (mut before, mut end) = (0.0, 0.0);
    for (place, weight) in grid {
        if before + weight >= share {
            return place + half * (2.0 * (share - before) / weight - 1.0);
        }
        (before, end) = (before + weight, place + half);
    }
    end
}

/// The z that so much of the standard normal distribution lies above (Abramowitz & Stegun 1964,
/// 26.2.23, which errs by less than 4.5e-4: good for a step).
pub(crate) fn normal_above(share: f64) -> f64 {
    let t = (-2.0 * libm::log(share.min(1.0 - share))).sqrt();
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let z = t - above / (1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308)));
    if share < 0.5 { z } else { -z }
}

/// What lies above z of the standard normal distribution, and its density there (Abramowitz &
/// Stegun 1964, 26.2.17, which errs by less than 7.5e-8).
pub(crate) fn normal_tail(z: f64) -> (f64, f64) {
    const B: [f64; 5] =
        [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_530];
    let density = libm::exp(-0.5 * z * z) / TAU.sqrt();
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let above = density * B.iter().fold(0.0, |sum, b| (sum + b) * t);
    (if z < 0.0 { 1.0 - above } else { above }, density)
}

/// Student's t of so many degrees of freedom, taken to the normal distribution (Wallace 1959),
/// which errs by less than 0.001 of z at the ends of 95 % from 9 degrees of freedom on.
pub(super) struct Student {
    pub freedom: f64,
}

impl Student {
    fn factor(&self) -> f64 {
        (8.0 * self.freedom + 1.0) / (8.0 * self.freedom + 3.0)
    }

    /// The t above which lies as much as above this z, which is above 0.
    pub fn at(&self, z: f64) -> f64 {
        let root = z / self.factor();
        (self.freedom * libm::expm1(root * root / self.freedom)).sqrt()
    }

    /// What lies above t, and its density there.
    pub fn tail(&self, t: f64) -> (f64, f64) {
        let square = t * t / self.freedom;
        let z = self.factor() * (self.freedom * libm::log1p(square)).sqrt();
        let (above, density) = normal_tail(if t < 0.0 { -z } else { z });
        let slope = if z > 0.0 { self.factor() * t.abs() / z } else { 1.0 };
        (above, density * self.factor() * slope / (1.0 + square))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moments::square;
    use crate::near;
    use crate::student;
    use chronotap_engine::random::Random;

    #[test]
    fn tails_are_those_of_the_exact_distributions() {
        for step in -40..=40 {
            let x = f64::from(step) / 10.0;
            near(normal_tail(x).0, student::normal_above(x), 1e-7);
            for freedom in [9.0, 29.0, 119.0] {
                let exact = 1.0 - student::cumulative(x, freedom);
                near(Student { freedom }.tail(x).0, exact, 3e-4);
            }
        }
        for freedom in [9.0, 29.0, 1e4] {
            let t = Student { freedom }.at(Z);
            near(t, student::quantile(0.975, freedom), 2e-3);
            near(Student { freedom }.tail(t).0, 0.025, 1e-6);
        }
    }

    /// Two normal distributions far apart, of which one has a twentieth: half of that lies above
    /// its middle.
    #[test]
    fn the_end_of_a_mixture_lies_between_those_of_its_parts() {
        let parts = [(0.95, 0.0), (0.05, 100.0)];
        let own = |(weight, centre): &(f64, f64)| (*weight, centre + Z);
        let x = beyond(&parts, 0.025, own, |(_, centre), x| normal_tail(x - centre));
        near(x, 100.0, 1e-3);
        let alone = beyond(&[(1.0, 0.0)], 0.025, own, |_, x| normal_tail(x));
        near(alone, Z, 1e-4);
    }

    /// Parts as an autoregression has them: scales that grow along a bell of weights.
    #[test]
    fn what_lies_above_the_end_is_the_share_asked_for() {
        let mut random = Random::named(1, "mixtures");
        for _ in 0..2_000 {
            let (middle, width) = (12.0 * random.uniform(), 1.0 + 6.0 * random.uniform());
            let (grows, moves) = (0.4 * random.uniform(), random.uniform() - 0.5);
            let bell = |k: f64| libm::exp(-0.5 * square((k - middle) / width));
            let all: f64 = (0..20).map(|k| bell(f64::from(k))).sum();
            let part = |k: f64| (bell(k) / all, moves * k, libm::exp(grows * k));
            let parts: Vec<(f64, f64, f64)> = (0..20).map(|k| part(f64::from(k))).collect();
            let t = Student { freedom: 29.0 };
            let own = |(w, centre, scale): &(f64, f64, f64)| (*w, centre + t.at(Z) * scale);
            let above = |(_, centre, scale): &(f64, f64, f64), x: f64| {
                let (above, density) = t.tail((x - centre) / scale);
                (above, density / scale)
            };
            let x = beyond(&parts, 0.025, own, above);
            near(parts.iter().map(|part| part.0 * above(part, x).0).sum(), 0.025, 1e-5);
        }
    }
}
