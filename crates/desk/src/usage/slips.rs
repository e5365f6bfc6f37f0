//! What was probably meant by a word that no command takes: an option with one dash, a value or a path with a space
//! and without quotes, a participant without `--participant`, a word too many.

use crate::called::longs;
use chronotap_core::text::nearest;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use std::path::Path;

/// Units behind a number that need quotes where a space stands between both.
const UNITS: [&str; 13] =
    ["ns", "us", "µs", "ms", "s", "sec", "seconds", "min", "minutes", "h", "d", "Hz", "kHz"];

/// What options are called elsewhere, and here.
const ALSO_CALLED: [(&str, &str); 30] = [
    ("as", "to"),
    ("device", "in"),
    ("dir", "data"),
    ("directory", "data"),
    ("folder", "data"),
    ("format", "to"),
    ("id", "participant"),
    ("input", "in"),
    ("iterations", "studies"),
    ("lang", "language"),
    ("midi-in", "in"),
    ("midi-out", "out"),
    ("model", "simulate"),
    ("n", "participants"),
    ("out-dir", "data"),
    ("outdir", "data"),
    ("output-dir", "output"),
    ("output-dir", "data"),
    ("people", "participants"),
    ("performer", "simulate"),
    ("port", "in"),
    ("runs", "repeat"),
    ("runs", "studies"),
    ("silent", "quiet"),
    ("sub", "participant"),
    ("subject", "participant"),
    ("subjects", "participants"),
    ("times", "repeat"),
    ("trials", "repeat"),
    ("type", "to"),
];

/// What is wrong with the word that was not expected, and what to write instead.
pub(super) fn meant(error: &clap::Error, command: &Command, given: &[String]) -> Option<String> {
    let said = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand if said(ContextKind::InvalidSubcommand)? == "chronotap" => {
            Some("'chronotap' stands twice; write it once".to_owned())
        }
        ErrorKind::UnknownArgument => {
            let word = said(ContextKind::InvalidArg)?;
            match word.starts_with('-') {
                true if word.starts_with("--") => match said(ContextKind::SuggestedArg) {
                    Some(_) => None,
                    None => called_elsewhere(word, command),
                },
                true => one_dash(word, command, given),
                false => surplus(word, command, given),
            }
        }
        _ => None,
    }
}

/// An option by another name than here.
fn called_elsewhere(word: &str, command: &Command) -> Option<String> {
    let name = word.trim_start_matches('-').split('=').next()?;
    let own: Vec<&str> = longs(command).collect();
    let meant = |(other, long): &(&str, &'static str)| {
        (*other == name && own.contains(long)).then_some(*long)
    };
    let long = ALSO_CALLED.iter().find_map(meant)?;
    Some(format!("there is no option --{name}; did you mean --{long}?"))
}

/// Short options are few: a whole name behind one dash, or the first letter of one, is a long option.
fn one_dash(letter: &str, command: &Command, given: &[String]) -> Option<String> {
    let first = letter.chars().nth(1)?;
    let is_it = |word: &&String| {
        word.strip_prefix('-').is_some_and(|rest| !rest.starts_with('-') && rest.contains(first))
    };
    let word = given.iter().find(is_it)?;
    let name = word[1..].split('=').next().unwrap_or_default();
    if name.chars().count() > 1 {
        let long = nearest(name, longs(command))?;
        return Some(format!("'{word}' has one dash; write --{long}"));
    }
    let all: Vec<String> =
        longs(command).filter(|long| long.starts_with(first)).map(|l| format!("--{l}")).collect();
    let all = all.join(" or ");
    (!all.is_empty()).then(|| format!("there is no option -{first}; did you mean {all}?"))
}

