//! [`SensorName`]: which sensor of force.

use chronotap_core::sensor::Sketch;
use std::fmt;
use std::path::PathBuf;

/// In the place of a path: the virtual sensor.
const VIRTUAL: &str = "virtual";

/// A sensor of force, by the device of its line, as in `/dev/ttyACM0` or `/dev/ttyACM0?sketch=teensytap`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SensorName {
    /// Where it is.
    pub path: PathBuf,
    /// The sketch of another laboratory that it runs, if it does.
    pub sketch: Option<Sketch>,
}

impl SensorName {
    /// Whether it is the virtual sensor, which a performer taps and not a hand.
    pub fn is_virtual(&self) -> bool {
        self.path.as_os_str() == VIRTUAL && self.sketch.is_none()
    }
}

impl fmt::Display for SensorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sensor:{}", self.path.display())?;
        self.sketch.map_or(Ok(()), |sketch| write!(f, "?sketch={}", sketch.word()))
    }
}
