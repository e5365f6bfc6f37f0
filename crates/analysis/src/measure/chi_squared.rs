//! The χ² distribution, as far as intervals of variances need it: the regularized incomplete
//! gamma function (Abramowitz & Stegun 1964, 26.4.19), by its series (6.5.29) below the mean and
//! its continued fraction (6.5.31) above, in the form of Lentz; the quantile is found by halving.

use crate::continued_fraction::lentz;

/// P(X ≤ x) with `freedom` degrees of freedom, above 0.
pub fn cumulative(x: f64, freedom: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let (a, x) = (freedom / 2.0, x / 2.0);
    let front = libm::exp(a * libm::log(x) - x - libm::lgamma(a));
    if x < a + 1.0 { front * series(a, x) } else { 1.0 - front * fraction(a, x) }
}

/// The x that `probability` of the distribution lies below; `probability` in 0..1.
pub fn quantile(probability: f64, freedom: f64) -> f64 {
    let (mut low, mut high) = (0.0, freedom.max(1.0));
    while cumulative(high, freedom) < probability && high < 1e15 {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if cumulative(middle, freedom) < probability {
            low = middle
        } else {
            high = middle
        }
        if high - low < 1e-12 * high {
            break;
        }
    }
    0.5 * (low + high)
}

/// 1/a + x/(a (a + 1)) + …
fn series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0 / a, 1.0 / a);
    for step in 1..100_000 {
        term *= x / (a + f64::from(step));
        sum += term;
        if term < 1e-16 * sum {
            break;
        }
    }
    sum
}

/// 1/(x + 1 − a − 1 (1 − a)/(x + 3 − a − …))
fn fraction(a: f64, x: f64) -> f64 {
    let b = x + 1.0 - a;
    lentz(1e300, b, |step| [(-step * (step - a), b + 2.0 * step)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// scipy 1.17.1, `chi2.ppf`.
    #[test]
    fn quantiles_are_those_of_scipy() {
        let table = [
            (1.0, 0.0009820691171753, 5.023886187315),
            (1.7, 0.02457886068695, 6.729887825682),
            (2.0, 0.05063561596858, 7.377758908228),
            (5.0, 0.8312116134867, 12.83250199403),
            (30.0, 16.79077226557, 46.97924224367),
            (400.0, 346.4817653629, 457.3054819661),
            (100_000.0, 99_125.373_300_65, 100_878.415_305_7),
        ];
        for (freedom, low, high) in table {
            for (share, expected) in [(0.025, low), (0.975, high)] {
                let found: f64 = quantile(share, freedom);
                assert!(
                    (found / expected - 1.0).abs() < 1e-9,
                    "{freedom}: {found}, not {expected}"
                );
            }
        }
        assert_eq!(cumulative(0.0, 3.0), 0.0);
    }
}
