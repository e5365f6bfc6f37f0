#![forbid(unsafe_code)]
//! What each surface says of an error: [`of`]. A library's error is a kind with its values, and its
//! `Display` states the condition alone. What to do about it, and by which option or command, depends
//! on who reads it, so it stands here, once for each kind.
//!
//! The path for an error type of a library:
//!
//! 0. Kinds that wrap an error of another library say what `of(error)` says; such a wrapper is in the
//!    tables before what it wraps, since the chain of an error skips what is `transparent`.
//! 1. In the library, `#[error("…")]` states the condition: what was found, where, what the system said.
//!    It has no advice, option or command; a value that was a finished sentence (`cure: String`,
//!    `flag: &'static str`) becomes a kind or a plain value, of which each surface makes its own words.
//! 2. In the file of its room, `impl Says for TheError` has one `match` without a `_` arm, so that the
//!    compiler asks for the sentence of a new kind. An arm is one of three: [`with`] (condition, then
//!    cure), `format!` where an option stands in front, or, for a kind that wraps another library's error,
//!    that error's own `says()`. An error in a box (`Box<dyn Error>`) is said by [`of`].
//! 3. The type has its line in `ROWS` of that file, by which [`in_full`] finds it in the chain of an
//!    error. A command then needs no `map_err` and no `to_string`; where an error becomes a text outside
//!    such a chain, it is `error.says()`.
//! 4. `examples()` of that file has one value for each kind. `terminal.txt` has what is said of each;
//!    `make accept` writes it anew.
//!
//! Mistakes in a file of the experimenter are the exception (`OF_FILES` in `tests.rs`): their cure is a
//! change of that file, the same on every surface, so it comes from the table of the file's keys.

#[cfg(feature = "bench")]
mod bench;
#[cfg(feature = "devices")]
mod devices;
mod files;

#[cfg(feature = "devices")]
pub use devices::{done_to, ended};
pub use files::{WHOLE, ftap, said_aside};

use std::error::Error;
use std::fmt::Display;

/// What is said of a library's error.
pub trait Says: Error + 'static {
    /// The whole sentence: the condition, then what to do.
    fn says(&self) -> String;
}

/// Condition, then cure.
pub fn with(condition: &impl Display, cure: impl Display) -> String {
    format!("{condition}; {cure}")
}

/// What is said of an error that may be of any type: one without words of its own states its condition.
pub fn of(error: &(dyn Error + 'static)) -> String {
    look_up(error).unwrap_or_else(|| error.to_string())
}

/// What is said of an error that has words here.
pub fn look_up(error: &(dyn Error + 'static)) -> Option<String> {
    TABLES.iter().copied().flatten().copied().flatten().find_map(|row| row.says(error))
}

/// An error and its causes, each said once: many sentences hold their cause already.
pub fn in_full<'e>(
    causes: impl Iterator<Item = &'e (dyn Error + 'static)>,
    say: impl Fn(&(dyn Error + 'static)) -> String,
) -> String {
    let mut said = String::new();
    for cause in causes {
        let words = say(cause);
        if said.is_empty() {
            said = words;
        } else if !said.contains(&words) && !said.contains(&cause.to_string()) {
            said += &format!(": {words}");
        }
    }
    said
}

/// Every library's errors.
const TABLES: &[&[&[Row]]] = &[
    files::ROWS,
    #[cfg(feature = "devices")]
    devices::ROWS,
    #[cfg(feature = "bench")]
    bench::ROWS,
];

/// One type of error.
pub struct Row {
    /// Its path, by which the tests hold the list against the libraries.
    pub name: fn() -> &'static str,
    look: fn(&(dyn Error + 'static)) -> Option<String>,
}

impl Row {
    /// What is said of an error of this type.
    pub fn says(&self, error: &(dyn Error + 'static)) -> Option<String> {
        (self.look)(error)
    }
}

/// The row of a type.
pub const fn row<T: Says>() -> Row {
    Row { name: std::any::type_name::<T>, look: look::<T> }
}

/// An error may be held in a box of its own type.
fn look<T: Says>(error: &(dyn Error + 'static)) -> Option<String> {
    let boxed = || error.downcast_ref::<Box<T>>().map(|error| error.says());
    error.downcast_ref::<T>().map(Says::says).or_else(boxed)
}

#[cfg(test)]
mod tests;
