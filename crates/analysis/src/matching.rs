//! Which tap answers which beat.
//!
//! One-to-one by increasing distance: of all pairs of a beat and a tap within its
//! window, the closest is taken first, then the closest of what is left. The
//! window is a share of the local inter-onset interval, on the early side of the
//! one before the beat, on the late side of the one after it, as in the relative
//! windows of REPP (Anglada-Tort, Harrison & Jacoby 2022).
//!
//! Do not match where people tap against the beat or at another level of the
//! metre: describe all taps by [`crate::circular`] instead.

use chronotap_time::Nanos;

/// Share of the local inter-onset interval that the window reaches to each side.
pub const WINDOW: f64 = 0.4;

/// A pause longer than so many median intervals separates two stretches of
/// pacing; windows do not grow into it.
const PAUSE_INTERVALS: i64 = 5; // in halves: 2.5 intervals

/// A tap and the beat it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Index of the beat.
    pub beat: usize,
    /// Index of the tap.
    pub tap: usize,
    /// Tap onset − pacing onset; negative is early.
    pub asynchrony: Nanos,
}

/// What became of every beat and every tap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matching {
    /// Matched beats, in the order of the beats.
    pub pairs: Vec<Pair>,
    /// Beats without a tap.
    pub missed: Vec<usize>,
    /// Taps without a beat within a stretch of pacing, and next to it.
    pub extra: Vec<usize>,
    /// Taps outside every stretch of pacing: before it, in continuation.
    pub unpaced: Vec<usize>,
}

impl Matching {
    /// The asynchronies, in the order of the beats.
    pub fn asynchronies(&self) -> Vec<Nanos> {
        self.pairs.iter().map(|pair| pair.asynchrony).collect()
    }

    /// Matched beats divided by all beats.
    pub fn hit_rate(&self) -> Option<f64> {
        let beats = self.pairs.len() + self.missed.len();
        (beats > 0).then(|| self.pairs.len() as f64 / beats as f64)
    }
}

/// Matches taps to beats; both in ascending order. `window` is the share of the
/// local interval, usually [`WINDOW`], kept in 0..=1. A single beat has no interval and takes the
/// nearest tap.
pub fn match_taps(beats: &[Nanos], taps: &[Nanos], window: f64) -> Matching {
    let windows = windows(beats, window.clamp(0.0, 1.0));
    let mut close: Vec<Pair> = Vec::with_capacity(beats.len());
    let mut first = 0; // the taps before are too early for this beat and all later ones
    for (beat, (early, late)) in windows.iter().enumerate() {
        while taps.get(first).is_some_and(|tap| tap < early) {
            first += 1; // windows begin in the order of the beats
        }
        let within = taps.iter().enumerate().skip(first).take_while(|(_, tap)| *tap <= late);
        close.extend(within.map(|(index, tap)| Pair {
            beat,
            tap: index,
            asynchrony: *tap - beats[beat],
        }));
    }
    close.sort_by_key(|pair| (pair.asynchrony.abs(), pair.beat, pair.tap));
    assign(&close, &windows, beats, taps)
}

/// Takes the closest pairs first; what is left is missed, extra or unpaced.
fn assign(close: &[Pair], windows: &[(Nanos, Nanos)], beats: &[Nanos], taps: &[Nanos]) -> Matching {
    let mut beat_taken = vec![false; beats.len()];
    let mut tap_taken = vec![false; taps.len()];
    let mut matching = Matching::default();
    for pair in close {
        if !beat_taken[pair.beat] && !tap_taken[pair.tap] {
            beat_taken[pair.beat] = true;
            tap_taken[pair.tap] = true;
            matching.pairs.push(*pair);
        }
    }
    matching.pairs.sort_by_key(|pair| pair.beat);
    matching.missed = left(&beat_taken).collect();
    let stretches = stretches(beats, windows);
    let paced = |tap: usize| stretches.iter().any(|(from, to)| (*from..=*to).contains(&taps[tap]));
    (matching.extra, matching.unpaced) = left(&tap_taken).partition(|tap| paced(*tap));
    matching
}

fn left(taken: &[bool]) -> impl Iterator<Item = usize> + '_ {
    taken.iter().enumerate().filter(|(_, taken)| !**taken).map(|(index, _)| index)
}

/// The earliest and latest tap that may answer each beat.
fn windows(beats: &[Nanos], window: f64) -> Vec<(Nanos, Nanos)> {
    if let [only] = beats {
        return vec![(Nanos::MIN, Nanos::MAX.max(*only))];
    }
    let pause = pause(beats);
    let interval = |later: usize| {
        let interval = *beats.get(later)? - *beats.get(later.checked_sub(1)?)?;
        (interval <= pause).then_some(interval)
    };
    let reach = |interval: Nanos| Nanos::round_from_f64(interval.0 as f64 * window);
    let bounds = beats.iter().enumerate().map(|(beat, at)| {
        let (before, after) = (interval(beat), interval(beat + 1));
        let early = before.or(after).unwrap_or(pause);
        let late = after.or(before).unwrap_or(pause);
        (*at - reach(early), *at + reach(late))
    });
    bounds.collect()
}

