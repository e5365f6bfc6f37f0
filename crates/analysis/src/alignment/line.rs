//! [`Line`]: one clock by the other, and how it is fitted: by the median of slopes where a few of the
//! points may be wrong, by least squares without the far ones where nearly all are right.

use super::Estimate;

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
/// No point nearer than this share of the tolerance is left out, however near all others are.
const NEVER_FAR: f64 = 0.02;
/// How often points are left out, and the line is fitted again.
const ROUNDS: usize = 3;

impl Fit {
    /// Through all points that are not far from most of them. There are two at least.
    pub(super) fn of(points: &[(f64, f64)], tolerance: f64) -> Fit {
        let mut fit = Fit::through(points);
        for _ in 0..ROUNDS {
            let far = fit.far(points, tolerance);
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

    fn far(&self, points: &[(f64, f64)], tolerance: f64) -> f64 {
        let mut residuals: Vec<f64> = points.iter().map(|point| self.residual(point)).collect();
        let typical = median(&mut residuals).unwrap_or(0.0);
        (FAR * BY_MEDIAN * typical).max(NEVER_FAR * tolerance)
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
    pub(super) fn estimate_at(&self, ours: f64) -> Estimate {
        let away = ours - self.line.centre;
        let of_mean = 1.0 / self.points as f64;
        let of_drift = if self.spread > 0.0 { away * away / self.spread } else { 0.0 };
        let error = self.residual_sd * (of_mean + of_drift).sqrt();
        Estimate::student(self.line.at(ours), error, self.freedom())
    }

    /// The difference of the rates, in parts per million.
    pub(super) fn drift_ppm(&self) -> Estimate {
        let error = if self.spread > 0.0 { self.residual_sd / self.spread.sqrt() } else { 0.0 };
        Estimate::student(self.line.drift * 1e6, error * 1e6, self.freedom())
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
        let fit = Fit::of(&points(0.004), 0.005);
        near(fit.line.drift, 1e-4, 1e-12);
        near(fit.estimate_at(0.0).value, 7.0, 1e-9);
        near(fit.residual_sd, 0.0, 1e-9);
    }

    #[test]
    fn the_errors_are_those_of_the_textbook() {
        // y = 0, 0, 3 at x = 0, 1, 2: slope 1.5, residuals 0.5, -1, 0.5, and s² = 1.5 / 1.
        let fit = Fit::through(&[(0.0, 0.0), (1.0, 0.0), (2.0, 3.0)]);
        near(fit.line.drift, 0.5, 1e-12);
        near(fit.residual_sd, 1.5f64.sqrt(), 1e-12);
        near(fit.drift_ppm().standard_error, 0.75f64.sqrt() * 1e6, 1e-3);
        near(fit.estimate_at(0.0).standard_error, (1.5 * (1.0 / 3.0 + 0.5f64)).sqrt(), 1e-9);
    }
}
