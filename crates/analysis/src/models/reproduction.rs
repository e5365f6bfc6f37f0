//! Reproduction: one listens to a rhythm, then taps it from memory. Each interval that was
//! tapped is compared with the one that was heard.
//!
//! A round is what sounded before one responds (all beats of a stream, or one repetition of
//! its list), and the taps in the window behind it. The first tap stands for the first beat,
//! so that tap k + 1 less tap k reproduces beat k + 1 less beat k; how soon one begins is
//! not asked. The error is reproduced - heard: positive is too long. Only a round with as many taps
//! as beats is compared: of another nobody knows which tap is wanting or too many, and each behind
//! it would stand for a wrong beat. Such rounds are counted.

pub mod interval;

use crate::moments::{mean_ns, ms, sd_ns};
use crate::observed::{Beat, ObservedStream, StreamResponse};
use chronotap_core::time::Nanos;
use serde::Serialize;

/// What was heard, and when one responds to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReproductionRound {
    /// The onsets of the beats that sounded.
    pub heard: Vec<Nanos>,
    /// The first moment at which a tap counts.
    pub opens: Nanos,
    /// The last one.
    pub closes: Nanos,
}

/// How well an input reproduces a stream.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reproduction {
    pub input: String,
    /// The stream's name.
    pub pacing: String,
    /// How often it was to be reproduced.
    pub rounds: usize,
    /// Rounds with as many taps as beats. The others reproduce nothing.
    pub complete: usize,
    /// Taps that were wanting, over all rounds.
    pub missing: usize,
    /// Taps beyond the last beat, over all rounds.
    pub extra: usize,
    /// Interval by interval, in the order of the stream.
    pub intervals: Vec<RhythmInterval>,
    /// Reproduced - heard in each round in which an interval was reproduced.
    #[serde(skip)]
    pub errors_ms: Vec<Vec<f64>>,
}

/// One interval of a rhythm, over all rounds in which it was reproduced.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RhythmInterval {
    /// From this beat of the round to the next; from 1.
    pub number: usize,
    /// How often it was reproduced.
    pub n: usize,
    /// The mean of what was heard, in milliseconds.
    pub heard_ms: f64,
    /// The mean of what was tapped.
    pub mean_ms: f64,
    /// The mean of reproduced - heard: the constant error.
    pub error_ms: f64,
    /// The standard deviation of reproduced - heard, n - 1 below: the variable error;
    /// `None` below two.
    pub sd_ms: Option<f64>,
    /// The mean of the errors' sizes: the absolute error.
    pub absolute_error_ms: f64,
}

/// A reproduction as a whole: over all intervals of all rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overall {
    /// How many intervals were reproduced.
    pub intervals: usize,
    /// The mean of reproduced - heard: the constant error.
    pub error_ms: Option<f64>,
    /// The variable error: how far the errors of one interval lie apart, pooled over the
    /// intervals of the rhythm. The sum of their squares about each interval's own mean, by the
    /// sum of each one's n - 1, and its root; `None` where none was reproduced twice.
    pub sd_ms: Option<f64>,
    /// The mean of the errors' sizes: the absolute error.
    pub absolute_error_ms: Option<f64>,
}

impl Reproduction {
    /// Over all its intervals, each as often as it was reproduced.
    pub fn overall(&self) -> Overall {
        let intervals: usize = self.intervals.iter().map(|one| one.n).sum();
        let mean = |of: fn(&RhythmInterval) -> f64| {
            let sum: f64 = self.intervals.iter().map(|one| of(one) * one.n as f64).sum();
            (intervals > 0).then(|| sum / intervals as f64)
        };
        Overall {
            intervals,
            error_ms: mean(|one| one.error_ms),
            sd_ms: pooled_sd_ms(&self.intervals),
            absolute_error_ms: mean(|one| one.absolute_error_ms),
        }
    }
}

fn pooled_sd_ms(intervals: &[RhythmInterval]) -> Option<f64> {
    let repeated = || intervals.iter().filter_map(|one| Some((one.n as f64 - 1.0, one.sd_ms?)));
    let freedom: f64 = repeated().map(|(freedom, _)| freedom).sum();
    let squares: f64 = repeated().map(|(freedom, sd)| freedom * sd * sd).sum();
    (freedom > 0.0).then(|| (squares / freedom).sqrt())
}

