//! Prediction and tracking: the intervals of the taps beside those of the pacing.

use chronotap_analysis::intervals::Placed;
use chronotap_analysis::matching::Pair;
use chronotap_analysis::observed::Beat;
use chronotap_analysis::tracking::{Tracking, tracking};
use chronotap_analysis::uncertainty::{TrackingIntervals, of_tracking};
use chronotap_core::time::Nanos;

/// Intervals between successive beats, each at the place of its first beat.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tracked {
    /// Between taps to two such beats that both count.
    pub taps: Placed,
    /// Those that the pacing asked for: all of them, whether they were tapped or not.
    pub pacing: Placed,
}

impl Tracked {
    /// From pairs of beats and taps in their order, and whether a tap counts.
    pub fn of(
        beats: &[Beat],
        onsets: &[Nanos],
        pairs: &[&Pair],
        counts: &dyn Fn(usize) -> bool,
    ) -> Tracked {
        let mut tracked = Tracked::default();
        let is_next = |place: usize| beats[place + 1].number == beats[place].number + 1;
        for place in (1..beats.len()).map(|next| next - 1).filter(|place| is_next(*place)) {
            tracked.pacing.push(place, beats[place + 1].deadline - beats[place].deadline);
        }
        for pair in pairs.windows(2) {
            let [one, other] = [pair[0], pair[1]];
            let is_one = other.beat == one.beat + 1 && is_next(one.beat);
            if is_one && counts(one.tap) && counts(other.tap) {
                tracked.taps.push(one.beat, onsets[other.tap] - onsets[one.tap]);
            }
        }
        tracked
    }

    /// The indices and their intervals, where the tempo changes.
    pub fn indices(&self) -> Option<(Tracking, TrackingIntervals)> {
        let changes = varies(self.pacing.intervals()) >= TEMPO_CHANGES;
        let found = || tracking(&self.taps, &self.pacing).ok();
        changes.then(found)?.zip(of_tracking(&self.taps, &self.pacing).ok())
    }
}

/// The SD of intervals as a share of their mean; 0 where there are none.
fn varies(intervals: &[Nanos]) -> f64 {
    let number = intervals.len().max(1) as f64;
    let mean = intervals.iter().map(|of| of.0 as f64).sum::<f64>() / number;
    let squares: f64 = intervals.iter().map(|of| (of.0 as f64 - mean).powi(2)).sum();
    if mean > 0.0 { (squares / number).sqrt() / mean } else { 0.0 }
}

/// The intervals of the pacing vary at least by this share of their mean, where somebody predicts or tracks them: those
/// of an even tempo vary too, by rounding.
const TEMPO_CHANGES: f64 = 0.01;

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Forty beats whose intervals change by a rule of no period, and somebody who taps each beat but a few.
    #[test]
    fn the_pacing_counts_whole_whichever_taps_were_missed() {
        let mut at = Nanos::ZERO;
        let beats: Vec<Beat> = (0..40_u32)
            .map(|k| {
                at += Nanos::from_millis(450 + i64::from(k * k * 37 % 101));
                Beat { id: 0, number: k + 1, deadline: at, at }
            })
            .collect();
        let onsets: Vec<Nanos> = beats.iter().map(|beat| beat.at).collect();
        let of = |missed: &[usize]| {
            let answered = (0..40).filter(|beat| !missed.contains(beat));
            let pairs: Vec<Pair> = answered.map(|k| pair(k, k)).collect();
            Tracked::of(&beats, &onsets, &pairs.iter().collect::<Vec<_>>(), &|tap| tap != 30)
        };
        let (whole, some) = (of(&[]), of(&[3, 10, 11, 24]));
        assert_eq!((whole.taps.len(), some.taps.len()), (37, 30));
        assert_eq!(whole.pacing.len(), 39);
        let own = |tracked: &Tracked| tracked.indices().unwrap().0.own;
        assert!((own(&whole) - own(&some)).abs() < 1e-12, "{} {}", own(&whole), own(&some));
        assert!((some.indices().unwrap().0.r0 - 1.0).abs() < 1e-12);
    }

    fn pair(beat: usize, tap: usize) -> Pair {
        Pair { beat, tap, asynchrony: Nanos::ZERO }
    }
}
