//! What a [`Record`] comes to: the historic series and the one that is meant, with
//! their figures. Names and units stand in docs/timing.md.

use super::beat::PeriodBeat;
use super::grid::BeatGrid;
use super::line::ToggledLine;
use super::record::{Cure, Record};
use super::source::nominal_ns;
use crate::timing::{Histogram, Quantity, SampleSeries};
use chronotap_core::time::Nanos;
use chronotap_linux::realtime::Usage;

/// One run, and under what circumstances it was made.
pub(super) struct Run {
    pub record: Record,
    pub rate_hz: u32,
    pub cure: Option<Cure>,
    /// What the loop itself takes between two beats.
    pub overhead_ns: f64,
    pub usage: Usage,
}

impl Run {
    /// The two series; none below three beats.
    pub fn series(&self, conditions: &[(&str, &str)]) -> Vec<SampleSeries> {
        let beats = self.record.beats();
        let Some(grid) = BeatGrid::fit(beats) else { return Vec::new() };
        vec![self.intervals(&grid, conditions), self.lateness(&grid, conditions)]
    }

    fn intervals(&self, grid: &BeatGrid, conditions: &[(&str, &str)]) -> SampleSeries {
        let beats = self.record.beats();
        let deviations = deviations(beats, self.rate_hz);
        let period_ns = 1e9 / f64::from(self.rate_hz);
        let beyond = deviations.iter().filter(|one| one.0.abs() as f64 > period_ns).count();
        let histogram = Histogram::of(deviations.iter().copied());
        let centre_ns = histogram.quantile(1, 2).map_or(0.0, |time| time.0 as f64);
        let ratio = variance_ratio(&histogram, &Histogram::of(grid.lateness(beats)));
        let mut series = SampleSeries::of(Quantity::IntervalDeviation, conditions, histogram)
            .with("period_ns", period_ns)
            .with("centre_offset_ns", centre_ns)
            .with("centre_offset_periods", centre_ns / period_ns)
            .with("beyond_one_period_share", beyond as f64 / deviations.len() as f64)
            .with("skipped_beats", skipped(beats) as f64)
            .with("lost_interrupts", lost(beats) as f64);
        series.figures.extend(ratio.map(|ratio| ("variance_ratio".to_owned(), ratio)));
        let toggles: Vec<Nanos> = beats.iter().map(|beat| beat.at).collect();
        if let Some(line) = ToggledLine::of(&toggles, 0.5e9 / grid.step_ns) {
            series = with_line(series, line);
        }
        series
    }

    fn lateness(&self, grid: &BeatGrid, conditions: &[(&str, &str)]) -> SampleSeries {
        let beats = self.record.beats();
        let histogram = grid.lateness_of_all(beats);
        let mut series = SampleSeries::of(Quantity::Lateness, conditions, histogram)
            .with("clock_offset_ppm", grid.clock_offset_ppm(self.rate_hz))
            .with("clock_offset_error_ppm", grid.clock_offset_error_ppm())
            .with("skipped_beats", skipped(beats) as f64)
            .with("lost_interrupts", lost(beats) as f64)
            .with("overhead_ns", self.overhead_ns)
            .with("minor_faults", self.usage.minor_faults as f64)
            .with("involuntary_switches", self.usage.involuntary_switches as f64);
        if let (Some(cure), [first, .., last]) = (&self.cure, beats) {
            let share = self.record.spun.0 as f64 / (last.at - first.at).0 as f64;
            series = series
                .with("guard_ns", cure.guard.0 as f64)
                .with("past_guard", self.record.past_guard as f64)
                .with("spin_share", share);
        }
        series
    }

    /// The cure for beats like these: their own rate, and a guard of twice what 99 of 100 of
    /// them keep within, 20 to 300 us and at most half a period, so that other programs run.
    /// With a guard of just that lateness one beat in a hundred would miss its moment.
    pub fn cure(&self) -> Option<Cure> {
        let grid = BeatGrid::fit(self.record.beats())?;
        let late = Histogram::of(grid.lateness(self.record.beats())).quantile(99, 100)?;
        let half = Nanos((grid.step_ns / 2.0) as i64);
        let guard = (late * 2).clamp(Nanos::from_micros(20), Nanos::from_micros(300)).min(half);
        Some(Cure { step_ns: grid.step_ns, guard })
    }
}

fn with_line(series: SampleSeries, line: ToggledLine) -> SampleSeries {
    let resolved = f64::from(u8::from(line.resolved));
    let mut series = series
        .with("carrier_hz", line.carrier_hz)
        .with("carrier_share", line.carrier_share)
        .with("line_width_hz", line.width_hz)
        .with("line_width_error_hz", line.width_error_hz)
        .with("line_resolution_hz", line.resolution_hz)
        .with("line_resolved", resolved);
    series.curve = line.curve;
    series
}

/// From each beat to the next, minus 1/f, as it was always counted: a beat after
/// skipped ones is whole periods late. Beats of a perfect clock are rounded down to
/// nanoseconds, so that each is exact to a nanosecond and their sum is too.
pub fn deviations(beats: &[PeriodBeat], rate_hz: u32) -> Vec<Nanos> {
    let deviation = |(n, pair): (usize, &[PeriodBeat])| {
        let n = n as u64;
        let nominal = nominal_ns(rate_hz, n + 1) - nominal_ns(rate_hz, n);
        pair[1].at - pair[0].at - Nanos(nominal)
    };
    beats.windows(2).enumerate().map(deviation).collect()
}

/// Beats that the source counted but that never reached the program, after the first that was
/// kept.
pub fn skipped(beats: &[PeriodBeat]) -> u64 {
    beats.iter().skip(1).map(|beat| beat.interrupts - 1).sum()
}

/// Interrupts that the source did not count either.
pub fn lost(beats: &[PeriodBeat]) -> i64 {
    beats.iter().skip(1).map(|beat| beat.lost).sum()
}

/// The variance of the intervals by that of the lateness: 2 where one beat's lateness
/// says nothing of the next one's.
fn variance_ratio(intervals: &Histogram, lateness: &Histogram) -> Option<f64> {
    let (of_intervals, of_lateness) = (intervals.sd_ns()?, lateness.sd_ns()?);
    (of_lateness > 0.0).then(|| (of_intervals / of_lateness).powi(2))
}