/// The rounds of a stream; `end` is that of the trial. What sounds less than two beats is
/// none.
pub fn rounds(
    stream: &ObservedStream<'_>,
    response: &StreamResponse,
    end: Nanos,
) -> Vec<ReproductionRound> {
    let length = response.beats.unwrap_or(u32::MAX).max(1);
    let turn = |beat: &Beat| beat.number.saturating_sub(1) / length;
    let together = |one: &Beat, next: &Beat| next.number > one.number && turn(one) == turn(next);
    let mut rounds = Vec::new();
    let mut begun = 0;
    for heard in stream.beats.chunk_by(together) {
        begun += heard.len();
        let next = stream.beats.get(begun).map_or(end, |beat| beat.at);
        let Some(last) = heard.last().filter(|_| heard.len() > 1) else { continue };
        let within = response.within.unwrap_or(Nanos::MAX);
        rounds.push(ReproductionRound {
            heard: heard.iter().map(|beat| beat.at).collect(),
            opens: last.at.saturating_add(response.after),
            closes: last.at.saturating_add(within).min(next),
        });
    }
    rounds
}

impl ReproductionRound {
    /// Whether a tap at that time is part of the response.
    pub fn takes(&self, tap: Nanos) -> bool {
        (self.opens..=self.closes).contains(&tap)
    }
}

/// Compares the taps of an input, ascending, with the rounds of a stream.
pub fn describe(
    input: &str,
    stream: &str,
    rounds: &[ReproductionRound],
    taps: &[Nanos],
) -> Reproduction {
    let mut found = Reproduction {
        input: input.to_owned(),
        pacing: stream.to_owned(),
        rounds: rounds.len(),
        complete: 0,
        missing: 0,
        extra: 0,
        intervals: Vec::new(),
        errors_ms: Vec::new(),
    };
    let mut pairs: Vec<Vec<(Nanos, Nanos)>> = Vec::new();
    for round in rounds {
        let tapped: Vec<Nanos> = taps.iter().copied().filter(|tap| round.takes(*tap)).collect();
        found.complete += usize::from(tapped.len() == round.heard.len());
        found.missing += round.heard.len().saturating_sub(tapped.len());
        found.extra += tapped.len().saturating_sub(round.heard.len());
        if tapped.len() != round.heard.len() {
            continue;
        }
        let gap = |pair: &[Nanos]| pair[1] - pair[0];
        let both = round.heard.windows(2).map(gap).zip(tapped.windows(2).map(gap));
        let mut errors_ms = Vec::new();
        for (place, pair) in both.enumerate() {
            pairs.resize_with(pairs.len().max(place + 1), Vec::new);
            pairs[place].push(pair);
            errors_ms.push((pair.1 - pair.0).as_millis_f64());
        }
        found.errors_ms.push(errors_ms);
    }
    found.intervals = (1..).zip(&pairs).map(|(number, pairs)| interval(number, pairs)).collect();
    found
}

