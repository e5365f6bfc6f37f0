//! [`Exact`]: a time that is a fraction of nanoseconds, for intervals such as a
//! third of 1600 ms or a beat at 140 bpm.
//!
//! Background: a beat rounded to the nanosecond and then added to itself drifts;
//! two streams whose intervals have a common multiple would stop coinciding.
//! Solution: positions are kept as whole nanoseconds plus a proper fraction, and
//! each beat is rounded once, when it is used. While the denominators agree, an
//! addition is three integer operations and no division.
//!
//! A sum of many unlike fractions can outgrow 64-bit denominators. Then the
//! fraction is kept to 2⁻³² ns, an error that would need 10⁹ such additions to
//! move a beat by a nanosecond.

use crate::time::Nanos;
use std::cmp::Ordering;
use std::ops::{Add, Neg, Sub};

/// Whole nanoseconds plus `num / den`, with `0 <= num < den`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    whole: i64,
    num: u64, // in 0..den
    den: u64, // in 1..=DEN_MAX
}

/// Denominators stay below this, so that doubled numerators fit in 64 bits.
const DEN_MAX: u128 = 1 << 62;
const DEN_COARSE: u64 = 1 << 32;
const NINE_DECIMALS: i64 = 1_000_000_000;

impl Exact {
    /// No time at all.
    pub const ZERO: Exact = Exact { whole: 0, num: 0, den: 1 };

    /// A whole number of nanoseconds.
    pub const fn whole(ns: Nanos) -> Exact {
        Exact { whole: ns.0, num: 0, den: 1 }
    }

    /// `num / den` nanoseconds in lowest terms; `None` where `den` is zero or the
    /// value does not fit.
    pub fn ratio(num: i128, den: i128) -> Option<Exact> {
        if den == 0 {
            return None;
        }
        let (num, den) =
            if den < 0 { (num.checked_neg()?, den.checked_neg()?) } else { (num, den) };
        let whole = i64::try_from(num.div_euclid(den)).ok()?;
        Some(Exact::reduced(whole, num.rem_euclid(den) as u128, den as u128))
    }

    /// The value as one fraction of nanoseconds, `(numerator, denominator)`.
    pub fn as_ratio(self) -> (i128, i128) {
        let den = i128::from(self.den);
        (i128::from(self.whole) * den + i128::from(self.num), den)
    }

    /// The nearest nanosecond; halves go up (towards later).
    pub fn round(self) -> Nanos {
        Nanos(self.whole + i64::from(2 * self.num >= self.den))
    }

    /// The greatest whole nanosecond not above.
    pub const fn floor(self) -> Nanos {
        Nanos(self.whole)
    }

    /// The value in nanoseconds as a float, for ramps and random draws.
    pub fn as_f64(self) -> f64 {
        self.whole as f64 + self.num as f64 / self.den as f64
    }

    /// Half the value.
    pub fn half(self) -> Exact {
        self.scaled(1, 2)
    }

    /// The value times `num / den`; saturates where it does not fit.
    pub fn scaled(self, num: i64, den: i64) -> Exact {
        let of = |exact: Exact| {
            let (n, d) = exact.as_ratio();
            let scaled = n.checked_mul(i128::from(num)).zip(d.checked_mul(i128::from(den)));
            scaled.and_then(|(n, d)| Exact::ratio(n, d))
        };
        let coarse = || Exact::coarse(self.whole, self.num as f64 / self.den as f64);
        of(self).or_else(|| of(coarse())).unwrap_or(Exact::whole(Nanos::MAX))
    }

    /// The value times a share, taken to nine decimals: so 0.1 is exactly a tenth.
    pub fn times(self, share: f64) -> Exact {
        self.scaled((share * NINE_DECIMALS as f64).round() as i64, NINE_DECIMALS)
    }

    fn reduced(whole: i64, num: u128, den: u128) -> Exact {
        let divisor = gcd(num, den);
        let (num, den) = (num / divisor, den / divisor);
        if den > DEN_MAX {
            return Exact::coarse(whole, num as f64 / den as f64);
        }
        Exact { whole, num: num as u64, den: den as u64 }
    }

    fn coarse(whole: i64, fraction: f64) -> Exact {
        let num = (fraction * DEN_COARSE as f64) as u64;
        Exact { whole: whole + (num / DEN_COARSE) as i64, num: num % DEN_COARSE, den: DEN_COARSE }
    }

