//! Time as arithmetic: integer nanoseconds, exact intervals, and what a clock is.
//!
//! No clock of a trial is read here and nothing waits (`linux::clocks` does), so that
//! whatever computes with time runs wherever Rust does. The wall clock stands in headings alone.

mod clock;
mod exact;
mod nanos;
mod wall;

pub use clock::{Clock, VirtualClock};
pub use exact::Exact;
pub use nanos::Nanos;
pub use wall::{is_wall_clock_stated, state_wall_clock, utc_text, wall_clock, wall_clock_now};
