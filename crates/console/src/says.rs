//! What pages say of an error ([`in_full`]) and of a session's end ([`ended`]). A library's error is a
//! kind with its values; what somebody at a page does about it is said here, once for each kind. They
//! see no command line: a session is begun again, an option is a field of the form, and a trial that
//! was cut off is recovered when its session goes on.
//!
//! Each table is one `match` without a `_` arm, so that the compiler asks for the sentence of a new kind.

mod laboratory;
mod record;
mod session;

pub use laboratory::{PORTS, names_ports};
pub(crate) use session::{done_to, ended};

use chronotap_core::files::Refusal;
use std::error::Error;
use std::fmt::Display;

/// What pages say of a library's error.
pub trait Says: Error + 'static {
    /// The whole sentence: the condition, then what to do.
    fn says(&self) -> String;
}

/// What a page says of an error and its causes, each once. `otherwise` has the words for an error that no
/// table here has.
pub fn in_full<'e>(
    causes: impl Iterator<Item = &'e (dyn Error + 'static)>,
    otherwise: impl Fn(&(dyn Error + 'static)) -> String,
) -> String {
    let mut said = String::new();
    for cause in causes {
        let words = look_up(cause).unwrap_or_else(|| otherwise(cause));
        if said.is_empty() {
            said = words;
        } else if !said.contains(&words) && !said.contains(&cause.to_string()) {
            said += &format!(": {words}");
        }
    }
    said
}

/// Where it is known how to go on, condition and cure; else the condition.
fn of(error: &(dyn Error + 'static)) -> String {
    look_up(error).unwrap_or_else(|| error.to_string())
}

fn look_up(error: &(dyn Error + 'static)) -> Option<String> {
    let tables = [session::ROWS, record::ROWS, laboratory::ROWS];
    tables.into_iter().flatten().find_map(|row| row(error))
}

/// One type of error: its words, where the error is of the type.
type Row = fn(&(dyn Error + 'static)) -> Option<String>;

fn row<T: Says>(error: &(dyn Error + 'static)) -> Option<String> {
    let boxed = || error.downcast_ref::<Box<T>>().map(|error| error.says());
    error.downcast_ref::<T>().map(Says::says).or_else(boxed)
}

/// Condition, then cure.
fn with(condition: &impl Display, cure: impl Display) -> String {
    format!("{condition}; {cure}")
}

/// What to do about a file or folder that the system refuses.
pub(crate) fn cure(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Full => "free space",
        Refusal::ReadOnly => "mount the disk for writing",
        Refusal::Gone => "put the folder back",
        Refusal::Forbidden => "correct the rights of the folder",
        Refusal::Broken => "see that the disk is connected and sound",
    }
}

#[cfg(test)]
mod tests;
