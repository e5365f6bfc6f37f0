//! How the measures are taken, each with its interval where it is an estimate.

use super::{COUNT, Data, OF_A_RESPONSE, PairData};
use chronotap_analysis::asynchrony;
use chronotap_analysis::circular::{self, phase_drift};
use chronotap_analysis::correction::{Correction, Means, phase};
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::intervals::{self, Intervals, Placed, describe_placed, lag_one};
use chronotap_analysis::proportion::proportion;
use chronotap_analysis::reproduction::Reproduction;
use chronotap_analysis::slips;
use chronotap_analysis::summary::LEVELS_INTERVALS;
use chronotap_analysis::uncertainty::{of_directions, of_placed, of_placed_asynchronies};
use chronotap_analysis::wing_kristofferson::{estimate_placed, interval::bounds};
use chronotap_time::Nanos;

/// A measure of one row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Measured {
    pub value: Option<f64>,
    /// Its interval for 95 %.
    pub bounds: Option<[f64; 2]>,
}

impl Measured {
    fn count(n: usize) -> Measured {
        Measured { value: Some(n as f64), bounds: None }
    }

    fn of(value: Option<f64>, estimate: Option<Estimate>) -> Measured {
        Measured { value, bounds: estimate.map(|found| [found.low, found.high]) }
    }
}

/// The measures, in the order of [`super::MEASURES`].
pub(crate) fn measures(data: &Data) -> [Measured; COUNT] {
    let mut all = Vec::with_capacity(COUNT);
    all.extend([data.taps, data.left_out_taps, data.debounced].map(Measured::count));
    all.extend([data.intervals.len(), data.left_out_intervals].map(Measured::count));
    all.extend(intervals_measured(data));
    all.extend(levels_measured(data));
    match &data.pair {
        Some(pair) => all.extend(pair_measured(pair)),
        None => all.resize(COUNT - OF_A_RESPONSE, Measured::default()),
    }
    all.extend(response_measured(data.response.as_ref()));
    all.try_into().expect("every measure has its place")
}

fn intervals_measured(data: &Data) -> [Measured; 10] {
    let all = &data.intervals;
    let found = describe_placed(all);
    let sure = found.as_ref().and_then(|found| of_placed(all, found).ok());
    [
        Measured::of(found.map(|i| i.mean_ms), sure.map(|s| s.mean_ms)),
        Measured::of(found.map(|i| i.median_ms), sure.map(|s| s.median_ms)),
        Measured::of(found.and_then(|i| i.sd_ms), sure.and_then(|s| s.sd_ms)),
        Measured::of(found.and_then(|i| i.cv), sure.and_then(|s| s.cv)),
        Measured::of(intervals::describe(&data.raw_intervals).and_then(|i| i.cv), None),
        Measured::of(without_slips(&data.raw_intervals).and_then(|i| i.cv), None),
        Measured::of(found.and_then(|i| i.rmssd_ms), sure.and_then(|s| s.rmssd_ms)),
        Measured::of(
            found.and_then(|i| i.drift_ms_per_interval),
            sure.and_then(|s| s.drift_ms_per_interval),
        ),
        Measured::of(found.and_then(|i| i.npvi), sure.and_then(|s| s.npvi)),
        Measured::of(lag_one(all), sure.and_then(|s| s.lag_one)),
    ]
}

fn without_slips(all: &[Nanos]) -> Option<Intervals> {
    let kept = all.iter().zip(slips::kept(all)).filter(|(_, kept)| *kept);
    intervals::describe(&kept.map(|(interval, _)| *interval).collect::<Vec<Nanos>>())
}

fn levels_measured(data: &Data) -> [Measured; 2] {
    let levels = Some(&data.intervals).filter(|_| data.self_paced);
    let levels = levels.and_then(estimate_placed);
    let levels = levels.filter(|found| found.n >= LEVELS_INTERVALS && found.admissible);
    let sure = levels.as_ref().and_then(|levels| bounds(levels).ok());
    [
        Measured::of(levels.map(|l| l.clock_unbiased_ms2), sure.map(|s| s.clock_ms2)),
        Measured::of(levels.map(|l| l.motor_unbiased_ms2), sure.map(|s| s.motor_ms2)),
    ]
}

