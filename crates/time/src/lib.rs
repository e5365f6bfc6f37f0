//! Time as the rest of the house uses it: integer nanoseconds, exact interval
//! arithmetic, clocks, and waits.
//!
//! This is the only room that reads a clock or sleeps. Everything above it takes
//! time as an argument.

mod exact;
mod nanos;

pub use exact::Exact;
pub use nanos::Nanos;
