//! Time as arithmetic: integer nanoseconds, exact intervals, and what a clock is.
//!
//! No clock of the system is read here and nothing waits (`linux::clocks` does), so that
//! whatever computes with time runs wherever Rust does.

mod clock;
mod exact;
mod nanos;

pub use clock::{Clock, VirtualClock};
pub use exact::Exact;
pub use nanos::Nanos;
