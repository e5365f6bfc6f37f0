//! [`SensorError`]: why a sensor of force could not be opened.

use super::name::SensorName;
use crate::ports::Permission;
use chronotap_core::sensor::SensorFault;
use chronotap_core::time::Nanos;
use rustix::io::Errno;

/// Why a sensor of force could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum SensorError {
    /// The name has no path.
    #[error("`sensor:` needs the path of its device")]
    Unnamed,
    /// Nothing of that name can be asked.
    #[error("`sensor:…?{asked}` is not known")]
    Option { asked: String },
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
    /// The sketch did not say its settings and its time.
    #[error("{port} does not answer as {sketch} does")]
    Mute {
        port: String,
        /// What it is called.
        sketch: &'static str,
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
    pub(super) fn system(name: &SensorName, call: &'static str, errno: Errno) -> SensorError {
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

    pub(super) fn refused(name: &SensorName, fault: SensorFault) -> SensorError {
        let port = name.to_string();
        match fault {
            SensorFault::Version(version) => SensorError::Version { port, version },
            SensorFault::Board(board) => SensorError::Board { port, board },
            _ => SensorError::System { port, call: "read", errno: Errno::IO },
        }
    }
}
