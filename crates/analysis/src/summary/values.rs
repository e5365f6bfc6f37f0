//! The values of a summary under the names of its statistics.

use super::{Summary, Synchronization, SynchronizationIn, Taps};
use crate::described::Described;
use crate::intervals::Placed;
use crate::series::Series;
use crate::statistics::{Answered, ClockAndMotor, Found, Material, Of, Statistic, Tapped, rows};
use std::borrow::Cow;

impl Summary {
    /// Every statistic of the trial: of each input, of each input against each stream that
    /// it answers, both again in each stretch, and of each input against each stream that it
    /// reproduces. In the order of the summary.
    pub fn statistics(&self) -> Vec<Found<'_>> {
        let mut all = Vec::new();
        for taps in &self.taps {
            of_taps(&mut all, taps);
        }
        for pair in &self.synchronization {
            of_pair(&mut all, pair);
        }
        for response in &self.reproduction {
            let material = Material { response: Some((response, None)), ..Material::default() };
            let place = (Some(&*response.input), Some(&*response.pacing), None);
            put(&mut all, &material, Of::Response, place);
        }
        let material = Material { lateness: self.lateness.as_ref(), ..Material::default() };
        put(&mut all, &material, Of::Trial, (None, None, None));
        all
    }
}

fn of_taps<'s>(all: &mut Vec<Found<'s>>, taps: &'s Taps) {
    let input = Some(&*taps.input);
    let tapped = Tapped { taps: taps.taps, debounced: taps.debounced, ..Tapped::default() };
    let levels = taps.wing_kristofferson;
    let mut part = |tapped, intervals, levels: Option<_>, stretch: Option<&'s str>| {
        let placed = values(intervals);
        let series = Series::of(&placed);
        let material = Material {
            tapped: Some(tapped),
            intervals: Some((&series, None)),
            levels: levels.map(|levels| ClockAndMotor::of(levels, None)),
            ..Material::default()
        };
        put(all, &material, Of::Input, (input, None, stretch));
    };
    part(tapped, taps.intervals.as_ref(), levels, None);
    for within in &taps.stretches {
        let tapped = Tapped { taps: within.taps, ..Tapped::default() };
        part(tapped, within.intervals.as_ref(), within.wing_kristofferson, Some(&within.stretch));
    }
}

fn of_pair<'s>(all: &mut Vec<Found<'s>>, pair: &'s Synchronization) {
    let (input, pacing) = (Some(&*pair.input), Some(&*pair.pacing));
    let mut part = |answered, asynchrony, stretch: Option<&'s str>| {
        let placed = values(asynchrony);
        let series = Series::of(&placed);
        let material = Material {
            beats: Some(answered),
            asynchronies: Some((&series, None)),
            ..Material::default()
        };
        put(all, &material, Of::Pair, (input, pacing, stretch));
    };
    part(answered(pair), pair.asynchrony.as_ref(), None);
    for within in &pair.stretches {
        part(answered_in(within), within.asynchrony.as_ref(), Some(&within.stretch));
    }
}

/// Of none there is still the number.
fn values(described: Option<&Described>) -> Cow<'_, Placed> {
    described.map_or_else(Cow::default, |some| Cow::Borrowed(some.placed()))
}

/// The input, the stream and the stretch that a statistic is of.
type Place<'a> = (Option<&'a str>, Option<&'a str>, Option<&'a str>);

fn put<'s>(
    all: &mut Vec<Found<'s>>,
    material: &Material<'_>,
    of: Of,
    (input, against, stretch): Place<'s>,
) {
    let there = |one: &&&'static Statistic| one.of() == of && (one.in_stretch || stretch.is_none());
    all.extend(rows().iter().filter(there).map(|known| Found {
        known,
        input,
        against,
        stretch,
        value: material.measure(known).value,
    }));
}

fn answered(pair: &Synchronization) -> Answered {
    Answered {
        beats: pair.beats,
        matched: pair.matched,
        listened: pair.listened,
        extra: pair.extra,
        unpaced: Some(pair.unpaced),
        ..Answered::default()
    }
}

