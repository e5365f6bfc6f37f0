//! [`PortKind`]: one kind of port, which is a row of the table [`Kinds`](crate::ports::PortKinds), and
//! [`PortName`], what every name of a port can do. Help, errors, `chronotap ports` and the
//! documentation know of a kind what stands in its row.
//!
//! Each row stands in a file `kind.rs` next to its port. What an opened port does is the
//! affair of [`Port`].

use crate::ports::{OpenPortError, Uses};
use chronotap_engine::signal::{Port, Stamp};
use std::any::Any;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// One kind of port.
#[derive(Clone, Copy, Debug)]
pub struct PortKind {
    /// What stands before the first `:` of its names; no other kind has the same.
    pub prefix: &'static str,
    /// Every form that its names have. An error shows the first.
    pub forms: &'static [NameForm],
    /// Reads what stands after the first `:`; the text is empty where nothing does.
    pub parse: fn(&str) -> Result<Box<dyn PortName>, Misread>,
    /// The ports of this kind that are present. What is listed must not notice.
    pub list: fn() -> Vec<Listed>,
    /// What `chronotap ports` says where there is none to list.
    pub none_listed: Option<&'static str>,
    /// Whether a text of no known kind is probably a port of this one without its prefix.
    /// Where it is, the error proposes the name with the prefix.
    pub is_meant_by: fn(&str) -> bool,
    /// Whether a MIDI cable can lead from its output to its input, for the loop test.
    pub has_sockets: bool,
    /// What whoever uses data from such a port must know; shown before the trial, and kept
    /// with its data.
    pub warning: Option<&'static str>,
}

/// A form that names of a kind may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameForm {
    /// The whole name, capitals for what is to be filled in, as in `raw:PATH`.
    pub name: &'static str,
    /// What it means, in at most 72 characters: a line of the help.
    pub words: &'static str,
}

/// The name of a port, understood: it says which port is meant, and opens it.
pub trait PortName: Any + fmt::Debug + Send + Sync {
    /// The whole name with its prefix. The kind reads it back as the same name.
    fn full_name(&self) -> String;

    /// Opens the port for what a trial needs of it.
    ///
    /// # Errors
    /// Says why not. What the port cannot do at all is refused by the
    /// methods of [`Uses`].
    fn open(&self, uses: &Uses<'_>) -> Result<Box<dyn Port>, OpenPortError>;

    /// Looks, without opening it, whether what has this name can be such a port. A device that is
    /// not there yet can be plugged in.
    ///
    /// # Errors
    /// Says why not.
    fn look(&self) -> Result<(), OpenPortError> {
        Ok(())
    }

    /// Whether system exclusive messages can come in by it. A trial that records them is refused
    /// where they cannot.
    fn carries_sysex(&self) -> bool {
        false
    }

    /// Whether it says how long it takes from a deadline to the converter, which outputs that are
    /// aligned must know.
    fn states_latency(&self) -> bool {
        false
    }

    /// What whoever uses its data must know, where that is not so of every port of its kind.
    fn warning(&self) -> Option<&'static str> {
        None
    }

    /// Whether codes for another recorder can go out by it.
    fn codes(&self) -> CodesOf {
        CodesOf::None
    }

    /// Whether the port is looked for by this name where it was lost in mid-trial, and opened
    /// again as at first. False where the name may then mean another port.
    fn reopens(&self) -> bool;
}

/// What a port makes of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodesOf {
    /// It carries tones and controllers, and no code.
    None,
    /// It carries codes of so many bits and nothing else.
    Only {
        bits: u32,
        /// What stands on the line at rest, which no recorder tells from a code like it.
        rest: u16,
    },
    /// It carries both; codes of so many bits.
    Both { bits: u32 },
}

/// Why the part of a name after its prefix was not understood.
#[derive(Debug, thiserror::Error)]
pub enum Misread {
    /// It has none of the kind's forms. The nearest form is proposed.
    #[error("the name has none of the forms of its kind")]
    NoSuchForm,
    /// It has the form and is wrong; the error says where.
    #[error(transparent)]
    Wrong(#[from] Box<dyn Error + Send + Sync>),
}

impl Misread {
    /// The kind's own error.
    pub fn wrong(error: impl Error + Send + Sync + 'static) -> Misread {
        Misread::Wrong(Box::new(error))
    }
}

/// A port that could be named.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The name to give.
    pub name: String,
    pub description: String,
    /// Whether it can be an input.
    pub input: bool,
    /// Whether it can be an output.
    pub output: bool,
    /// Who stamps what comes in.
    pub stamp: Stamp,
    /// Why it cannot be opened: a [`Permission`], or the kind's own error.
    pub refused: Option<Arc<dyn Error + Send + Sync>>,
}
