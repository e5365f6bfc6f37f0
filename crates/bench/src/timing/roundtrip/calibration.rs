//! [`Calibration`]: the round trip of an external instrument alone, to be subtracted.

use crate::timing::{Quantity, Results};

/// What was measured without the device under test, in nanoseconds by period.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    trips: Vec<(u32, f64)>,
}

/// A results file is no calibration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CalibrationError {
    /// It has no round trip.
    #[error("it has no round trip")]
    None,
}

impl Calibration {
    /// Of the results of an earlier round trip test.
    ///
    /// # Errors
    /// [`CalibrationError`].
    pub fn of(results: &Results) -> Result<Calibration, CalibrationError> {
        let trips = results.series(Quantity::AudioRoundTrip).filter_map(|(_, series)| {
            let period = series.condition("period_frames")?.parse().ok()?;
            Some((period, *series.figures.get("round_trip_ns")?))
        });
        let trips: Vec<(u32, f64)> = trips.collect();
        if trips.is_empty() { Err(CalibrationError::None) } else { Ok(Calibration { trips }) }
    }

    /// What to subtract at this period; a calibration of one period alone is that of
    /// an instrument which does not share the period.
    pub fn at(&self, period_frames: u32) -> Option<f64> {
        match &self.trips[..] {
            [(_, only)] => Some(*only),
            trips => trips.iter().find(|(period, _)| *period == period_frames).map(|trip| trip.1),
        }
    }
}
