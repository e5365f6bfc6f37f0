//! [`SensorPort`]: a sensor of force at a serial line as an input, with the firmware in `firmware/`
//! (docs/force-sensor.md). An onset is a tap, its release the tap's.
//!
//! A thread of its own reads the line ([`device`]) as soon as there is something, in trials and
//! between them, so that the device's clock is followed all the time and nothing of a trial delays
//! what is known of it. It hands over by the queue that pulses have (`line::edges`).

mod device;
mod kind;

pub(crate) use kind::KIND;
pub use kind::SensorName;

use crate::ports::Permission;
use crate::ports::line::EdgePort;
use chronotap_core::sensor::SensorFault;
use chronotap_core::time::Nanos;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{
    Arrival, Description, Port, PortCounts, PortError, Readiness, Written,
};
use device::{ForceLine, Known};
use rustix::io::Errno;
use std::sync::Arc;

/// Why a sensor of force could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum SensorError {
    /// The name has no path.
    #[error("`sensor:` needs the path of its device")]
    NoPath,
    /// Nothing stands at the path.
    #[error("{port} does not exist")]
    Missing { port: String },
    /// The user may not open it.
    #[error("{port}: permission denied")]
    Denied {
        port: String,
        /// Who may.
        permission: Permission,
    },
    /// Another program has it.
    #[error("{port} is in use by another program")]
    Busy { port: String },
    /// What stands at the path is no serial line.
    #[error("{port} is not a serial port")]
    NotALine { port: String },
    /// No greeting came.
    #[error("{port} has not said within {} s that it is a sensor", waited.as_secs_f64())]
    Silent {
        port: String,
        /// For how long it was waited for.
        waited: Nanos,
    },
    /// The device has a firmware of another version.
    #[error("{port} has a firmware of version {version}; this program understands version 1")]
    Version { port: String, version: u8 },
    /// The device names a board that is not known.
    #[error("{port} says that it runs on board {board}, which this program does not know")]
    Board { port: String, board: u8 },
    /// The device is there and not usable.
    #[error("{port}: {call}: {errno}")]
    System {
        port: String,
        /// What failed.
        call: &'static str,
        /// What the system answered.
        errno: Errno,
    },
}

impl SensorError {
    fn system(name: &SensorName, call: &'static str, errno: Errno) -> SensorError {
        let port = name.to_string();
        match (call, errno) {
            ("open", Errno::NOENT | Errno::NOTDIR) => SensorError::Missing { port },
            ("open", Errno::ACCESS | Errno::PERM) => {
                SensorError::Denied { port, permission: Permission::of(&name.path) }
            }
            (_, Errno::BUSY) => SensorError::Busy { port },
            (_, Errno::NOTTY | Errno::INVAL) => SensorError::NotALine { port },
            _ => SensorError::System { port, call, errno },
        }
    }

    fn refused(name: &SensorName, fault: SensorFault) -> SensorError {
        let port = name.to_string();
        match fault {
            SensorFault::Version(version) => SensorError::Version { port, version },
            SensorFault::Board(board) => SensorError::Board { port, board },
            _ => SensorError::System { port, call: "read", errno: Errno::IO },
        }
    }
}

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
