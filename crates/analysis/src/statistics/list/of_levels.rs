//! Clock and motor variance, of intervals that nothing paces. Of every run, also outside the model:
//! who averages over those within it alone gets a biased mean.

use crate::joined::Scale;
use crate::statistics::{Join, Needs, Range, ShownAs, Statistic, Unit, ValueKind};

const SOURCE: &str = "Wing & Kristofferson 1973";

/// Clock variance.
pub static CLOCK_VARIANCE: Statistic = Statistic {
    name: "clock variance",
    unit: Unit::SquareMilliseconds,
    needs: Needs::Levels(
        |levels| Some(levels.clock_unbiased_ms2),
        Some(|levels| Some(levels.bounds().ok()?.clock_ms2)),
    ),
    shown: ShownAs::Column("clock variance (ms²)", 1),
    #[rustfmt::skip]
    coverage: &[(10, 0.992), (15, 0.991), (20, 0.990), (30, 0.983), (60, 0.978), (120, 0.971), (400, 0.963)],
    about: "Clock variance (Wing & Kristofferson), without the bias of short runs; where nothing paces. May be below 0 by chance, and belongs to the mean over trials then too.",
    source: SOURCE,
    ..Statistic::USUAL
};

/// Motor variance.
pub static MOTOR_VARIANCE: Statistic = Statistic {
    name: "motor variance",
    unit: Unit::SquareMilliseconds,
    needs: Needs::Levels(
        |levels| Some(levels.motor_unbiased_ms2),
        Some(|levels| levels.bounds().ok()?.motor_ms2),
    ),
    shown: ShownAs::Column("motor variance (ms²)", 1),
    #[rustfmt::skip]
    coverage: &[(10, 0.978), (15, 0.972), (20, 0.986), (30, 0.976), (60, 0.971), (120, 0.983), (400, 0.974)],
    about: "Motor variance of the same.",
    source: SOURCE,
    ..Statistic::USUAL
};

/// Clock variance, the drift taken off.
pub static DETRENDED_CLOCK_VARIANCE: Statistic = Statistic {
    name: "detrended clock variance",
    unit: Unit::SquareMilliseconds,
    needs: Needs::Levels(
        |levels| Some(levels.detrended?.clock_unbiased_ms2),
        Some(|levels| Some(levels.detrended_bounds().ok()?.clock_ms2)),
    ),
    #[rustfmt::skip]
    coverage: &[(10, 0.993), (15, 0.993), (20, 0.994), (30, 0.986), (60, 0.980), (120, 0.966), (400, 0.963)],
    about: "Clock variance with the linear drift of the intervals taken off.",
    source: SOURCE,
    ..Statistic::USUAL
};

/// Motor variance, the drift taken off.
pub static DETRENDED_MOTOR_VARIANCE: Statistic = Statistic {
    name: "detrended motor variance",
    unit: Unit::SquareMilliseconds,
    needs: Needs::Levels(
        |levels| Some(levels.detrended?.motor_unbiased_ms2),
        Some(|levels| levels.detrended_bounds().ok()?.motor_ms2),
    ),
    #[rustfmt::skip]
    coverage: &[(10, 0.982), (15, 0.976), (20, 0.988), (30, 0.982), (60, 0.969), (120, 0.976), (400, 0.972)],
    about: "Motor variance of the same.",
    source: SOURCE,
    ..Statistic::USUAL
};

/// The lag-1 autocorrelation that both follow from.
pub static LAG_ONE: Statistic = Statistic {
    name: "lag one",
    range: Range::CORRELATION,
    join: Join::Line(Scale::Correlation),
    needs: Needs::Levels(|levels| Some(levels.r1), Some(|levels| Some(levels.bounds().ok()?.r1))),
    #[rustfmt::skip]
    coverage: &[(10, 0.993), (15, 0.988), (20, 0.989), (30, 0.984), (60, 0.971), (120, 0.956), (400, 0.955)],
    about: "Lag-1 autocorrelation of the intervals that clock and motor variance are of.",
    source: SOURCE,
    ..Statistic::USUAL
};

/// Intervals that were left out as slips.
pub static EXCLUDED_INTERVALS: Statistic = Statistic {
    name: "excluded intervals",
    needs: Needs::Levels(|levels| Some(levels.excluded as f64), None),
    about: "Intervals left out of clock and motor variance: over missed taps, and the parts of doubled ones.",
    ..Statistic::COUNT
};

/// Whether the estimates lie outside the model.
pub static LEVELS_INADMISSIBLE: Statistic = Statistic {
    name: "levels inadmissible",
    kind: ValueKind::Integer,
    range: Range::SHARE,
    needs: Needs::Levels(|levels| Some(f64::from(u8::from(!levels.admissible))), None),
    shown: ShownAs::Column("share of runs outside the model", 2),
    about: "1 where these estimates lie outside the model (one is below 0, or the lag-1 autocorrelation is not between -0.5 and 0), 0 where they do not; its mean over trials is their share.",
    ..Statistic::USUAL
};
