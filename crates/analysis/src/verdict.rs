//! The verdict on a trial's timing: passed, or the reasons why not.

use crate::lateness::Lateness;
use chronotap_time::Nanos;
use serde::Serialize;

/// What a verdict is given upon.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// Lateness of all output; `None` where nothing sounded.
    pub lateness: Option<&'a Lateness>,
    /// The farthest that an output may be from its deadline.
    pub limit: Nanos,
    /// Events that the recorder's queue had no room for.
    pub dropped: u64,
    /// Messages that an output did not take.
    pub lost: u64,
    /// Whether the watchdog had to stop the engine.
    pub watchdog: bool,
}

/// Passed or failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Whether nothing speaks against the trial's timing.
    pub passed: bool,
    /// The limit it was held to, in microseconds.
    pub limit_us: i64,
    /// Why it failed, one sentence each; empty where it passed.
    pub reasons: Vec<String>,
}

/// Judges a trial. It fails where an output was farther than the limit from its
/// deadline, where anything was dropped or lost, or where the watchdog acted.
pub fn verdict(evidence: Evidence<'_>) -> Verdict {
    let late = evidence.lateness.filter(|lateness| lateness.over_limit > 0).map(|lateness| {
        let worst = lateness.max_us.max(-lateness.min_us);
        let (n, of) = (lateness.over_limit, lateness.n);
        format!("{n} of {of} outputs were beyond the limit, the worst by {worst:.1} us")
    });
    let dropped = (evidence.dropped > 0)
        .then(|| format!("{} events were dropped by the recorder's queue", evidence.dropped));
    let lost = (evidence.lost > 0).then(|| {
        format!("{} messages were lost because an output did not take them", evidence.lost)
    });
    let watchdog = evidence.watchdog.then(|| "the watchdog had to stop the engine".to_string());
    let reasons: Vec<String> = [late, dropped, lost, watchdog].into_iter().flatten().collect();
    Verdict { passed: reasons.is_empty(), limit_us: evidence.limit.0 / 1_000, reasons }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lateness;

    const LIMIT: Nanos = Nanos::from_millis(1);

    fn judge(lateness: &[i64], dropped: u64, lost: u64) -> Verdict {
        let lateness: Vec<Nanos> = lateness.iter().copied().map(Nanos).collect();
        let lateness = lateness::describe(&lateness, LIMIT);
        let lateness = lateness.as_ref();
        verdict(Evidence { lateness, limit: LIMIT, dropped, lost, watchdog: false })
    }

    #[test]
    fn an_output_at_the_limit_passes_and_one_beyond_fails() {
        assert!(judge(&[5, 1_000_000], 0, 0).passed);
        let failed = judge(&[5, 1_500_000], 0, 0);
        assert!(!failed.passed);
        let said = "1 of 2 outputs were beyond the limit, the worst by 1500.0 us";
        assert_eq!(failed.reasons, [said]);
        assert!(!judge(&[-1_500_000], 0, 0).passed);
    }

    #[test]
    fn anything_dropped_or_lost_fails() {
        assert_eq!(judge(&[], 3, 2).reasons.len(), 2);
        assert!(judge(&[], 0, 0).passed);
    }
}
