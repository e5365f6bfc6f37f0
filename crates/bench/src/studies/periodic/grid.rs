//! [`BeatGrid`]: the perfect beats that are nearest to the ones that came, and how late
//! each came.
//!
//! Background: the historic figure is the interval between two beats minus 1/f. If
//! beat k is late by e(k), it is e(k) - e(k-1): the lateness of each beat is counted
//! twice, with both signs, so that the histogram is symmetric whatever the cause and
//! its variance is double.
//! Solution: a straight line t(k) = a + k T through the beats by least squares, where k
//! counts the skipped and lost ones too; beats further from it than six times the usual are
//! left out and the line is fitted again. Lateness is counted from the earliest beat,
//! since when the interrupt itself came no program can see.
//! Why it works: the mean error of T falls with the 3/2 power of the number of beats.
//! Example: 8,192 Hz asked of a timer with whole nanoseconds is 122,070 ns and not
//! 122,070.3125: it ticks 2.56 parts in a million too fast, and that is what is found.

use super::beat::PeriodBeat;
use crate::timing::Histogram;
use chronotap_core::time::Nanos;

/// Perfect beats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeatGrid {
    /// From one to the next, in nanoseconds.
    pub step_ns: f64,
    /// Its standard error, for beats whose latenesses are independent of one another.
    pub step_error_ns: f64,
    /// The earliest beat's distance from the line through the first, in nanoseconds.
    earliest_ns: f64,
}

/// How many times the line is fitted.
const FITS: usize = 5;
/// Beats further off than so many median distances are left out: six SD of a normal
/// distribution.
const FAR: f64 = 6.0 * 1.4826;

impl BeatGrid {
    /// Of the beats; `None` below three.
    pub fn fit(beats: &[PeriodBeat]) -> Option<BeatGrid> {
        let points = points(beats);
        let mut line = ToggledLine::through(&points)?;
        for _ in 1..FITS {
            let near = line.near(&points);
            line = ToggledLine::through(&near).unwrap_or(line);
        }
        let residual = |(k, t): &(f64, f64)| t - line.step * k;
        let earliest_ns = points.iter().map(residual).fold(f64::INFINITY, f64::min);
        Some(BeatGrid { step_ns: line.step, step_error_ns: line.step_error, earliest_ns })
    }

    /// By how many parts in a million the source ticks faster than asked; negative
    /// where it is slow.
    pub fn clock_offset_ppm(&self, rate_hz: u32) -> f64 {
        (1e9 / (self.step_ns * f64::from(rate_hz)) - 1.0) * 1e6
    }

    /// The standard error of [`BeatGrid::clock_offset_ppm`].
    pub fn clock_offset_error_ppm(&self) -> f64 {
        self.step_error_ns / self.step_ns * 1e6
    }

    /// How late each time that was due was answered: by its own beat, or, where that was skipped or
    /// lost, by the next that came. A source that counts what it skips wakes the program at most one
    /// period after the last time that was due, so that of a stall the beats alone tell nothing.
    pub fn lateness_of_all(&self, beats: &[PeriodBeat]) -> Histogram {
        let mut all = Histogram::new();
        for (n, (late, beat)) in self.lateness(beats).into_iter().zip(beats).enumerate() {
            let skipped = if n == 0 { 0 } else { beat.interrupts as i64 + beat.lost - 1 };
            for earlier in 0..=skipped.max(0) {
                all.record(late + Nanos::round_from_f64(self.step_ns * earlier as f64));
            }
        }
        all
    }

    /// How much later than the earliest each beat came, to half a nanosecond.
    pub fn lateness(&self, beats: &[PeriodBeat]) -> Vec<Nanos> {
        let late = |(k, t): (f64, f64)| t - self.step_ns * k - self.earliest_ns;
        points(beats).into_iter().map(|point| Nanos::round_from_f64(late(point))).collect()
    }
}

/// Number and time of each beat, from the first; whole numbers that fit exactly.
fn points(beats: &[PeriodBeat]) -> Vec<(f64, f64)> {
    let Some(first) = beats.first() else { return Vec::new() };
    let mut number = 0;
    let point = |(n, beat): (usize, &PeriodBeat)| {
        number += if n == 0 { 0 } else { beat.interrupts as i64 + beat.lost };
        (number as f64, (beat.at - first.at).0 as f64)
    };
    beats.iter().enumerate().map(point).collect()
}

/// A straight line through points.
#[derive(Clone, Copy)]
struct ToggledLine {
    middle: (f64, f64),
    step: f64,
    step_error: f64,
}

impl ToggledLine {
    fn through(points: &[(f64, f64)]) -> Option<ToggledLine> {
        let n = points.len() as f64;
        let sum = points.iter().fold((0.0, 0.0), |sum, (k, t)| (sum.0 + k, sum.1 + t));
        let middle = (sum.0 / n, sum.1 / n);
        let moment =
            |(k, t): &(f64, f64)| ((k - middle.0) * (t - middle.1), (k - middle.0).powi(2));
        let (kt, kk) = points
            .iter()
            .map(moment)
            .fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        if points.len() < 3 || kk <= 0.0 {
            return None;
        }
        let mut line = ToggledLine { middle, step: kt / kk, step_error: 0.0 };
        let squares: f64 = points.iter().map(|point| line.distance(point).powi(2)).sum();
        line.step_error = (squares / (n - 2.0) / kk).sqrt();
        Some(line)
    }

    fn distance(&self, (k, t): &(f64, f64)) -> f64 {
        (t - self.middle.1) - self.step * (k - self.middle.0)
    }

    /// The points that are not far off, by the median of the distances from their own
    /// median; 1 ns is always near.
    fn near(&self, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let centre = median(points.iter().map(|point| self.distance(point)).collect());
        let off = |point: &(f64, f64)| (self.distance(point) - centre).abs();
        let usual = median(points.iter().map(off).collect());
        points.iter().copied().filter(|point| off(point) <= FAR * usual + 1.0).collect()
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
