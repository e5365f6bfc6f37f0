#![forbid(unsafe_code)]
//! The results of timing tests, as data: what every test leaves ([`Results`]), how it is compared,
//! judged and named, and the figures of the literature that stand beside it.
//!
//! Nothing is measured here, and nothing of Linux is needed: a file of results is read, compared
//! and drawn on any system. The tests are in `chronotap-bench`.

mod about;
mod compare;
mod histogram;
mod length;
mod measure;
mod notation;
pub mod peers;
mod published;
mod results;
mod round_trip;
mod statistic;
mod step;
mod verdict;

pub use about::{STUDIES, TESTS, about};
pub use compare::{
    Agreement, Apart, ComparedRow, Comparison, Differing, LabelCell, MeasureDifference,
    MeasuredLabel, RULE, SEEN_BY, compare, is_user,
};
pub use histogram::{Beyond, Bin, Histogram, HistogramError};
pub use length::Length;
pub use measure::{Amount, BetterWhen, MachineMeasure, MeasureSource, MeasureUnit, measures};
pub use notation::{NOTATION, Term, term};
pub use published::{Like, PUBLISHED, Published, TableRow, comparable, finney_2001, published};
pub use results::{
    Conditions, FAULTS, FIFO, POOLED, Quantity, RESULTS_VERSION, Results, ResultsError,
    SampleSeries, Statistics, TestFound, WHOLE, Worst,
};
pub use round_trip::RoundTripLine;
pub use statistic::{SampleStatistic, sd, spoken, spoken_limit};
pub use step::PathStep;
pub use verdict::{
    AUDIO_UNFIT, Because, Fitness, Purpose, PurposeError, RULE_OF_THREE, Reservation, TAPPING_FIT,
    TAPPING_UNFIT, TimingVerdict, WakeUps, judge,
};
