//! [`SensorPort`]: a sensor of force as an input.

use super::device::{ForceLine, Known};
use super::error::SensorError;
use super::name::SensorName;
use crate::ports::line::EdgePort;
use chronotap_core::sensor::ForceStretch;
use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{
    Arrival, Description, FeltForce, Port, PortCounts, PortError, Readiness, Written,
};
use rtrb::Consumer;
use std::sync::Arc;

/// A sensor of force, opened and greeted.
pub struct SensorPort {
    edges: EdgePort,
    known: Arc<Known>,
    forces: Option<Consumer<ForceStretch>>,
}

/// The other end of what the line feels. Where nobody keeps it, the queue fills and is left so.
struct Forces {
    felt: Consumer<ForceStretch>,
    known: Arc<Known>,
}

impl FeltForce for Forces {
    fn values_hz(&self) -> u32 {
        self.known.forces().0
    }

    fn most(&self) -> u32 {
        self.known.forces().1
    }

    fn next(&mut self) -> Option<ForceStretch> {
        self.felt.pop().ok()
    }

    fn lost(&self) -> u64 {
        self.known.unkept()
    }

    fn origin(&self) -> Option<Nanos> {
        self.known.origin()
    }
}

impl SensorPort {
    /// Opens the line, waits for the greeting and until the device's clock is known. Takes up to five
    /// seconds: an Arduino begins anew when its line is opened.
    ///
    /// # Errors
    /// [`SensorError`].
    pub fn open(name: &SensorName, input: u16) -> Result<SensorPort, SensorError> {
        let (line, felt) = ForceLine::open(name)?;
        let known = line.known();
        let edges = EdgePort::over(line, input)
            .map_err(|errno| SensorError::system(name, "wait for taps", errno))?;
        Ok(SensorPort { edges, known, forces: Some(felt) })
    }
}

impl Port for SensorPort {
    fn start(&mut self, origin: Nanos) {
        self.known.begin(origin);
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

    fn take_force(&mut self, _: u16) -> Option<Box<dyn FeltForce>> {
        let known = Arc::clone(&self.known);
        Some(Box::new(Forces { felt: self.forces.take()?, known }))
    }

    /// What never came is what a full buffer lost to the trial.
    fn counts(&self) -> PortCounts {
        let counts = self.edges.counts();
        PortCounts { overruns: counts.overruns + self.known.lost(), ..counts }
    }
}
