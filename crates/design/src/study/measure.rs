//! [`Measure`]: one number of a trial by the name of its statistic, and [`TrialTest`]: what
//! must hold of it. As in "mean asynchrony of pad against metronome" and "taps < 30".

use chronotap_analysis::statistics::Statistic;

/// One number of a trial: `STATISTIC [of INPUT] [against STREAM] [in STRETCH]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    pub known: &'static Statistic,
    /// The input that it is of; `None` where the trial has one only, or none is needed.
    pub input: Option<String>,
    /// The stream that the input is measured against; `None` where there is one only.
    pub against: Option<String>,
    /// The stretch; `None` for the whole trial.
    pub stretch: Option<String>,
}

/// What must hold of a finished trial.
#[derive(Clone, Debug, PartialEq)]
pub enum TrialTest {
    /// `timing failed`: the timing verdict failed.
    TimingFailed,
    /// `data unusable`: the verdict on the data failed.
    DataUnusable,
    /// `input lost`: an input was lost in the course of the trial.
    InputLost,
    /// A comparison, such as `sd asynchrony < 40 ms`. It does not hold where there is no value.
    Compare {
        /// What is compared.
        measure: Measure,
        /// How.
        comparison: NumberComparison,
        /// With what, in the unit of the statistic.
        value: f64,
        /// As it stands in the file.
        written: String,
    },
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberComparison {
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `>=`
    AtLeast,
    /// `=`
    Equal,
}

impl NumberComparison {
    /// As it is written.
    pub fn sign(self) -> &'static str {
        match self {
            NumberComparison::Below => "<",
            NumberComparison::AtMost => "<=",
            NumberComparison::Above => ">",
            NumberComparison::AtLeast => ">=",
            NumberComparison::Equal => "=",
        }
    }

    /// Whether it holds.
    pub fn holds(self, left: f64, right: f64) -> bool {
        match self {
            NumberComparison::Below => left < right,
            NumberComparison::AtMost => left <= right,
            NumberComparison::Above => left > right,
            NumberComparison::AtLeast => left >= right,
            NumberComparison::Equal => left == right,
        }
    }
}
