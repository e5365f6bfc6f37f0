//! [`Nearest`]: how each tap of a running trial lies to the nearest beat, as soon as that can
//! be said. It is for looking at while the trial runs; the summary matches taps and beats as
//! docs/statistics.md says, when all of them are known.

use chronotap_core::time::Nanos;
use std::collections::VecDeque;

/// Beats that are remembered.
const BEATS: usize = 4;

/// Taps and beats of a running trial, each told in order of time.
#[derive(Clone, Debug, Default)]
pub(super) struct Nearest {
    beats: VecDeque<Nanos>,
    waiting: Vec<Tap>, // which may be early for a beat that has not come
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tap {
    pub(super) input: u16,
    pub(super) number: u32,
    pub(super) at: Nanos,
}

impl Nearest {
    /// A beat has come: the taps before it, each with its asynchrony. A tap further from any
    /// beat than half the interval has none.
    pub(super) fn beat(&mut self, at: Nanos) -> Vec<(Tap, Nanos)> {
        if self.beats.back().is_some_and(|last| *last == at) {
            return Vec::new(); // the other notes of a chord
        }
        if self.beats.len() == BEATS {
            self.beats.pop_front();
        }
        self.beats.push_back(at);
        let taps = std::mem::take(&mut self.waiting);
        taps.into_iter().filter_map(|tap| Some((tap, self.nearest(tap.at)?))).collect()
    }

    /// A tap has come: its asynchrony, where the beat before it is nearer than the next can be.
    pub(super) fn tap(&mut self, tap: Tap) -> Option<Nanos> {
        let last = *self.beats.back()?;
        let half = self.interval().map(|interval| Nanos(interval.0 / 2));
        if half.is_some_and(|half| tap.at - last < half) {
            return self.nearest(tap.at);
        }
        self.waiting.push(tap);
        None
    }

    fn nearest(&self, at: Nanos) -> Option<Nanos> {
        let nearest = self.beats.iter().map(|beat| at - *beat).min_by_key(|far| far.0.abs())?;
        let half = self.interval()?.0 / 2;
        (nearest.0.abs() <= half).then_some(nearest)
    }

    /// The shortest between the beats that are remembered: a stream that was silent for a while
    /// and begins again has no longer one by that.
    fn interval(&self) -> Option<Nanos> {
        self.beats.iter().zip(self.beats.iter().skip(1)).map(|(one, next)| *next - *one).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tap(number: u32, at_ms: i64) -> Tap {
        Tap { input: 0, number, at: Nanos::from_millis(at_ms) }
    }

    #[test]
    fn a_late_tap_is_known_at_once_and_an_early_one_at_its_beat() {
        let mut nearest = Nearest::default();
        assert!(nearest.beat(Nanos::from_millis(1_000)).is_empty());
        assert!(nearest.beat(Nanos::from_millis(1_500)).is_empty());
        assert_eq!(nearest.tap(tap(1, 1_520)), Some(Nanos::from_millis(20)));
        assert_eq!(nearest.tap(tap(2, 1_970)), None);
        let found = nearest.beat(Nanos::from_millis(2_000));
        assert_eq!(found, [(tap(2, 1_970), Nanos::from_millis(-30))]);
    }

    #[test]
    fn taps_where_no_beat_is_near_have_no_asynchrony() {
        let mut nearest = Nearest::default();
        nearest.beat(Nanos::from_millis(1_000));
        nearest.beat(Nanos::from_millis(1_500));
        assert_eq!(nearest.tap(tap(1, 2_300)), None); // the metronome is silent
        assert_eq!(nearest.beat(Nanos::from_millis(9_000)), []); // and begins again
    }
}
