//! Statistics of taps as directions on a circle that one interval of the stream goes round.

use crate::circular::phase_drift;
use crate::joined::Scale;
use crate::statistics::{Better, Join, Needs, Range, ShownAs, Statistic, Unit};

/// How many.
pub static DIRECTIONS: Statistic = Statistic {
    name: "directions",
    needs: Needs::Directions(|of| Some(of.angles.len() as f64), None),
    about: "Taps that R is taken of.",
    ..Statistic::COUNT
};

/// The length of their mean vector, R.
pub static RESULTANT: Statistic = Statistic {
    name: "resultant",
    range: Range::SHARE,
    better: Better::More,
    join: Join::Line(Scale::Share),
    needs: Needs::Directions(|of| Some(of.found?.resultant), Some(|of| of.bounds?.resultant)),
    shown: ShownAs::Column("R", 3),
    #[rustfmt::skip]
    coverage: &[(10, 0.988), (15, 0.978), (20, 0.978), (30, 0.969), (60, 0.959), (120, 0.946), (400, 0.949)],
    about: "R of all taps on the circle of the stream's intervals, matched or not; before the first beat and behind the last the interval beside it goes on for half of itself.",
    source: "Fisher 1993",
    ..Statistic::USUAL
};

/// Their mean direction.
pub static DIRECTION: Statistic = Statistic {
    name: "direction",
    unit: Unit::Radians,
    range: Range::CIRCLE,
    join: Join::Circle,
    needs: Needs::Directions(|of| of.found?.direction_rad, Some(|of| of.bounds?.direction_rad)),
    shown: ShownAs::Column("mean direction (rad)", 3),
    #[rustfmt::skip]
    coverage: &[(10, 0.948), (15, 0.968), (20, 0.971), (30, 0.956), (60, 0.940), (120, 0.964), (400, 0.973)],
    about: "Mean direction of the same; negative is early.",
    source: "Fisher 1993",
    ..Statistic::USUAL
};

/// The probability of Rayleigh's test.
pub static RAYLEIGH_P: Statistic = Statistic {
    name: "rayleigh p",
    range: Range::SHARE,
    join: Join::Never,
    needs: Needs::Directions(|of| Some(of.found?.rayleigh?.p), None),
    about: "p of Rayleigh's test of the same, by Zar's approximation.",
    source: "Zar 1999",
    ..Statistic::USUAL
};

/// How far they move.
pub static PHASE_DRIFT: Statistic = Statistic {
    name: "phase drift",
    unit: Unit::Radians,
    needs: Needs::Directions(|of| phase_drift(of.angles), None),
    about: "How far the directions move from the first to the last, along their least-squares line; half a cycle is 3.14.",
    ..Statistic::USUAL
};
