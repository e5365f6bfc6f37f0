#![forbid(unsafe_code)]
//! Configuration files of FTAP (Finney 2001), read and made into trial files.
//!
//! Only the keywords that occur in FTAP's public documents are translated. Every other line is
//! kept as a comment, with its number. Where those documents leave a meaning open, the
//! reading is a choice of the user ([`Readings`]), and the trial file says which was taken.
//! FTAP's output files are not read here: no document gives their columns.

mod configuration;
mod fault;
mod feedback;
mod import;
mod keywords;
mod metronome;
mod page;
mod readings;
mod statement;
mod trigger;

pub use import::{Imported, import};
pub use readings::{ReadingError, Readings};

use chronotap_experiment::{Problems, TrialFile};

/// Whether a text is a configuration file of FTAP, by what stands in it.
///
/// Its first line that begins with a letter or a bracket must begin with a word in capitals
/// that is followed by a value and no `=`, which no trial file does; and some line must begin
/// with an attested keyword.
pub fn is_ftap(text: &str) -> bool {
    let telling = |line: &&str| line.starts_with(|c: char| c.is_alphabetic() || c == '[');
    let mut lines = text.lines().map(str::trim).filter(telling);
    let Some(first) = lines.next() else { return false };
    let capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let (word, rest) = first.split_once(char::is_whitespace).unwrap_or((first, ""));
    word.chars().all(capital)
        && !rest.trim_start().starts_with('=')
        && std::iter::once(first)
            .chain(lines)
            .any(|line| line.split_whitespace().next().is_some_and(keywords::is_attested))
}

/// The trial of a configuration file called `name`, ready to run. Its doubts are those of the
/// import, each with the line of FTAP's file, then those of the trial file.
///
/// # Errors
/// All the mistakes of the file, each with its line and cure.
pub fn read(text: &str, name: &str, readings: &Readings) -> Result<TrialFile, Problems> {
    let imported = import(text, name, readings)?;
    let mut file = TrialFile::parse(&imported.toml, name)?;
    let of_the_trial = file.warnings.iter().map(|doubt| format!("in the trial it became, {doubt}"));
    file.warnings = imported.notes.into_iter().chain(of_the_trial).collect();
    Ok(file)
}
