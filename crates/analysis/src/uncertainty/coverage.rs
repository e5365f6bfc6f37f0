//! How often each interval held the truth in simulations, so that it can be said beside an
//! estimate where that is less often than in 93 %. The figures are those of
//! `tests/coverage.rs`, which holds them to what it finds anew (the last ones those of `tests/anticipation.rs`,
//! `tests/recovery.rs` and `tests/correction.rs`); docs/statistics.md says what was simulated. Of several
//! simulated tappers the one stands here whose truth was held least often.
//! Those of statistics stand in their definitions ([`crate::statistics`]), those of models' other results here.

use crate::statistics::{Statistic, columns, tables};

/// An interval that holds the truth less often than this is said to.
pub const LEAST: f64 = 0.93;

/// How often the interval of a result held the truth: from so many values on, the share.
pub struct Coverage {
    /// The result.
    pub of: &'static str,
    /// The number of values and the share, ascending.
    pub shares: &'static [(usize, f64)],
}

/// The share of the longest simulated runs that are not longer than `n`, or by a tenth at most: 30 taps have 29
/// intervals. For fewer values than in any, that of the shortest. `None` where the result, or the statistic
/// of this name, has no
/// interval.
pub fn held(name: &str, n: usize) -> Option<f64> {
    let named = |known: &&&'static Statistic| known.name == name;
    let statistic = || columns().iter().chain(tables()).find(named).map(|known| known.coverage);
    let other = COVERAGE.iter().find(|held| held.of == name).map(|held| held.shares);
    of(other.or_else(statistic)?, n)
}

/// The same of shares that are known.
pub(crate) fn of(shares: &[(usize, f64)], n: usize) -> Option<f64> {
    let reached = shares.iter().rev().find(|(from, _)| from * 9 <= n * 10);
    reached.or(shares.first()).map(|(_, share)| *share)
}

/// The same where it is to be said beside the estimate.
pub fn doubted(of: &str, n: usize) -> Option<f64> {
    held(of, n).filter(|share| *share < LEAST)
}

/// Of results that are statistics of a trial as well.
type Shares = &'static [(usize, f64)];
#[rustfmt::skip]
pub const PREDICTION_OVER_TRACKING: Shares = &[(24, 0.953), (36, 0.949), (60, 0.953), (120, 0.944), (396, 0.950)];
#[rustfmt::skip]
pub const FIRST_FOLLOWS: Shares = &[(15, 0.933), (20, 0.927), (30, 0.938), (60, 0.937), (120, 0.938), (400, 0.930)];
#[rustfmt::skip]
pub const TOGETHER: Shares = &[(15, 0.928), (20, 0.929), (30, 0.943), (60, 0.932), (120, 0.941), (400, 0.945)];
#[rustfmt::skip]
pub const SECOND_FOLLOWS: Shares = &[(15, 0.941), (20, 0.944), (30, 0.936), (60, 0.943), (120, 0.933), (400, 0.949)];
#[rustfmt::skip]
pub const PREDICTION: Shares = &[(24, 0.946), (36, 0.945), (60, 0.945), (120, 0.937), (396, 0.941)];
#[rustfmt::skip]
pub const TRACKING: Shares = &[(24, 0.940), (36, 0.940), (60, 0.948), (120, 0.943), (396, 0.937)];

