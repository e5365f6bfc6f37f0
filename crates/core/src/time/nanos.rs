//! [`Nanos`]: signed 64-bit nanoseconds, for instants and for spans alike.
//!
//! An instant is counted from the start of the trial (or from the epoch of the
//! clock that the name says); a span is a difference. Signed, so that an early
//! tap is a negative number and never a huge one. The range is ±292 years, and what would
//! lie beyond it stays at its end: no trial gets there, but a damaged file may name any time, and
//! one that wraps round would be a wrong time that looks like a right one.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Signed nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanos(pub i64);

impl Nanos {
    /// No time at all; as an instant, the start of the trial.
    pub const ZERO: Nanos = Nanos(0);
    /// Later than everything.
    pub const MAX: Nanos = Nanos(i64::MAX);
    /// Earlier than everything.
    pub const MIN: Nanos = Nanos(i64::MIN);

    /// From microseconds.
    pub const fn from_micros(us: i64) -> Nanos {
        Nanos(us.saturating_mul(1_000))
    }

    /// From milliseconds.
    pub const fn from_millis(ms: i64) -> Nanos {
        Nanos(ms.saturating_mul(1_000_000))
    }

    /// From whole seconds.
    pub const fn from_secs(s: i64) -> Nanos {
        Nanos(s.saturating_mul(1_000_000_000))
    }

    /// As seconds; for display and statistics, never for arithmetic on instants.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// As milliseconds; for display and statistics.
    pub fn as_millis_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// As microseconds; for display and statistics.
    pub fn as_micros_f64(self) -> f64 {
        self.0 as f64 / 1e3
    }

    /// The distance from zero.
    pub const fn abs(self) -> Nanos {
        Nanos(self.0.saturating_abs())
    }

    /// Adds without wrapping past [`Nanos::MAX`] or [`Nanos::MIN`].
    pub const fn saturating_add(self, other: Nanos) -> Nanos {
        Nanos(self.0.saturating_add(other.0))
    }

    /// The nearest nanosecond to `ns`; halves go up (towards later).
    /// Values beyond the range saturate, and NaN gives zero.
    pub fn round_from_f64(ns: f64) -> Nanos {
        let floor = ns as i64 - i64::from((ns as i64) as f64 > ns);
        Nanos(if ns - floor as f64 >= 0.5 { floor.saturating_add(1) } else { floor })
    }
}

/// Seconds with nine decimals, exactly: `1.250000000`.
impl fmt::Display for Nanos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let ns = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:09}", ns / 1_000_000_000, ns % 1_000_000_000)
    }
}

impl Add for Nanos {
    type Output = Nanos;
    fn add(self, other: Nanos) -> Nanos {
        Nanos(self.0.saturating_add(other.0))
    }
}

impl Sub for Nanos {
    type Output = Nanos;
    fn sub(self, other: Nanos) -> Nanos {
        Nanos(self.0.saturating_sub(other.0))
    }
}

impl Neg for Nanos {
    type Output = Nanos;
    fn neg(self) -> Nanos {
        Nanos(self.0.saturating_neg())
    }
}

impl Mul<i64> for Nanos {
    type Output = Nanos;
    fn mul(self, n: i64) -> Nanos {
        Nanos(self.0.saturating_mul(n))
    }
}

impl Div<i64> for Nanos {
    type Output = Nanos;
    fn div(self, n: i64) -> Nanos {
        Nanos(self.0.saturating_div(n))
    }
}

impl AddAssign for Nanos {
    fn add_assign(&mut self, other: Nanos) {
        *self = *self + other;
    }
}

impl SubAssign for Nanos {
    fn sub_assign(&mut self, other: Nanos) {
        *self = *self - other;
    }
}

impl Sum for Nanos {
    fn sum<I: Iterator<Item = Nanos>>(iter: I) -> Nanos {
        iter.fold(Nanos::ZERO, Nanos::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_written_with_nine_decimals_and_a_sign() {
        assert_eq!(Nanos(1_250_000_000).to_string(), "1.250000000");
        assert_eq!(Nanos(-30_000_000).to_string(), "-0.030000000");
        assert_eq!(Nanos::MIN.to_string(), "-9223372036.854775808");
    }

    #[test]
    fn what_lies_beyond_the_range_stays_at_its_end() {
        let one = Nanos(1);
        assert_eq!((Nanos::MAX + one, Nanos::MIN - one), (Nanos::MAX, Nanos::MIN));
        assert_eq!((-Nanos::MIN, Nanos::MIN.abs()), (Nanos::MAX, Nanos::MAX));
        assert_eq!((Nanos::MAX * 2, Nanos::MAX * -2), (Nanos::MAX, Nanos::MIN));
        assert_eq!(Nanos::MIN / -1, Nanos::MAX);
        assert_eq!([Nanos::MAX, one].into_iter().sum::<Nanos>(), Nanos::MAX);
        assert_eq!(Nanos::from_secs(i64::MAX), Nanos::MAX);
        let mut at = Nanos::MAX;
        at += one;
        assert_eq!(at, Nanos::MAX);
    }

    #[test]
    fn halves_round_towards_later() {
        assert_eq!(Nanos::round_from_f64(2.5), Nanos(3));
        assert_eq!(Nanos::round_from_f64(-2.5), Nanos(-2));
        assert_eq!(Nanos::round_from_f64(-2.6), Nanos(-3));
        assert_eq!(Nanos::round_from_f64(f64::NAN), Nanos(0));
        assert_eq!(Nanos::round_from_f64(f64::INFINITY), Nanos::MAX);
    }
}