fn pair_measured(pair: &PairData) -> Vec<Measured> {
    let asked = pair.beats - pair.listened;
    let missed = asked - pair.matched;
    let outside = pair.extra - pair.doubled;
    let counts =
        [pair.beats, pair.matched, missed, pair.listened, pair.extra, pair.doubled, outside];
    let mut all: Vec<Measured> = counts.map(Measured::count).into();
    all.push(match proportion(pair.matched, asked) {
        Ok(rate) => Measured { value: Some(rate.share), bounds: Some([rate.low, rate.high]) },
        Err(_) => Measured::default(),
    });
    let tapped = pair.matched + pair.extra;
    let share = (tapped > 0).then(|| pair.matched as f64 / tapped as f64);
    all.push(Measured::of(share, None));
    all.extend([pair.asynchronies.len(), pair.left_out].map(Measured::count));
    all.extend(asynchronies_measured(&pair.asynchronies));
    all.push(Measured::count(pair.angles.len()));
    all.extend(directions_measured(&pair.angles));
    all.push(Measured::of(phase_drift(&pair.angles), None));
    all.extend(correction_measured(phase(&pair.runs, &Means::Pooled).ok()));
    all.push(pair.unpaced.map_or(Measured::default(), Measured::count));
    all
}

fn asynchronies_measured(all: &Placed) -> [Measured; 6] {
    let found = asynchrony::describe(all.intervals());
    let sure = found.as_ref().and_then(|found| of_placed_asynchronies(all, found).ok());
    [
        Measured::of(found.map(|a| a.mean_ms), sure.map(|s| s.mean_ms)),
        Measured::of(found.map(|a| a.median_ms), sure.map(|s| s.median_ms)),
        Measured::of(found.and_then(|a| a.sd_ms), sure.and_then(|s| s.sd_ms)),
        Measured::of(found.map(|a| a.mean_absolute_ms), sure.and_then(|s| s.mean_absolute_ms)),
        Measured::of(found.map(|a| a.rms_ms), sure.and_then(|s| s.rms_ms)),
        Measured::of(lag_one(all), sure.and_then(|s| s.lag_one)),
    ]
}

fn directions_measured(angles: &[f64]) -> [Measured; 3] {
    let found = circular::describe(angles);
    let sure = found.as_ref().and_then(|found| of_directions(angles, found).ok());
    [
        Measured::of(found.map(|c| c.resultant), sure.and_then(|s| s.resultant)),
        Measured::of(found.and_then(|c| c.direction_rad), sure.and_then(|s| s.direction_rad)),
        Measured::of(found.and_then(|c| c.rayleigh).map(|r| r.p), None),
    ]
}

fn correction_measured(found: Option<Correction>) -> [Measured; 4] {
    let Some(found) = found else { return [Measured::default(); 4] };
    let alpha = found.alpha[0];
    [
        Measured::of(Some(alpha.value), Some(alpha)),
        Measured::of(Some(found.timekeeper_sd_ms), found.timekeeper),
        Measured::of(Some(found.motor_sd_ms), found.motor),
        Measured::count(found.intervals),
    ]
}

fn response_measured(found: Option<&Reproduction>) -> [Measured; OF_A_RESPONSE] {
    let Some(found) = found else { return [Measured::default(); OF_A_RESPONSE] };
    let Reproduction { rounds, complete, missing, extra, .. } = *found;
    let overall = found.overall();
    let [rounds, complete, missing, extra, intervals] =
        [rounds, complete, missing, extra, overall.intervals].map(Measured::count);
    let sure = found.bounds().ok();
    let error = Measured::of(overall.error_ms, sure.map(|s| s.error_ms));
    let sd = Measured::of(overall.sd_ms, sure.and_then(|s| s.sd_ms));
    let absolute = Measured::of(overall.absolute_error_ms, sure.and_then(|s| s.absolute_error_ms));
    [rounds, complete, missing, extra, intervals, error, sd, absolute]
}
