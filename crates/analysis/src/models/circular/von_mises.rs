//! What the von Mises distribution needs: A(κ) = I₁(κ)/I₀(κ), the R to expect at a
//! concentration κ; its inverse; and ln I₀ (Abramowitz & Stegun 1964, 9.6 and 9.7; Fisher
//! 1993).

use crate::moments::square;

/// The greatest concentration told apart: an angular SD of 1e-4 rad.
pub const GREATEST: f64 = 1e8;

/// A(κ), by Gauss's continued fraction from behind; for κ ≥ 0. From the Nth step on its error is
/// (I_N(κ)/I₀(κ))², about exp(−N²/κ): 7√κ + 10 steps leave less than a double can hold.
pub fn resultant(concentration: f64) -> f64 {
    let k = concentration;
    if k > 500.0 {
        let r = 1.0 / k;
        return 1.0 - r * (0.5 + r * (0.125 + r * (0.125 + r * 25.0 / 128.0)));
    }
    let steps = (7.0 * k.sqrt()) as u32 + 10;
    (1..=steps).rev().fold(0.0, |below, step| k / (2.0 * f64::from(step) + k * below))
}

/// The κ at which R is expected, by Newton's method from the approximations of Best &
/// Fisher (1981). At most [`GREATEST`].
pub fn concentration(resultant: f64) -> f64 {
    let r = resultant.clamp(0.0, 1.0);
    if r < 1e-12 {
        return 0.0;
    }
    if 1.0 - r < 0.5 / GREATEST {
        return GREATEST;
    }
    let k = match r {
        r if r < 0.53 => 2.0 * r + r * r * r + 5.0 * libm::pow(r, 5.0) / 6.0,
        r if r < 0.85 => -0.4 + 1.39 * r + 0.43 / (1.0 - r),
        r => 0.5 / (1.0 - r),
    };
    from(k, r)
}

/// The same where the κ of an R close by is known.
pub fn concentration_near(known: f64, resultant: f64) -> f64 {
    let r = resultant.clamp(0.0, 1.0);
    let usual = (1e-3..1e6).contains(&known) && (1e-3..1.0 - 1e-6).contains(&r);
    if usual { from(known, r) } else { concentration(r) }
}

/// Newton's method from a κ.
fn from(mut k: f64, r: f64) -> f64 {
    for _ in 0..100 {
        let a = self::resultant(k);
        let slope = 1.0 - a / k - square(a);
        let step = (a - r) / slope;
        k = (k - step).clamp(k / 2.0, k * 2.0);
        if step.abs() <= 1e-13 * k {
            break;
        }
    }
    k.min(GREATEST)
}

/// ln I₀(κ): the power series up to 15, the asymptotic one above.
pub fn log_bessel(concentration: f64) -> f64 {
    let k = concentration;
    let (mut term, mut sum) = (1.0, 1.0);
    for step in 1..200 {
        let n = f64::from(step);
        let next = if k <= 15.0 {
            term * square(k / (2.0 * n))
        } else {
            term * square(2.0 * n - 1.0) / (8.0 * k * n)
        };
        if next > term && k > 15.0 || next < 1e-17 * sum {
            break;
        }
        term = next;
        sum += term;
    }
    let front = if k <= 15.0 { 0.0 } else { k - 0.5 * libm::log(std::f64::consts::TAU * k) };
    front + libm::log(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;

    #[test]
    fn values_are_those_of_the_tables() {
        near(resultant(1.0), 0.446_389_965_9, 1e-10);
        near(resultant(10.0), 0.948_599_825_8, 1e-9);
        near(log_bessel(1.0), libm::log(1.266_065_877_8), 1e-10);
        near(log_bessel(20.0), libm::log(4.355_828_255_955_353e7), 1e-12);
    }

    #[test]
    fn the_inverse_gives_the_concentration_back() {
        for k in [1e-6, 0.3, 1.0, 2.5, 14.0, 100.0, 499.0, 501.0, 1e5] {
            near(concentration(resultant(k)) / k, 1.0, 1e-8);
        }
        assert_eq!((concentration(0.0), concentration(1.0)), (0.0, GREATEST));
    }

    #[test]
    fn more_steps_of_the_fraction_change_nothing() {
        for k in (0..540).map(|power| libm::exp(f64::from(power) / 20.0 - 20.8)) {
            let more = (1..=2_000).rev().fold(0.0, |below, n| k / (2.0 * f64::from(n) + k * below));
            let digits = if k > 500.0 { 1e-11 } else { 2e-16 };
            near(resultant(k) / more, 1.0, digits);
        }
    }

    #[test]
    fn from_a_concentration_close_by_the_same_one_is_found() {
        for k in [1e-9, 2e-3, 0.7, 9.0, 400.0, 1e5, 1e7] {
            for near_by in [0.1 * k, 0.9 * k, k, 3.0 * k, 0.0, f64::INFINITY] {
                let found = concentration_near(near_by, resultant(k));
                // R near 1 has few digits left for κ.
                near(found / concentration(resultant(k)), 1.0, 1e-12 + 1e-15 * k);
            }
        }
    }
}
