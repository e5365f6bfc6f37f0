//! Why files of another program cannot be imported.

use super::ImportSetting;
use crate::exchange::abs::AbsError;
use chronotap_audio::tone::SampleError;
use chronotap_core::files::NotUtf8;
use std::path::PathBuf;

/// Why the words that say where something stands cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// Nothing says in which unit the times are.
    #[error("\"{written}\": no unit")]
    NoUnit { written: String },
    /// A unit that is none.
    #[error("\"{written}\": \"{unit}\" is no unit")]
    Unit {
        written: String,
        unit: String,
        /// The unit that was probably meant.
        near: Option<&'static str>,
    },
    /// There is no column in it.
    #[error("\"{written}\": no column")]
    NoColumn { written: String },
    /// A condition that is not `COLUMN = VALUE`.
    #[error("\"{written}\": \"{only}\" does not say which column has which value")]
    Only { written: String, only: String },
}

/// Why a cell is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// A comma stands in it.
    #[error("a comma stands in the number")]
    Comma,
    #[error("it is no number")]
    NotANumber,
    /// A point stands in it, where a comma is the decimal sign.
    #[error("a point stands in the number, and a comma is the decimal sign")]
    Point,
    /// In a list commas would part the numbers and be their decimal sign.
    #[error("commas part the numbers of the list, and a comma is the decimal sign")]
    CommaInList,
    /// It does not fit into 292 years of nanoseconds.
    #[error("the number is too large")]
    TooLarge,
}

