//! How often each interval held the truth in simulations, so that it can be said beside an
//! estimate where that is less often than in 93 %. The figures are those of
//! `tests/coverage.rs`, which holds them to what it finds anew (the last ones those of
//! `tests/recovery.rs` and `tests/correction.rs`); docs/statistics.md says what was simulated. Of several simulated tappers the one stands here whose truth was held least often.

/// An interval that holds the truth less often than this is said to.
pub const LEAST: f64 = 0.93;

/// How often the interval of a statistic held the truth: from so many values on, the share.
pub struct Held {
    /// The statistic, by the name of [`crate::statistics`] where it has one.
    pub of: &'static str,
    /// The number of values and the share, ascending.
    pub shares: &'static [(usize, f64)],
}

/// The share of the longest simulated runs that are not longer than `n`; for fewer values than
/// in any, that of the shortest. `None` where the statistic has no interval.
pub fn held(of: &str, n: usize) -> Option<f64> {
    let shares = COVERAGE.iter().find(|held| held.of == of)?.shares;
    let reached = shares.iter().rev().find(|(from, _)| *from <= n);
    reached.or(shares.first()).map(|(_, share)| *share)
}

/// The same where it is to be said beside the estimate.
pub fn doubted(of: &str, n: usize) -> Option<f64> {
    held(of, n).filter(|share| *share < LEAST)
}

