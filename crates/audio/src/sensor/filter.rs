//! [`Band`]: a highpass and a lowpass of second order, by Bristow-Johnson's formulas with
//! Q = 1/√2 (Butterworth).

use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

/// What is between two frequencies. A frequency of nearly half the rate or more is no bound.
#[derive(Clone, Debug)]
pub(super) struct Band {
    highpass: Biquad,
    lowpass: Option<Biquad>,
    /// By how much the lowpass delays what is slow, in frames.
    pub delay_frames: f64,
    begun: bool,
}

impl Band {
    pub fn new([from_hz, to_hz]: [f64; 2], rate_hz: u32) -> Band {
        let rate = f64::from(rate_hz);
        let highpass = Biquad::highpass((from_hz / rate).min(0.4));
        let share = Some(to_hz / rate).filter(|share| *share < 0.45);
        // The derivative of its phase at 0 Hz.
        let delay_frames = share.map_or(0.0, |share| SQRT_2 / (2.0 * libm::tan(PI * share)));
        Band { highpass, lowpass: share.map(Biquad::lowpass), delay_frames, begun: false }
    }

    /// The next sample; what the first one is, is taken for rest.
    pub fn take(&mut self, sample: f64) -> f64 {
        if !self.begun {
            self.highpass.settle(sample);
            self.begun = true;
        }
        let high = self.highpass.take(sample);
        self.lowpass.as_mut().map_or(high, |lowpass| lowpass.take(high))
    }
}

/// A filter of second order, in transposed direct form II.
#[derive(Clone, Debug)]
struct Biquad {
    b: [f64; 3],
    a: [f64; 2],
    state: [f64; 2],
}

impl Biquad {
    fn highpass(share: f64) -> Biquad {
        let (cos, alpha) = angle(share);
        Biquad::normal([(1.0 + cos) / 2.0, -(1.0 + cos), (1.0 + cos) / 2.0], cos, alpha)
    }

    fn lowpass(share: f64) -> Biquad {
        let (cos, alpha) = angle(share);
        Biquad::normal([(1.0 - cos) / 2.0, 1.0 - cos, (1.0 - cos) / 2.0], cos, alpha)
    }

    fn normal(b: [f64; 3], cos: f64, alpha: f64) -> Biquad {
        let first = 1.0 + alpha;
        let a = [-2.0 * cos / first, (1.0 - alpha) / first];
        Biquad { b: b.map(|b| b / first), a, state: [0.0; 2] }
    }

    /// As if the input had been this for ever, and the output 0: of a highpass.
    fn settle(&mut self, input: f64) {
        self.state = [-self.b[0] * input, self.b[2] * input];
    }

    fn take(&mut self, input: f64) -> f64 {
        let output = self.b[0] * input + self.state[0];
        self.state[0] = self.b[1] * input - self.a[0] * output + self.state[1];
        self.state[1] = self.b[2] * input - self.a[1] * output;
        output
    }
}

fn angle(share: f64) -> (f64, f64) {
    let angle = 2.0 * PI * share;
    (libm::cos(angle), libm::sin(angle) * FRAC_1_SQRT_2)
}
