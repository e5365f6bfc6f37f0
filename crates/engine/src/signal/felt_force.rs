//! [`FeltForce`]: the force that a sensor feels, for whoever keeps it.

use chronotap_core::sensor::ForceStretch;
use chronotap_core::time::Nanos;

/// The force at an input, oldest first; read in a thread of ordinary priority.
pub trait FeltForce: Send {
    /// Values a second, by the device's clock.
    fn values_hz(&self) -> u32;

    /// The greatest value there can be.
    fn most(&self) -> u32;

    /// What was felt next; times are raw CLOCK_MONOTONIC.
    fn next(&mut self) -> Option<ForceStretch>;

    /// Values that found no room, since the device was opened.
    fn lost(&self) -> u64;

    /// Where the trial's clock counts from (raw CLOCK_MONOTONIC), once it has started.
    fn origin(&self) -> Option<Nanos>;
}
