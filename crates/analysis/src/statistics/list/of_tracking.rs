//! Statistics of prediction and tracking, where the tempo changes.

use crate::joined::Scale;
use crate::statistics::{Join, Needs, Range, Statistic};
use crate::uncertainty::coverage;

const SOURCE: &str = "Pecenka & Keller 2011";

const CORRELATION: Statistic = Statistic {
    range: Range::CORRELATION,
    join: Join::Line(Scale::Correlation),
    in_stretch: false,
    source: SOURCE,
    ..Statistic::USUAL
};

/// r0 / r1.
pub static PREDICTION_TRACKING_RATIO: Statistic = Statistic {
    name: "prediction tracking ratio",
    range: Range::FROM_ZERO,
    join: Join::Line(Scale::Positive),
    in_stretch: false,
    needs: Needs::Tracking(|of| of.ratio.filter(|ratio| *ratio > 0.0), Some(|of| of.ratio)),
    coverage: coverage::PREDICTION_OVER_TRACKING,
    about: "Correlation of the intervals between taps with those of the pacing, by that with the intervals one before: above 1 is prediction.",
    source: SOURCE,
    ..Statistic::USUAL
};

/// r0.
pub static PREDICTION_CORRELATION: Statistic = Statistic {
    name: "prediction correlation",
    needs: Needs::Tracking(|of| Some(of.r0), Some(|of| of.r0)),
    coverage: coverage::PREDICTION,
    about: "Correlation of the intervals between taps with those of the pacing at the same place: prediction.",
    ..CORRELATION
};

/// r1.
pub static TRACKING_CORRELATION: Statistic = Statistic {
    name: "tracking correlation",
    needs: Needs::Tracking(|of| Some(of.r1), Some(|of| of.r1)),
    coverage: coverage::TRACKING,
    about: "The same with those of the pacing one before: tracking.",
    ..CORRELATION
};

/// What these are of.
pub static TRACKED_INTERVALS: Statistic = Statistic {
    name: "tracked intervals",
    in_stretch: false,
    needs: Needs::Tracking(|of| Some(of.n as f64), None),
    about: "Intervals between taps to successive beats, where the intervals of the pacing vary by 1 % or more.",
    ..Statistic::COUNT
};
