//! [`Lanes`]: several numbers that the same is done to at once. A recursion waits at each step for the last one's
//! division; several beside each other take hardly longer than one. Each lane has the digits that it would have alone.

use std::array::from_fn;
use std::ops::{Add, AddAssign, Div, Mul, Sub, SubAssign};

/// `L` numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lanes<const L: usize>(pub [f64; L]);

impl<const L: usize> Lanes<L> {
    /// The same number in each.
    #[inline]
    pub fn all(of: f64) -> Lanes<L> {
        Lanes([of; L])
    }

    /// A function of each.
    #[inline]
    pub fn map(self, of: impl Fn(f64) -> f64) -> Lanes<L> {
        Lanes(self.0.map(of))
    }

    #[inline]
    fn with(self, other: Lanes<L>, of: impl Fn(f64, f64) -> f64) -> Lanes<L> {
        Lanes(from_fn(|lane| of(self.0[lane], other.0[lane])))
    }

    /// Those of `other` where it holds, else these.
    #[inline]
    pub fn or(self, holds: [bool; L], other: Lanes<L>) -> Lanes<L> {
        Lanes(from_fn(|lane| if holds[lane] { other.0[lane] } else { self.0[lane] }))
    }
}

impl<const L: usize> Default for Lanes<L> {
    fn default() -> Lanes<L> {
        Lanes::all(0.0)
    }
}

impl<const L: usize> Add for Lanes<L> {
    type Output = Lanes<L>;

    #[inline]
    fn add(self, other: Lanes<L>) -> Lanes<L> {
        self.with(other, |a, b| a + b)
    }
}

impl<const L: usize> Sub for Lanes<L> {
    type Output = Lanes<L>;

    #[inline]
    fn sub(self, other: Lanes<L>) -> Lanes<L> {
        self.with(other, |a, b| a - b)
    }
}

impl<const L: usize> Mul for Lanes<L> {
    type Output = Lanes<L>;

    #[inline]
    fn mul(self, other: Lanes<L>) -> Lanes<L> {
        self.with(other, |a, b| a * b)
    }
}

impl<const L: usize> Div for Lanes<L> {
    type Output = Lanes<L>;

    #[inline]
    fn div(self, other: Lanes<L>) -> Lanes<L> {
        self.with(other, |a, b| a / b)
    }
}

impl<const L: usize> AddAssign for Lanes<L> {
    #[inline]
    fn add_assign(&mut self, other: Lanes<L>) {
        *self = *self + other;
    }
}

impl<const L: usize> SubAssign for Lanes<L> {
    #[inline]
    fn sub_assign(&mut self, other: Lanes<L>) {
        *self = *self - other;
    }
}

/// The logarithm of a product of many numbers above 0, which is taken when it is asked for: a logarithm takes
/// longer than all else that a step does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Product<const L: usize> {
    now: Lanes<L>,
    /// The logarithm of what was taken out, before it was lost.
    out: Lanes<L>,
}

/// Where a product is taken to its logarithm, long before it is lost.
const SMALL: f64 = 1e-100;

impl<const L: usize> Product<L> {
    /// Of none.
    pub fn none() -> Product<L> {
        Product { now: Lanes::all(1.0), out: Lanes::default() }
    }

    /// With one more in each lane.
    #[inline]
    pub fn times(&mut self, by: Lanes<L>) {
        self.now = self.now * by;
        let is_whole = |of: &f64| (SMALL..1.0 / SMALL).contains(of);
        if !self.now.0.iter().all(is_whole) {
            for (now, out) in
                self.now.0.iter_mut().zip(&mut self.out.0).filter(|(of, _)| !is_whole(of))
            {
                *out += libm::log(*now);
                *now = 1.0;
            }
        }
    }

    /// The logarithm in each lane.
    pub fn logarithm(&self) -> Lanes<L> {
        self.out + self.now.map(libm::log)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;

    #[test]
    fn each_lane_is_alone() {
        let (a, b) = (Lanes([1.0, 9.0, -4.0]), Lanes([3.0, 2.0, 0.5]));
        assert_eq!((a + b, a - b), (Lanes([4.0, 11.0, -3.5]), Lanes([-2.0, 7.0, -4.5])));
        assert_eq!((a * b, a / b), (Lanes([3.0, 18.0, -2.0]), Lanes([1.0 / 3.0, 4.5, -8.0])));
        assert_eq!(a.or([true, false, true], b), Lanes([3.0, 9.0, 0.5]));
    }

    #[test]
    fn a_product_of_any_length_has_its_logarithm() {
        let mut product = Product::none();
        (0..1_000).for_each(|_| product.times(Lanes([1e-3, 2.0, 1.0])));
        let Lanes([small, great, one]) = product.logarithm();
        near(small, -3_000.0 * std::f64::consts::LN_10, 1e-9);
        near(great, 1_000.0 * std::f64::consts::LN_2, 1e-9);
        assert!(one == 0.0);
    }
}
