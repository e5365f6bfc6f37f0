//! How well taps track the beats of music, by the measures of the literature on beat tracking
//! (Davies, Degara & Plumbley 2009, "Evaluation methods for musical audio beat tracking algorithms").
//!
//! - F: beats and taps within 70 ms of each other are matched, each once, as many as can be; F is the
//!   harmonic mean of the shares of taps and of beats that are matched (Dixon 2007).
//! - P: the share of beats and taps, on a grid of 10 ms, within a fifth of the median interval between
//!   beats (McKinney et al. 2007).
//! - Continuity: a tap is right where it lies within 17.5 % of the interval of the closest beat, and the
//!   interval to the tap before differs by less than 17.5 % from that of the beats (Hainsworth 2004; Klapuri
//!   et al. 2006). CML asks for the correct metrical level: the longest run of right taps (c) or all of
//!   them (t), as a share of taps or beats, whichever are more. AML allows half and double the tempo and
//!   the offbeat, too: the best of these.
//!
//! The first seconds, in which somebody finds the beat, are usually left out (5 s in that literature); that
//! is for the caller to do.

use crate::no_estimate::NoEstimate;
use chronotap_core::time::Nanos;

/// The measures, each from 0 to 1 (P may be above 1 where beats lie closer than its grid).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeatTracking {
    pub f: f64,
    /// The share of taps that are matched.
    pub precision: f64,
    /// The share of beats that are matched.
    pub recall: f64,
    pub p: f64,
    /// The longest run at the correct level, and all right taps at it.
    pub cml: (f64, f64),
    /// The same at any allowed level.
    pub aml: (f64, f64),
}

/// How far a tap may be from a beat for F.
const WINDOW: Nanos = Nanos::from_millis(70);
/// The grid of P.
const GRID_NS: i64 = 10_000_000;
/// The window of P as a share of the median interval.
const P_SHARE: f64 = 0.2;
/// The greatest difference of phase and of period.
const CONTINUITY: f64 = 0.175;

/// The measures of ascending beats and taps.
///
/// # Errors
/// [`NoEstimate`] with fewer than two beats or taps.
pub fn beat_tracking(beats: &[Nanos], taps: &[Nanos]) -> Result<BeatTracking, NoEstimate> {
    NoEstimate::unless("beats", beats.len(), 2)?;
    NoEstimate::unless("taps", taps.len(), 2)?;
    let matched = matched(beats, taps) as f64;
    let (precision, recall) = (matched / taps.len() as f64, matched / beats.len() as f64);
    let f = match precision + recall {
        0.0 => 0.0,
        sum => 2.0 * precision * recall / sum,
    };
    let best = |a: (f64, f64), b: (f64, f64)| (a.0.max(b.0), a.1.max(b.1));
    let cml = continuity(beats, taps);
    let aml = levels(beats).iter().map(|level| continuity(level, taps)).fold(cml, best);
    Ok(BeatTracking { f, precision, recall, p: p(beats, taps), cml, aml })
}

/// How many can be matched: each tap takes the earliest beat in reach that is free, which is as many as
/// can be, since windows are alike.
fn matched(beats: &[Nanos], taps: &[Nanos]) -> usize {
    let mut next = 0;
    let takes = |tap: &&Nanos| {
        while beats.get(next).is_some_and(|beat| **tap - *beat > WINDOW) {
            next += 1;
        }
        let takes = beats.get(next).is_some_and(|beat| *beat - **tap <= WINDOW);
        next += usize::from(takes);
        takes
    };
    taps.iter().filter(takes).count()
}

fn p(beats: &[Nanos], taps: &[Nanos]) -> f64 {
    let first = beats[0].min(taps[0]);
    let place = |at: &Nanos| {
        (*at - first).0.div_euclid(GRID_NS) + i64::from((*at - first).0 % GRID_NS != 0)
    };
    let on_grid = |all: &[Nanos]| {
        let mut places: Vec<i64> = all.iter().map(place).collect();
        places.dedup();
        places
    };
    let (beat_places, tap_places) = (on_grid(beats), on_grid(taps));
    let mut intervals: Vec<i64> = beat_places.windows(2).map(|pair| pair[1] - pair[0]).collect();
    intervals.sort_unstable();
    let middle = intervals.len() / 2;
    let median = match intervals.len() {
        0 => 0.0,
        n if n % 2 == 1 => intervals[middle] as f64,
        _ => (intervals[middle - 1] + intervals[middle]) as f64 / 2.0,
    };
    let window = (P_SHARE * median).round_ties_even() as i64;
    let near = |tap: &i64| {
        let from = beat_places.partition_point(|beat| *beat < tap - window);
        beat_places[from..].iter().take_while(|beat| **beat <= tap + window).count()
    };
    let pairs: usize = tap_places.iter().map(near).sum();
    pairs as f64 / beats.len().max(taps.len()) as f64
}

