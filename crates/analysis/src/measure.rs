//! What is measured in a trial: what was observed, matched and cleaned, and the numbers and estimates that
//! everything else is made of.

pub mod autocorrelation;
pub mod bootstrap;
pub mod chi_squared;
pub mod cleaning;
pub(crate) mod continued_fraction;
pub mod crosstalk;
pub mod estimate;
pub mod force;
pub mod intervals;
pub(crate) mod lanes;
pub mod lateness;
pub mod matching;
pub(crate) mod moments;
pub mod no_estimate;
pub mod observed;
pub mod runs;
pub mod sequence;
pub mod series;
pub mod services;
pub mod several;
pub mod slips;
pub mod sound;
pub mod stretches;
pub mod student;
pub mod usable;
pub mod verdict;
pub mod within;
