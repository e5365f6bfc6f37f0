//! At which level of the metre somebody taps.

use crate::metre::Tapping;
use crate::statistics::{Join, Needs, Range, Statistic, ValueKind};

/// Taps for each beat.
pub static METRICAL_LEVEL: Statistic = Statistic {
    name: "metrical level",
    range: Range::FROM_ZERO,
    join: Join::Never,
    needs: Needs::Metre(|of| {
        fits(of).then(|| f64::from(of.level.taps) / f64::from(of.level.beats))
    }),
    about: "Taps for each beat at the level of the metre whose interval is closest to the median one: 1 is every beat, 2 is twice as fast, 0.5 is every other beat. Missing where the taps do not fit it (R below 0.5).",
    ..Statistic::USUAL
};

/// Which beat is tapped, where not every one is.
pub static METRICAL_PARITY: Statistic = Statistic {
    name: "metrical parity",
    kind: ValueKind::Integer,
    range: Range::FROM_ZERO,
    join: Join::Never,
    needs: Needs::Metre(|of| of.parity.filter(|_| fits(of)).map(f64::from)),
    about: "Which one of two, three or four beats is tapped, counted from the first of the stream; only at the levels 1/2, 1/3 and 1/4.",
    ..Statistic::USUAL
};

/// Whether the taps are at this level at all: one is always the closest.
fn fits(of: &Tapping) -> bool {
    const FITS: f64 = 0.5;
    of.circular.resultant >= FITS
}