    fn add_unlike(self, other: Exact) -> Exact {
        let whole = self.whole + other.whole;
        let (a, b) = (u128::from(self.den), u128::from(other.den));
        let den = a / gcd(a, b) * b;
        if den > DEN_MAX {
            let sum = self.num as f64 / self.den as f64 + other.num as f64 / other.den as f64;
            return Exact::coarse(whole, sum);
        }
        let num = u128::from(self.num) * (den / a) + u128::from(other.num) * (den / b);
        Exact::reduced(whole + (num / den) as i64, num % den, den)
    }
}

impl Add for Exact {
    type Output = Exact;
    fn add(self, other: Exact) -> Exact {
        if self.den != other.den {
            return self.add_unlike(other);
        }
        let num = self.num + other.num;
        let carry = num >= self.den;
        Exact {
            whole: self.whole + other.whole + i64::from(carry),
            num: if carry { num - self.den } else { num },
            den: self.den,
        }
    }
}

impl Neg for Exact {
    type Output = Exact;
    fn neg(self) -> Exact {
        if self.num == 0 {
            return Exact { whole: -self.whole, ..self };
        }
        Exact { whole: -self.whole - 1, num: self.den - self.num, den: self.den }
    }
}

impl Sub for Exact {
    type Output = Exact;
    fn sub(self, other: Exact) -> Exact {
        self + -other
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Exact) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Exact) -> Ordering {
        let fraction = |of: &Exact, den: u64| u128::from(of.num) * u128::from(den);
        let fractions = || fraction(self, other.den).cmp(&fraction(other, self.den));
        self.whole.cmp(&other.whole).then_with(fractions)
    }
}

impl From<Nanos> for Exact {
    fn from(ns: Nanos) -> Exact {
        Exact::whole(ns)
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn third_of(ns: i128) -> Exact {
        Exact::ratio(ns, 3).unwrap()
    }

    #[test]
    fn three_thirds_make_the_whole() {
        let third = third_of(1_600_000_000);
        let sum = third + third + third;
        assert_eq!(sum.round(), Nanos(1_600_000_000));
        assert_eq!((third + third).round(), Nanos(1_066_666_667));
    }

    #[test]
    fn a_million_beats_at_140_bpm_do_not_drift() {
        let interval = Exact::ratio(60_000_000_000, 140).unwrap();
        let end = (0..1_000_000).fold(Exact::ZERO, |at, _| at + interval);
        let exact = (60_000_000_000i128 * 1_000_000 * 2 / 140 + 1) / 2;
        assert_eq!(end.round().0 as i128, exact);
    }

    #[test]
    fn unlike_fractions_add_exactly_until_they_outgrow_64_bits() {
        let sum = third_of(1) + Exact::ratio(1, 7).unwrap();
        assert_eq!(sum.as_ratio(), (10, 21));
        let primes = [4_294_967_291i128, 4_294_967_279, 4_294_967_231];
        let sum =
            primes.iter().fold(Exact::ZERO, |s, p| s + Exact::ratio(1_000 * p + 1, *p).unwrap());
        assert_eq!(sum.round(), Nanos(3_000));
    }

    #[test]
    fn a_decimal_share_is_taken_as_it_is_written() {
        let tenth = Exact::whole(Nanos(7)).times(0.1);
        assert_eq!(tenth, Exact::ratio(7, 10).unwrap());
        assert_eq!(third_of(1).times(-0.25), Exact::ratio(-1, 12).unwrap());
        let many = Exact::ratio(1_000_000_000_000_000_001, 1 << 61).unwrap();
        assert_eq!(
            (many + Nanos::from_secs(86_400).into()).times(0.5).round().0,
            43_200_000_000_000
        );
    }

    #[test]
    fn fractions_are_ordered_by_their_value() {
        let mut all = [third_of(2), Exact::ZERO, -third_of(1), third_of(1), Nanos(1).into()];
        all.sort();
        assert_eq!(all, [-third_of(1), Exact::ZERO, third_of(1), third_of(2), Nanos(1).into()]);
        assert_eq!(third_of(1).clamp(Exact::ZERO, Exact::ZERO), Exact::ZERO);
    }

    #[test]
    fn negation_keeps_the_fraction_proper() {
        let minus = -third_of(1);
        assert_eq!(minus.as_ratio(), (-1, 3));
        assert_eq!((minus + third_of(1)).round(), Nanos::ZERO);
        assert_eq!(Exact::ratio(-5, 2).unwrap().round(), Nanos(-2));
    }
}