fn interval(number: usize, pairs: &[(Nanos, Nanos)]) -> RhythmInterval {
    let of = |value: &dyn Fn(&(Nanos, Nanos)) -> Nanos| pairs.iter().map(value).collect::<Vec<_>>();
    let errors = of(&|(heard, tapped)| *tapped - *heard);
    // Every interval was reproduced at least once.
    let mean_ms = |values: &[Nanos]| ms(mean_ns(values).unwrap_or(f64::NAN));
    RhythmInterval {
        number,
        n: pairs.len(),
        heard_ms: mean_ms(&of(&|pair| pair.0)),
        mean_ms: mean_ms(&of(&|pair| pair.1)),
        error_ms: mean_ms(&errors),
        sd_ms: sd_ns(&errors).map(ms),
        absolute_error_ms: mean_ms(&of(&|(heard, tapped)| (*tapped - *heard).abs())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(times: &[i64]) -> Vec<Nanos> {
        times.iter().copied().map(Nanos::from_millis).collect()
    }

    /// Three onsets, 600 and 500 ms apart, every 5 s; twice.
    fn twice() -> ObservedStream<'static> {
        ObservedStream::steady("model", ms(&[1_000, 1_600, 2_100, 6_000, 6_600, 7_100]))
    }

    fn response(after: i64, within: Option<i64>) -> StreamResponse {
        let within = within.map(Nanos::from_millis);
        StreamResponse { stream: 0, after: Nanos::from_millis(after), within, beats: Some(3) }
    }

    #[test]
    fn each_interval_is_compared_with_the_one_that_was_heard() {
        let rounds = rounds(&twice(), &response(0, None), Nanos::from_secs(12));
        let taps = ms(&[2_500, 3_120, 3_600, 8_000, 8_590, 9_110]);
        let found = describe("pad", "model", &rounds, &taps);
        assert_eq!((found.rounds, found.complete, found.missing, found.extra), (2, 2, 0, 0));
        let [first, second] = &found.intervals[..] else { panic!("two intervals") };
        assert_eq!((first.number, first.n, first.heard_ms), (1, 2, 600.0));
        assert_eq!((first.mean_ms, first.error_ms, first.absolute_error_ms), (605.0, 5.0, 15.0));
        assert!((first.sd_ms.unwrap() - 450.0_f64.sqrt()).abs() < 1e-9, "{first:?}");
        assert_eq!((second.heard_ms, second.error_ms), (500.0, 0.0));
    }

    #[test]
    fn the_whole_is_over_all_intervals_and_its_spread_about_the_mean_of_each() {
        let rounds = rounds(&twice(), &response(0, None), Nanos::from_secs(12));
        // Errors +20, -20 and -10, +20; then without the second round, which lacks a tap.
        let found = |taps: &[i64]| describe("pad", "model", &rounds, &ms(taps)).overall();
        let all = found(&[2_500, 3_120, 3_600, 8_000, 8_590, 9_110]);
        assert_eq!(
            (all.intervals, all.error_ms, all.absolute_error_ms),
            (4, Some(2.5), Some(17.5))
        );
        // Squares about 5 are 2 · 225, about 0 are 2 · 400: 1250 by 2 degrees of freedom.
        assert!((all.sd_ms.unwrap() - 625.0_f64.sqrt()).abs() < 1e-9, "{all:?}");
        let fewer = found(&[2_500, 3_120, 3_600, 8_000, 8_590]);
        assert_eq!((fewer.intervals, fewer.error_ms, fewer.sd_ms), (2, Some(0.0), None));
        let none = Overall { intervals: 0, error_ms: None, sd_ms: None, absolute_error_ms: None };
        assert_eq!(found(&[]), none);
    }

    /// Sixteen rounds of four onsets, each reproduced 5 ms too long an interval; in one, the second tap
    /// is left out: the taps behind it would stand for the beats before theirs.
    #[test]
    fn a_round_that_lacks_a_tap_is_left_out_and_does_not_shift_the_others() {
        let onsets = |round: i64| [0, 300, 700, 1_200].map(|at| round * 6_000 + at);
        let model: Vec<i64> = (0..16).flat_map(onsets).collect();
        let tapped = |round: i64| [0, 305, 710, 1_215].map(|at| round * 6_000 + 2_000 + at);
        let mut taps: Vec<i64> = (0..16).flat_map(tapped).collect();
        taps.remove(5);
        let stream = ObservedStream::steady("model", ms(&model));
        let response = StreamResponse { beats: Some(4), ..response(0, None) };
        let rounds = rounds(&stream, &response, Nanos::from_secs(96));
        let found = describe("pad", "model", &rounds, &ms(&taps));
        let all = found.overall();
        assert_eq!((found.rounds, found.complete, found.missing, all.intervals), (16, 15, 1, 45));
        assert_eq!(
            (all.error_ms, all.sd_ms, all.absolute_error_ms),
            (Some(5.0), Some(0.0), Some(5.0))
        );
    }

    #[test]
    fn taps_outside_the_window_are_none_of_the_response() {
        let found = |after, within, taps: &[i64]| {
            let rounds = rounds(&twice(), &response(after, within), Nanos::from_secs(12));
            describe("pad", "model", &rounds, &ms(taps))
        };
        let early = found(300, None, &[2_200, 2_500, 3_100, 3_600]);
        assert_eq!((early.complete, early.missing, early.extra), (1, 3, 0));
        let late = found(0, Some(1_000), &[2_500, 3_100, 3_600]);
        assert_eq!((late.complete, late.missing, late.intervals.len()), (0, 4, 0));
        let more = found(0, None, &[2_500, 3_100, 3_600, 4_000, 6_300]);
        assert_eq!((more.complete, more.missing, more.extra), (0, 3, 1));
    }

    #[test]
    fn a_stream_that_is_started_again_is_another_round() {
        let mut stream = ObservedStream::steady("model", ms(&[1_000, 1_500, 6_000, 6_500]));
        stream.beats[2].number = 1;
        stream.beats[3].number = 2;
        let response = StreamResponse { beats: None, ..response(0, Some(3_000)) };
        let found = rounds(&stream, &response, Nanos::from_secs(8));
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[0].opens, found[0].closes),
            (stream.beats[1].at, Nanos::from_millis(4_500))
        );
        assert_eq!(found[1].closes, Nanos::from_secs(8));
    }
}
