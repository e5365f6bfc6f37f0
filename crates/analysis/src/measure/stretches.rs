//! [`stretches`]: a trial parted at every change of its pacing. What is measured in one
//! stretch (a tempo, a continuation) is never mixed with what is measured in another.
//!
//! A change is: a stream starts, falls silent, sounds again, stops, or steps to another
//! tempo. A step is where intervals that had been equal give way to others that are
//! equal, at least three in a row each; so jitter, shifts of a beat and adaptive pacing
//! are no change, and a ramp belongs to the stretch before its goal is reached.
//!
//! A beat that stands alone is a signal and changes nothing. Changes of several streams
//! that lie closer together than one interval are one change.

use crate::matching::Grid;
use crate::observed::{Beat, ObservedStream};
use crate::runs::{intervals, runs};
use chronotap_core::time::Nanos;

/// Fewest equal intervals that make a tempo.
const STEADY: usize = 3;
/// Planned intervals that differ by no more are equal: each is rounded to the nanosecond.
const EQUAL: Nanos = Nanos(1_000);
/// Tempi that differ by less than this share are one, as after adaptive period correction.
const SAME_TEMPO: f64 = 0.001;

/// From one change of pacing to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The streams that pace it, joined by `+`; `continuation` where none does, and
    /// `self-paced` before any has. The second of a name has ` 2` after it, and so on.
    pub name: String,
    /// The places of these streams.
    pub pacing: Vec<usize>,
    /// Where it begins: at the earliest tap that could answer its first beat, or after the
    /// latest that could answer the last beat before it. The first begins with the trial.
    pub from: Nanos,
    /// Where the next begins; for the last, the end of the trial.
    pub to: Nanos,
}