/// Every interval of a model's result.
#[rustfmt::skip]
pub const COVERAGE: &[Coverage] = &[
    Coverage { of: "circular sd", shares: &[(10, 0.987), (15, 0.984), (20, 0.972), (30, 0.955), (60, 0.952), (120, 0.939), (400, 0.950)] },
    Coverage { of: "angular deviation", shares: &[(10, 0.987), (15, 0.984), (20, 0.972), (30, 0.955), (60, 0.952), (120, 0.939), (400, 0.950)] },
    Coverage { of: "share in phase", shares: &[(20, 0.970), (30, 0.959), (60, 0.949), (120, 0.945), (400, 0.948)] },
    Coverage { of: "direction of the mode", shares: &[(20, 0.948), (30, 0.926), (60, 0.954), (120, 0.948), (400, 0.948)] },
    Coverage { of: "concentration", shares: &[(20, 0.938), (30, 0.942), (60, 0.946), (120, 0.953), (400, 0.947)] },
    Coverage { of: "scaling exponent", shares: &[(64, 0.832), (128, 0.953), (256, 0.907), (512, 0.873)] },
    Coverage { of: "prediction", shares: PREDICTION },
    Coverage { of: "tracking", shares: TRACKING },
    Coverage { of: "prediction over tracking", shares: PREDICTION_OVER_TRACKING },
    Coverage { of: "prediction less tracking", shares: &[(24, 0.955), (36, 0.948), (60, 0.951), (120, 0.944), (396, 0.952)] },
    Coverage { of: "prediction less own", shares: &[(24, 0.946), (36, 0.946), (60, 0.948), (120, 0.947), (396, 0.946)] },
    Coverage { of: "tracking less own", shares: &[(24, 0.951), (36, 0.952), (60, 0.952), (120, 0.943), (396, 0.937)] },
    Coverage { of: "first follows", shares: FIRST_FOLLOWS },
    Coverage { of: "together", shares: TOGETHER },
    Coverage { of: "second follows", shares: SECOND_FOLLOWS },
    Coverage { of: "mean by moving blocks", shares: &[(30, 0.810), (100, 0.868), (400, 0.915)] },
    Coverage { of: "relaxation", shares: &[(30, 0.917)] },
    Coverage { of: "alpha of runs less their own means", shares: &[(435, 0.63)] },
    Coverage { of: "adam alpha", shares: &[(135, 0.83), (570, 0.77), (1_140, 0.80)] },
    Coverage { of: "adam beta", shares: &[(135, 0.54), (570, 0.23), (1_140, 0.01)] },
    Coverage { of: "adam gamma", shares: &[(135, 0.86), (570, 0.77), (1_140, 0.70)] },
    Coverage { of: "adam prediction", shares: &[(135, 0.71), (570, 0.42), (1_140, 0.21)] },
    Coverage { of: "adam timekeeper", shares: &[(135, 0.82), (570, 0.80), (1_140, 0.77)] },
    Coverage { of: "adam motor", shares: &[(135, 0.71), (570, 0.78), (1_140, 0.78)] },
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn the_runs_that_are_not_longer_speak_for_a_run() {
        let first = &COVERAGE[0];
        assert_eq!(held(first.of, 5), Some(first.shares[0].1));
        assert_eq!(held(first.of, first.shares[1].0 + 1), Some(first.shares[1].1));
        assert_eq!(held(first.of, 1 << 20), first.shares.last().map(|(_, share)| *share));
        assert_eq!(held("taps", 50), None);
    }

    #[test]
    fn the_intervals_of_thirty_taps_are_those_of_the_row_of_thirty() {
        let of_row = |name: &str, row: usize| held(name, row).unwrap();
        assert!(of_row("rmssd interval", 30) < LEAST && of_row("rmssd interval", 20) > LEAST);
        for (intervals, row) in [(29, 30), (26, 20), (59, 60), (9, 10), (14, 15)] {
            assert_eq!(held("rmssd interval", intervals), held("rmssd interval", row));
        }
    }

    #[test]
    fn every_name_and_length_stands_once() {
        let known = columns().iter().chain(tables());
        let of_statistics: HashMap<&str, &[(usize, f64)]> =
            known.map(|known| (known.name, known.coverage)).collect();
        for (place, held) in COVERAGE.iter().enumerate() {
            assert!(COVERAGE[..place].iter().all(|other| other.of != held.of), "{}", held.of);
            assert!(!of_statistics.contains_key(held.of), "{}", held.of);
        }
        let shares = COVERAGE.iter().map(|held| held.shares);
        for shares in shares.chain(of_statistics.into_values()) {
            assert!(shares.is_sorted_by(|a, b| a.0 < b.0), "{shares:?}");
        }
    }
}
