//! The pauses that are asked for.

use chronotap_mechanisms::Mechanism;
use chronotap_time::Nanos;
use chronotap_timing::Length;

/// 50 us to 20 ms; Finney asked for 5 us to 20 ms, where the kernels of 2001 had a
/// step of 10 ms.
const SPANS_US: [i64; 9] = [50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000];
/// The least rate of a device that ticks; the greatest is 8,192 Hz.
const LEAST_RATE_HZ: i64 = 64;

/// The pauses to ask this mechanism for: of one that ticks, the periods of all powers
/// of two. What the device refuses is noted when it does.
pub(super) fn of(mechanism: Mechanism, length: Length) -> Vec<Nanos> {
    if mechanism.ticks() {
        let rates = (0..8).map(|power| LEAST_RATE_HZ << power);
        return rates.map(|hz| Nanos(1_000_000_000 / hz)).collect();
    }
    let wanted = |us: &&i64| length != Length::Quick || [100, 1_000, 10_000].contains(*us);
    SPANS_US.iter().filter(wanted).map(|us| Nanos::from_micros(*us)).collect()
}
