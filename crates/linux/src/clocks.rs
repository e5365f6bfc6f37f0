//! The clocks of the system, and waits until they read a time.
//!
//! This is the only crate that reads a clock or sleeps for the program; everything above it
//! takes time as an argument. The other ways to wait and to read a clock are deliberately not
//! here: `chronotap-bench` has them for the studies that compare them.

mod clock;
mod day;
mod discipline;
mod processor;
mod wait;

pub use clock::{MonotonicClock, utc};
pub use day::DayClock;
pub use discipline::{Discipline, discipline};
pub use processor::{ProcessorClock, thread_cpu_time};
pub use wait::{Guard, SpinBudget, sleep_until, timer_resolution, timespec};
