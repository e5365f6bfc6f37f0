//! [`Beats`]: what a participant knows of the pacing from having heard it.

use chronotap_core::time::Nanos;

/// Beats heard of the stream that is followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beats {
    /// So many are counted from one tap to the next.
    steps: u32,
    /// How many; the notes of a chord are one.
    pub heard: u32,
    /// The last two intervals, in ns per tap, by the beats counted, so that rests do no harm.
    pub intervals: Option<(f64, f64)>,
    /// The last two changes from one interval to the next.
    changes: (f64, f64),
    first: Option<(u32, Nanos)>,
    last: (u32, Nanos),
}

impl Default for Beats {
    fn default() -> Beats {
        Beats::every(1)
    }
}

impl Beats {
    /// None yet, of a stream of which every so many steps are tapped to.
    pub fn every(steps: u32) -> Beats {
        Beats {
            steps: steps.max(1),
            heard: 0,
            intervals: None,
            changes: (0.0, 0.0),
            first: None,
            last: (0, Nanos::ZERO),
        }
    }

    /// None yet, of the same stream.
    pub fn again(&self) -> Beats {
        Beats::every(self.steps)
    }

    /// Whether this is another note of the beat heard last.
    pub fn knows(&self, number: u32) -> bool {
        self.heard > 0 && number == self.last.0
    }

    /// When the last beat was heard.
    pub fn last_at(&self) -> Option<Nanos> {
        (self.heard > 0).then_some(self.last.1)
    }

    /// The change that goes on: the smaller of the last two where both have one sign, else 0.
    pub fn trend(&self) -> f64 {
        let (last, before) = self.changes;
        if last * before <= 0.0 { 0.0 } else { last.signum() * last.abs().min(before.abs()) }
    }

    /// Takes in a beat; the mean interval of all heard, in ns per tap.
    pub fn hear(&mut self, number: u32, at: Nanos) -> Option<f64> {
        let per_beat = |(from, began): (u32, Nanos)| {
            let steps = f64::from(self.steps);
            (number > from && at > began)
                .then(|| (at - began).0 as f64 * steps / f64::from(number - from))
        };
        let first = *self.first.get_or_insert((number, at));
        if let Some(interval) = per_beat(self.last).filter(|_| self.heard > 0) {
            let before = self.intervals.map_or(interval, |(last, _)| last);
            self.changes = (interval - before, self.changes.0);
            self.intervals = Some((interval, before));
        }
        self.last = (number, at);
        self.heard = self.heard.saturating_add(1);
        per_beat(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_count_as_beats_and_chords_as_one() {
        let mut beats = Beats::default();
        assert_eq!(beats.hear(1, Nanos(1_000)), None);
        assert!(beats.knows(1) && !beats.knows(2));
        assert_eq!(beats.hear(2, Nanos(1_500)), Some(500.0));
        assert_eq!(beats.hear(4, Nanos(2_800)), Some(600.0));
        assert_eq!(beats.intervals, Some((650.0, 500.0)));
    }

    #[test]
    fn two_changes_in_one_direction_are_a_trend_as_large_as_the_smaller() {
        let mut beats = Beats::default();
        let mut trends = Vec::new();
        for (number, at) in (1..).zip([0, 500, 1_000, 1_480, 1_950, 2_450]) {
            beats.hear(number, Nanos(at));
            trends.push(beats.trend());
        }
        assert_eq!(trends, [0.0, 0.0, 0.0, 0.0, -10.0, 0.0]);
    }
}
