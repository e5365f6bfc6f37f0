//! A sensor of force at a serial line as an input, with the firmware in `firmware/`
//! (docs/force-sensor.md). An onset is a tap, its release the tap's.
//!
//! A line on which a sketch of another laboratory speaks ([`sketched`]) is the same with less.
//!
//! A thread of its own reads the line ([`device`]) as soon as there is something, in trials and
//! between them, so that the device's clock is followed all the time and nothing of a trial delays
//! what is known of it. It hands over by the queue that pulses have (`line::edges`).

mod device;
mod error;
mod kind;
mod name;
mod port;
mod sketched;
mod sketched_port;

pub use error::SensorError;
pub(crate) use kind::KIND;
pub use name::SensorName;
pub use port::SensorPort;
pub use sketched_port::SketchedPort;
