//! [`SensorPort`]: a sensor of force as an input.

use super::device::{ForceLine, Known};
use super::error::SensorError;
use super::name::SensorName;
use crate::ports::line::EdgePort;
use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{
    Arrival, Description, Port, PortCounts, PortError, Readiness, Written,
};
use std::sync::Arc;

/// A sensor of force, opened and greeted.
pub struct SensorPort {
    edges: EdgePort,
    known: Arc<Known>,
}

impl SensorPort {
    /// Opens the line, waits for the greeting and until the device's clock is known. Takes up to five
    /// seconds: an Arduino begins anew when its line is opened.
    ///
    /// # Errors
    /// [`SensorError`].
    pub fn open(name: &SensorName, input: u16) -> Result<SensorPort, SensorError> {
        let line = ForceLine::open(name)?;
        let known = line.known();
        let edges = EdgePort::over(line, input)
            .map_err(|errno| SensorError::system(name, "wait for taps", errno))?;
        Ok(SensorPort { edges, known })
    }
}

impl Port for SensorPort {
    fn start(&mut self, origin: Nanos) {
        self.edges.start(origin);
    }

    fn readiness(&self) -> Readiness<'_> {
        self.edges.readiness()
    }

    fn read(&mut self, now: Nanos, arrived: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        self.edges.read(now, arrived)
    }

    fn write(&mut self, action: &Action, now: Nanos) -> Result<Written, PortError> {
        self.edges.write(action, now)
    }

    fn describe(&self) -> Description {
        Description { sensor: Some(self.known.told()), ..Description::default() }
    }

    /// What never came is what a full buffer lost to the trial.
    fn counts(&self) -> PortCounts {
        let counts = self.edges.counts();
        PortCounts { overruns: counts.overruns + self.known.lost(), ..counts }
    }
}
