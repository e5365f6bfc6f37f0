//! Statistics of one input against the taps of another, where nothing paces them: who follows whom.

use crate::joined::Scale;
use crate::statistics::{Join, Needs, Range, Statistic};
use crate::uncertainty::coverage;

const CORRELATION: Statistic = Statistic {
    range: Range::CORRELATION,
    join: Join::Line(Scale::Correlation),
    source: "Konvalinka et al. 2010",
    ..Statistic::USUAL
};

/// It follows the other.
pub static FOLLOWING: Statistic = Statistic {
    name: "following correlation",
    needs: Needs::Following(|of| Some(of.second_follows), Some(|of| of.second_follows)),
    coverage: coverage::SECOND_FOLLOWS,
    about: "Correlation of its intervals with those of the other one tap before: positive where it follows the other.",
    ..CORRELATION
};

/// Both at once.
pub static TOGETHER: Statistic = Statistic {
    name: "simultaneous correlation",
    needs: Needs::Following(|of| Some(of.together), Some(|of| of.together)),
    coverage: coverage::TOGETHER,
    about: "The same with those of the other at the same tap.",
    ..CORRELATION
};

/// The other follows it.
pub static LEADING: Statistic = Statistic {
    name: "leading correlation",
    needs: Needs::Following(|of| Some(of.first_follows), Some(|of| of.first_follows)),
    coverage: coverage::FIRST_FOLLOWS,
    about: "The same with those of the other one tap later: positive where the other follows it.",
    ..CORRELATION
};

/// What these are of.
pub static SHARED_INTERVALS: Statistic = Statistic {
    name: "shared intervals",
    needs: Needs::Following(|of| Some(of.n as f64), None),
    about: "Intervals between taps that both tapped together, where nothing paces.",
    ..Statistic::COUNT
};
