//! [`Struck`]: what rings after a stroke, the sum of a few damped cosines.
//!
//! All begin at their greatest, so that the onset is the first frame and no ramp blurs it.
//! The ratios of the partials are those of a free bar (1, 2.756, 5.404) and of a membrane
//! (1, 1.594, 2.136), as in Fletcher & Rossing, The Physics of Musical Instruments.

use std::f64::consts::TAU;

const PARTIALS: usize = 3;

/// A kind of stroke: of each partial its ratio to the pitch, its share of the peak, and
/// the seconds in which it falls to 1/e.
pub(super) type Stroke = [(f64, f64, f64); PARTIALS];

/// 1 ms of a click.
pub(super) const CLICK: Stroke = [(1.0, 0.6, 0.000_1), (1.7, 0.3, 0.000_1), (0.5, 0.1, 0.000_1)];
/// A bar of wood.
pub(super) const WOODBLOCK: Stroke = [(1.0, 0.6, 0.005), (2.756, 0.3, 0.002), (5.404, 0.1, 0.001)];
pub(super) const DRUM: Stroke = [(1.0, 0.6, 0.1), (1.594, 0.25, 0.04), (2.136, 0.15, 0.02)];

/// It has fallen silent at this share of its peak, -87 dB.
const SILENT: f64 = 4.5e-5;

/// A stroke that rings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Struck {
    partials: [Partial; PARTIALS],
    left: u32, // frames until it has fallen silent
}

/// A cosine that decays: a number of the complex plane that turns and shrinks.
#[derive(Clone, Copy, Debug)]
struct Partial {
    now: [f64; 2],
    turn: [f64; 2],
}

impl Struck {
    pub(super) fn new(stroke: &Stroke, pitch_hz: f64, rate_hz: u32) -> Struck {
        let rate = f64::from(rate_hz);
        let longest = stroke.iter().map(|partial| partial.2).fold(0.0, f64::max);
        let partials = stroke.map(|(ratio, share, decay_s)| {
            let hz = pitch_hz * ratio;
            let heard = if hz < rate / 2.0 { share } else { 0.0 };
            let (sin, cos) = libm::sincos(TAU * hz / rate);
            let shrink = libm::exp(-1.0 / (decay_s * rate));
            Partial { now: [heard, 0.0], turn: [cos * shrink, sin * shrink] }
        });
        Struck { partials, left: (-libm::log(SILENT) * longest * rate).ceil() as u32 }
    }

    /// The next frame, or nothing once it has fallen silent.
    pub(super) fn next(&mut self) -> Option<f32> {
        self.left = self.left.checked_sub(1)?;
        Some(self.partials.iter_mut().map(Partial::next).sum::<f64>() as f32)
    }
}

impl Partial {
    fn next(&mut self) -> f64 {
        let ([re, im], [cos, sin]) = (self.now, self.turn);
        self.now = [re * cos - im * sin, re * sin + im * cos];
        re
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stroke_begins_at_its_peak_and_falls_silent() {
        for (stroke, pitch, lasts_s) in
            [(CLICK, 3_000.0, 0.001), (WOODBLOCK, 1_000.0, 0.05), (DRUM, 80.0, 1.0)]
        {
            let mut struck = Struck::new(&stroke, pitch, 48_000);
            let all: Vec<f32> = std::iter::from_fn(|| struck.next()).collect();
            assert!((all[0] - 1.0).abs() < 1e-6);
            assert!(all.iter().all(|sample| sample.abs() <= 1.0));
            assert!(all.last().is_some_and(|last| last.abs() < 1e-4));
            assert!((all.len() as f64 / 48_000.0 - lasts_s).abs() < 0.01 * lasts_s + 1e-4);
        }
    }

    #[test]
    fn a_partial_beyond_half_the_rate_is_left_out() {
        let mut struck = Struck::new(&WOODBLOCK, 2_000.0, 8_000);
        assert!((struck.next().unwrap() - 0.6).abs() < 1e-6);
    }
}