/// Why a file cannot be imported.
#[derive(Debug, thiserror::Error)]
pub enum TapsError {
    #[error("{}: cannot read it: {source}", path.display())]
    Read {
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    #[error("{name}:{}: {found}", found.line)]
    NotText { name: String, found: NotUtf8 },
    /// There is no tap in it.
    #[error("{name}: there is no tap in it")]
    Nothing { name: String },
    /// Nothing says where the taps are.
    #[error("{name}: nothing says which column has the taps; the first line has {}", columns.join(", "))]
    NoTaps { name: String, columns: Vec<String> },
    /// The first line has a number where the name of a column should stand.
    #[error("{name}:{line}: the first line has \"{cell}\" where the name of a column should stand")]
    NoNames { name: String, line: usize, cell: String },
    /// Something was said that files of this kind have no use for.
    #[error("{name}: {kind}: what was said of it is of no use there ({setting:?})")]
    Unused { name: String, kind: &'static str, setting: ImportSetting },
    /// A column that is not there.
    #[error("{name}:{line}: there is no column \"{column}\"; there are {}", columns.join(", "))]
    NoColumn {
        name: String,
        line: usize,
        column: String,
        columns: Vec<String>,
        /// The one that was probably meant.
        near: Option<String>,
    },
    /// Two columns have one name.
    #[error("{name}:{line}: two columns are called \"{column}\"")]
    TwoColumns { name: String, line: usize, column: String },
    /// A line with more or fewer cells than the first.
    #[error("{name}:{line}: {found} cells, but the first line has {needed}")]
    Cells { name: String, line: usize, found: usize, needed: usize },
    /// Quotation marks that do not end.
    #[error("{name}:{line}: the quotation mark that begins here does not end")]
    Quote { name: String, line: usize },
    /// A cell that does not hold what its column holds.
    #[error("{name}:{line}: column {column}: \"{cell}\": {wrong}")]
    Number { name: String, line: usize, column: String, cell: String, wrong: NumberError },
    /// A time without its unit.
    #[error("{name}: the unit of {what} is not known")]
    NoUnit { name: String, what: &'static str },
    /// A row that is earlier than the one before it in its trial.
    #[error("{name}:{line}: {what} at {now_ms} ms comes before the one at {last_ms} ms above it")]
    Back { name: String, line: usize, what: &'static str, now_ms: String, last_ms: String },
    /// Asynchronies say nothing without the interval of the stimuli.
    #[error("{name}: asynchronies, and no interval between the stimuli")]
    NoInterval { name: String },
    /// An interval of nothing or less.
    #[error("{name}:{line}: an interval of {ms} ms")]
    Interval { name: String, line: usize, ms: String },
    /// An asynchrony that is nearer to another stimulus.
    #[error(
        "{name}:{line}: an asynchrony of {asynchrony_ms} ms is more than half the interval of {interval_ms} ms"
    )]
    Far { name: String, line: usize, asynchrony_ms: String, interval_ms: String },
    /// A number of a stimulus that is not above the one before.
    #[error("{name}:{line}: stimulus {beat} does not come behind stimulus {last}")]
    Beat { name: String, line: usize, beat: String, last: i64 },
    /// A trial that goes on behind another one, or stands in two files.
    #[error("{name}:{line}: trial {trial} of participant {participant} stands here a second time")]
    Again { name: String, line: usize, trial: String, participant: String },
    /// Two files hold the same.
    #[error("{name}: the same as {other}")]
    SameFile { name: String, other: String },
    /// A row that does not say whose it is.
    #[error("{name}:{line}: nothing says whose taps these are")]
    Nobody { name: String, line: usize },
    /// A label without a letter or a digit.
    #[error("{name}:{line}: participant \"{label}\" has neither letters nor digits")]
    Label { name: String, line: usize, label: String },
    /// Two participants who would have one label.
    #[error("{name}:{line}: participants \"{one}\" and \"{other}\" would both be sub-{label}")]
    SameLabel { name: String, line: usize, one: String, other: String, label: String },
    /// A file of stimuli lacks a trial.
    #[error("{name}:{line}: {other} has no stimuli of the trial that begins here")]
    NoStimuli { name: String, line: usize, other: String },
    /// A file of this kind is read otherwise.
    #[error("{name}:{line}: no line of {kind}")]
    Line { name: String, line: usize, kind: &'static str },
    /// A file that says it is something and is not.
    #[error("{name}: not {kind}: {why}")]
    Broken { name: String, kind: &'static str, why: String },
    /// Several tracks or channels, and nobody said which of them has the taps.
    #[error("{name}: notes are on {}", found.join(", "))]
    Which { name: String, found: Vec<String> },
    /// A sound that cannot be read. Its cure stands with it.
    #[error("{name}: {error}")]
    Sound { name: String, error: SampleError },
    /// A rate at which taps cannot be heard exactly, or that no card has.
    #[error("{name}: {rate_hz} frames a second, and taps are heard at 4000 to 384000")]
    Rate { name: String, rate_hz: u32 },
    /// A sound of several channels, and nobody said which of them has the taps.
    #[error("{name}: a sound of {channels} channels, and nothing says which of them has the taps")]
    Channels { name: String, channels: u16 },
    /// A channel that a sound does not have.
    #[error("{name}: \"{asked}\" is no channel of it; it has {channels}")]
    Channel { name: String, asked: String, channels: u16 },
    /// Nothing in a channel is as loud as a tap must be, in dB of full scale.
    #[error(
        "{name}: channel {channel}: nothing rises from {threshold_db} dB of full scale; its noise is at {noise_db} dB, and \
         its loudest parts at {loud_db} dB"
    )]
    Quiet { name: String, channel: u16, threshold_db: String, noise_db: String, loud_db: String },
    /// What REPP played beside a recording of it is not named.
    #[error("{name}: what REPP played is not known")]
    NoReppStimulus { name: String },
    /// A recording of REPP without its markers.
    #[error("{name}: no marker of REPP is heard in it")]
    NoMarker { name: String },
    /// A trial file cannot name what happened.
    #[error("{name}:{line}: the trial file of its events is refused: {why}")]
    Refused { name: String, line: usize, why: String },
    #[error(transparent)]
    Ftap(#[from] AbsError),
}
