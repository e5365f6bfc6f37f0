//! Which command was called, and which of its options a word means that begins with a dash of an editor.

use crate::surroundings::whole_command;
use clap::{Arg, Command};

/// The command that was called, as far as there is one, and how.
pub(crate) fn command(given: &[String]) -> (Command, String) {
    let (mut command, mut called) = (whole_command(), "chronotap".to_owned());
    command.build(); // so that its arguments can be named
    for name in given {
        let Some(below) = command.find_subcommand(name) else { break };
        called += &format!(" {}", below.get_name());
        command = below.clone();
    }
    (command, called)
}

/// The long option that is meant by a word with a dash that is none of the long ones, such as `–json`, which some
/// editors make of `--json`.
pub(crate) fn typographic<'w>(word: &'w str, command: &Command) -> Option<&'w str> {
    let name = word.trim_start_matches(['-', '\u{2013}', '\u{2014}']);
    let bare = name.split('=').next().unwrap_or(name);
    let strange = word.starts_with(['\u{2013}', '\u{2014}']);
    (strange && longs(command).any(|long| long == bare)).then_some(name)
}

/// The names of the options of a command, less those that help does not show.
pub(crate) fn longs(command: &Command) -> impl Iterator<Item = &str> {
    command.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(Arg::get_long)
}
