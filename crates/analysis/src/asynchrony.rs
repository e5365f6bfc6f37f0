//! Asynchronies: how far taps lie from their beats, negative when early.

use crate::moments::{mean_ns, median, ms, rms_ns, sd_ns_about};
use chronotap_time::Nanos;
use serde::Serialize;

/// Asynchronies described. Times in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Asynchrony {
    /// How many.
    pub n: usize,
    /// Their mean; negative when early.
    pub mean_ms: f64,
    /// Their median: the middle one, or the mean of the middle two in whole nanoseconds. Data
    /// files do not have it: what a summary says in them must stay the same to be proved again.
    #[serde(skip)]
    pub median_ms: f64,
    /// Standard deviation, with n − 1; `None` below two.
    pub sd_ms: Option<f64>,
    /// Mean distance from the beat, early or late.
    pub mean_absolute_ms: f64,
    /// Root of the mean square.
    pub rms_ms: f64,
}

/// Describes asynchronies; `None` where there are none.
pub fn describe(asynchronies: &[Nanos]) -> Option<Asynchrony> {
    let mean = mean_ns(asynchronies)?;
    let distances: i128 = asynchronies.iter().map(|a| i128::from(a.abs().0)).sum();
    Some(Asynchrony {
        n: asynchronies.len(),
        mean_ms: ms(mean),
        median_ms: median(asynchronies)?.as_millis_f64(),
        sd_ms: sd_ns_about(asynchronies, mean).map(ms),
        mean_absolute_ms: ms(distances as f64 / asynchronies.len() as f64),
        rms_ms: ms(rms_ns(asynchronies)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{near, vector_1};

    #[test]
    fn the_worked_example_comes_out() {
        let found = describe(&vector_1()).unwrap();
        assert_eq!((found.n, found.mean_ms, found.mean_absolute_ms), (10, -22.5, 24.5));
        near(found.sd_ms.unwrap(), 21.245915, 1e-6);
        near(found.rms_ms, 30.207615, 1e-6);
    }

    #[test]
    fn none_and_one_are_not_described_beyond_what_they_say() {
        assert_eq!(describe(&[]), None);
        let one = describe(&[Nanos::from_millis(-3)]).unwrap();
        assert_eq!((one.mean_ms, one.sd_ms), (-3.0, None));
    }
}
