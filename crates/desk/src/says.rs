//! What the terminal says of an error: [`in_full`]. The sentences stand in `chronotap_words`. Here is what only the
//! command line has: its own refusals.

pub mod command;

pub use chronotap_words::Surface::Terminal;
pub use chronotap_words::{Says, done_to, ended, ftap, said_aside};

use std::error::Error;
use std::str::FromStr;

/// What the terminal says of an error that may be of any type.
pub fn of(error: &(dyn Error + 'static)) -> String {
    chronotap_words::of(error, Terminal)
}

/// An error and its causes, each said once.
pub fn in_full(error: &anyhow::Error) -> String {
    chronotap_words::in_full(error.chain(), of)
}

/// An argument as its own type, for clap; what is wrong with it is said as everywhere.
pub fn parsed<T>(text: &str) -> Result<T, String>
where
    T: FromStr<Err: Says>,
{
    text.parse().map_err(|error: T::Err| error.says(Terminal))
}
