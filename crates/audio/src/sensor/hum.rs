//! [`Hum`]: the hum of the mains, and all its harmonics, taken off.
//!
//! The mean course of one period is kept, and subtracted. While something else sounds it is
//! not learned: what lies beyond six times the median of what is left over changes nothing.
//! So a tap leaves no echo, as it would by subtracting the period before. This is
//! synchronous averaging (Braun, "The extraction of periodic waveforms by time domain
//! averaging", Acustica 32, 1975), with a gate.

/// By which part of the difference the course follows.
const FOLLOWS: f64 = 1.0 / 16.0;
/// Beyond so many times the median, what is left over is no hum.
const BEYOND: f64 = 6.0;
/// In how many seconds the median may change by the factor e; at first in a tenth of that.
const MEDIAN_S: f64 = 0.3;
const AT_FIRST: f64 = 10.0;
/// For so many periods all is learned, whatever it is.
const FIRST: u32 = 8;

/// The hum of one frequency.
#[derive(Clone, Debug)]
pub struct Hum {
    /// The course of one period; a place of it is as long as a frame or a little less.
    course: Vec<f64>,
    /// Its mean, which is no hum and is left in the signal: the level at rest may wander.
    mean: f64,
    /// Places of the course in a frame.
    step: f64,
    place: f64,
    periods: u32,
    median: f64,
    change: f64,
}

impl Hum {
    /// The hum of mains of so many hertz, 50 or 60.
    pub fn new(mains_hz: u32, rate_hz: u32) -> Hum {
        let period = f64::from(rate_hz) / f64::from(mains_hz.max(1));
        let places = period.ceil().max(1.0);
        Hum {
            course: vec![0.0; places as usize],
            mean: 0.0,
            step: places / period,
            place: 0.0,
            periods: 0,
            median: 0.01,
            change: 1.0 / (MEDIAN_S * f64::from(rate_hz)),
        }
    }

    /// What is left of a sample.
    pub fn take(&mut self, sample: f64) -> f64 {
        let at = (self.place as usize).min(self.course.len() - 1);
        self.place += self.step;
        if self.place >= self.course.len() as f64 {
            self.place -= self.course.len() as f64;
            self.periods = self.periods.saturating_add(1);
        }
        let hum = self.course[at] - self.mean;
        let left = sample - self.course[at];
        self.follow(left.abs());
        if self.periods < FIRST || left.abs() <= BEYOND * self.median {
            let step = left * FOLLOWS.max(1.0 / f64::from(self.periods.saturating_add(1)));
            self.course[at] += step;
            self.mean += step / self.course.len() as f64;
        }
        sample - hum
    }

    /// A step towards the median of what is left over.
    fn follow(&mut self, left: f64) {
        let known = self.periods >= 3 * FIRST;
        let change = if known { self.change } else { AT_FIRST * self.change };
        self.median *= if left > self.median { 1.0 + change } else { 1.0 - change };
        self.median = self.median.clamp(1e-9, 16.0);
    }
}
