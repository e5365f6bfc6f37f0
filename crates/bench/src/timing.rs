#![forbid(unsafe_code)]
//! The timing tests of one's own machine and ports, and what every timing test needs to run.
//!
//! Every test answers to [`Probe`]: whether it can run here and why not, how long it
//! takes, and what it found, as [`TestFound`]. What was found on one machine in one go is
//! a [`Results`], the file from which plots, comparisons and verdicts are made. Nothing
//! here prints or draws. The clock and the sleeps of a test can be replaced ([`Timer`]), so that
//! every statistic can be tested on known values. The tests of the literature, their loads and
//! their figures are in [`crate::studies`], which uses what is here.

mod circulation;
pub mod doubts;
mod loops;
pub mod noise;
pub mod player;
pub mod roundtrip;
mod stop;
pub mod tap_to_sound;
mod test_run;
mod thread;
mod timer;
pub mod wakeup;

/// The cores that this program may run on, in rising order.
pub use chronotap_linux::realtime::usable_processors as usable_cores;
/// What every test leaves, and what becomes of it.
pub use chronotap_timing::{
    AUDIO_UNFIT, Agreement, Amount, Apart, Because, BetterWhen, Beyond, Bin, ComparedRow,
    Comparison, Conditions, Differing, FAULTS, FIFO, Fitness, Histogram, HistogramError, LabelCell,
    Length, Like, MachineMeasure, MeasureDifference, MeasureSource, MeasureUnit, MeasuredLabel,
    NOTATION, POOLED, Published, Purpose, PurposeError, Quantity, RESULTS_VERSION, RULE,
    RULE_OF_THREE, Reservation, Results, ResultsError, RoundTripLine, SEEN_BY, SampleSeries,
    SampleStatistic, Statistics, TAPPING_FIT, TAPPING_UNFIT, TESTS, Term, TestFound, TimingVerdict,
    WHOLE, WakeUps, Worst, comparable, compare, is_user, judge, measures, peers, sd, spoken,
    spoken_limit, term,
};
pub use circulation::{
    CirculationReport, CirculationRun, CirculationTest, LOOP_VERSION, LoopRun, MeasureError,
    MeasuredLoop, MessageCounts, RateEvidence, RateLimit, Runs, ServerPeriod, TestError,
    TimeSpread, Traffic, in_real_time, in_virtual_time, rate_limit,
};
pub use loops::loop_series;
pub use noise::{NoiseRefusal, NoiseTest};
pub use player::PlayerTest;
pub use roundtrip::RoundtripTest;
pub use stop::tells_of_a_stop;
pub use tap_to_sound::TapToSoundTest;
pub(crate) use test_run::Part;
pub use test_run::{ErrorWords, Probe, TestProgress, TestRefusal, TestRun, beside};
pub use thread::{Placement, Scheduling, ThreadError, Timed, measure};
pub use timer::{RealTimer, Timer};
pub use wakeup::{IdleStates, WakeupRefusal, WakeupTest};
