//! What the command line lacks, in one line: what is wrong, what may have been
//! meant, and where the help is. Help and version are shown as they come.

mod missing;
mod named;
mod slips;

pub use missing::EXAMPLES;
pub use named::commands_of_files;

use crate::called::command;
use crate::screen::{arguments, complain, on_one_line, remark, visible};
use crate::surroundings::here;
use crate::table;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::ffi::OsString;
use std::process::ExitCode;

/// Shows why the command line was not understood, or the help that was asked for.
pub fn refuse(error: &clap::Error) -> ExitCode {
    let help = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if !error.use_stderr() || error.kind() == help {
        let _ = error.print(); // a reader that is gone needs no help
        return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
    }
    let given = arguments();
    if let Some(told) = named::what_can_be_done(error, &given) {
        complain(&told.first);
        told.lines.iter().for_each(remark);
        return ExitCode::from(2);
    }
    let said = || one_line(&quoted(error, &given), &command(&given).1);
    complain(&lacked(error).unwrap_or_else(said));
    ExitCode::from(2)
}

/// What is wrong, every control character in what was typed shown as its number. The message
/// has lines of its own and drops what a terminal would obey, so that it is asked for anew.
fn quoted(error: &clap::Error, given: &[String]) -> String {
    let shown: Vec<String> = given.iter().map(|one| on_one_line(&visible(one))).collect();
    match (shown != given).then(|| parsed(&shown)) {
        Some(Err(again)) if again.use_stderr() => what_is_wrong(&again, &shown),
        _ => what_is_wrong(error, given),
    }
}

/// What is wrong with a command line, in one line. The words are those behind the name of the program.
pub fn in_one_line(error: &clap::Error, given: &[String]) -> String {
    one_line(&what_is_wrong(error, given), &command(given).1)
}

/// What is said of a command that only this build lacks.
fn lacked(error: &clap::Error) -> Option<String> {
    match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(name))) => here().lacked(name),
        _ => None,
    }
}

/// What is wrong with these words behind the name of the program.
fn parsed(given: &[String]) -> Result<(), clap::Error> {
    let line = std::iter::once("chronotap").chain(given.iter().map(String::as_str));
    table::given(line.map(OsString::from)).map(drop)
}

/// What is wrong. A value that begins with a minus is taken for an option where it stands by
/// itself: then what is wrong with the value is told, or else how to write it.
fn what_is_wrong(error: &clap::Error, given: &[String]) -> String {
    let negative = |one: &String| {
        one.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let joined = given.windows(2).position(|two| two[0].starts_with("--") && negative(&two[1]));
    let (ErrorKind::UnknownArgument, Some(at)) = (error.kind(), joined) else {
        let (command, called) = command(given);
        let lacks = |line: &[String]| {
            parsed(line).is_err_and(|error| error.kind() == ErrorKind::MissingRequiredArgument)
        };
        let slip = slips::meant(error, &command, given)
            .or_else(|| slips::needed(error, &command, (given, lacks)));
        if let Some(slip) = slip {
            return slip;
        }
        let missing = missing::what_is_missing(error, &command, &called);
        return missing.unwrap_or_else(|| error.render().to_string());
    };
    let value = format!("{}={}", given[at], given[at + 1]);
    match parsed(&[&given[..at], std::slice::from_ref(&value), &given[at + 2..]].concat()) {
        Err(wrong) if wrong.use_stderr() => wrong.render().to_string(),
        _ => format!("a value that begins with a minus is written in one piece: {value}"),
    }
}

/// The message and its tips, without the empty lines and the usage.
fn one_line(rendered: &str, command: &str) -> String {
    let (message, _) = rendered.split_once("\nUsage: ").unwrap_or((rendered, ""));
    let mut parts: Vec<String> = Vec::new();
    for line in message.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let line = line.trim_start_matches("error: ").trim_start_matches("tip: ");
        let line = &line.replace("invalid digit found in string", "write a whole number from 0");
        let line = &within_bounds(line).unwrap_or_else(|| line.clone());
        // Nobody means an option that is not there as a file of that name.
        let as_a_value = line.starts_with("to pass '");
        if as_a_value || line.starts_with("For more information") {
            continue;
        }
        match parts.last_mut() {
            Some(last) if last.ends_with(':') => *last += &format!(" {line}"),
            Some(last) if line.starts_with('<') => *last += &format!(" {line}"),
            _ => parts.push(line.to_owned()),
        }
    }
    format!("{}; see `{command} --help`", parts.join("; "))
}

/// A message such as "0 is not in 1..=98" in words. The greatest number that a type can hold is
/// no bound that anybody wants to know.
fn within_bounds(line: &str) -> Option<String> {
    let (said, bounds) = line.rsplit_once(" is not in ")?;
    let (least, most) = bounds.split_once("..=")?;
    let (before, _) = said.rsplit_once(": ")?;
    let up_to = if most.len() < 10 { format!(" to {most}") } else { String::new() };
    Some(format!("{before}: write a whole number from {least}{up_to}"))
}
