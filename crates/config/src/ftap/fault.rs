//! [`FtapFault`]: what is wrong with a line of a configuration file, and [`Mistake`], where; and the
//! reading of a whole number, which every kind of line has.

use crate::ftap::answers::is_keyword;
use std::fmt;

/// What is wrong with a line, or with the whole file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FtapFault {
    /// A word that should be a whole number.
    #[error("{what} takes a whole number, not \"{word}\"")]
    NoNumber {
        /// What it should be of.
        what: String,
        /// The word, cut short.
        word: String,
    },
    /// A parameter with more or fewer numbers than one.
    #[error("{name} takes one whole number, and here are {found}")]
    OneNumber {
        name: &'static str,
        /// How many there are.
        found: usize,
    },
    /// A mode whose meaning is not known.
    #[error("{name} {value} is a mode that is not translated")]
    UnknownMode { name: &'static str, value: i64 },
    /// A line that begins with a word that is not translated.
    #[error("{word} is no keyword that is translated")]
    NoKeyword {
        /// The word, cut short.
        word: String,
        /// The known one that it is most like.
        near: Option<&'static str>,
    },
    /// A word that may begin a remark, where a remark begins otherwise.
    #[error("{sign} is neither a keyword nor a value")]
    StrangeRemark { sign: &'static str },
    /// A trigger of a parameter that is not translated.
    #[error("a TRIGGER of {word}, which is no parameter that is translated")]
    NoParameter {
        /// The word, cut short.
        word: String,
        /// The known one that it is most like.
        near: Option<&'static str>,
    },
    /// A table that the user says random delays are drawn from, and that is not in the file.
    #[error("random delays are drawn from {word}, which is not in the file")]
    NoTable { word: String },
    /// A value that a parameter cannot have.
    #[error("{name} {value} is outside {least} to {most}")]
    Outside {
        name: &'static str,
        value: i64,
        /// The least that it can have.
        least: i64,
        most: i64,
    },
    /// An array that is empty.
    #[error("{name} has no values")]
    NoValues { name: String },
    /// An array that is longer or shorter than it says.
    #[error("{name} announces {announced} values and has {found}")]
    Announced {
        name: String,
        /// How many it says.
        announced: i64,
        /// How many it has.
        found: usize,
    },
    /// An array that is longer than any pattern of a trial file.
    #[error("{name} has more than {most} values")]
    LongArray {
        name: String,
        /// How many there may be.
        most: usize,
    },
    /// A value that an array cannot hold.
    #[error("{name} holds {value}, which is outside {least} to {most}")]
    Element {
        name: String,
        value: i64,
        /// The least that it can hold.
        least: i64,
        most: i64,
    },
    /// A trigger with more or fewer fields than five.
    #[error("a TRIGGER has five fields, and here are {found}")]
    Fields {
        /// How many there are.
        found: usize,
    },
    /// A trigger that counts nothing known.
    #[error("a TRIGGER is of type K, T or M, not \"{found}\"")]
    Type {
        /// What stands there, cut short.
        found: String,
    },
    /// A trigger whose count nothing reaches.
    #[error("a count of {count} is outside {least} to {most}")]
    Count {
        count: i64,
        /// The least that there can be.
        least: i64,
        most: i64,
    },
    /// A trigger whose name is no word.
    #[error("this id is no short word")]
    LongId,
    /// Two triggers of one name.
    #[error("a TRIGGER before has the id {id} too")]
    SecondId { id: String },
    /// A trigger of what holds more than one number.
    #[error("{name} is an array, and a TRIGGER sets integers")]
    ArrayTrigger { name: String },
    /// A parameter that the file does not give and whose value cannot be guessed.
    #[error("{what} needs {name}, which is not in the file")]
    Needs {
        /// What cannot do without it.
        what: String,
        /// The parameter, which is also the name of a reading.
        name: &'static str,
    },
    /// A count of the metronome before its first position, as the reading of this name says.
    #[error("a metronome count of 0 comes before the first position")]
    BeforeFirst {
        /// The reading, which has another answer.
        reading: &'static str,
        /// That answer.
        other: &'static str,
    },
    /// A count that the metronome does not come to.
    #[error("the metronome never comes to this count")]
    NeverComes,
    /// Two triggers of which either may come first.
    #[error(
        "triggers of more than two counts set {mode} and {number} (see line {other}), so the \
         participant decides which acts last"
    )]
    Unordered {
        /// The parameter of the first.
        mode: &'static str,
        /// The parameter of the second.
        number: &'static str,
        /// The line of the second.
        other: usize,
    },
    /// A file of nothing.
    #[error("nothing here would sound, change or end")]
    Nothing,
    /// A file of which no trial file can be made.
    #[error("the trial file would be larger than 1 MB")]
    TooLarge,
    /// The same.
    #[error("more than {most} triggers")]
    ManyTriggers {
        /// How many there may be.
        most: usize,
    },
}

