//! Continued fractions in the form of Lentz (Press, Teukolsky, Vetterling & Flannery 2007,
//! Numerical recipes, 5.2), as the incomplete gamma and beta functions have them.

/// 1/(b₀ + a₁/(b₁ + a₂/(b₂ + …))), by pairs (a, b) that each step from the first on adds, until a
/// step changes nothing. `c` is what Lentz's C starts from: without end (1e300) for this fraction, 1
/// where the first term that is added stands under a 1 in front of it.
pub(crate) fn lentz<const N: usize>(
    mut c: f64,
    first: f64,
    terms: impl Fn(f64) -> [(f64, f64); N],
) -> f64 {
    let away_from_zero = |x: f64| if x.abs() < 1e-300 { 1e-300 } else { x };
    let mut d = 1.0 / away_from_zero(first);
    let mut result = d;
    for step in 1..100_000 {
        let mut change = 1.0;
        for (a, b) in terms(f64::from(step)) {
            d = 1.0 / away_from_zero(a * d + b);
            c = away_from_zero(b + a / c);
            change = c * d;
            result *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;

    /// 1/(1 + 1/(1 + 1/(1 + …))).
    #[test]
    fn ones_alone_are_the_golden_ratio() {
        let golden = (5f64.sqrt() - 1.0) / 2.0;
        near(lentz(1e300, 1.0, |_| [(1.0, 1.0)]), golden, 1e-14);
        near(lentz(1e300, 1.0, |_| [(1.0, 1.0), (1.0, 1.0)]), golden, 1e-14);
    }
}
