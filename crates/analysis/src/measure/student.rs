//! Student's t and the normal distribution, as far as intervals need them.
//!
//! The t distribution is the regularized incomplete beta function (Abramowitz & Stegun
//! 1964, 26.7.1), by its continued fraction (26.5.8) in the form of Lentz; the quantile is
//! found by halving, to the last digits of a double.
//!
//! That takes some 55 steps, more than most estimates that need a quantile take themselves, and
//! trials of one length ask for the same one over and over. So each thread keeps those that it
//! found last: which ones changes how long a call takes, never what it gives.

use crate::continued_fraction::lentz;
use crate::moments::square;
use std::cell::Cell;

/// So many quantiles are kept, each in the place of its degrees of freedom.
const KEPT: usize = 128;

thread_local! {
    /// Probability, degrees of freedom and quantile.
    static FOUND: [Cell<(f64, f64, f64)>; KEPT] = const { [const { Cell::new((0.0, 0.0, 0.0)) }; KEPT] };
}

/// P(T ≤ t) with `freedom` degrees of freedom, above 0.
pub fn cumulative(t: f64, freedom: f64) -> f64 {
    let tail = 0.5 * incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + square(t)));
    if t > 0.0 { 1.0 - tail } else { tail }
}

/// P(|T| ≥ |t|): small probabilities keep their digits.
pub fn two_sided(t: f64, freedom: f64) -> f64 {
    incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + square(t)))
}

/// The t that `probability` of the distribution lies below; `probability` in 0..1.
pub fn quantile(probability: f64, freedom: f64) -> f64 {
    if probability < 0.5 {
        return -quantile(1.0 - probability, freedom);
    }
    FOUND.with(|found| {
        let kept = &found[freedom as usize % KEPT];
        let (of, at, t) = kept.get();
        if (of, at) == (probability, freedom) {
            return t;
        }
        let t = halved(probability, freedom);
        kept.set((probability, freedom, t));
        t
    })
}

/// The quantile of a probability of 0.5 or more.
fn halved(probability: f64, freedom: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while cumulative(high, freedom) < probability && high < 1e12 {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        // No double lies between: about 55 steps.
        if middle <= low || middle >= high {
            break;
        }
        if cumulative(middle, freedom) < probability { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// P(Z > z) of the standard normal distribution.
pub fn normal_above(z: f64) -> f64 {
    0.5 * libm::erfc(z / std::f64::consts::SQRT_2)
}

/// The z that `probability` of the standard normal distribution lies below; `probability` in 0..1.
pub fn normal_quantile(probability: f64) -> f64 {
    if probability > 0.5 {
        return -normal_quantile(1.0 - probability); // small shares have more digits
    }
    let (mut low, mut high) = (-40.0, 0.0);
    loop {
        let middle = 0.5 * (low + high);
        // No double lies between.
        if middle <= low || middle >= high {
            return middle;
        }
        if normal_above(-middle) < probability { low = middle } else { high = middle }
    }
}

/// I_x(a, b).
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let gamma = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b);
    let front = libm::exp(gamma + a * libm::log(x) + b * libm::log1p(-x));
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(a, b, x) / a
    } else {
        1.0 - front * fraction(b, a, 1.0 - x) / b
    }
}

/// The continued fraction of the incomplete beta function. It converges in about √max(a, b)
/// steps.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    lentz(1.0, 1.0 - (a + b) * x / (a + 1.0), |m| {
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        [(even, 1.0), (odd, 1.0)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;

    #[test]
    fn normal_quantiles_are_those_of_the_tables() {
        near(normal_quantile(0.975), 1.959_963_984_540_054, 1e-12);
        near(normal_quantile(0.1), -1.281_551_565_544_600_4, 1e-12);
        near(normal_quantile(1e-9), -5.997_807_015_007_686, 1e-9);
        near(normal_quantile(0.5), 0.0, 1e-15);
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, t) in [(1.0, 12.706204736), (3.0, 3.182446305), (28.0, 2.048407142)] {
            near(quantile(0.975, freedom), t, 1e-8);
            near(quantile(0.025, freedom), -t, 1e-8);
            near(cumulative(t, freedom), 0.975, 1e-10);
        }
        near(quantile(0.975, 1e7), 1.959963985, 1e-6);
        // scipy 1.17.1: 2 * stats.t.sf(12, 20)
        near(two_sided(-12.0, 20.0) / 1.359_555_702_588_066e-10, 1.0, 1e-9);
        near(normal_above(1.959963984540054), 0.025, 1e-12);
        near(cumulative(0.0, 5.0), 0.5, 1e-15);
    }

    #[test]
    fn a_quantile_that_was_kept_is_the_one_that_was_found() {
        for freedom in [3.0, 57.0, 57.5, 57.0, 57.0 + KEPT as f64, 57.0] {
            for probability in [0.975, 0.95, 0.975] {
                assert_eq!(quantile(probability, freedom), halved(probability, freedom));
            }
        }
    }
}
