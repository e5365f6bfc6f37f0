//! The pauses that are asked for.

use crate::mechanisms::Mechanism;
use crate::timing::Length;
use chronotap_core::time::Nanos;
use std::ops::RangeInclusive;

/// 50 us to 20 ms; Finney asked for 5 us to 20 ms, where the kernels of 2001 had a
/// step of 10 ms.
const SPANS_US: [i64; 9] = [50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000];
/// The least rate of a device that ticks; the greatest is 8,192 Hz.
const LEAST_RATE_HZ: i64 = 64;
/// Pauses that may be chosen.
pub(super) const POSSIBLE: RangeInclusive<Nanos> = Nanos::from_micros(1)..=Nanos::from_secs(1);

/// The pauses to ask this mechanism for, those chosen where any were: of one that ticks, the
/// periods of all powers of two, for it has no others. What the device refuses is noted when
/// it does.
pub(super) fn of(mechanism: Mechanism, length: Length, chosen: Option<&[Nanos]>) -> Vec<Nanos> {
    if mechanism.ticks() {
        let rates = (0..8).map(|power| LEAST_RATE_HZ << power);
        return rates.map(|hz| Nanos(1_000_000_000 / hz)).collect();
    }
    if let Some(chosen) = chosen {
        return chosen.to_vec();
    }
    let wanted = |us: &&i64| length != Length::Quick || [100, 1_000, 10_000].contains(*us);
    SPANS_US.iter().filter(wanted).map(|us| Nanos::from_micros(*us)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_pauses_take_the_place_of_the_usual_ones_where_any_can_be_had() {
        let chosen = [Nanos::from_micros(5), Nanos::from_millis(1)];
        let sleeps = Mechanism::ALL.iter().find(|one| !one.ticks()).copied().unwrap();
        assert_eq!(of(sleeps, Length::Quick, Some(&chosen)), chosen);
        assert_eq!(of(sleeps, Length::Quick, None).len(), 3);
        let ticks = Mechanism::ALL.iter().find(|one| one.ticks()).copied().unwrap();
        assert_eq!(of(ticks, Length::Quick, Some(&chosen)).len(), 8);
    }
}
