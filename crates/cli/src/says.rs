//! What the terminal says of an error: [`in_full`]. A library's error is a kind with its values, and
//! its `Display` states the condition alone. What to do about it, and by which option or command,
//! depends on who reads it, so it stands here, once for each kind.
//!
//! The path for an error type of a library:
//!
//! 0. Kinds that wrap an error of another library say what `of(error)` says; such a wrapper is in the
//!    tables before what it wraps, since the chain of an error skips what is `transparent`.
//! 1. In the library, `#[error("…")]` states the condition: what was found, where, what the system said.
//!    It has no advice, option or command; a value that was a finished sentence (`cure: String`,
//!    `flag: &'static str`) becomes a kind or a plain value, of which each surface makes its own words.
//! 2. In `says/CRATE.rs`, `impl Says for TheError` has one `match` without a `_` arm, so that the
//!    compiler asks for the sentence of a new kind. An arm is one of three: [`with`] (condition, then
//!    cure), `format!` where an option stands in front, or, for a kind that wraps another library's error,
//!    that error's own `says()`. An error in a box (`Box<dyn Error>`) is said by [`of`].
//! 3. The type has its line in `ROWS` of that file, by which [`in_full`] finds it in the chain of an
//!    error. A command then needs no `map_err` and no `to_string`; where an error becomes a text outside
//!    such a chain, it is `error.says()`.
//! 4. `examples()` of that file has one value for each kind. `says/sentences.txt` has what is said of each;
//!    `make accept` writes it anew.
//!
//! Mistakes in a file of the experimenter are the exception (`OF_FILES` in `tests.rs`): their cure is a
//! change of that file, the same on every surface, so it comes from the table of the file's keys.
//!
//! Worked examples: `runner.rs` (condition and cure) and `laboratory.rs` (`FollowError`, whose
//! sentences begin with an option). Pages have their own table in `console/src/says.rs`, and Python
//! in `python/src/says.rs`; a type that reaches neither needs no words there.

mod alignment;
mod cards;
pub mod command;
mod console;
pub mod demo_build;
mod design;
mod exchange;
mod files;
pub mod ftap;
mod laboratory;
mod machine;
mod pages;
mod playback;
mod ports;
mod power;
mod record;
mod runner;
mod session;
mod shares;
mod studies;
mod tables;
pub mod timing;

pub use pages::{begun_from_a_page, for_a_page};
pub use session::{done_to, ended};
pub use tables::said_aside;

use std::error::Error;
use std::fmt::Display;
use std::str::FromStr;

/// What the terminal says of a library's error.
pub trait Says: Error + 'static {
    /// The whole sentence: the condition, then what to do.
    fn says(&self) -> String;
}

/// Condition, then cure.
fn with(condition: &impl Display, cure: impl Display) -> String {
    format!("{condition}; {cure}")
}

/// What is said of an error that may be of any type: one without words of its own states its condition.
pub fn of(error: &(dyn Error + 'static)) -> String {
    let mut rows = TABLES.iter().copied().flatten();
    rows.find_map(|row| (row.look)(error)).unwrap_or_else(|| error.to_string())
}

/// An error and its causes, each said once: many sentences hold their cause already.
pub fn in_full(error: &anyhow::Error) -> String {
    let mut said = String::new();
    for cause in error.chain() {
        let words = of(cause);
        if said.is_empty() {
            said = words;
        } else if !said.contains(&words) && !said.contains(&cause.to_string()) {
            said += &format!(": {words}");
        }
    }
    said
}

/// An argument as its own type, for clap; what is wrong with it is said as everywhere.
pub fn parsed<T>(text: &str) -> Result<T, String>
where
    T: FromStr<Err: Says>,
{
    text.parse().map_err(|error: T::Err| error.says())
}

/// Every library's errors.
const TABLES: &[&[Row]] = &[
    alignment::ROWS,
    cards::ROWS,
    console::ROWS,
    design::ROWS,
    exchange::ROWS,
    files::ROWS,
    ftap::ROWS,
    laboratory::ROWS,
    machine::ROWS,
    playback::ROWS,
    ports::ROWS,
    power::ROWS,
    record::ROWS,
    runner::ROWS,
    session::ROWS,
    shares::ROWS,
    studies::ROWS,
    tables::ROWS,
    timing::ROWS,
];

/// One type of error.
struct Row {
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the tests hold the list against the libraries")
    )]
    name: fn() -> &'static str,
    look: fn(&(dyn Error + 'static)) -> Option<String>,
}

const fn row<T: Says>() -> Row {
    Row { name: std::any::type_name::<T>, look: look::<T> }
}

/// An error may be held in a box of its own type.
fn look<T: Says>(error: &(dyn Error + 'static)) -> Option<String> {
    let boxed = || error.downcast_ref::<Box<T>>().map(|error| error.says());
    error.downcast_ref::<T>().map(Says::says).or_else(boxed)
}

#[cfg(test)]
mod tests;