/// Every interval of a statistic or model.
#[rustfmt::skip]
pub const COVERAGE: &[Held] = &[
    Held { of: "mean asynchrony", shares: &[(10, 0.898), (15, 0.933), (20, 0.947), (30, 0.923), (60, 0.943), (120, 0.932), (400, 0.940)] },
    Held { of: "median asynchrony", shares: &[(10, 0.910), (15, 0.946), (20, 0.962), (30, 0.959), (60, 0.962), (120, 0.949), (400, 0.946)] },
    Held { of: "sd asynchrony", shares: &[(10, 0.989), (15, 0.985), (20, 0.976), (30, 0.957), (60, 0.955), (120, 0.939), (400, 0.952)] },
    Held { of: "mean absolute asynchrony", shares: &[(10, 0.919), (15, 0.947), (20, 0.953), (30, 0.936), (60, 0.945), (120, 0.937), (400, 0.944)] },
    Held { of: "rms asynchrony", shares: &[(10, 0.928), (15, 0.957), (20, 0.960), (30, 0.939), (60, 0.940), (120, 0.933), (400, 0.942)] },
    Held { of: "asynchrony lag one", shares: &[(10, 0.968), (15, 0.966), (20, 0.960), (30, 0.952), (60, 0.940), (120, 0.942), (400, 0.941)] },
    Held { of: "resultant", shares: &[(10, 0.987), (15, 0.984), (20, 0.972), (30, 0.955), (60, 0.952), (120, 0.939), (400, 0.950)] },
    Held { of: "direction", shares: &[(10, 0.899), (15, 0.933), (20, 0.947), (30, 0.924), (60, 0.944), (120, 0.931), (400, 0.940)] },
    Held { of: "circular sd", shares: &[(10, 0.987), (15, 0.984), (20, 0.972), (30, 0.955), (60, 0.952), (120, 0.939), (400, 0.950)] },
    Held { of: "angular deviation", shares: &[(10, 0.987), (15, 0.984), (20, 0.972), (30, 0.955), (60, 0.952), (120, 0.939), (400, 0.950)] },
    Held { of: "mean interval", shares: &[(10, 0.949), (15, 0.954), (20, 0.946), (30, 0.949), (60, 0.961), (120, 0.944), (400, 0.948)] },
    Held { of: "median interval", shares: &[(10, 0.967), (15, 0.951), (20, 0.961), (30, 0.957), (60, 0.964), (120, 0.951), (400, 0.941)] },
    Held { of: "sd interval", shares: &[(10, 0.912), (15, 0.925), (20, 0.934), (30, 0.932), (60, 0.926), (120, 0.933), (400, 0.944)] },
    Held { of: "cv interval", shares: &[(10, 0.914), (15, 0.928), (20, 0.935), (30, 0.932), (60, 0.927), (120, 0.934), (400, 0.943)] },
    Held { of: "rmssd interval", shares: &[(10, 0.914), (15, 0.932), (20, 0.934), (30, 0.924), (60, 0.927), (120, 0.934), (400, 0.940)] },
    Held { of: "drift", shares: &[(10, 0.947), (15, 0.950), (20, 0.950), (30, 0.951), (60, 0.949), (120, 0.949), (400, 0.950)] },
    Held { of: "npvi", shares: &[(10, 0.935), (15, 0.937), (20, 0.943), (30, 0.944), (60, 0.944), (120, 0.937), (400, 0.944)] },
    Held { of: "interval lag one", shares: &[(10, 0.898), (15, 0.920), (20, 0.926), (30, 0.917), (60, 0.923), (120, 0.930), (400, 0.936)] },
    Held { of: "clock variance", shares: &[(10, 0.910), (15, 0.911), (20, 0.909), (30, 0.917), (60, 0.931), (120, 0.941), (400, 0.948)] },
    Held { of: "motor variance", shares: &[(10, 0.974), (15, 0.990), (20, 0.981), (30, 0.992), (60, 0.964), (120, 0.950), (400, 0.951)] },
    Held { of: "detrended clock variance", shares: &[(10, 0.880), (15, 0.895), (20, 0.897), (30, 0.912), (60, 0.923), (120, 0.936), (400, 0.950)] },
    Held { of: "detrended motor variance", shares: &[(10, 0.964), (15, 0.989), (20, 0.983), (30, 0.990), (60, 0.967), (120, 0.951), (400, 0.952)] },
    Held { of: "lag one", shares: &[(10, 1.000), (15, 1.000), (20, 1.000), (30, 0.968), (60, 0.958), (120, 0.943), (400, 0.948)] },
    Held { of: "alpha", shares: &[(15, 0.990), (20, 0.996), (30, 0.996), (60, 0.989), (120, 0.989), (400, 0.948)] },
    Held { of: "timekeeper sd", shares: &[(15, 0.988), (20, 0.993), (30, 0.993), (60, 0.980), (120, 0.966), (400, 0.938)] },
    Held { of: "motor sd", shares: &[(15, 0.999), (20, 0.999), (30, 1.000), (60, 0.999), (120, 0.997), (400, 0.939)] },
    Held { of: "mean reproduction error", shares: &[(2, 0.942), (3, 0.938), (5, 0.936), (8, 0.945), (12, 0.941), (20, 0.945), (40, 0.946)] },
    Held { of: "sd reproduction error", shares: &[(2, 0.983), (3, 0.983), (5, 0.970), (8, 0.964), (12, 0.949), (20, 0.944), (40, 0.946)] },
    Held { of: "mean absolute reproduction error", shares: &[(2, 0.946), (3, 0.934), (5, 0.930), (8, 0.939), (12, 0.928), (20, 0.935), (40, 0.940)] },
    Held { of: "hit rate", shares: &[(10, 0.909), (15, 0.947), (20, 0.927), (30, 0.944), (60, 0.952), (120, 0.945), (400, 0.937)] },
    Held { of: "share in phase", shares: &[(20, 0.970), (30, 0.959), (60, 0.949), (120, 0.945), (400, 0.948)] },
    Held { of: "direction of the mode", shares: &[(20, 0.948), (30, 0.926), (60, 0.954), (120, 0.948), (400, 0.948)] },
    Held { of: "concentration", shares: &[(20, 0.938), (30, 0.942), (60, 0.946), (120, 0.953), (400, 0.947)] },
    Held { of: "scaling exponent", shares: &[(64, 0.832), (128, 0.953), (256, 0.907), (512, 0.873)] },
    Held { of: "prediction", shares: &[(24, 0.946), (36, 0.945), (60, 0.945), (120, 0.937), (396, 0.941)] },
    Held { of: "tracking", shares: &[(24, 0.940), (36, 0.940), (60, 0.948), (120, 0.943), (396, 0.937)] },
    Held { of: "prediction over tracking", shares: &[(24, 0.953), (36, 0.949), (60, 0.953), (120, 0.944), (396, 0.950)] },
    Held { of: "prediction less tracking", shares: &[(24, 0.955), (36, 0.948), (60, 0.951), (120, 0.944), (396, 0.952)] },
    Held { of: "prediction less own", shares: &[(24, 0.946), (36, 0.946), (60, 0.948), (120, 0.947), (396, 0.946)] },
    Held { of: "tracking less own", shares: &[(24, 0.951), (36, 0.952), (60, 0.952), (120, 0.943), (396, 0.937)] },
    Held { of: "first follows", shares: &[(15, 0.933), (20, 0.927), (30, 0.938), (60, 0.937), (120, 0.938), (400, 0.930)] },
    Held { of: "together", shares: &[(15, 0.928), (20, 0.929), (30, 0.943), (60, 0.932), (120, 0.941), (400, 0.945)] },
    Held { of: "second follows", shares: &[(15, 0.941), (20, 0.944), (30, 0.936), (60, 0.943), (120, 0.933), (400, 0.949)] },
    Held { of: "mean by moving blocks", shares: &[(30, 0.810), (100, 0.868), (400, 0.915)] },
    Held { of: "relaxation", shares: &[(30, 0.917)] },
    Held { of: "alpha of runs less their own means", shares: &[(435, 0.63)] },
    Held { of: "adam alpha", shares: &[(590, 0.940)] },
    Held { of: "adam beta", shares: &[(590, 0.895)] },
    Held { of: "adam gamma", shares: &[(590, 0.955)] },
    Held { of: "adam prediction", shares: &[(590, 0.905)] },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runs_that_are_not_longer_speak_for_a_run() {
        let first = &COVERAGE[0];
        assert_eq!(held(first.of, 5), Some(first.shares[0].1));
        assert_eq!(held(first.of, first.shares[1].0 + 1), Some(first.shares[1].1));
        assert_eq!(held(first.of, 1 << 20), first.shares.last().map(|(_, share)| *share));
        assert_eq!(held("taps", 50), None);
    }

    #[test]
    fn every_name_and_length_stands_once() {
        for (place, held) in COVERAGE.iter().enumerate() {
            assert!(COVERAGE[..place].iter().all(|other| other.of != held.of), "{}", held.of);
            assert!(held.shares.is_sorted_by(|a, b| a.0 < b.0), "{}", held.of);
        }
    }
}
