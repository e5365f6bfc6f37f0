//! [`Line`]: one clock by the other, and how it is fitted: by the median of slopes where a few of the
//! points may be wrong, by least squares without the far ones where nearly all are right.

use super::Estimate;
use std::f64::consts::TAU;

/// theirs = `shift` + ours + `drift` · (ours − `centre`), in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) centre: f64,
    pub(super) shift: f64,
    pub(super) drift: f64,
}

impl Line {
    /// What their clock reads at a time of ours.
    pub(super) fn at(&self, ours: f64) -> f64 {
        ours + self.shift_at(ours)
    }

    /// The same less that time.
    pub(super) fn shift_at(&self, ours: f64) -> f64 {
        self.shift + self.drift * (ours - self.centre)
    }

    /// The median of all slopes (Theil 1950; Sen 1968), within `limit`, and the median of what is left. Half of
    /// the points may be wrong.
    pub(super) fn of_medians(points: &[(f64, f64)], limit: f64) -> Option<Line> {
        let centre = points.iter().map(|(ours, _)| ours).sum::<f64>() / points.len() as f64;
        let mut slopes = Vec::new();
        for (place, (ours, theirs)) in points.iter().enumerate() {
            for (later, then) in points[place + 1..].iter().filter(|(later, _)| later > ours) {
                slopes.push(((then - theirs) - (later - ours)) / (later - ours));
            }
        }
        let drift = median(&mut slopes)?.clamp(-limit, limit);
        let shift = |(ours, theirs): &(f64, f64)| theirs - ours - drift * (ours - centre);
        let shift = median(&mut points.iter().map(shift).collect::<Vec<_>>())?;
        Some(Line { centre, shift, drift })
    }
}

/// A line by least squares, and how sure one can be of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fit {
    pub(super) line: Line,
    /// With n − 2 degrees of freedom.
    pub(super) residual_sd: f64,
    points: usize,
    /// Sum of squares of ours around their mean.
    spread: f64,
}

/// Points farther from the line than so many robust standard deviations are left out.
const FAR: f64 = 3.0;
/// A normal distribution's standard deviation is so many of its median absolute deviations.
const BY_MEDIAN: f64 = 1.4826;
/// How often points are left out, and the line is fitted again.
const ROUNDS: usize = 3;

impl Fit {
    /// Through all points that are not far from most of them; at a distance of `never_far` no point is,
    /// however near all others are. There are two at least.
    pub(super) fn of(points: &[(f64, f64)], never_far: f64) -> Fit {
        let mut fit = Fit::through(points);
        for _ in 0..ROUNDS {
            let far = fit.far(points).max(never_far);
            let near = |point: &&(f64, f64)| fit.residual(point) <= far;
            let kept: Vec<_> = points.iter().filter(near).copied().collect();
            if kept.len() < 3 {
                break;
            }
            fit = Fit::through(&kept);
        }
        fit
    }

    /// The distance of the farthest of these points.
    pub(super) fn farthest(&self, points: &[(f64, f64)]) -> f64 {
        points.iter().map(|point| self.residual(point)).fold(0.0, f64::max)
    }

    fn residual(&self, (ours, theirs): &(f64, f64)) -> f64 {
        (theirs - self.line.at(*ours)).abs()
    }

    fn far(&self, points: &[(f64, f64)]) -> f64 {
        let mut residuals: Vec<f64> = points.iter().map(|point| self.residual(point)).collect();
        FAR * BY_MEDIAN * median(&mut residuals).unwrap_or(0.0)
    }

    /// Through all points.
    pub(super) fn through(points: &[(f64, f64)]) -> Fit {
        let n = points.len() as f64;
        let centre = points.iter().map(|(ours, _)| ours).sum::<f64>() / n;
        let shift = points.iter().map(|(ours, theirs)| theirs - ours).sum::<f64>() / n;
        let spread: f64 = points.iter().map(|(ours, _)| (ours - centre) * (ours - centre)).sum();
        let product = |(ours, theirs): &(f64, f64)| (ours - centre) * (theirs - ours - shift);
        let products: f64 = points.iter().map(product).sum();
        let drift = if spread > 0.0 { products / spread } else { 0.0 };
        let line = Line { centre, shift, drift };
        let mut fit = Fit { line, residual_sd: 0.0, points: points.len(), spread };
        let squares: f64 = points.iter().map(|point| fit.residual(point).powi(2)).sum();
        fit.residual_sd = (squares / fit.freedom()).sqrt();
        fit
    }

    fn freedom(&self) -> f64 {
        self.points.saturating_sub(2).max(1) as f64
    }

    /// What their clock reads at a time of ours.
    pub(super) fn estimate_at(&self, ours: f64, sampling: &Sampling) -> Estimate {
        let away = ours - self.line.centre;
        let weight = |x: f64| 1.0 / self.points as f64 + away * self.weight(x);
        let of_mean = 1.0 / self.points as f64;
        let of_drift = if self.spread > 0.0 { away * away / self.spread } else { 0.0 };
        let error = self.residual_sd * (of_mean + of_drift).sqrt();
        Estimate::student(self.line.at(ours), error.max(sampling.error(weight)), self.freedom())
    }

    /// The difference of the rates, in parts per million.
    pub(super) fn drift_ppm(&self, sampling: &Sampling) -> Estimate {
        let error = if self.spread > 0.0 { self.residual_sd / self.spread.sqrt() } else { 0.0 };
        let error = error.max(sampling.error(|x| self.weight(x)));
        Estimate::student(self.line.drift * 1e6, error * 1e6, self.freedom())
    }

    /// By how much a reading at this time of ours moves the drift.
    fn weight(&self, ours: f64) -> f64 {
        if self.spread > 0.0 { (ours - self.line.centre) / self.spread } else { 0.0 }
    }
}

