//! The row of sensors of force in the table of kinds.

use super::error::SensorError;
use super::name::SensorName;
use super::port::SensorPort;
use crate::ports::{Form, Kind, Misread, OpenPortError, PortName, Uses};
use chronotap_engine::signal::Port;

pub(crate) static KIND: Kind = Kind {
    prefix: "sensor",
    forms: &[Form {
        name: "sensor:PATH",
        words: "force sensor on an Arduino or Teensy, by the device of its line",
    }],
    parse: |rest| match rest {
        "" => Err(Misread::wrong(SensorError::Unnamed)),
        path => Ok(Box::new(SensorName { path: path.into() })),
    },
    // A serial port does not say what is at its end; `serial:` lists all.
    list: Vec::new,
    none_listed: None,
    is_meant_by: |_| false,
    has_sockets: false,
    warning: None,
};

impl PortName for SensorName {
    fn full_name(&self) -> String {
        self.to_string()
    }

    fn open(&self, uses: &Uses<'_>) -> Result<Box<dyn Port>, OpenPortError> {
        let input = uses.one_input_only(self)?;
        Ok(Box::new(SensorPort::open(self, input).map_err(OpenPortError::device)?))
    }

    /// As with byte streams, the number of a pseudo-terminal may be somebody else's by then.
    fn reopens(&self) -> bool {
        !self.path.starts_with("/dev/pts")
    }
}
