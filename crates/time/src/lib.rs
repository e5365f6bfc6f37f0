//! Time as the rest of the house uses it: integer nanoseconds, exact interval
//! arithmetic, clocks, and waits.
//!
//! This is the only room that reads a clock or sleeps. Everything above it takes
//! time as an argument.

mod clock;
mod device;
mod exact;
mod hpet;
mod interval_timer;
mod mechanism;
mod nanos;
mod processor;
mod rtc;
mod source;
mod wait;

pub use clock::{Clock, MonotonicClock, VirtualClock, wall_clock_now};
pub use device::DeviceError;
pub use exact::Exact;
pub use hpet::Hpet;
pub use interval_timer::IntervalTimer;
pub use mechanism::{HeldSignals, Mechanism, Wait};
pub use nanos::Nanos;
pub use processor::{ProcessorClock, thread_cpu_time};
pub use rtc::Rtc;
pub use source::{Reader, Source};
pub use wait::{Guard, SpinBudget, sleep_until, timer_resolution, timespec};