fn answered_in(pair: &SynchronizationIn) -> Answered {
    Answered {
        beats: pair.beats,
        matched: pair.matched,
        listened: pair.listened,
        extra: pair.extra,
        ..Answered::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observed::{self, Observed, ObservedStream};
    use crate::statistics::{columns, find};
    use chronotap_core::time::Nanos;
    use std::collections::HashSet;

    fn summary() -> Summary {
        let beats = (0..20).map(|k| Nanos::from_millis(1_000 + 500 * k));
        let taps = (0..50).map(|k| Nanos::from_millis(970 + 500 * k) + Nanos(k % 2));
        let model = [30_000, 30_600, 31_100].map(Nanos::from_millis);
        let copied = [32_000, 32_610, 33_090].map(Nanos::from_millis);
        let response =
            observed::StreamResponse { stream: 1, after: Nanos::ZERO, within: None, beats: None };
        Summary::of(&Observed {
            length: Nanos::from_secs(40),
            pacing: vec![
                ObservedStream::steady("metronome", beats),
                ObservedStream::steady("model", model),
            ],
            taps: vec![
                observed::ObservedInput::tapped("pad", taps),
                observed::ObservedInput::tapped("key", copied),
            ],
            answers: observed::Answers {
                pairs: Some(vec![(0, 0), (1, 1)]),
                responses: vec![response],
                ..observed::Answers::default()
            },
            ..Observed::default()
        })
    }

    fn value(summary: &Summary, full: &str) -> Option<f64> {
        let all = summary.statistics();
        let found = all.iter().find(|statistic| statistic.to_string() == full);
        found.unwrap_or_else(|| panic!("no {full}")).value
    }

    #[test]
    fn each_statistic_has_one_full_name() {
        let summary = summary();
        let all = summary.statistics();
        let names: HashSet<String> = all.iter().map(ToString::to_string).collect();
        assert_eq!(names.len(), all.len());
        for known in columns() {
            let of_it = || all.iter().filter(|statistic| statistic.known == *known);
            assert!(of_it().any(|s| s.stretch.is_none()), "{}", known.name);
            assert_eq!(of_it().any(|s| s.stretch.is_some()), known.in_stretch, "{}", known.name);
            assert_eq!(
                of_it().all(|s| s.against.is_some()),
                matches!(known.of(), Of::Pair | Of::Response),
                "{}",
                known.name
            );
        }
    }

    #[test]
    fn statistics_are_found_by_input_stream_and_stretch() {
        let summary = summary();
        assert_eq!(value(&summary, "taps of pad"), Some(50.0));
        assert_eq!(value(&summary, "taps of pad in metronome"), Some(20.0));
        assert_eq!(value(&summary, "intervals of pad"), Some(49.0));
        assert_eq!(value(&summary, "matched of pad against metronome"), Some(20.0));
        let asynchrony = value(&summary, "mean asynchrony of pad against metronome in metronome");
        assert_eq!(asynchrony.map(f64::round), Some(-30.0));
        assert_eq!(value(&summary, "greatest lateness"), None);
    }

    #[test]
    fn what_was_reproduced_is_found_by_input_and_stream() {
        let summary = summary();
        let of = |name: &str| value(&summary, &format!("{name} of key against model"));
        assert_eq!((of("response rounds"), of("complete responses")), (Some(1.0), Some(1.0)));
        assert_eq!(
            (of("missing response taps"), of("extra response taps")),
            (Some(0.0), Some(0.0))
        );
        // 610 for 600 ms, and 480 for 500.
        assert_eq!(
            (of("reproduced intervals"), of("mean reproduction error")),
            (Some(2.0), Some(-5.0))
        );
        assert_eq!(of("mean absolute reproduction error"), Some(15.0));
        assert_eq!(of("sd reproduction error"), None, "nothing was reproduced twice");
        let column = find("mean reproduction error").unwrap().column();
        assert_eq!(column, "mean_reproduction_error_ms");
    }

    #[test]
    fn rows_and_columns_have_the_same_statistics_in_nearly_the_same_order() {
        let sorted = |all: &[&'static Statistic]| {
            let mut names: Vec<&str> = all.iter().map(|known| known.name).collect();
            names.sort_unstable();
            names
        };
        assert_eq!(sorted(columns()), sorted(rows()));
        let all: Vec<&str> = summary().statistics().iter().map(|found| found.known.name).collect();
        assert_eq!(all[..2], ["taps", "debounced taps"]);
        assert_eq!(all[all.len() - 1], "greatest lateness");
    }

    #[test]
    fn the_median_interval_is_exact_to_the_nanosecond() {
        let summary = summary();
        let all = summary.statistics();
        let median = all.iter().find(|s| s.known.name == "median interval" && s.stretch.is_none());
        // 25 intervals are 1 ns longer than 500 ms and 24 are 1 ns shorter.
        assert_eq!(median.unwrap().time(), Some(Nanos(500_000_001)));
        assert_eq!(median.unwrap().known.column(), "median_interval_ms");
    }
}
