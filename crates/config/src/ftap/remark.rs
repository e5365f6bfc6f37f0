//! [`Remark`]: what came to light in a configuration file and stops nothing: what is not acted
//! on, and what was assumed.

use crate::ftap::FtapFault;

/// What the user should know of.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Remark {
    /// The metronome has no part in the trial.
    #[error("the metronome is never on, and nothing counts it: it is left out")]
    NeverOn,
    /// Channels and pattern of the metronome are not of one length.
    #[error(
        "{channels} has {of_channels} values, {pattern} {of_pattern}: each is repeated by itself"
    )]
    Unequal {
        /// The array of the channels.
        channels: &'static str,
        /// How long it is.
        of_channels: usize,
        /// The array of the pattern.
        pattern: &'static str,
        /// How long it is.
        of_pattern: usize,
    },
    /// A line that the user lets be dropped.
    #[error("dropped with {part}: {fault}")]
    Dropped {
        /// What is wrong with it.
        fault: FtapFault,
        /// The part that it belongs to.
        part: &'static str,
    },
    /// A line of the split point that the user lets be dropped.
    #[error("dropped with {part}: the reading {reading} says where the keyboard is split")]
    SplitDropped {
        /// The part that it belongs to.
        part: &'static str,
        /// The reading that holds.
        reading: &'static str,
    },
    /// A keyword that stands twice.
    #[error("{name} stands on line {holds} too, and that line holds")]
    Repeated {
        /// The keyword.
        name: String,
        /// The line that holds.
        holds: usize,
    },
    /// A trigger with a mistake, which the user lets be left out.
    #[error("left out: {0}")]
    LeftOut(FtapFault),
    /// A trigger that does nothing.
    #[error("changes nothing, because {0}; it is marked in the data")]
    Inert(Inert),
    /// Nothing ends the trial.
    #[error("no TRIGGER names END_EXP: the trial runs until it is interrupted")]
    Endless,
    /// Parameters that the file does not give and that were read all the same.
    #[error("not in the file, and FTAP's own values are not known; read as {}", .0.join(", "))]
    Assumed(Vec<String>),
    /// Where the sides of the keyboard part, in a file that does not say it.
    #[error("the sides of the keyboard part at note {note}, because the file does not say where")]
    Parted {
        /// The lowest note of the high side.
        note: i64,
        /// The reading that says it.
        reading: &'static str,
    },
    /// On which side the key at the split point is.
    #[error("SPLIT_POINT {note} is read as the lowest note of the high side")]
    SplitKey {
        note: i64,
        /// The reading that says it.
        reading: &'static str,
        /// Its other answer.
        other: &'static str,
    },
}

/// Why a trigger does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Inert {
    /// The array of channels goes before.
    #[error("{0} gives each position its channel")]
    Channels(&'static str),
    /// The mode with which its number matters is off.
    #[error("{0} is not 1 then")]
    ModeOff(&'static str),
    /// There is no metronome.
    #[error("the metronome is never on")]
    NeverOn,
    /// There is no masking.
    #[error("masking is never on")]
    NeverMasked,
    /// No channel hears one side of the keyboard then.
    #[error("no feedback channel hears one side of the keyboard then")]
    NoSides,
}

/// A remark, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The line, from 1; 0 where the whole file is meant.
    pub line: usize,
    /// What there is to say.
    pub remark: Remark,
}