/// A reading by which the user says what such a line means, and what that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedReading {
    /// To be read behind "to".
    pub says: &'static str,
    /// The reading as `NAME=VALUE`, with what the user fills in in capitals.
    pub reading: String,
}

impl FtapFault {
    /// The reading that answers it, where there is one.
    pub fn way(&self) -> Option<OfferedReading> {
        let way = |says, reading: String| Some(OfferedReading { says, reading });
        match self {
            FtapFault::UnknownMode { name: "FEED_DMODE" | "FEED2_DMODE", .. } => {
                way("say what it draws, in ms", "random-delay=LEAST..MOST".into())
            }
            FtapFault::UnknownMode { name: "FEED_PMODE" | "FEED2_PMODE", value } => {
                way("say what it does", format!("pitch-map={value}:FORM:VALUE"))
            }
            FtapFault::StrangeRemark { sign } => {
                way("say that a remark begins with it", format!("remark={sign}"))
            }
            FtapFault::NoKeyword { near: Some(_), .. }
            | FtapFault::NoParameter { near: Some(_), .. } => None,
            FtapFault::NoKeyword { word, .. } | FtapFault::NoParameter { word, .. }
                if ["MASK_ON", "MASK_CHAN", "MASK_VEL", "MASK_LEN"].contains(&word.as_str()) =>
            {
                way("say what sounds", "masking=TONES_A_SECOND@LOWEST..HIGHEST".into())
            }
            FtapFault::NoKeyword { word, .. } | FtapFault::NoParameter { word, .. }
                if !is_keyword(word) =>
            {
                None
            }
            FtapFault::NoKeyword { word, .. } if word.starts_with("RNG") => {
                way("say that random delays are drawn from it", format!("random-delay={word}"))
            }
            FtapFault::NoKeyword { word, .. } => {
                way("take it as a text into the data", format!("strings={word}"))
            }
            FtapFault::NoParameter { word, .. } => {
                way("say what it sounds", format!("trigger-tone={word}:CHANNEL/VELOCITY/MS"))
            }
            _ => None,
        }
    }
}

/// A whole number, said to be of `what` where it is none.
pub(crate) fn whole(what: &str, word: &str) -> Result<i64, FtapFault> {
    let short = || word.chars().take(40).flat_map(char::escape_default).collect();
    word.parse().map_err(|_| FtapFault::NoNumber { what: what.to_owned(), word: short() })
}

/// A fault, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1; 0 where the whole file is meant.
    pub line: usize,
    pub fault: FtapFault,
    /// How the user can have such a line left out.
    pub way_out: Option<WayOut>,
}

/// How the user can have a line left out that cannot be translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayOut {
    /// By this answer of this reading.
    Reading(&'static str, &'static str),
    /// By dropping the part of this name.
    Without(&'static str),
}

/// All the mistakes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FtapMistakes(pub Vec<Mistake>);

impl FtapMistakes {
    /// The mistakes, of which those that one reading answers are one: the first, with the lines of
    /// the others.
    pub fn by_cause(&self) -> Vec<(&Mistake, Vec<usize>)> {
        let mut told: Vec<(&Mistake, Vec<usize>)> = Vec::new();
        for mistake in &self.0 {
            let way = mistake.fault.way();
            let same = |(other, _): &&mut (&Mistake, Vec<usize>)| {
                way.is_some() && other.fault.way() == way && other.file == mistake.file
            };
            match told.iter_mut().find(same) {
                Some((_, lines)) => lines.push(mistake.line),
                None => told.push((mistake, Vec::new())),
            }
        }
        told
    }
}

impl Mistake {
    /// What is wrong, also with the further lines of the same cause.
    pub fn with_lines(&self, lines: &[usize]) -> String {
        let Some((last, before)) = lines.split_last() else {
            return self.fault.to_string();
        };
        let before: Vec<String> = before.iter().map(usize::to_string).collect();
        match before.is_empty() {
            true => format!("{} (line {last} has the same cause)", self.fault),
            false => {
                let before = before.join(", ");
                format!("{} (lines {before} and {last} have the same cause)", self.fault)
            }
        }
    }
}

impl std::error::Error for FtapMistakes {}

impl fmt::Display for FtapMistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, Mistake { file, line, fault, .. }) in self.0.iter().enumerate() {
            let end = if n > 0 { "\n" } else { "" };
            match line {
                0 => write!(f, "{end}{file}: {fault}")?,
                line => write!(f, "{end}{file}:{line}: {fault}")?,
            }
        }
        Ok(())
    }
}
