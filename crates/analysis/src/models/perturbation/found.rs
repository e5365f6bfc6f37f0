//! [`found`]: the perturbations of a stream, told from the times that its beats were asked for.
//! They are found whatever brought them about: a change in the trial file, a rule, chance.
//!
//! A perturbation is told where [`STEADY`] equal intervals lie before it and what follows is
//! one of three: one interval differs by d and the next are as before (phase shift); one
//! differs by d and the next by −d (onset shift); [`STEADY`] or more are alike and differ by d
//! (step). Anything else is none: jitter, a ramp, or perturbations that lie too close together
//! to be answered apart. Streams with rests and streams that follow the taps have none.

use super::{PacingPerturbation, PerturbationKind};
use crate::observed::{Beat, ObservedStream};
use chronotap_core::time::Nanos;

/// Fewest equal intervals that make a tempo.
const STEADY: usize = 3;
/// Planned intervals that differ by no more are equal: each is rounded to the nanosecond.
const EQUAL: Nanos = Nanos(1_000);

/// The perturbations of a stream, in order.
pub fn found(stream: &ObservedStream<'_>) -> Vec<PacingPerturbation> {
    let has_rests = stream.pattern.iter().any(|sounds| !sounds);
    if stream.adaptive || has_rests {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut first = 0;
    let unbroken = |pair: &&[Beat]| pair[1].number == pair[0].number + 1;
    while first < stream.beats.len() {
        let rest = &stream.beats[first..];
        let length = 1 + rest.windows(2).take_while(unbroken).count();
        found.extend(
            of_run(&rest[..length]).map(|p| PacingPerturbation { beat: first + p.beat, ..p }),
        );
        first += length;
    }
    found
}

/// Those of beats of which none is missing.
fn of_run(beats: &[Beat]) -> impl Iterator<Item = PacingPerturbation> + '_ {
    let intervals: Vec<Nanos> =
        beats.windows(2).map(|pair| pair[1].deadline - pair[0].deadline).collect();
    (STEADY..intervals.len()).filter_map(move |place| at(&intervals, place))
}

/// The perturbation that begins with this interval, if one does.
fn at(intervals: &[Nanos], place: usize) -> Option<PacingPerturbation> {
    let base = intervals[place - 1];
    let equal = |place: usize, to: Nanos| {
        intervals.get(place).is_some_and(|interval| (*interval - to).abs() <= EQUAL)
    };
    let steady = (place - STEADY..place).all(|before| equal(before, base));
    let size = intervals[place] - base;
    if !steady || size.abs() <= EQUAL {
        return None;
    }
    let step = (place..place + STEADY).all(|after| equal(after, base + size));
    let kind = if step {
        PerturbationKind::Step
    } else if equal(place + 1, base - size) && equal(place + 2, base) {
        PerturbationKind::OnsetShift
    } else if equal(place + 1, base) && equal(place + 2, base) {
        PerturbationKind::PhaseShift
    } else {
        return None;
    };
    // Interval k ends with beat k + 1, the first that is moved.
    Some(PacingPerturbation { kind, beat: place + 1, size })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream with these intervals in ms, from 1 s on.
    fn stream(intervals: &[i64]) -> ObservedStream<'static> {
        let mut at = 1_000;
        let mut onsets = vec![Nanos::from_millis(at)];
        for interval in intervals {
            at += interval;
            onsets.push(Nanos::from_millis(at));
        }
        ObservedStream::steady("metronome", onsets)
    }

    fn told(intervals: &[i64]) -> Vec<(PerturbationKind, usize, i64)> {
        let found = found(&stream(intervals));
        found.iter().map(|p| (p.kind, p.beat, p.size.0 / 1_000_000)).collect()
    }

    #[test]
    fn each_kind_is_told_by_what_follows() {
        let base = [500; 4];
        let with = |rest: &[i64]| [&base[..], rest, &base[..]].concat();
        assert_eq!(told(&with(&[550])), [(PerturbationKind::PhaseShift, 5, 50)]);
        assert_eq!(told(&with(&[470, 530])), [(PerturbationKind::OnsetShift, 5, -30)]);
        assert_eq!(told(&[500, 500, 500, 550, 550, 550, 550]), [(PerturbationKind::Step, 4, 50)]);
        let both = [with(&[550]), vec![470, 530], base.to_vec()].concat();
        assert_eq!(
            told(&both),
            [(PerturbationKind::PhaseShift, 5, 50), (PerturbationKind::OnsetShift, 10, -30)]
        );
    }

    #[test]
    fn jitter_ramps_and_what_lies_too_close_is_none() {
        assert_eq!(told(&[500; 20]), []);
        assert_eq!(told(&(0..30).map(|k| 480 + 7 * k % 41).collect::<Vec<_>>()), []);
        assert_eq!(told(&[500, 500, 500, 510, 520, 530, 540, 550, 550]), []);
        assert_eq!(told(&[500, 500, 500, 550, 450, 550, 450, 500, 500]), []);
        assert_eq!(told(&[]), []);
    }

    #[test]
    fn a_missing_beat_and_taps_that_are_followed_end_the_search() {
        let mut shifted = stream(&[500, 500, 500, 500, 550, 500, 500, 500]);
        shifted.beats.remove(5);
        assert_eq!(found(&shifted), []);
        let adaptive =
            ObservedStream { adaptive: true, ..stream(&[500, 500, 500, 500, 550, 500, 500]) };
        assert_eq!(found(&adaptive), []);
    }
}
