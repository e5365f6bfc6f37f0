//! What a command lacks that must be given: what it is, in the words of the help, and a whole
//! command line as an example.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

/// An example of every command that must be given something.
pub const EXAMPLES: &[&str] = &[
    "chronotap check study.toml",
    "chronotap plan study.toml --participant 07",
    "chronotap run trial.toml --in pad=alsa:Pad --out alsa:Synth",
    "chronotap simulate trial.toml",
    "chronotap render trial.toml --output trial.wav",
    "chronotap play data/trial_run-01_events.tsv --out alsa:Synth",
    "chronotap replay data/trial_run-01_events.tsv",
    "chronotap ear data/trial_run-01_events.tsv",
    "chronotap summary data/trial_run-01_events.tsv",
    "chronotap recover data/trial_run-01.journal",
    "chronotap analyze study",
    "chronotap report study",
    "chronotap export study --to as-csv",
    "chronotap gather study-1 study-2 all",
    "chronotap merge share-1 share-2 study",
    "chronotap align data/trial_run-01_events.tsv --recorder eeg.tsv",
    "chronotap lsl --follow lsl.socket",
    "chronotap listen EyeTracker",
    "chronotap power study.toml --contrast \"mean asynchrony: delay 200 ms - 0 ms\"",
    "chronotap import-ftap config.txt --output trial.toml",
    "chronotap import-taps taps.csv --taps \"onset in ms\" --participant 07 --data study",
    "chronotap status study",
    "chronotap verify study",
    "chronotap repair study",
    "chronotap backup study /media/disk/study",
    "chronotap pack study --output study.zip",
    "chronotap open study.zip",
    "chronotap correct study --participant 07 --set group=control --reason \"wrong line\"",
    "chronotap dropout study --participant 07 --reason \"moved away\"",
    "chronotap withdraw study --participant 07",
    "chronotap monitor --in alsa:Pad",
    "chronotap threshold ear:jack?channel=2",
    "chronotap timing tap-to-sound --in alsa:Pad",
    "chronotap timing loop --in alsa:Interface --out alsa:Interface",
    "chronotap timing compare before.json after.json",
    "chronotap timing report timing/host_wakeup_run-01.json",
    "chronotap completions bash",
    "chronotap man man1",
];

/// What is missing, where that is what is wrong.
pub(super) fn what_is_missing(
    error: &clap::Error,
    command: &Command,
    called: &str,
) -> Option<String> {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let mut missing: Vec<String> =
        missing.iter().map(|name| meant(name, missing, command)).collect();
    missing.sort_by_key(|name| name.starts_with("--"));
    let each: Vec<String> = missing.iter().map(|name| described(name, command)).collect();
    let example = example(called).map_or(String::new(), |line| format!("; for example: {line}"));
    let lacks = error.kind() == ErrorKind::MissingRequiredArgument;
    let name = called.strip_prefix("chronotap ").unwrap_or(called);
    lacks.then(|| format!("{name} lacks {}{example}", each.join(" and ")))
}

/// The argument that is meant: a lone value stands for the last place, as clap has it, but
/// whoever typed it meant the first.
fn meant(name: &str, missing: &[String], command: &Command) -> String {
    let behind = command.get_positionals().skip_while(|arg| !is_called(arg, name)).nth(1);
    let given = |arg: &&Arg| !missing.iter().any(|name| is_called(arg, name));
    behind.filter(given).map_or_else(|| name.to_owned(), ToString::to_string)
}

fn example(called: &str) -> Option<&'static str> {
    let of_it = |line: &&str| line.strip_prefix(called).is_some_and(|rest| rest.starts_with(' '));
    EXAMPLES.iter().copied().find(of_it)
}

/// An argument as the usage writes it, with the first words of its help.
fn described(written: &str, command: &Command) -> String {
    let mut arguments = command.get_arguments().filter(|arg| is_called(arg, written));
    let help = arguments.next().and_then(Arg::get_help).map(ToString::to_string);
    let name = written.trim_end_matches("...");
    match help.as_deref().map(first_words) {
        Some(words) if !words.is_empty() => format!("{name} ({words})"),
        _ => name.to_owned(),
    }
}

/// Whether the usage writes an argument so, in whatever brackets.
fn is_called(argument: &Arg, written: &str) -> bool {
    let brackets = ['<', '>', '[', ']', '.'];
    let bare = |name: &str| name.replace(brackets, "");
    bare(&argument.to_string()) == bare(written)
}

/// The first sentence of a help, up to what only adds to it.
fn first_words(help: &str) -> String {
    let ends = ["; ", ". ", " [", " (", ", `", ", such as"];
    let end = ends.iter().filter_map(|end| help.find(end)).min().unwrap_or(help.len());
    let mut letters = help[..end].chars();
    let first = letters.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}
