//! How hard and how long people tapped on a sensor of force.

use crate::joined::Scale;
use crate::moments::{mean, mean_ns, ms, sd, sd_ns};
use crate::observed::TapForce;
use crate::statistics::{Better, Join, Needs, Range, Statistic, Unit};
use chronotap_core::time::Nanos;

const OF_FORCES: Statistic = Statistic { range: Range::FROM_ZERO, ..Statistic::USUAL };
const OF_DWELLS: Statistic = Statistic { unit: Unit::Milliseconds, ..OF_FORCES };

/// Taps whose force is known.
pub static FORCE_TAPS: Statistic = Statistic {
    name: "force taps",
    needs: Needs::Taps(|of| (!of.forces.is_empty()).then_some(of.forces.len() as f64)),
    about: "Taps that count whose force was kept whole from the onset to the release.",
    ..Statistic::COUNT
};

/// Their mean peak.
pub static MEAN_PEAK_FORCE: Statistic = Statistic {
    name: "mean peak force",
    needs: Needs::Taps(|of| mean(&peaks(of.forces))),
    about: "Mean of their greatest values of force, in the units of the sensor.",
    ..OF_FORCES
};

/// How much it varies.
pub static SD_PEAK_FORCE: Statistic = Statistic {
    name: "sd peak force",
    better: Better::Less,
    join: Join::Line(Scale::Positive),
    needs: Needs::Taps(|of| sd(&peaks(of.forces))),
    about: "Standard deviation of the same, with n - 1.",
    ..OF_FORCES
};

/// How long they pressed.
pub static MEAN_DWELL: Statistic = Statistic {
    name: "mean dwell",
    needs: Needs::Taps(|of| mean_ns(&dwells(of.forces)).map(ms)),
    about: "Mean of their times from the onset to the release.",
    ..OF_DWELLS
};

/// How much that varies.
pub static SD_DWELL: Statistic = Statistic {
    name: "sd dwell",
    better: Better::Less,
    join: Join::Line(Scale::Positive),
    needs: Needs::Taps(|of| sd_ns(&dwells(of.forces)).map(ms)),
    about: "Standard deviation of the same, with n - 1.",
    ..OF_DWELLS
};

fn peaks(forces: &[TapForce]) -> Vec<f64> {
    forces.iter().map(|force| f64::from(force.peak)).collect()
}

fn dwells(forces: &[TapForce]) -> Vec<Nanos> {
    forces.iter().map(|force| force.dwell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;
    use crate::statistics::{Material, Tapped};

    fn of(statistic: &Statistic, forces: &[TapForce]) -> Option<f64> {
        let tapped = Some(Tapped { taps: 9, forces, ..Tapped::default() });
        Material { tapped, ..Material::default() }.measure(statistic).value
    }

    #[test]
    fn worked_numbers_come_out() {
        // Of 900, 1000, 1400: mean 1100; squares 40,000 + 10,000 + 90,000, halved 70,000.
        let force = |(peak, ms)| {
            let (rise, dwell) = (Nanos::from_millis(9), Nanos::from_millis(ms));
            TapForce { peak, rise, dwell }
        };
        let three = [(900, 80), (1_000, 90), (1_400, 130)].map(force);
        assert_eq!(of(&FORCE_TAPS, &three), Some(3.0));
        near(of(&MEAN_PEAK_FORCE, &three).unwrap(), 1_100.0, 1e-9);
        near(of(&SD_PEAK_FORCE, &three).unwrap(), 70_000_f64.sqrt(), 1e-9);
        near(of(&MEAN_DWELL, &three).unwrap(), 100.0, 1e-9);
        near(of(&SD_DWELL, &three).unwrap(), 700_f64.sqrt(), 1e-9);
    }

    #[test]
    fn of_one_tap_nothing_varies_and_of_none_nothing_is_known() {
        let one = [TapForce { peak: 7, rise: Nanos::ZERO, dwell: Nanos::from_millis(50) }];
        assert_eq!((of(&MEAN_PEAK_FORCE, &one), of(&SD_PEAK_FORCE, &one)), (Some(7.0), None));
        assert_eq!((of(&MEAN_DWELL, &one), of(&SD_DWELL, &one)), (Some(50.0), None));
        for none in [&FORCE_TAPS, &MEAN_PEAK_FORCE, &SD_PEAK_FORCE, &MEAN_DWELL, &SD_DWELL] {
            assert_eq!(of(none, &[]), None);
        }
    }
}
