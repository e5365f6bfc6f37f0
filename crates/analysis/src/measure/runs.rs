//! [`runs`]: the beats of a stream parted where its pacing stops: where it is started
//! again, where it falls silent, where it pauses. A beat that stands alone in its run
//! is a signal and paces nothing.

use crate::observed::Beat;
use chronotap_core::time::Nanos;
use std::ops::Range;

/// So many tones in a row that do not sound are a silence; fewer are omitted beats of a
/// stream that goes on.
pub const SILENT_TONES: u64 = 3;

/// A gap longer than so many times both of its neighbours is a pause, though no step
/// lies in it (as in a list of onsets). In halves: 2.5 times.
const PAUSE: i64 = 5;
/// The same of a gap that has one neighbour only, in halves: 5 times.
const PAUSE_AT_END: i64 = 10;

/// The places of the beats of each run. `pattern` says which steps are tones, repeated;
/// all where it is empty. A run ends where the next beat's number does not rise (the
/// stream was started again), where [`SILENT_TONES`] or more tones between the two did
/// not sound, and at a pause.
pub fn runs(beats: &[Beat], pattern: &[bool]) -> Vec<Range<usize>> {
    let breaks = |next: usize| {
        let (before, after) = (&beats[next - 1], &beats[next]);
        after.number <= before.number || silent_tones(before, after, pattern) >= SILENT_TONES
    };
    let gap = |next: usize| {
        let within = next > 0 && next < beats.len() && !breaks(next);
        within.then(|| beats[next].at - beats[next - 1].at)
    };
    let pauses = |next: usize| {
        let single = beats[next].number == beats[next - 1].number.saturating_add(1);
        let longest = match (gap(next - 1), gap(next + 1)) {
            (Some(before), Some(after)) => Some(before.max(after) * PAUSE / 2),
            (one, other) => one.or(other).map(|only| only * PAUSE_AT_END / 2),
        };
        single && gap(next).zip(longest).is_some_and(|(gap, longest)| gap > longest)
    };
    let mut runs = Vec::new();
    let mut first = 0;
    for next in 1..=beats.len() {
        if next == beats.len() || breaks(next) || pauses(next) {
            runs.push(first..next);
            first = next;
        }
    }
    runs
}

/// Of each beat whether it is the neighbour of the one before it: of the same run, with no tone
/// left out between.
pub fn followers(beats: &[Beat], pattern: &[bool]) -> Vec<bool> {
    let mut follows = vec![false; beats.len()];
    for run in runs(beats, pattern) {
        for next in run.skip(1) {
            follows[next] = silent_tones(&beats[next - 1], &beats[next], pattern) == 0;
        }
    }
    follows
}

/// The tones between two beats that did not sound.
pub(crate) fn silent_tones(before: &Beat, after: &Beat, pattern: &[bool]) -> u64 {
    let (from, to) = (u64::from(before.number), u64::from(after.number).saturating_sub(1));
    if to <= from {
        return 0;
    }
    tones_up_to(to, pattern) - tones_up_to(from, pattern)
}

/// How many of the steps 1, 2, … `number` are tones.
fn tones_up_to(number: u64, pattern: &[bool]) -> u64 {
    let length = pattern.len() as u64;
    if length == 0 {
        return number;
    }
    let tones = |steps: &[bool]| steps.iter().filter(|tone| **tone).count() as u64;
    let rest = (number % length) as usize;
    number / length * tones(pattern) + tones(&pattern[..rest])
}

/// The interval after each beat but the last, as it came: the gap, shared out over tones
/// that were omitted in it. Rests do not share it: a rest is part of the rhythm.
pub(crate) fn intervals(beats: &[Beat], pattern: &[bool]) -> Vec<Nanos> {
    let interval = |pair: &[Beat]| {
        let shares = silent_tones(&pair[0], &pair[1], pattern).saturating_add(1);
        (pair[1].at - pair[0].at) / i64::try_from(shares).unwrap_or(i64::MAX)
    };
    beats.windows(2).map(interval).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beats(numbered: &[(u32, i64)]) -> Vec<Beat> {
        let beat = |(number, ms): &(u32, i64)| {
            let at = Nanos::from_millis(*ms);
            Beat { id: 0, number: *number, deadline: at, at }
        };
        numbered.iter().map(beat).collect()
    }

    fn plain(ms: &[i64]) -> Vec<Beat> {
        let numbered: Vec<(u32, i64)> = (1..).zip(ms.iter().copied()).collect();
        beats(&numbered)
    }

    #[test]
    fn a_stream_that_is_started_again_begins_a_run() {
        let restarted = beats(&[(1, 0), (2, 500), (1, 1_000), (2, 1_500)]);
        assert_eq!(runs(&restarted, &[]), [0..2, 2..4]);
        let alone = beats(&[(1, 0), (1, 2_000), (1, 4_000)]);
        assert_eq!(runs(&alone, &[]), [0..1, 1..2, 2..3]);
    }

    #[test]
    fn a_beat_follows_another_where_no_tone_was_left_out() {
        let some = beats(&[(1, 0), (2, 500), (4, 1_500), (5, 2_000), (1, 3_000), (2, 3_500)]);
        assert_eq!(followers(&some, &[]), [false, true, false, true, false, true]);
        // The third step is a rest, which is no tone.
        let rests = [true, true, false, true];
        assert_eq!(followers(&some[..4], &rests), [false, true, true, true]);
    }

    #[test]
    fn three_silent_tones_end_a_run_and_two_do_not() {
        assert_eq!(runs(&beats(&[(1, 0), (2, 500), (6, 2_500)]), &[]), [0..2, 2..3]);
        assert_eq!(runs(&beats(&[(1, 0), (2, 500), (5, 2_000)]), &[]), vec![0..3]);
    }

    #[test]
    fn rests_are_no_silence_however_many() {
        let mut pattern = vec![false; 8];
        pattern[0] = true;
        let cycles = beats(&[(1, 0), (9, 2_000), (17, 4_000)]);
        assert_eq!(runs(&cycles, &pattern), vec![0..3]);
        let muted = beats(&[(1, 0), (9, 2_000), (41, 10_000)]);
        assert_eq!(runs(&muted, &pattern), [0..2, 2..3]);
    }

    #[test]
    fn a_gap_longer_than_its_neighbours_is_a_pause_and_a_slower_tempo_is_not() {
        assert_eq!(runs(&plain(&[0, 500, 1_000, 5_000, 5_500]), &[]), [0..3, 3..5]);
        assert_eq!(runs(&plain(&[0, 500, 1_000, 9_000]), &[]), [0..3, 3..4]);
        assert_eq!(runs(&plain(&[0, 300, 600, 1_500, 2_400]), &[]), vec![0..5]);
        assert_eq!(runs(&plain(&[0, 300, 600, 1_500]), &[]), vec![0..4]);
        assert_eq!(runs(&plain(&[]), &[]), []);
    }

    #[test]
    fn an_omitted_beat_leaves_the_interval_as_it_was() {
        let omitted = beats(&[(1, 0), (2, 500), (4, 1_500)]);
        assert_eq!(intervals(&omitted, &[]), [Nanos::from_millis(500); 2]);
        let rest = intervals(&omitted, &[true, true, false, true]);
        assert_eq!(rest, [500, 1_000].map(Nanos::from_millis));
    }
}