fn surplus(word: &str, command: &Command, given: &[String]) -> Option<String> {
    let at = given.iter().position(|one| one == word)?;
    if let Some(value) = with_its_unit(word, &given[..at]) {
        return Some(format!("a value with a space stands in quotes: write {value}"));
    }
    if let Some(path) = path_in_pieces(at, given) {
        return Some(format!("a path with a space stands in quotes: write \"{path}\""));
    }
    let takes = |long: &str| longs(command).any(|own| own == long);
    if word.split_once('=').is_some_and(|(name, _)| takes(name)) {
        return Some(format!("'{word}' lacks the dashes of an option; write --{word}"));
    }
    let is_label = word.chars().all(|c| c.is_ascii_alphanumeric()) && word.len() <= 20;
    let named = given.iter().any(|one| one.starts_with("--participant"));
    if takes("participant") && !named && is_label && !Path::new(word).exists() {
        return Some(format!("'{word}' is one word too many; write --participant {word}"));
    }
    let places: Vec<String> = command.get_positionals().map(ToString::to_string).collect();
    let name = command.get_name();
    Some(match places.is_empty() {
        true => format!("'{word}' is one word too many: {name} takes options alone"),
        false => format!("'{word}' is one word too many: {name} takes {}", places.join(" ")),
    })
}

/// A number and its unit that stand as two words, with the option before them.
fn with_its_unit(unit: &str, before: &[String]) -> Option<String> {
    let [.., option, number] = before else { return None };
    let is_number = number.parse::<f64>().is_ok();
    (UNITS.contains(&unit) && is_number && option.starts_with("--"))
        .then(|| format!("{option} \"{number} {unit}\""))
}

/// The file that is there, where words around this one, with a space between two, are its path. Of the thousands of
/// words that a shell makes of `*` every way to join some would be looked for: at most eight are joined.
fn path_in_pieces(at: usize, given: &[String]) -> Option<String> {
    let ends = |from: usize| at..given.len().min(from + WORDS);
    let spans =
        (at.saturating_sub(WORDS)..=at).flat_map(|from| ends(from).map(move |to| (from, to)));
    let paths = spans.filter(|(from, to)| from < to).map(|(from, to)| given[from..=to].join(" "));
    paths.into_iter().find(|path| Path::new(path).exists())
}

const WORDS: usize = 8;

/// The option that was given and needs another one beside it, which is missing.
pub(super) fn needed(
    error: &clap::Error,
    command: &Command,
    (given, lacks): (&[String], impl Fn(&[String]) -> bool),
) -> Option<String> {
    let (ErrorKind::MissingRequiredArgument, Some(ContextValue::Strings(missing))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
    else {
        return None;
    };
    let [missing] = missing.as_slice() else { return None };
    let of = |arg: &&Arg| arg.to_string() == *missing;
    if command.get_arguments().find(of)?.is_required_set() {
        return None;
    }
    let without = |at: usize| {
        let behind = if given[at].contains('=') { at + 1 } else { at + 2 };
        [&given[..at], &given[behind.min(given.len())..]].concat()
    };
    let mut options = (0..given.len()).filter(|at| given[*at].starts_with("--"));
    let needs = options.find(|at| !lacks(&without(*at)))?;
    let option = given[needs].split('=').next().unwrap_or_default();
    Some(format!("{option} needs {missing} beside it; add {missing}, or leave {option} out"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot be set up has failed
mod tests {
    use super::*;

    #[test]
    fn an_option_by_another_name_is_offered_by_ours_where_the_command_has_it() {
        let with = |long: &'static str| Command::new("one").arg(Arg::new(long).long(long));
        let said = called_elsewhere("--format=csv", &with("to")).unwrap();
        assert_eq!(said, "there is no option --format; did you mean --to?");
        let of_two = ["data", "output"].map(|long| called_elsewhere("--output-dir", &with(long)));
        assert!(of_two[0].as_ref().unwrap().ends_with("--data?"));
        assert!(of_two[1].as_ref().unwrap().ends_with("--output?"));
        assert_eq!(called_elsewhere("--format", &with("data")), None);
    }
}
