//! [`SketchedPort`]: a sensor of force with a sketch of another laboratory, as an input.

use super::error::SensorError;
use super::name::SensorName;
use super::sketched::{KnownSketch, SketchedLine};
use crate::ports::line::EdgePort;
use chronotap_core::sensor::Sketch;
use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{
    Arrival, Description, Port, PortCounts, PortError, Readiness, Written,
};
use std::sync::Arc;

/// A sensor with such a sketch, opened.
pub struct SketchedPort {
    edges: EdgePort,
    known: Arc<KnownSketch>,
}

impl SketchedPort {
    /// Opens the line and has the sketch feel taps, which takes up to five seconds.
    ///
    /// # Errors
    /// [`SensorError`].
    pub fn open(
        name: &SensorName,
        sketch: Sketch,
        input: u16,
    ) -> Result<SketchedPort, SensorError> {
        let line = SketchedLine::open(name, sketch)?;
        let known = line.known();
        let edges = EdgePort::over(line, input)
            .map_err(|errno| SensorError::system(name, "wait for taps", errno))?;
        Ok(SketchedPort { edges, known })
    }
}

impl Port for SketchedPort {
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
        Description { sketch: Some(self.known.told()), ..Description::default() }
    }

    /// What never came is what a full buffer lost to the trial.
    fn counts(&self) -> PortCounts {
        let counts = self.edges.counts();
        PortCounts { overruns: counts.overruns + self.known.lost(), ..counts }
    }
}
