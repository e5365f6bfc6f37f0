//! The values of a summary under the names of the table of statistics.

use super::{Known, Statistic};
use crate::asynchrony::Asynchrony;
use crate::intervals::Intervals;
use crate::reproduction::Reproduction;
use crate::summary::{Summary, Synchronization, SynchronizationIn, Taps, TapsIn};
use crate::wing_kristofferson::WingKristofferson;

impl Summary {
    /// Every statistic of the trial: of each input, of each input against each stream that
    /// it answers, both again in each stretch, and of each input against each stream that it
    /// reproduces. In the order of the summary.
    pub fn statistics(&self) -> Vec<Statistic<'_>> {
        let mut all = Vec::new();
        for taps in &self.taps {
            put(&mut all, (Some(&taps.input), None, None), &of_taps(taps));
            for within in &taps.stretches {
                put(
                    &mut all,
                    (Some(&taps.input), None, Some(&within.stretch)),
                    &of_taps_in(within),
                );
            }
        }
        for pair in &self.synchronization {
            let (input, pacing) = (Some(&*pair.input), Some(&*pair.pacing));
            put(&mut all, (input, pacing, None), &of_pair(pair));
            for within in &pair.stretches {
                put(&mut all, (input, pacing, Some(&within.stretch)), &of_pair_in(within));
            }
        }
        for response in &self.reproduction {
            let place = (Some(&*response.input), Some(&*response.pacing), None);
            put(&mut all, place, &of_response(response));
        }
        let lateness = self.lateness.as_ref();
        let of_trial = [
            ("median lateness", lateness.map(|lateness| lateness.median_us)),
            ("p99 lateness", lateness.map(|lateness| lateness.p99_us)),
            ("greatest lateness", lateness.map(|lateness| lateness.max_us)),
        ];
        put(&mut all, (None, None, None), &of_trial);
        all
    }
}

/// A name of [`super::STATISTICS`] and its value.
type Named = (&'static str, Option<f64>);
/// The input, the stream and the stretch that a statistic is of.
type Place<'a> = (Option<&'a str>, Option<&'a str>, Option<&'a str>);

fn put<'a>(all: &mut Vec<Statistic<'a>>, place: Place<'a>, named: &[Named]) {
    let (input, against, stretch) = place;
    for (name, value) in named {
        let known = Known::find(name).expect("every statistic stands in the table");
        all.push(Statistic { known, input, against, stretch, value: *value });
    }
}

fn of_taps(taps: &Taps) -> Vec<Named> {
    let debounced = [("debounced taps", Some(taps.debounced as f64))];
    let levels = taps.wing_kristofferson.as_ref();
    [&count(taps.taps)[..], &debounced, &of_intervals(taps.intervals.as_ref()), &of_levels(levels)]
        .concat()
}

fn of_taps_in(taps: &TapsIn) -> Vec<Named> {
    let levels = taps.wing_kristofferson.as_ref();
    [&count(taps.taps)[..], &of_intervals(taps.intervals.as_ref()), &of_levels(levels)].concat()
}

fn count(taps: usize) -> [Named; 1] {
    [("taps", Some(taps as f64))]
}

fn of_intervals(intervals: Option<&Intervals>) -> [Named; 8] {
    [
        ("intervals", Some(intervals.map_or(0.0, |i| i.n as f64))),
        ("median interval", intervals.map(|i| i.median_ms)),
        ("mean interval", intervals.map(|i| i.mean_ms)),
        ("sd interval", intervals.and_then(|i| i.sd_ms)),
        ("cv interval", intervals.and_then(|i| i.cv)),
        ("rmssd interval", intervals.and_then(|i| i.rmssd_ms)),
        ("drift", intervals.and_then(|i| i.drift_ms_per_interval)),
        ("npvi", intervals.and_then(|i| i.npvi)),
    ]
}

fn of_levels(levels: Option<&WingKristofferson>) -> [Named; 6] {
    let raw = levels.filter(|levels| levels.admissible);
    let detrended = levels.and_then(|levels| levels.detrended).filter(|d| d.admissible);
    [
        ("clock variance", raw.map(|raw| raw.clock_unbiased_ms2)),
        ("motor variance", raw.map(|raw| raw.motor_unbiased_ms2)),
        ("detrended clock variance", detrended.map(|d| d.clock_unbiased_ms2)),
        ("detrended motor variance", detrended.map(|d| d.motor_unbiased_ms2)),
        ("lag one", levels.map(|levels| levels.r1)),
        ("excluded intervals", levels.map(|levels| levels.excluded as f64)),
    ]
}

fn of_pair(pair: &Synchronization) -> Vec<Named> {
    let counts = of_counts([pair.beats, pair.matched, pair.missed, pair.extra]);
    let unpaced = [("unpaced", Some(pair.unpaced as f64))];
    [&counts[..], &unpaced, &of_asynchrony(pair.asynchrony.as_ref())].concat()
}

fn of_pair_in(pair: &SynchronizationIn) -> Vec<Named> {
    let counts = of_counts([pair.beats, pair.matched, pair.missed, pair.extra]);
    [&counts[..], &of_asynchrony(pair.asynchrony.as_ref())].concat()
}

fn of_response(response: &Reproduction) -> [Named; 8] {
    let count = |n: usize| Some(n as f64);
    let overall = response.overall();
    [
        ("response rounds", count(response.rounds)),
        ("complete responses", count(response.complete)),
        ("missing response taps", count(response.missing)),
        ("extra response taps", count(response.extra)),
        ("reproduced intervals", count(overall.intervals)),
        ("mean reproduction error", overall.error_ms),
        ("sd reproduction error", overall.sd_ms),
        ("mean absolute reproduction error", overall.absolute_error_ms),
    ]
}

fn of_counts([beats, matched, missed, extra]: [usize; 4]) -> [Named; 5] {
    let asked = matched + missed; // not those that were only listened to
    [
        ("beats", Some(beats as f64)),
        ("matched", Some(matched as f64)),
        ("missed", Some(missed as f64)),
        ("extra", Some(extra as f64)),
        ("hit rate", (asked > 0).then(|| matched as f64 / asked as f64)),
    ]
}

fn of_asynchrony(asynchrony: Option<&Asynchrony>) -> [Named; 5] {
    [
        ("mean asynchrony", asynchrony.map(|a| a.mean_ms)),
        ("median asynchrony", asynchrony.map(|a| a.median_ms)),
        ("sd asynchrony", asynchrony.and_then(|a| a.sd_ms)),
        ("mean absolute asynchrony", asynchrony.map(|a| a.mean_absolute_ms)),
        ("rms asynchrony", asynchrony.map(|a| a.rms_ms)),
    ]
}
