//! The mechanisms of Linux that the studies compare: every way to wait for a time
//! ([`Mechanism`]), the clocks that can be read ([`ReadableClock`]), and the timers that
//! interrupt at a rate ([`Rtc`], [`Hpet`], [`IntervalTimer`]).
//!
//! Each is used as a program would use it, so the calls to the system are here and
//! nothing else: what is measured with them, how often and under what load, is in
//! [`crate::studies`]. What chronotap itself waits with is deliberately not here.

mod device;
mod hpet;
mod interval_timer;
mod mechanism;
mod readable_clock;
mod rtc;

pub use device::DeviceError;
pub use hpet::Hpet;
pub use interval_timer::IntervalTimer;
pub use mechanism::{HeldSignals, Mechanism, Wait};
pub use readable_clock::{ReadableClock, Reader};
pub use rtc::Rtc;
