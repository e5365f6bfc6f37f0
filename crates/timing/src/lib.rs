#![forbid(unsafe_code)]
//! The timing tests: probe, samples, histogram, verdict.
//!
//! Every test answers to [`Probe`]: whether it can run here and why not, how long it
//! takes, and what it found, as [`Found`]. What was found on one machine in one go is
//! a [`Results`], the file that plots, comparisons and verdicts are made of. Nothing
//! here prints or draws; the clock and the sleeps of a test can be replaced
//! ([`Timer`]), so that every statistic is tested on a truth that was chosen.

mod circulation;
mod clock;
mod course;
mod doubts;
mod histogram;
pub mod loads;
pub mod peers;
pub mod periodic;
mod results;
mod thread;
mod timer;
mod waits;
pub mod wakeup;

pub use circulation::{
    Bound, Circumstances, Evidence, LOOP_VERSION, MeasureError, Measured, Period, Report, Spread,
    Tally, Test, TestError, Traffic, bound, in_real_time, in_virtual_time,
};
pub use clock::{ClockTest, Gap, Published, Steps, finney_2001, read_clock, read_on};
pub use course::{Course, Length, Probe, Progress};
pub use histogram::{Bin, Histogram, HistogramError};
pub use loads::Load;
pub use periodic::PeriodicTest;
pub use results::{
    Conditions, Found, Quantity, RESULTS_VERSION, Results, ResultsError, Series, Statistics, Worst,
};
pub use thread::{Placement, Scheduling, ThreadError, Timed, measure};
pub use timer::{RealTimer, Timer};
pub use waits::{Companion, Got, WaitsTest, take_pauses};
pub use wakeup::{WakeupTest, Wakeups};
