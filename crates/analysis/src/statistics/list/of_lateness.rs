//! How late the output of a trial was. Every message is known, so that nothing is estimated.

use crate::statistics::{Needs, Statistic, Unit};

const OF_LATENESS: Statistic =
    Statistic { unit: Unit::Microseconds, in_stretch: false, ..Statistic::USUAL };

/// The median.
pub static MEDIAN_LATENESS: Statistic = Statistic {
    name: "median lateness",
    needs: Needs::Lateness(|lateness| lateness.median_us),
    about: "Median of time achieved - deadline, over all output.",
    ..OF_LATENESS
};

/// The 99th percentile.
pub static P99_LATENESS: Statistic = Statistic {
    name: "p99 lateness",
    needs: Needs::Lateness(|lateness| lateness.p99_us),
    about: "99th percentile of the same.",
    ..OF_LATENESS
};

/// The greatest.
pub static GREATEST_LATENESS: Statistic = Statistic {
    name: "greatest lateness",
    needs: Needs::Lateness(|lateness| lateness.max_us),
    about: "The greatest.",
    ..OF_LATENESS
};
