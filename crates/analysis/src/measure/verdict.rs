//! The verdict on a trial's timing: passed, or the reasons why not; of a trial that another program
//! recorded it is not known.

use crate::lateness::Lateness;
use chronotap_core::time::Nanos;
use chronotap_engine::action::OutsideChange;
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
    /// Tones that were not sent, because a stop of the program had left them too late.
    pub overdue: u64,
    /// Frames of music that had not been read when they were due.
    pub missing: u64,
    /// By how much the computer's wall clock was set since the last trial, or in this one.
    pub wall_clock_set: Nanos,
    /// Periods that an audio server missed.
    pub xruns: u64,
    /// What changed at an audio server or sequencer.
    pub changes: Changes,
    /// Codes for another recorder that the next one cut short.
    pub overwritten: u64,
    /// Whether the watchdog had to stop the engine.
    pub watchdog: bool,
}

/// How often each thing changed at an audio server or sequencer, which other programs can change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes([u64; OutsideChange::ALL.len()]);

impl Changes {
    /// It changed once more.
    pub fn note(&mut self, change: OutsideChange) {
        self.0[change as usize] += 1;
    }

    /// What casts doubt on the data, a sentence for each thing that changed.
    fn doubts(self) -> impl Iterator<Item = String> {
        let changed =
            OutsideChange::ALL.into_iter().filter(move |change| self.0[*change as usize] > 0);
        changed.map(move |change| doubt(change, self.0[change as usize]))
    }
}

fn clock_was_set(by: Nanos) -> String {
    let way = if by < Nanos::ZERO { "back" } else { "forward" };
    format!(
        "the computer's wall clock was set {way} by {:.3} s since the last trial: times of day before and after that do not belong together (the times of events do not depend on it)",
        by.abs().as_secs_f64()
    )
}

fn doubt(change: OutsideChange, n: u64) -> String {
    let times = if n == 1 { "once".to_owned() } else { format!("{n} times") };
    match change {
        OutsideChange::Period => format!(
            "the audio server's period changed {times} (rows `marker`, `period changed`): what was asked at the beginning holds up to there"
        ),
        OutsideChange::Rate => format!(
            "the audio server's rate changed {times} (rows `marker`, `rate changed`): nothing sounded from there on"
        ),
        OutsideChange::Latency => format!(
            "the latency that the audio server states changed {times} (rows `marker`, `latency changed`)"
        ),
        OutsideChange::Graph => format!(
            "other programs of the audio server were connected or left {times} (rows `marker`, `other connections changed`): what they play may have been heard too"
        ),
        OutsideChange::Disconnected => format!(
            "a connection of this program was taken away {times}, or its other end was gone (rows `marker`, `connection taken away`)"
        ),
        OutsideChange::Connected => format!(
            "a connection of this program was made {times} (rows `marker`, `connection made`)"
        ),
    }
}

/// Passed, failed or not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Whether nothing speaks against the trial's timing; `None` where nobody can tell.
    pub passed: Option<bool>,
    /// The limit it was held to, in microseconds.
    pub limit_us: i64,
    /// Why it failed, one sentence each; empty where it passed.
    pub reasons: Vec<String>,
    /// What casts doubt on the data without having failed the trial, one sentence each.
    pub doubts: Vec<String>,
}

/// Judges a trial. It fails where an output was farther than the limit from its
/// deadline, where anything was dropped, lost, overdue or missing, or where the watchdog acted. A period
/// that an audio server missed is a doubt: what was played late because of it has
/// failed by its lateness, and what was heard in a gap of sound nobody has measured.
pub fn verdict(evidence: Evidence<'_>) -> Verdict {
    let late = evidence.lateness.filter(|lateness| lateness.over_limit > 0).map(|lateness| {
        let (n, of) = (lateness.over_limit, lateness.n);
        format!("{n} of {of} outputs were beyond the limit, {}", farthest(lateness))
    });
    let dropped = (evidence.dropped > 0)
        .then(|| format!("{} events were dropped by the recorder's queue", evidence.dropped));
    let lost = (evidence.lost > 0).then(|| {
        format!("{} messages were lost because an output did not take them", evidence.lost)
    });
    let overdue = (evidence.overdue > 0).then(|| {
        let n = evidence.overdue;
        format!("{n} tones were not sent: the program had been stopped, and they came too late (rows with the flag `lost`)")
    });
    let missing = (evidence.missing > 0).then(|| {
        let n = evidence.missing;
        format!("{n} frames of the music were silent: the disk did not give them in time")
    });
    let watchdog = evidence.watchdog.then(|| "the watchdog had to stop the engine".to_string());
    let reasons: Vec<String> =
        [late, dropped, lost, overdue, missing, watchdog].into_iter().flatten().collect();
    let xruns = (evidence.xruns > 0).then(|| {
        format!("the audio server missed {} periods (rows `marker`, `xrun`)", evidence.xruns)
    });
    let overwritten = (evidence.overwritten > 0).then(|| {
        let n = evidence.overwritten;
        format!("{n} codes were cut short by the next one (rows with the flag `overwritten`)")
    });
    let limit_us = evidence.limit.0 / 1_000;
    let set =
        (evidence.wall_clock_set != Nanos::ZERO).then(|| clock_was_set(evidence.wall_clock_set));
    let doubts = xruns.into_iter().chain(evidence.changes.doubts()).chain(overwritten).chain(set);
    let doubts = doubts.collect();
    Verdict { passed: Some(reasons.is_empty()), limit_us, reasons, doubts }
}

