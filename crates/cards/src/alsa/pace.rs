//! [`Pace`]: when periods begin, from looks at the device's position.
//!
//! Background: each look at the position has an error of its own: the driver's position
//! moves in steps, and an interrupt comes late. The card's clock itself is steady.
//! Solution: a delay-locked loop of the second order (Adriaensen, Using a DLL to filter
//! time, 2005): each beginning is expected a period after the last; a share of the
//! difference to what was seen corrects it, a smaller share the period.
//! Why it works: errors of single looks are divided by some twenty, and what stays, the
//! card's rate against the system's, is followed within seconds.

use chronotap_time::Nanos;
use std::f64::consts::{SQRT_2, TAU};

/// Bandwidth of the loop in Hz.
const BANDWIDTH_HZ: f64 = 0.2;

/// The beginnings of periods.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    nominal_ns: f64,
    period_ns: f64,
    expected_ns: Option<f64>,
    shares: [f64; 2], // of a difference: for the time, for the period
}

impl Pace {
    /// For periods of this length.
    pub(super) fn new(period: Nanos) -> Pace {
        let nominal_ns = period.0 as f64;
        let omega = TAU * BANDWIDTH_HZ * nominal_ns / 1e9;
        let shares = [SQRT_2 * omega, omega * omega];
        Pace { nominal_ns, period_ns: nominal_ns, expected_ns: None, shares }
    }

    /// Begins anew, as after an xrun; the rate stays.
    pub(super) fn restart(&mut self) {
        self.expected_ns = None;
    }

    /// When the next period began, seen with an error at this time.
    pub(super) fn next(&mut self, seen: Nanos) -> Nanos {
        let seen = seen.0 as f64;
        let expected = self.expected_ns.unwrap_or(seen);
        let off = seen - expected;
        let [time, rate] = self.shares;
        let began = if off.abs() < self.nominal_ns {
            self.period_ns += rate * off;
            expected + time * off
        } else {
            seen // the card stood still
        };
        self.expected_ns = Some(began + self.period_ns);
        Nanos::round_from_f64(began)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_with_a_rate_of_its_own_is_followed_through_uneven_looks() {
        let mut pace = Pace::new(Nanos::from_millis(5));
        let true_ns = |k: i64| 1_000_000_000 + k * 5_000_500; // 100 ppm slow
        let mut worst = 0;
        for k in 0..4_000_i64 {
            let error = (k * 2_654_435_761) % 400_000 - 200_000; // within 0.2 ms
            let began = pace.next(Nanos(true_ns(k) + error));
            if k > 2_000 {
                worst = worst.max((began.0 - true_ns(k)).abs());
            }
        }
        assert!(worst < 20_000, "{worst} ns");
    }

    #[test]
    fn a_card_that_stood_still_is_believed_at_once() {
        let mut pace = Pace::new(Nanos::from_millis(5));
        pace.next(Nanos::from_millis(100));
        assert_eq!(pace.next(Nanos::from_millis(400)), Nanos::from_millis(400));
    }
}
