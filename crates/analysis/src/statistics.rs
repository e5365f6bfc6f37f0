//! [`Statistic`]: all that the program knows of one statistic, in one place: its name, unit and
//! range, what it needs and how it is taken from that, how sure it is, how trials are joined, and
//! where it comes from. Columns of tables with their descriptions and types, the summary, the
//! report, the measures that an experiment names, contrasts, Python and the manual are made from
//! these definitions. They stand in files of their own; [`list`] has them in order.
//!
//! A statistic of a trial has a full name, too: `STATISTIC [of INPUT] [against STREAM]
//! [in STRETCH]`, as in "mean asynchrony of pad against metronome in metronome 2" ([`Found`]).

mod catalogue;
pub mod delayed_feedback;
pub mod described;
mod found;
pub mod joined;
pub mod list;
mod material;
pub mod pairs;

use crate::joined::Scale;
use crate::uncertainty::coverage;
pub use catalogue::{
    AlreadyRead, CatalogueOrder, columns, described_asynchronies, described_intervals, doubted,
    estimated_asynchronies, estimated_intervals, find, further, held, rows, tables,
};
pub use found::Found;
pub use list::{
    of_asynchronies, of_beats, of_correction, of_directions, of_following, of_intervals,
    of_lateness, of_levels, of_metre, of_perturbations, of_responses, of_sequences, of_taps,
    of_tracking,
};
pub use material::{
    Answered, ClockAndMotor, Directions, Material, Measured, Needs, SeriesRun, Tapped,
    estimates_of_asynchronies, estimates_of_intervals,
};
use std::fmt::{Debug, Formatter};

pub struct Statistic {
    /// Its name, such as `mean asynchrony`.
    pub name: &'static str,
    /// The unit of its values.
    pub unit: Unit,
    /// What its values are.
    pub kind: ValueKind,
    /// Where its values lie.
    pub range: Range,
    /// Which way tapping is better.
    pub better: Better,
    /// How the values of several trials become one.
    pub join: Join,
    /// Whether it is there for single stretches as well.
    pub in_stretch: bool,
    /// What it is taken from, how, and how its interval is.
    pub needs: Needs,
    /// Its name where those of the same values stand together, as in Python, with and without its
    /// interval; none where it stands in tables alone, or is part of a model's result.
    pub key: Option<&'static str>,
    /// How the report shows it.
    pub shown: ShownAs,
    /// How often its interval for 95 % held the truth in simulations (`tests/coverage.rs`): from so
    /// many values on, the share. Ascending; empty where it has no interval.
    pub coverage: &'static [(usize, f64)],
    /// What it is, in a sentence.
    pub about: &'static str,
    /// Who defined it; empty where it is a count, or what its words say.
    pub source: &'static str,
}

/// The unit of a statistic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Count,
    Milliseconds,
    Microseconds,
    /// Milliseconds by which each interval is longer than the one before.
    MillisecondsPerInterval,
    SquareMilliseconds,
    Radians,
    /// A plain number.
    Ratio,
}

/// What values are, of a statistic or of a column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    Text,
    /// Whole numbers.
    Integer,
    Number,
    /// True or false.
    Truth,
    /// Moments in UTC.
    Moment,
}

/// Where the values of a statistic lie, ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least that there can be.
    pub least: f64,
    pub most: f64,
}

/// Which way tapping is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Towards less.
    Less,
    /// Towards more.
    More,
    /// Neither: it says how somebody taps, or what there was.
    Neither,
}

/// How the values of several trials, or people, become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// By their mean on the line; its interval is taken on this scale.
    Line(Scale),
    /// As directions: by the mean of the trials' mean vectors.
    Circle,
    /// Not at all.
    Never,
}

/// How the report of trials shows a statistic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownAs {
    /// In the table of a participant's estimates, under this heading and with so many decimals.
    Column(&'static str, usize),
    /// In another of its sections.
    Elsewhere,
    /// Not at all.
    Nowhere,
}

/// What a statistic is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    Trial,
    Input,
    /// An input against a stream.
    Pair,
    /// An input against a stream that it listens to and then reproduces.
    Response,
}

impl Statistic {
    /// What a definition has where it says nothing else.
    pub const USUAL: Statistic = Statistic {
        name: "",
        unit: Unit::Ratio,
        kind: ValueKind::Number,
        range: Range::ANY,
        better: Better::Neither,
        join: Join::Line(Scale::Plain),
        in_stretch: true,
        needs: Needs::Taps(|_| None),
        key: None,
        shown: ShownAs::Nowhere,
        coverage: &[],
        about: "",
        source: "",
    };
    /// The same of a count.
    pub const COUNT: Statistic = Statistic {
        unit: Unit::Count,
        kind: ValueKind::Integer,
        range: Range::FROM_ZERO,
        ..Statistic::USUAL
    };