impl Verdict {
    /// Whether something speaks against the timing.
    pub fn failed(&self) -> bool {
        self.passed == Some(false)
    }

    /// The verdict in a word of tables.
    pub fn word(&self) -> &'static str {
        word(self.passed)
    }
}

/// A verdict on the timing in a word of tables.
pub fn word(passed: Option<bool>) -> &'static str {
    match passed {
        Some(true) => "passed",
        Some(false) => "failed",
        None => "unknown",
    }
}

/// The output that was farthest from its deadline, counted from that and not from the limit.
fn farthest(lateness: &Lateness) -> String {
    let Lateness { min_us, max_us, .. } = lateness;
    if -min_us > *max_us {
        return format!("the earliest {:.1} us before its deadline", -min_us);
    }
    format!("the greatest lateness {max_us:.1} us")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lateness;

    const LIMIT: Nanos = Nanos::from_millis(1);

    const NOTHING: Evidence<'_> = Evidence {
        lateness: None,
        limit: LIMIT,
        dropped: 0,
        lost: 0,
        overdue: 0,
        missing: 0,
        wall_clock_set: Nanos::ZERO,
        xruns: 0,
        changes: Changes([0; OutsideChange::ALL.len()]),
        overwritten: 0,
        watchdog: false,
    };

    fn judge(lateness: &[i64], dropped: u64, lost: u64) -> Verdict {
        let lateness: Vec<Nanos> = lateness.iter().copied().map(Nanos).collect();
        let lateness = lateness::describe(&lateness, LIMIT);
        let lateness = lateness.as_ref();
        verdict(Evidence { lateness, dropped, lost, ..NOTHING })
    }

    #[test]
    fn an_output_at_the_limit_passes_and_one_beyond_fails() {
        assert_eq!(judge(&[5, 1_000_000], 0, 0).passed, Some(true));
        let failed = judge(&[5, 1_500_000], 0, 0);
        assert!(failed.failed());
        let said = "1 of 2 outputs were beyond the limit, the greatest lateness 1500.0 us";
        assert_eq!(failed.reasons, [said]);
        let early = judge(&[900_000, -1_500_000], 0, 0);
        let said =
            "1 of 2 outputs were beyond the limit, the earliest 1500.0 us before its deadline";
        assert_eq!(early.reasons, [said]);
    }

    #[test]
    fn a_period_that_the_server_missed_is_a_doubt_and_no_failure() {
        let judged = verdict(Evidence { xruns: 2, ..NOTHING });
        assert!(!judged.failed());
        assert_eq!(judged.doubts, ["the audio server missed 2 periods (rows `marker`, `xrun`)"]);
    }

    #[test]
    fn what_changed_at_the_server_is_a_doubt_of_its_own_and_no_failure() {
        for change in OutsideChange::ALL {
            let mut changes = Changes::default();
            changes.note(change);
            let judged = verdict(Evidence { changes, ..NOTHING });
            assert!(!judged.failed());
            assert_eq!(judged.doubts, [doubt(change, 1)]);
        }
    }

    #[test]
    fn a_wall_clock_that_was_set_is_a_doubt_with_way_and_length() {
        let judged = verdict(Evidence { wall_clock_set: Nanos::from_secs(-7_200), ..NOTHING });
        assert!(!judged.failed());
        assert_eq!(judged.doubts, [clock_was_set(Nanos::from_secs(-7_200))]);
        assert!(judged.doubts[0].contains("set back by 7200.000 s"));
    }

    #[test]
    fn anything_dropped_or_lost_fails() {
        assert_eq!(judge(&[], 3, 2).reasons.len(), 2);
        let stopped = verdict(Evidence { overdue: 11, ..NOTHING });
        assert!(stopped.failed() && stopped.reasons[0].starts_with("11 tones were not sent"));
        assert!(!judge(&[], 0, 0).failed());
    }

    #[test]
    fn music_that_was_silent_where_it_should_have_sounded_fails() {
        let judged = verdict(Evidence { missing: 480, ..NOTHING });
        assert!(judged.failed());
        let said = "480 frames of the music were silent: the disk did not give them in time";
        assert_eq!(judged.reasons, [said]);
    }
}
