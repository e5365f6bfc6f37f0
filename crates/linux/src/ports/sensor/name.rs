//! [`SensorName`]: which sensor of force.

use std::fmt;
use std::path::PathBuf;

/// A sensor of force, by the device of its line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SensorName {
    /// Where it is.
    pub path: PathBuf,
}

impl fmt::Display for SensorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sensor:{}", self.path.display())
    }
}
