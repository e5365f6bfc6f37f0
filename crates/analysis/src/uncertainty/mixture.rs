//! Where a mixture of distributions ends: of which so much lies beyond. By formulas that err by
//! less than what an interval of 95 % can tell, since they are asked for thousands of times.

use std::f64::consts::TAU;

/// What 2.5 % of the standard normal distribution lie above.
pub(super) const Z: f64 = 1.959_963_984_540_054;
/// The probability need be no closer.
const CLOSE: f64 = 1e-5;

/// The x that `share` of a mixture lies above, by Newton's steps, or by halving where one leads
/// out. Of each part: its weight, its own such x, and what lies above any x with the density there.
pub(super) fn beyond<P>(
    parts: &[P],
    share: f64,
    own: impl Fn(&P) -> (f64, f64),
    above: impl Fn(&P, f64) -> (f64, f64),
) -> f64 {
    let (mut low, mut high, mut x) = (f64::MAX, f64::MIN, 0.0);
    for (weight, end) in parts.iter().map(&own) {
        (low, high, x) = (low.min(end), high.max(end), x + weight * end);
    }
    for _ in 0..60 {
        let (mut over, mut density) = (-share, 0.0);
        for part in parts {
            let weight = own(part).0;
            let (more, there) = above(part, x);
            (over, density) = (over + weight * more, density + weight * there);
        }
        if over.abs() < CLOSE || high <= low {
            break;
        }
        if over > 0.0 {
            low = x
        } else {
            high = x
        }
        let next = x + over / density;
        x = if low < next && next < high { next } else { 0.5 * (low + high) };
    }
    x
}

/// What lies above z of the standard normal distribution, and its density there (Abramowitz &
/// Stegun 1964, 26.2.17, which errs by less than 7.5e-8).
pub(super) fn normal_tail(z: f64) -> (f64, f64) {
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
        (above, density * self.factor() / (1.0 + square).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;
    use crate::student;

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
}
