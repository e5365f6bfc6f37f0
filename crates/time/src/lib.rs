//! Time as the rest of the house uses it: integer nanoseconds, exact interval
//! arithmetic, clocks, and waits.
//!
//! This is the only room that reads a clock or sleeps; everything above it takes time
//! as an argument. The other ways to wait and to read a clock are deliberately not
//! here: `chronotap-mechanisms` has them for the studies that compare them.

mod clock;
mod exact;
mod nanos;
mod processor;
mod wait;

pub use clock::{Clock, MonotonicClock, VirtualClock, wall_clock_now};
pub use exact::Exact;
pub use nanos::Nanos;
pub use processor::{ProcessorClock, thread_cpu_time};
pub use wait::{Guard, SpinBudget, sleep_until, timer_resolution, timespec};