/// The longest run of right taps, and all of them, as shares.
fn continuity(beats: &[Nanos], taps: &[Nanos]) -> (f64, f64) {
    if beats.len() < 2 {
        return (0.0, 0.0);
    }
    let all = beats.len().max(taps.len()) as f64;
    let mut used = vec![false; beats.len()];
    let (mut longest, mut run, mut right) = (0, 0, 0);
    for tap in 0..taps.len() {
        let beat = closest(beats, taps[tap]);
        let is_right = !used[beat] && fits(beats, taps, beat, tap);
        used[beat] |= is_right;
        run = if is_right { run + 1 } else { 0 };
        longest = longest.max(run);
        right += usize::from(is_right);
    }
    (longest as f64 / all, right as f64 / all)
}

/// Whether a tap has the phase and the period of its beat: those of the interval before, of the first of
/// either of the interval behind.
fn fits(beats: &[Nanos], taps: &[Nanos], beat: usize, tap: usize) -> bool {
    let first = tap == 0 || beat == 0;
    let step = |all: &[Nanos], at: usize| {
        let end = if first && at + 1 < all.len() { at + 1 } else { at.max(1) };
        (all[end] - all[end - 1]).0 as f64
    };
    let (interval, tapped) = (step(beats, beat), step(taps, tap));
    let off = (taps[tap] - beats[beat]).abs().0 as f64;
    interval > 0.0 && off / interval < CONTINUITY && (1.0 - tapped / interval).abs() < CONTINUITY
}

/// The place of the closest beat; of two that are as close the earlier.
fn closest(beats: &[Nanos], tap: Nanos) -> usize {
    let later = beats.partition_point(|beat| *beat < tap);
    let to = |place: usize| beats.get(place).map_or(i64::MAX, |beat| (*beat - tap).abs().0);
    match later {
        0 => 0,
        _ if to(later - 1) <= to(later) => later - 1,
        _ => later,
    }
}

/// The levels that are allowed besides the beat: between the beats, twice as fast, and half as fast on
/// the odd and on the even ones.
fn levels(beats: &[Nanos]) -> [Vec<Nanos>; 4] {
    let between: Vec<Nanos> =
        beats.windows(2).map(|pair| Nanos(pair[0].0 + (pair[1] - pair[0]).0 / 2)).collect();
    let mut double: Vec<Nanos> = beats.iter().chain(&between).copied().collect();
    double.sort_unstable();
    let half = |from: usize| beats.iter().skip(from).step_by(2).copied().collect();
    [between, double, half(0), half(1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;

    fn ms(times: &[i64]) -> Vec<Nanos> {
        times.iter().copied().map(Nanos::from_millis).collect()
    }

    /// F, P, CML and AML of mir_eval 0.8.2. Of 600 random performances (with the beats, on the offbeat, at
    /// half and double the tempo, at random, with a tap left out) it gave the same numbers to the last digit.
    #[test]
    fn the_measures_are_those_of_mir_eval() {
        let late = (
            ms(&[500, 1010, 1490, 2020, 2500, 3010, 3500, 4000]),
            ms(&[530, 1035, 1525, 2200, 2520, 3040, 3530, 4030]),
        );
        let offbeat = (
            ms(&[0, 500, 1000, 1500, 2000, 2500, 3000, 3500]),
            ms(&[250, 750, 1250, 1750, 2250, 2750]),
        );
        let double = (
            ms(&[0, 600, 1200, 1800, 2400, 3000]),
            ms(&[10, 310, 605, 890, 1210, 1500, 1790, 2110, 2400, 2690, 3010]),
        );
        let cases = [
            (late, [0.875, 0.875, 0.375, 0.75, 0.375, 0.75]),
            (offbeat, [0.0, 0.0, 0.0, 0.0, 6.0 / 7.0, 6.0 / 7.0]),
            (double, [12.0 / 17.0, 6.0 / 11.0, 0.0, 0.0, 1.0, 1.0]),
        ];
        for ((beats, taps), [f, p, cml_c, cml_t, aml_c, aml_t]) in cases {
            let found = beat_tracking(&beats, &taps).unwrap();
            let all = [found.f, found.p, found.cml.0, found.cml.1, found.aml.0, found.aml.1];
            for (found, theirs) in all.into_iter().zip([f, p, cml_c, cml_t, aml_c, aml_t]) {
                near(found, theirs, 1e-12);
            }
        }
    }

    #[test]
    fn who_taps_with_every_beat_has_one_everywhere() {
        let beats = ms(&[0, 500, 1000, 1500, 2000]);
        let found = beat_tracking(&beats, &beats).unwrap();
        assert_eq!((found.f, found.p, found.cml, found.aml), (1.0, 1.0, (1.0, 1.0), (1.0, 1.0)));
        assert!(beat_tracking(&beats, &beats[..1]).is_err());
        let far = beat_tracking(&beats, &ms(&[9_000, 9_500])).unwrap();
        assert_eq!((far.f, far.p), (0.0, 0.0));
    }
}
