//! How often each interval held the truth in simulations, so that it can be said beside an
//! estimate where that is less often than in 93 %. The figures are those of
//! `tests/coverage.rs`, which holds them to what it finds anew (the last ones those of `tests/anticipation.rs`,
//! `tests/recovery.rs` and `tests/correction.rs`); docs/statistics.md says what was simulated. Of several
//! simulated tappers the one stands here whose truth was held least often.
//! Those of statistics stand in their definitions, those of models' other results here;
//! [`crate::statistics::held`] knows both.

/// An interval that holds the truth less often than this is said to.
pub const LEAST: f64 = 0.93;

/// How often the interval of a result held the truth: from so many values on, the share.
pub struct Coverage {
    /// The result.
    pub of: &'static str,
    /// The number of values and the share, ascending.
    pub shares: &'static [(usize, f64)],
}

/// The share of the longest simulated runs that are not longer than `n`, or by a tenth at most; for
/// fewer values than in any, that of the shortest.
pub(crate) fn of(shares: &[(usize, f64)], n: usize) -> Option<f64> {
    let reached = shares.iter().rev().find(|(from, _)| from * 9 <= n * 10);
    reached.or(shares.first()).map(|(_, share)| *share)
}

/// Of results that are statistics of a trial as well.
type Shares = &'static [(usize, f64)];
#[rustfmt::skip]
pub const PREDICTION_OVER_TRACKING: Shares = &[(24, 0.953), (36, 0.949), (60, 0.953), (120, 0.944), (396, 0.950)];
#[rustfmt::skip]
pub const FIRST_FOLLOWS: Shares = &[(15, 0.985), (20, 0.980), (30, 0.981), (60, 0.979), (120, 0.974), (400, 0.961)];
#[rustfmt::skip]
pub const TOGETHER: Shares = &[(15, 0.980), (20, 0.979), (30, 0.982), (60, 0.972), (120, 0.965), (400, 0.967)];
#[rustfmt::skip]
pub const SECOND_FOLLOWS: Shares = &[(15, 0.983), (20, 0.988), (30, 0.983), (60, 0.975), (120, 0.968), (400, 0.963)];
#[rustfmt::skip]
pub const PREDICTION: Shares = &[(15, 0.904), (24, 0.946), (36, 0.945), (60, 0.945), (120, 0.937), (396, 0.941)];
#[rustfmt::skip]
pub const TRACKING: Shares = &[(15, 0.878), (24, 0.940), (36, 0.940), (60, 0.948), (120, 0.943), (396, 0.937)];

/// Every interval of a model's result.
#[rustfmt::skip]
pub const COVERAGE: &[Coverage] = &[
    Coverage { of: "circular sd", shares: &[(10, 0.988), (15, 0.978), (20, 0.978), (30, 0.969), (60, 0.959), (120, 0.946), (400, 0.949)] },
    Coverage { of: "angular deviation", shares: &[(10, 0.988), (15, 0.978), (20, 0.978), (30, 0.969), (60, 0.959), (120, 0.946), (400, 0.949)] },
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
