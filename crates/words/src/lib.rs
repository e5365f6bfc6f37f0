#![forbid(unsafe_code)]
//! What is said of an error: [`of`]. A library's error is a kind with its values, and its `Display`
//! states the condition alone. What to do about it depends on who reads it, so it stands here, once
//! for each kind; a [`Surface`] has the words that differ in the terminal, on a page and in Python.
//!
//! The path for an error type of a library:
//!
//! 1. In the library, `#[error("…")]` states the condition: what was found, where, what the system
//!    said. It has no advice, option or command; a value that was a finished sentence
//!    (`cure: String`, `flag: &'static str`) becomes a kind or a plain value.
//! 2. In the file of its room, `impl Says for TheError` has one `match` without a `_` arm, so that
//!    the compiler asks for the sentence of a new kind. An arm is one of three: [`with`]
//!    (condition, then cure), `format!` where an option stands in front, or, for a kind that wraps
//!    another error, that error's own `says(surface)`. An error in a box (`Box<dyn Error>`) is said
//!    by [`of`].
//! 3. Where a surface differs, the arm says so: `surface.in_terminal("--follow ", "")`. What
//!    several kinds share is a constant of `surface.rs`, as `AGAIN`.
//! 4. The type has its line in `ROWS` of that file, by which [`in_full`] finds it in the chain of
//!    an error. A command then needs no `map_err` and no `to_string`; where an error becomes a text
//!    outside such a chain, it is `error.says(surface)`.
//! 5. `examples()` of that file has one value for each kind. `terminal.txt` has what is said of
//!    each, `page.txt` and `python.txt` what is said otherwise there; `make accept` writes them
//!    anew.
//!
//! Mistakes in a file of the experimenter are the exception (`OF_FILES` in `tests.rs`): their cure
//! is a change of that file, the same on every surface, so it comes from the table of its keys.

#[cfg(feature = "devices")]
mod bench;
pub mod commands;
#[cfg(feature = "devices")]
mod devices;
mod files;
mod surface;

pub use files::{TABLE_AS_UTF8, WHOLE, cure, done_to, ended, ftap, said_aside};
pub use surface::Surface;

pub(crate) use surface::{AGAIN, ANSWERS, BETWEEN, OTHER_FOLDER};

use std::error::Error;
use std::fmt::Display;

/// What is said of a library's error.
pub trait Says: Error + 'static {
    /// The whole sentence: the condition, then what to do.
    fn says(&self, surface: Surface) -> String;
}

/// Condition, then cure.
pub fn with(condition: &impl Display, cure: impl Display) -> String {
    format!("{condition}; {cure}")
}

/// What is said of an error that may be of any type: one without words of its own states its
/// condition.
pub fn of(error: &(dyn Error + 'static), surface: Surface) -> String {
    look_up(error, surface).unwrap_or_else(|| error.to_string())
}

/// What is said of an error that has words here.
pub fn look_up(error: &(dyn Error + 'static), surface: Surface) -> Option<String> {
    let mut rows = TABLES.iter().copied().flatten().copied().flatten();
    rows.find_map(|row| row.says(error, surface))
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
const TABLES: &[&[&[Sentences]]] = &[
    files::ROWS,
    #[cfg(feature = "devices")]
    devices::ROWS,
    #[cfg(feature = "devices")]
    bench::ROWS,
];

/// One type of error, and what is said of it.
pub struct Sentences {
    /// Its path, by which the tests hold the list against the libraries.
    pub name: fn() -> &'static str,
    look: fn(&(dyn Error + 'static), Surface) -> Option<String>,
}

impl Sentences {
    /// What is said of an error of this type.
    pub fn says(&self, error: &(dyn Error + 'static), surface: Surface) -> Option<String> {
        (self.look)(error, surface)
    }
}

/// The row of a type.
pub const fn row<T: Says>() -> Sentences {
    Sentences { name: std::any::type_name::<T>, look: look::<T> }
}

/// An error may be held in a box of its own type.
fn look<T: Says>(error: &(dyn Error + 'static), surface: Surface) -> Option<String> {
    let boxed = || error.downcast_ref::<Box<T>>().map(|error| &**error);
    error.downcast_ref::<T>().or_else(boxed).map(|error| error.says(surface))
}

#[cfg(test)]
mod tests;
