#![forbid(unsafe_code)]
//! The timing tests: probe, samples, histogram, verdict.
//!
//! Every test answers to [`Probe`]: whether it can run here and why not, how long it
//! takes, and what it found, as [`Found`]. What was found on one machine in one go is
//! a [`Results`], the file that plots, comparisons and verdicts are made of. Nothing
//! here prints or draws; the clock and the sleeps of a test can be replaced
//! ([`Timer`]), so that every statistic is tested on a truth that was chosen.

mod about;
mod circulation;
mod clock;
mod compare;
mod course;
mod doubts;
pub mod dsp;
pub mod fragments;
mod histogram;
pub mod loads;
mod loops;
mod notation;
pub mod peers;
pub mod periodic;
mod published;
mod results;
pub mod roundtrip;
mod statistic;
pub mod tap_to_sound;
mod thread;
mod timer;
mod verdict;
mod waits;
pub mod wakeup;

pub use about::{TESTS, about};
pub use circulation::{
    Bound, Circumstances, Evidence, LOOP_VERSION, MeasureError, Measured, Period, Report, Spread,
    Tally, Test, TestError, Traffic, bound, in_real_time, in_virtual_time,
};
pub use clock::{ClockTest, Gap, Steps, TableRow, finney_2001, read_clock, read_on};
pub use compare::{Agreement, Cell, Comparison, Difference, RULE, Row, compare};
pub use course::{Course, Length, Probe, Progress};
pub use dsp::DspTest;
pub use fragments::FragmentsTest;
pub use histogram::{Bin, Histogram, HistogramError};
pub use loads::Load;
pub use loops::{FAULTS, loop_series};
pub use notation::{NOTATION, Term, term};
pub use periodic::PeriodicTest;
pub use published::{Like, PUBLISHED, Published, published};
pub use results::{
    Conditions, Found, Quantity, RESULTS_VERSION, Results, ResultsError, Series, Statistics, Worst,
};
pub use roundtrip::RoundtripTest;
pub use statistic::{Statistic, spoken};
pub use tap_to_sound::TapToSoundTest;
pub use thread::{Placement, Scheduling, ThreadError, Timed, measure};
pub use timer::{RealTimer, Timer};
pub use verdict::{
    AUDIO_UNFIT, Fitness, Purpose, PurposeError, RULE_OF_THREE, TAPPING_FIT, TAPPING_UNFIT,
    Verdict, WakeUps, judge,
};
pub use waits::{Companion, Got, WaitsTest, take_pauses};
pub use wakeup::{WakeupTest, Wakeups};
