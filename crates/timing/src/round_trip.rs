//! [`RoundTripLine`]: what of a round trip grows with the period, and what does not.

/// Round trip = `periods` x the period + `constant_frames`, by least squares. A driver
/// with two periods has 2; the constant is what converters and buses take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundTripLine {
    /// How many periods the round trip contains.
    pub periods: f64,
    /// What remains, in frames.
    pub constant_frames: f64,
    /// The greatest distance of a measured round trip from the line, in frames.
    pub residual_frames: f64,
}

impl RoundTripLine {
    /// Of round trips in frames at periods in frames; `None` below two different periods.
    pub fn fit(points: &[(u32, f64)]) -> Option<RoundTripLine> {
        let n = points.len() as f64;
        let mean = |of: fn(&(u32, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
        let (x, y) = (mean(|p| f64::from(p.0)), mean(|p| p.1));
        let square: f64 = points.iter().map(|p| (f64::from(p.0) - x).powi(2)).sum();
        if points.len() < 2 || square == 0.0 {
            return None;
        }
        let product: f64 = points.iter().map(|p| (f64::from(p.0) - x) * (p.1 - y)).sum();
        let periods = product / square;
        let constant_frames = y - periods * x;
        let off = |p: &(u32, f64)| (p.1 - periods * f64::from(p.0) - constant_frames).abs();
        let residual_frames = points.iter().map(off).fold(0.0, f64::max);
        Some(RoundTripLine { periods, constant_frames, residual_frames })
    }

    /// As a sentence; the constant in milliseconds too.
    pub fn sentence(&self, rate_hz: u32) -> String {
        format!(
            "round trip = {:.3} x period {:+.3} frames ({:+.4} ms), off by at most {:.3} frames",
            unsigned_zero(self.periods),
            unsigned_zero(self.constant_frames),
            unsigned_zero(self.constant_frames * 1e3 / f64::from(rate_hz.max(1))),
            self.residual_frames
        )
    }
}

/// What would be written as -0.000 is 0.
fn unsigned_zero(value: f64) -> f64 {
    if value.abs() < 0.000_05 { 0.0 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_that_does_not_depend_on_the_period_is_all_constant() {
        let model = RoundTripLine::fit(&[(64, 1_000.000_01), (128, 1_000.0)]).unwrap();
        let said = model.sentence(50_000);
        assert!(said.starts_with("round trip = 0.000 x period +1000.000 frames (+20.0000 ms)"));
    }

    #[test]
    fn the_studys_own_table_gives_two_periods_and_32_frames() {
        // Vignati et al. 2022, table 1b, PREEMPT_RT.
        let model =
            RoundTripLine::fit(&[(64, 160.0), (128, 288.0), (256, 544.0), (512, 1_056.0)]).unwrap();
        assert!((model.periods - 2.0).abs() < 1e-12);
        assert!((model.constant_frames - 32.0).abs() < 1e-9 && model.residual_frames < 1e-9);
        assert!(model.sentence(48_000).contains("2.000 x period +32.000 frames (+0.6667 ms)"));
    }

    #[test]
    fn one_period_gives_no_line() {
        assert_eq!(RoundTripLine::fit(&[(64, 160.0)]), None);
        assert_eq!(RoundTripLine::fit(&[(64, 160.0), (64, 161.0)]), None);
        assert_eq!(RoundTripLine::fit(&[]), None);
    }
}