/// The longest interval that is no pause: 2.5 times the median one.
fn pause(beats: &[Nanos]) -> Nanos {
    let mut intervals: Vec<Nanos> = beats.windows(2).map(|pair| pair[1] - pair[0]).collect();
    intervals.sort_unstable();
    intervals.get(intervals.len() / 2).map_or(Nanos::MAX, |median| *median * PAUSE_INTERVALS / 2)
}

/// From the first to the last window of each stretch of beats without a pause.
fn stretches(beats: &[Nanos], windows: &[(Nanos, Nanos)]) -> Vec<(Nanos, Nanos)> {
    let pause = pause(beats);
    let mut stretches: Vec<(Nanos, Nanos)> = Vec::new();
    for (index, (early, late)) in windows.iter().enumerate() {
        let goes_on = index > 0 && beats[index] - beats[index - 1] <= pause;
        match stretches.last_mut() {
            Some(stretch) if goes_on => stretch.1 = *late,
            _ => stretches.push((*early, *late)),
        }
    }
    stretches
}

/// Drops each onset that comes less than `minimum` after the last one kept.
pub fn debounce(onsets: &[Nanos], minimum: Nanos) -> Vec<Nanos> {
    let mut kept: Vec<Nanos> = Vec::with_capacity(onsets.len());
    for onset in onsets {
        if kept.last().is_none_or(|last| *onset - *last >= minimum) {
            kept.push(*onset);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(times: &[i64]) -> Vec<Nanos> {
        times.iter().map(|t| Nanos::from_millis(*t)).collect()
    }

    fn worked_example() -> (Vec<Nanos>, Vec<Nanos>) {
        let beats: Vec<i64> = (0..10).map(|k| 600 * k).collect();
        let taps = [-20, 570, 1190, 1195, 1795, 2990, 3610, 4150, 4810, 5400, 5720];
        (ms(&beats), ms(&taps))
    }

    #[test]
    fn the_closer_of_two_taps_answers_the_beat() {
        let (beats, taps) = worked_example();
        let matching = match_taps(&beats, &taps, 0.5);
        assert_eq!(matching.pairs[2].asynchrony, Nanos::from_millis(-5));
        assert_eq!(matching.missed, [4]);
        assert_eq!([&matching.extra[..], &matching.unpaced[..]].concat(), [2, 10]);
        assert_eq!(matching.hit_rate(), Some(0.9));
    }

    #[test]
    fn debouncing_keeps_the_first_of_two_taps() {
        let (beats, taps) = worked_example();
        let matching = match_taps(&beats, &debounce(&taps, Nanos::from_millis(40)), 0.5);
        assert_eq!(matching.pairs[2].asynchrony, Nanos::from_millis(-10));
        assert_eq!((matching.extra.len(), matching.unpaced), (0, vec![9]));
    }

    #[test]
    fn taps_of_a_continuation_are_unpaced_and_not_extra() {
        let beats = ms(&[1000, 1500, 2000, 6000, 6500]);
        let taps = ms(&[970, 1480, 1600, 1990, 2470, 2980, 5400, 5990, 6510, 7010]);
        let matching = match_taps(&beats, &taps, WINDOW);
        assert_eq!(matching.pairs.len(), 5);
        assert_eq!(matching.extra, [2]);
        assert_eq!(matching.unpaced, [4, 5, 6, 9]);
    }

    #[test]
    fn the_window_follows_the_local_interval_on_each_side() {
        let beats = ms(&[0, 1000, 1200]);
        assert_eq!(match_taps(&beats, &ms(&[650]), WINDOW).pairs[0].beat, 1);
        assert_eq!(match_taps(&beats, &ms(&[1090]), WINDOW).pairs.len(), 0);
    }

    #[test]
    fn nothing_matches_nothing() {
        assert_eq!(match_taps(&[], &[], WINDOW), Matching::default());
        assert_eq!(match_taps(&[], &ms(&[5]), WINDOW).unpaced, [0]);
        assert_eq!(match_taps(&ms(&[5]), &[], WINDOW).missed, [0]);
        assert_eq!(match_taps(&ms(&[5]), &ms(&[9]), WINDOW).pairs.len(), 1);
        assert_eq!(match_taps(&[], &[], WINDOW).hit_rate(), None);
    }
}
