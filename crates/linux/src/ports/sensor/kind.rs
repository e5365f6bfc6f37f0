//! The row of sensors of force in the table of kinds.

use super::error::SensorError;
use super::name::SensorName;
use super::port::SensorPort;
use super::sketched_port::SketchedPort;
use crate::ports::{Misread, NameForm, OpenPortError, PortKind, PortName, Uses};
use chronotap_core::sensor::Sketch;
use chronotap_engine::signal::Port;

pub(crate) static KIND: PortKind = PortKind {
    prefix: "sensor",
    forms: &[
        NameForm {
            name: "sensor:PATH",
            words: "force sensor on an Arduino or Teensy, by the device of its line",
        },
        NameForm { name: "sensor:virtual", words: "the same, tapped by a simulated participant" },
        NameForm {
            name: "sensor:PATH?sketch=SKETCH",
            words: "the same with the sketch of another laboratory: teensytap or tap-arduino",
        },
    ],
    parse: |rest| match named(rest) {
        Ok(name) => Ok(Box::new(name)),
        Err(error) => Err(Misread::wrong(error)),
    },
    // A serial port does not say what is at its end; `serial:` lists all.
    list: Vec::new,
    none_listed: None,
    is_meant_by: |_| false,
    has_sockets: false,
    warning: None,
};

/// The name that stands behind `sensor:`, as in `/dev/ttyACM0` or `/dev/ttyACM0?sketch=teensytap`.
fn named(rest: &str) -> Result<SensorName, SensorError> {
    let (path, asked) = rest.split_once('?').map_or((rest, None), |(path, of)| (path, Some(of)));
    if path.is_empty() {
        return Err(SensorError::Unnamed);
    }
    let unknown = |asked: &str| SensorError::Option { asked: asked.to_owned() };
    let sketch = asked.map(|asked| sketch_of(asked).ok_or_else(|| unknown(asked))).transpose()?;
    Ok(SensorName { path: path.into(), sketch })
}

fn sketch_of(asked: &str) -> Option<Sketch> {
    let word = asked.strip_prefix("sketch=")?;
    Sketch::ALL.into_iter().find(|sketch| sketch.word() == word)
}

impl PortName for SensorName {
    fn full_name(&self) -> String {
        self.to_string()
    }

    fn open(&self, uses: &Uses<'_>) -> Result<Box<dyn Port>, OpenPortError> {
        let input = uses.one_input_only(self)?;
        if self.is_virtual() {
            // Whoever knows who taps there makes it.
            return Err(OpenPortError::NoFarEnd { port: self.to_string() });
        }
        Ok(match self.sketch {
            None => Box::new(SensorPort::open(self, input).map_err(OpenPortError::device)?),
            Some(sketch) => {
                let port = SketchedPort::open(self, sketch, input);
                Box::new(port.map_err(OpenPortError::device)?)
            }
        })
    }

    /// As with byte streams, the number of a pseudo-terminal may be somebody else's by then.
    fn reopens(&self) -> bool {
        !self.path.starts_with("/dev/pts")
    }
}