/// What a clock that is read in steps does to a line.
///
/// Background: events at random times fall anywhere between two samples, so that their errors cancel out.
/// Beats at whole multiples of a sample all have the same error, or one that changes as slowly as the clocks
/// drift, and then a thousand of them say no more than one; the residuals do not show it.
/// Solution: the error of a reading is a sawtooth of the phase at which its event fell. Over an unknown phase of the whole,
/// two such errors have the covariance step² · (1/12 − δ(1 − δ)/2), with δ the difference of the two phases
/// in steps; and that is the sum over k of step² cos(2πkδ) / (2π²k²). So the variance of any weighted
/// sum of the readings is a sum of squares, wave by wave. The phases depend on the drift, which is only known
/// to a step over the whole length: the worst of some drifts within that is taken.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sampling {
    step: f64,
    /// When the events were, by our clock.
    ours: Vec<f64>,
    line: Line,
}

/// Waves of the sawtooth; those beyond have 3 % of its variance.
const WAVES: usize = 20;
/// Drifts that are tried, in steps over the length.
const TRIED: [f64; 5] = [-1.0, -0.5, 0.0, 0.5, 1.0];

impl Sampling {
    /// Of these events, which lie along the line; a step of 0 is a clock without steps.
    pub(super) fn of(points: &[(f64, f64)], line: Line, step: f64) -> Sampling {
        Sampling { step, ours: points.iter().map(|(ours, _)| *ours).collect(), line }
    }

    /// The standard error of a sum of readings with these weights.
    fn error(&self, weight: impl Fn(f64) -> f64) -> f64 {
        let length =
            self.ours.last().zip(self.ours.first()).map_or(0.0, |(last, first)| last - first);
        if self.step <= 0.0 || length <= 0.0 {
            return 0.0;
        }
        let of = |tried: &f64| self.variance(&weight, tried * self.step / length);
        TRIED.iter().map(of).fold(0.0, f64::max).sqrt()
    }

    fn variance(&self, weight: &impl Fn(f64) -> f64, more: f64) -> f64 {
        let line = Line { drift: self.line.drift + more, ..self.line };
        let (mut sines, mut cosines) = ([0.0; WAVES], [0.0; WAVES]);
        for ours in &self.ours {
            let (phase, weight) = (line.at(*ours) / self.step, weight(*ours));
            for (k, (sine, cosine)) in sines.iter_mut().zip(&mut cosines).enumerate() {
                let (s, c) = libm::sincos(TAU * (phase * (k + 1) as f64).fract());
                *sine += weight * s;
                *cosine += weight * c;
            }
        }
        let waves = sines.iter().zip(&cosines).enumerate();
        let powers = waves.map(|(k, (s, c))| (s * s + c * c) / ((k + 1) * (k + 1)) as f64);
        powers.sum::<f64>() * self.step * self.step / (0.5 * TAU * TAU)
    }
}

/// The middle value, or the higher of the two in the middle.
fn median(values: &mut [f64]) -> Option<f64> {
    let middle = values.len() / 2;
    (!values.is_empty()).then(|| *values.select_nth_unstable_by(middle, f64::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near;

    fn points(wrong: f64) -> Vec<(f64, f64)> {
        let line = Line { centre: 0.0, shift: 7.0, drift: 1e-4 };
        let off = |k: i32| if k % 7 == 3 { wrong } else { 0.0 };
        (0..40).map(|k| (f64::from(k), line.at(f64::from(k)) + off(k))).collect()
    }

    #[test]
    fn a_seventh_of_wrong_points_moves_neither_fit() {
        let by_medians = Line::of_medians(&points(0.004), 1e-3).unwrap();
        near(by_medians.drift, 1e-4, 2e-6);
        let fit = Fit::of(&points(0.004), 1e-4);
        near(fit.line.drift, 1e-4, 1e-12);
        let exact = Sampling::of(&[], fit.line, 0.0);
        near(fit.estimate_at(0.0, &exact).value, 7.0, 1e-9);
        near(fit.residual_sd, 0.0, 1e-9);
    }

    #[test]
    fn the_errors_are_those_of_the_textbook() {
        // y = 0, 0, 3 at x = 0, 1, 2: slope 1.5, residuals 0.5, -1, 0.5, and s² = 1.5 / 1.
        let fit = Fit::through(&[(0.0, 0.0), (1.0, 0.0), (2.0, 3.0)]);
        near(fit.line.drift, 0.5, 1e-12);
        near(fit.residual_sd, 1.5f64.sqrt(), 1e-12);
        let exact = Sampling::of(&[], fit.line, 0.0);
        near(fit.drift_ppm(&exact).standard_error, 0.75f64.sqrt() * 1e6, 1e-3);
        near(
            fit.estimate_at(0.0, &exact).standard_error,
            (1.5 * (1.0 / 3.0 + 0.5f64)).sqrt(),
            1e-9,
        );
    }
    #[test]
    fn readings_at_random_phases_have_the_variance_of_a_step_and_those_at_one_phase_share_it() {
        let line = Line { centre: 0.0, shift: 0.0, drift: 0.0 };
        let at = |ours: &dyn Fn(u32) -> f64| -> f64 {
            let points: Vec<(f64, f64)> = (0..400).map(|k| (ours(k), 0.0)).collect();
            Sampling::of(&points, line, 0.001).error(|_| 1.0 / 400.0)
        };
        let alone = 0.001 / 12f64.sqrt();
        near(at(&|k| f64::from(k) * 0.5) / alone, 1.0, 0.03);
        // The golden section is the most even of all phases.
        assert!(at(&|k| f64::from(k) * 0.5 + 0.001 * f64::from(k) * 0.618_034) < alone / 20.0);
    }
}
