#![forbid(unsafe_code)]
//! The timing tests of one's own machine and ports, and what every timing test needs:
//! probe, samples, histogram, comparison, verdict.
//!
//! Every test answers to [`Probe`]: whether it can run here and why not, how long it
//! takes, and what it found, as [`Found`]. What was found on one machine in one go is
//! a [`Results`], the file from which plots, comparisons and verdicts are made. Nothing
//! here prints or draws. The clock and the sleeps of a test can be replaced ([`Timer`]), so that
//! every statistic can be tested on known values. The tests of the literature, their loads and
//! their figures are in [`crate::studies`], which uses what is here.

mod about;
mod circulation;
mod compare;
pub mod doubts;
mod histogram;
mod length;
mod loops;
mod measure;
pub mod noise;
mod notation;
pub mod peers;
pub mod player;
mod published;
mod results;
pub mod roundtrip;
mod statistic;
mod stop;
pub mod tap_to_sound;
mod test_run;
mod thread;
mod timer;
mod verdict;
pub mod wakeup;

pub use about::TESTS;
/// The cores that this program may run on, in rising order.
pub use chronotap_linux::realtime::usable_processors as usable_cores;
pub use circulation::{
    Evidence, LOOP_VERSION, LoopRun, MeasureError, MeasuredLoop, MessageCounts, Period, RateLimit,
    Report, Run, Runs, Spread, Test, TestError, Traffic, in_real_time, in_virtual_time, rate_limit,
};
pub use compare::{
    Agreement, Apart, Cell, Comparison, Difference, Differing, Measured, RULE, Row, SEEN_BY,
    compare, is_user,
};
pub use histogram::{Beyond, Bin, Histogram, HistogramError};
pub use length::Length;
pub use loops::{FAULTS, loop_series};
pub use measure::{Amount, Better, Measure, Source, Unit, measures};
pub use noise::{NoiseRefusal, NoiseTest};
pub use notation::{NOTATION, Term, term};
pub use player::PlayerTest;
pub use published::{Like, Published, comparable};
pub use results::{
    Conditions, Found, POOLED, Quantity, RESULTS_VERSION, Results, ResultsError, Series,
    Statistics, Worst,
};
pub use roundtrip::{Model as RoundTripLine, RoundtripTest};
pub(crate) use statistic::sd;
pub use statistic::{Statistic, spoken, spoken_limit};
pub use stop::tells_of_a_stop;
pub use tap_to_sound::TapToSoundTest;
pub(crate) use test_run::Part;
pub use test_run::{Probe, Progress, Refusal, TestRun, Words, beside};
pub use thread::{Placement, Scheduling, ThreadError, Timed, measure};
pub use timer::{RealTimer, Timer};
pub use verdict::{
    AUDIO_UNFIT, Because, Fitness, Purpose, PurposeError, RULE_OF_THREE, Reservation, TAPPING_FIT,
    TAPPING_UNFIT, Verdict, WakeUps, judge,
};
pub use wakeup::{IdleStates, WakeupRefusal, WakeupTest};
