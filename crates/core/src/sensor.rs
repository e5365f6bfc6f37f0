//! What a sensor of force says on its serial line, and when that was: the bytes of the firmware in
//! `firmware/`, as docs/force-sensor.md has them. No I/O.
//!
//! [`SensorDecoder`] turns bytes into frames, [`DeviceClock`] the device's microseconds into times of
//! the computer, and [`SensorLine`] is both: bytes and when they were read go in, and onsets, releases
//! and forces with their times come out, with [`SensorCounts`] of what was not as it should be.
//! [`SketchLine`] does the same with what two sketches of other laboratories say.

mod clock;
mod decoder;
mod frame;
mod line;
mod sketch;

pub use clock::{ClockFit, DeviceClock};
pub use decoder::SensorDecoder;
pub use frame::{
    Board, ForceValues, MOST_FORCES, SensorFault, SensorFrame, SensorGreeting, SensorTold,
};
pub use line::{Felt, ForceStretch, SensorCounts, SensorLine};
pub use sketch::{
    SKETCH_RESOLUTION, Sketch, SketchCounts, SketchLine, SketchTap, TEENSY_TAP_ASKS,
    TEENSY_TAP_IS_TOLD, TEENSY_TAP_STARTS,
};