/// The stretches of a trial, one after the other without a gap; at least one. `grids` are
/// those of the streams.
pub fn stretches(streams: &[ObservedStream<'_>], grids: &[Grid], end: Nanos) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    let mut from = Nanos::ZERO;
    let mut pacing: Vec<usize> = Vec::new();
    let mut paced = false;
    for (at, after) in changes(streams, grids, end) {
        if at > from {
            found.push(stretch(&found, streams, std::mem::take(&mut pacing), paced, (from, at)));
            from = at;
        }
        paced |= !after.is_empty();
        pacing = after;
    }
    found.push(stretch(&found, streams, pacing, paced, (from, end.max(from))));
    found
}

/// The place of the stretch in which something happens.
pub fn place(stretches: &[Stretch], at: Nanos) -> usize {
    stretches.partition_point(|stretch| stretch.from <= at).saturating_sub(1)
}

fn stretch(
    before: &[Stretch],
    streams: &[ObservedStream<'_>],
    pacing: Vec<usize>,
    paced: bool,
    (from, to): (Nanos, Nanos),
) -> Stretch {
    let names: Vec<&str> = pacing.iter().map(|stream| streams[*stream].name).collect();
    let name = match (&names[..], paced) {
        ([], false) => "self-paced".to_owned(),
        ([], true) => "continuation".to_owned(),
        (names, _) => names.join("+"),
    };
    let taken = |name: &str| before.iter().any(|stretch| stretch.name == name);
    let mut numbered = name.clone();
    let mut number = 1;
    while taken(&numbered) {
        number += 1;
        numbered = format!("{name} {number}");
    }
    Stretch { name: numbered, pacing, from, to }
}

/// A part of a run with one tempo.
struct Segment {
    stream: usize,
    from: Nanos,
    to: Nanos,
    /// The longest interval in it.
    interval: Nanos,
}

/// When the pacing changes, and which streams pace from then on.
fn changes(streams: &[ObservedStream<'_>], grids: &[Grid], end: Nanos) -> Vec<(Nanos, Vec<usize>)> {
    let segments: Vec<Segment> = streams
        .iter()
        .zip(grids)
        .enumerate()
        .flat_map(|(place, (stream, grid))| segments(place, stream, grid))
        .collect();
    let starts = segments.iter().map(|segment| (segment.from, segment.interval, true));
    let ends = segments.iter().map(|segment| (segment.to, segment.interval, false));
    let mut points: Vec<(Nanos, Nanos, bool)> = starts.chain(ends).collect();
    points.sort_unstable();
    let mut changes = Vec::new();
    let mut rest = &points[..];
    while let Some((first, _, _)) = rest.first() {
        let near = |point: &&(Nanos, Nanos, bool)| point.0 - *first <= point.1;
        let one = rest.iter().take_while(near).count().max(1);
        let (together, later) = rest.split_at(one);
        let last = together.last().map_or(*first, |point| point.0);
        let start = together.iter().find(|point| point.2);
        let active = |segment: &&Segment| segment.from <= last && segment.to > last;
        let mut after: Vec<usize> = segments.iter().filter(active).map(|s| s.stream).collect();
        after.dedup();
        let near_end = |point: &(Nanos, Nanos, bool)| end - point.0 <= point.1;
        if !(after.is_empty() && together.iter().any(near_end)) {
            changes.push((start.map_or(last, |point| point.0), after));
        }
        rest = later;
    }
    changes
}

/// The parts of a stream's runs that have one tempo; a beat that stands alone has none.
fn segments(place: usize, stream: &ObservedStream<'_>, grid: &Grid) -> Vec<Segment> {
    let mut found = Vec::new();
    for run in runs(&stream.beats, &stream.pattern).into_iter().filter(|run| run.len() > 1) {
        let beats = &stream.beats[run.clone()];
        let steps = if stream.adaptive { Vec::new() } else { tempo_steps(beats) };
        let bounds: Vec<usize> = [0].into_iter().chain(steps).chain([beats.len()]).collect();
        for bound in bounds.windows(2) {
            let (first, next) = (run.start + bound[0], run.start + bound[1]);
            let to =
                if next < run.end { grid.windows()[next].0 } else { grid.windows()[next - 1].1 };
            let local = intervals(&stream.beats[first..next.max(first + 1)], &stream.pattern);
            let interval = local.into_iter().max().unwrap_or(Nanos::ZERO);
            found.push(Segment { stream: place, from: grid.windows()[first].0, to, interval });
        }
    }
    found
}

/// The places of the beats at which another tempo begins.
fn tempo_steps(beats: &[Beat]) -> Vec<usize> {
    let planned = |pair: &[Beat]| {
        let steps = i64::from(pair[1].number) - i64::from(pair[0].number);
        (pair[1].deadline - pair[0].deadline) / steps.max(1)
    };
    let intervals: Vec<Nanos> = beats.windows(2).map(planned).collect();
    let mut steps = Vec::new();
    let mut tempo: Option<Nanos> = None;
    let mut first = 0;
    while first < intervals.len() {
        let equal = |interval: &&Nanos| (**interval - intervals[first]).abs() <= EQUAL;
        let count = intervals[first..].iter().take_while(equal).count();
        if count >= STEADY {
            if tempo.is_some_and(|tempo| is_other_tempo(tempo, intervals[first])) {
                steps.push(first);
            }
            tempo = Some(intervals[first]);
        }
        first += count;
    }
    steps
}

fn is_other_tempo(one: Nanos, other: Nanos) -> bool {
    (other - one).abs().0 as f64 > one.0 as f64 * SAME_TEMPO
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matching::WINDOW;

    fn told(streams: &[ObservedStream<'_>], end_ms: i64) -> Vec<(String, i64, i64)> {
        let grids: Vec<Grid> = streams.iter().map(|stream| Grid::new(stream, WINDOW)).collect();
        let ms = |at: Nanos| at.0 / 1_000_000;
        let found = stretches(streams, &grids, Nanos::from_millis(end_ms));
        found.into_iter().map(|s| (s.name, ms(s.from), ms(s.to))).collect()
    }

    fn names(streams: &[ObservedStream<'_>], end_ms: i64) -> Vec<String> {
        told(streams, end_ms).into_iter().map(|(name, ..)| name).collect()
    }

    /// Of a trial that ends soon after the last beat.
    fn names_to_the_end(stream: ObservedStream<'_>) -> Vec<String> {
        let end = stream.beats.last().map_or(0, |last| last.at.0 / 1_000_000 + 250);
        names(&[stream], end)
    }

    /// Beats by their numbers and intervals, from 1 s on: `(number of beats, interval)`.
    fn metronome(name: &'static str, parts: &[(i64, i64)]) -> ObservedStream<'static> {
        let mut at = 1_000;
        let mut onsets = Vec::new();
        for (count, interval) in parts {
            for _ in 0..*count {
                onsets.push(Nanos::from_millis(at));
                at += interval;
            }
        }
        ObservedStream::steady(name, onsets)
    }

    /// The same without the beats of these numbers.
    fn silenced(
        stream: ObservedStream<'static>,
        silent: std::ops::Range<u32>,
    ) -> ObservedStream<'static> {
        let beats = stream.beats.into_iter().filter(|b| !silent.contains(&b.number)).collect();
        ObservedStream { beats, ..stream }
    }

    #[test]
    fn synchronization_and_continuation_are_two_stretches() {
        let stream = metronome("metronome", &[(20, 500)]);
        let expected =
            [("self-paced", 0, 800), ("metronome", 800, 10_700), ("continuation", 10_700, 26_000)];
        let expected = expected.map(|(name, from, to)| (name.to_owned(), from, to));
        assert_eq!(told(&[stream], 26_000), expected);
    }

    #[test]
    fn each_return_of_the_pacing_has_a_number() {
        let stream = silenced(metronome("metronome", &[(60, 500)]), 20..40);
        let expected = ["self-paced", "metronome", "continuation", "metronome 2", "continuation 2"];
        assert_eq!(names(&[stream], 60_000), expected);
    }

    #[test]
    fn a_tempo_step_begins_at_the_beat_from_which_it_holds() {
        let stream = metronome("metronome", &[(20, 500), (20, 550)]);
        let found = told(&[stream], 22_000);
        assert_eq!(found[2], ("metronome 2".to_owned(), 10_800, 22_000));
        assert_eq!(found.len(), 3, "the trial ends within an interval of the last beat");
    }

    #[test]
    fn shifts_jitter_and_ramps_are_no_change_on_each_beat() {
        let shifted = metronome("m", &[(10, 500), (1, 550), (10, 500)]);
        assert_eq!(names_to_the_end(shifted), ["self-paced", "m"]);
        let jitter: Vec<(i64, i64)> = (0..40).map(|k| (1, 480 + 7 * k % 41)).collect();
        assert_eq!(names_to_the_end(metronome("m", &jitter)), ["self-paced", "m"]);
        let ramp: Vec<(i64, i64)> = (0..16).map(|k| (1, 500 + 10 * k)).collect();
        let ramp = [&[(10, 500)], &ramp[..], &[(10, 660)]].concat();
        assert_eq!(names_to_the_end(metronome("m", &ramp)), ["self-paced", "m", "m 2"]);
        let adaptive = ObservedStream { adaptive: true, ..metronome("m", &[(9, 500), (9, 520)]) };
        assert_eq!(names_to_the_end(adaptive), ["self-paced", "m"]);
    }

    #[test]
    fn a_signal_ends_no_continuation() {
        let go = metronome("go", &[(1, 500)]);
        let at = Nanos::from_secs(15);
        let go = ObservedStream { beats: vec![Beat { at, deadline: at, ..go.beats[0] }], ..go };
        let metronome = metronome("metronome", &[(20, 500)]);
        let expected = ["self-paced", "metronome", "continuation"];
        assert_eq!(names(&[metronome, go], 26_000), expected);
    }

    #[test]
    fn streams_that_begin_and_end_together_make_one_stretch() {
        let three = metronome("three", &[(60, 400)]);
        let two = metronome("two", &[(40, 600)]);
        assert_eq!(names(&[three, two], 25_000), ["self-paced", "three+two"]);
    }

    #[test]
    fn a_trial_without_pacing_is_one_stretch() {
        assert_eq!(told(&[], 9_000), [("self-paced".to_owned(), 0, 9_000)]);
        assert_eq!(told(&[ObservedStream::default()], 9_000).len(), 1);
    }

    #[test]
    fn no_two_stretches_have_one_name() {
        let stream = silenced(metronome("continuation", &[(60, 500)]), 20..40);
        let found = names(&[stream], 60_000);
        let mut unique = found.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(found.len(), unique.len(), "{found:?}");
    }

    #[test]
    fn what_happens_has_its_place() {
        let stream = metronome("m", &[(20, 500)]);
        let grids = [Grid::new(&stream, WINDOW)];
        let found = stretches(&[stream], &grids, Nanos::from_secs(26));
        let at = |ms| place(&found, Nanos::from_millis(ms));
        assert_eq!([at(-5), at(799), at(800), at(10_700), at(99_000)], [0, 0, 1, 2, 2]);
    }
}