    /// What it is of.
    pub fn of(&self) -> Of {
        match self.needs {
            Needs::Lateness(_) => Of::Trial,
            Needs::Taps(_) | Needs::Intervals(..) | Needs::Levels(..) => Of::Input,
            Needs::Altered(..) | Needs::Sequence(..) => Of::Input,
            Needs::Response(..) => Of::Response,
            _ => Of::Pair,
        }
    }

    /// Whether it is estimated, with an interval. Counts are not, and of lateness every message
    /// is known.
    pub fn is_estimated(&self) -> bool {
        self.needs.has_interval()
    }

    /// The heading of its column: the name with its unit, such as `mean_asynchrony_ms`.
    pub fn column(&self) -> String {
        format!("{}{}", self.name.replace(' ', "_"), self.unit.suffix())
    }

    /// The headings of its columns where those of its interval stand beside it.
    pub fn columns(&self) -> impl Iterator<Item = String> + use<> {
        let ends: &[&str] = if self.is_estimated() { &["", "_low", "_high"] } else { &[""] };
        let column = self.column();
        ends.iter().map(move |end| format!("{column}{end}"))
    }

    /// The scale on which the interval of a mean is taken.
    pub fn scale(&self) -> Scale {
        match self.join {
            Join::Line(scale) => scale,
            Join::Circle | Join::Never => Scale::Plain,
        }
    }

    /// How often its interval held the truth: the share of the longest simulated runs that are not
    /// longer than `n`; for fewer values than in any, that of the shortest.
    pub fn held(&self, n: usize) -> Option<f64> {
        coverage::of(self.coverage, n)
    }

    /// The same where it is to be said beside an estimate.
    pub fn doubted(&self, n: usize) -> Option<f64> {
        self.held(n).filter(|share| *share < coverage::LEAST)
    }

    /// The statistics that count together how many values it is from; none where it has no interval.
    pub fn counted_by(&self) -> &'static [&'static Statistic] {
        if self.is_estimated() { self.needs.counted() } else { &[] }
    }

    /// How many values it is from, where these statistics are known; `None` where it has no interval.
    pub fn values(&self, known: impl Fn(&'static Statistic) -> Option<f64>) -> Option<usize> {
        let counts = self.counted_by();
        let all: f64 = counts.iter().map(|count| known(count)).sum::<Option<f64>>()?;
        (!counts.is_empty()).then_some(all as usize)
    }

    /// What stands of its interval in the descriptions of columns: how often it contained the true
    /// value in simulations, where that is less often than in 93 %.
    pub fn doubts(&self) -> Option<String> {
        let below = self.coverage.iter().filter(|(_, share)| *share < coverage::LEAST);
        let below: Vec<String> =
            below.map(|(n, share)| format!("{:.1} % at {n}", 100.0 * share)).collect();
        let values: Vec<&str> = self.counted_by().iter().map(|count| count.name).collect();
        let values = values.join(" + ");
        let held = "In simulations it contained the true value in this share of runs";
        let said = format!("{held}, by the number of {values}: {}.", below.join(", "));
        (!below.is_empty()).then_some(said)
    }
}

/// There is one definition of each.
impl PartialEq for Statistic {
    fn eq(&self, other: &Statistic) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Statistic {}

impl Debug for Statistic {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Unit {
    /// What follows a name in a heading.
    pub fn suffix(self) -> &'static str {
        match self {
            Unit::Count | Unit::Ratio => "",
            Unit::Milliseconds => "_ms",
            Unit::Microseconds => "_us",
            Unit::MillisecondsPerInterval => "_ms_per_interval",
            Unit::SquareMilliseconds => "_ms2",
            Unit::Radians => "_rad",
        }
    }

    /// As BIDS has it; empty for plain numbers and counts.
    pub fn symbol(self) -> &'static str {
        match self {
            Unit::Count | Unit::Ratio => "",
            Unit::Milliseconds | Unit::MillisecondsPerInterval => "ms",
            Unit::Microseconds => "us",
            Unit::SquareMilliseconds => "ms^2",
            Unit::Radians => "rad",
        }
    }

    /// So many nanoseconds, where it is one of time.
    pub fn nanoseconds(self) -> Option<f64> {
        match self {
            Unit::Milliseconds => Some(1e6),
            Unit::Microseconds => Some(1e3),
            _ => None,
        }
    }
}

impl Range {
    /// Any number.
    pub const ANY: Range = Range { least: f64::NEG_INFINITY, most: f64::INFINITY };
    /// From 0 on.
    pub const FROM_ZERO: Range = Range { least: 0.0, most: f64::INFINITY };
    pub const SHARE: Range = Range { least: 0.0, most: 1.0 };
    pub const CORRELATION: Range = Range { least: -1.0, most: 1.0 };
    /// A direction in radians.
    pub const CIRCLE: Range = Range { least: -std::f64::consts::PI, most: std::f64::consts::PI };

    /// Whether a value lies in it.
    pub fn holds(&self, value: f64) -> bool {
        (self.least..=self.most).contains(&value)
    }
}
