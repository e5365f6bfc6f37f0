//! Exact fractions, and the numbers that a seed gives.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Sub};

/// A fraction, always in lowest terms with a denominator above 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    pub num: i128,
    pub den: i128,
}

impl Exact {
    pub const ZERO: Exact = Exact { num: 0, den: 1 };

    pub fn new(num: i128, den: i128) -> Exact {
        let by = common(num.abs(), den.abs()).max(1) * den.signum();
        Exact { num: num / by, den: den / by }
    }

    /// The nearest whole number, halves up.
    pub fn round(self) -> i64 {
        i64::try_from((2 * self.num + self.den).div_euclid(2 * self.den)).unwrap()
    }

    pub fn floor(self) -> i64 {
        i64::try_from(self.num.div_euclid(self.den)).unwrap()
    }

    /// The same to a trillionth, where corrections of corrections have made a long fraction.
    pub fn coarse(self) -> Exact {
        const PARTS: i128 = 1_000_000_000_000;
        if self.den < PARTS {
            return self;
        }
        let whole = self.num.div_euclid(self.den);
        let rest = self.num.rem_euclid(self.den);
        Exact::new(whole * PARTS + rest * PARTS / self.den, PARTS)
    }

    pub fn over(self, by: i64) -> Exact {
        Exact::new(self.num, self.den * i128::from(by))
    }

    pub fn one_over(self) -> Exact {
        Exact::new(self.den, self.num)
    }
}

fn common(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { common(b, a % b) }
}

impl From<i64> for Exact {
    fn from(whole: i64) -> Exact {
        Exact::new(i128::from(whole), 1)
    }
}

impl Add for Exact {
    type Output = Exact;
    fn add(self, other: Exact) -> Exact {
        Exact::new(self.num * other.den + other.num * self.den, self.den * other.den)
    }
}

impl Sub for Exact {
    type Output = Exact;
    fn sub(self, other: Exact) -> Exact {
        Exact::new(self.num * other.den - other.num * self.den, self.den * other.den)
    }
}

impl Mul for Exact {
    type Output = Exact;
    fn mul(self, other: Exact) -> Exact {
        Exact::new(self.num * other.num, self.den * other.den)
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Exact) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Exact) -> Ordering {
        (self.num * other.den).cmp(&(other.num * self.den))
    }
}

/// Numbers that a seed gives, always the same (SplitMix64).
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A whole number, both ends included.
    pub fn within(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }

    /// Whether something of so many per cent happens.
    pub fn percent(&mut self, share: i64) -> bool {
        self.within(1, 100) <= share
    }

    pub fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.within(0, of.len() as i64 - 1) as usize].clone()
    }
}
