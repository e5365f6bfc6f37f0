//! [`Pace`]: when periods begin, from looks at the device's position.
//!
//! Background: each look at the position has an error of its own: the driver's position
//! moves in steps, and an interrupt comes late. The card's clock itself is steady.
//! Solution: a delay-locked loop of the second order (Adriaensen, Using a DLL to filter
//! time, 2005): each beginning is expected a period after the last; a share of the
//! difference to what was seen corrects it, a smaller share the period. At the start the
//! n-th look has the share 1/n, as in a mean, until that is the smaller one.
//! Why it works: errors of single looks are divided by some twenty, and what stays, the
//! card's rate against the system's, is followed within seconds. That of the first look,
//! over USB up to a packet of 1 ms, is divided as soon, and does not have to be
//! followed for seconds as if it were a rate.

use chronotap_core::time::Nanos;
use std::f64::consts::{SQRT_2, TAU};

/// Bandwidth of the loop in Hz.
const BANDWIDTH_HZ: f64 = 0.2;

/// The beginnings of periods.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    nominal_ns: f64,
    period_ns: f64,
    expected_ns: Option<f64>,
    looks: f64,       // since it began
    shares: [f64; 2], // of a difference: for the time, for the period
}

impl Pace {
    /// For periods of this length.
    pub(super) fn new(period: Nanos) -> Pace {
        let nominal_ns = period.0 as f64;
        let omega = TAU * BANDWIDTH_HZ * nominal_ns / 1e9;
        let shares = [SQRT_2 * omega, omega * omega];
        Pace { nominal_ns, period_ns: nominal_ns, expected_ns: None, looks: 0.0, shares }
    }

    /// Begins anew, as after an xrun; the rate stays.
    pub(super) fn restart(&mut self) {
        (self.expected_ns, self.looks) = (None, 0.0);
    }

    /// When the next period began, seen with an error at this time.
    pub(super) fn next(&mut self, seen: Nanos) -> Nanos {
        let seen = seen.0 as f64;
        let expected = self.expected_ns.unwrap_or(seen);
        let off = seen - expected;
        let [time, rate] = self.shares;
        self.looks += 1.0;
        let began = if off.abs() < self.nominal_ns {
            self.period_ns += rate * off;
            expected + time.max(1.0 / self.looks) * off
        } else {
            self.looks = 1.0; // the card stood still
            seen
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
    fn the_error_of_the_first_look_is_forgotten_within_half_a_second() {
        let mut pace = Pace::new(Nanos::from_millis(5));
        let began = |k: i64, pace: &mut Pace| {
            let error = if k == 0 { 1_000_000 } else { (k * 2_654_435_761) % 100_000 - 50_000 };
            pace.next(Nanos(1_000_000_000 + k * 5_000_000 + error)).0
        };
        let begun: Vec<i64> = (0..1_000).map(|k| began(k, &mut pace)).collect();
        let off = |k: usize| begun[k] - 1_000_000_000 - k as i64 * 5_000_000;
        assert!((100..1_000).all(|k| off(k).abs() < 20_000), "{:?}", off(100));
        // Beats 250 ms apart are a frame of 48 kHz apart from that at most.
        assert!((100..950).all(|k| (off(k + 50) - off(k)).abs() < 20_000));
    }

    #[test]
    fn a_card_that_stood_still_is_believed_at_once() {
        let mut pace = Pace::new(Nanos::from_millis(5));
        pace.next(Nanos::from_millis(100));
        assert_eq!(pace.next(Nanos::from_millis(400)), Nanos::from_millis(400));
    }
}
