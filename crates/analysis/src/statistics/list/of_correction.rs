//! Phase correction by bGLS, where one tempo paces.

use crate::joined::Scale;
use crate::statistics::{Join, Needs, Range, ShownAs, Statistic, Unit};

const SOURCE: &str = "Jacoby et al. 2015";

/// Phase correction.
pub static ALPHA: Statistic = Statistic {
    name: "alpha",
    needs: Needs::Correction(|of| Some(of.alpha[0].value), Some(|of| Some(of.alpha[0]))),
    shown: ShownAs::Elsewhere,
    coverage: &[(20, 0.970), (30, 0.973), (60, 0.985), (120, 0.957), (400, 0.937)],
    about: "Phase correction by bGLS, where one tempo paces; biased upward in short runs.",
    source: SOURCE,
    ..Statistic::USUAL
};

/// SD of the timekeeper.
pub static TIMEKEEPER_SD: Statistic = Statistic {
    name: "timekeeper sd",
    unit: Unit::Milliseconds,
    range: Range::FROM_ZERO,
    join: Join::Line(Scale::Positive),
    needs: Needs::Correction(|of| Some(of.timekeeper_sd_ms), Some(|of| of.timekeeper)),
    shown: ShownAs::Column("timekeeper SD (ms)", 1),
    coverage: &[(20, 0.980), (30, 0.987), (60, 0.990), (120, 0.960), (400, 0.957)],
    about: "SD of the timekeeper, by bGLS.",
    source: SOURCE,
    ..Statistic::USUAL
};

/// SD of the motor delays. By trial it is 0 in about half of them, because it can hardly be told
/// from correction there: it has no mean over trials.
pub static MOTOR_SD: Statistic = Statistic {
    name: "motor sd",
    unit: Unit::Milliseconds,
    range: Range::FROM_ZERO,
    join: Join::Never,
    needs: Needs::Correction(|of| Some(of.motor_sd_ms), Some(|of| of.motor)),
    coverage: &[(20, 0.985), (30, 0.977), (60, 0.980), (120, 0.953), (400, 0.965)],
    about: "SD of the motor delays, by bGLS.",
    source: SOURCE,
    ..Statistic::USUAL
};

/// What these are estimated from.
pub static CORRECTED_INTERVALS: Statistic = Statistic {
    name: "corrected intervals",
    needs: Needs::Correction(|of| Some(of.intervals as f64), None),
    about: "Intervals that phase correction was estimated from.",
    ..Statistic::COUNT
};
