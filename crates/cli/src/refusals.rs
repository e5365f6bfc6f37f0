//! Tests of what is said of a command line that is not understood, with all commands of this program.

use crate::linux::Linux;
use chronotap_desk::surroundings::whole_command;
use chronotap_desk::usage::{EXAMPLES, commands_of_files, in_one_line};
use clap::Command;
use std::ffi::OsString;

/// What is wrong with a command line.
fn parsed<'a>(line: impl IntoIterator<Item = &'a str>) -> Result<(), clap::Error> {
    chronotap_desk::begin(&Linux);
    chronotap_desk::given(line.into_iter().map(OsString::from)).map(drop)
}

fn refusal(line: &str) -> String {
    let error = parsed(line.split(' ')).unwrap_err();
    let given: Vec<String> = line.split(' ').skip(1).map(str::to_owned).collect();
    in_one_line(&error, &given)
}

#[test]
fn a_negative_value_is_answered_by_what_it_may_be_and_not_as_an_option() {
    for (line, cure) in [
        ("chronotap simulate x --seed -3", "write a whole number from 0"),
        ("chronotap simulate x --limit -1ms", "write a time from "),
        ("chronotap play x --from -3s", "the trial begins at 0 s"),
        ("chronotap play x --rate -1", "from 0.01 to 100"),
    ] {
        let said = refusal(line);
        assert!(said.contains("invalid value '-") && said.contains(cure), "{line}: {said}");
        assert!(!said.contains("'-- -"), "{line}: {said}");
    }
    let said = refusal("chronotap simulate x --data -3");
    assert!(said.contains("in one piece: --data=-3"), "{said}");
}

#[test]
fn every_refusal_is_one_line_that_names_the_flag_and_the_help() {
    for (line, what, help) in [
        ("chronotap runn", "'run'", "see `chronotap --help`"),
        ("chronotap run", "lacks <FILE> (the trial file", "see `chronotap run --help`"),
        ("chronotap timing loop --on x", "--on", "see `chronotap timing loop --help`"),
        ("chronotap check x --notation", "'--notation' found; see", "see `chronotap check --help`"),
        ("chronotap run x --dta d", "'--data'", "see `chronotap run --help`"),
        ("chronotap run x --priority 0", "--priority", "see `chronotap run --help`"),
        ("chronotap simulate x --repeat many", "--repeat", "`chronotap simulate --help`"),
        ("chronotap simulate x --seed -1", "--seed", "see `chronotap simulate --help`"),
        ("chronotap simulate x --data d --no-data", "--no-data", "--help`"),
    ] {
        let said = refusal(line);
        assert!(said.contains(what) && said.ends_with(help), "{line}: {said}");
        assert!(!said.contains('\n') && !said.contains("Usage"), "{line}: {said}");
    }
}

#[test]
fn a_slip_in_a_command_line_is_answered_with_what_was_meant() {
    for (line, said) in [
        ("chronotap check x -json", "'-json' has one dash; write --json"),
        ("chronotap simulate x -quiet", "'-quiet' has one dash; write --quiet"),
        ("chronotap check x \u{2013}json", "begins with a typographic dash; write --json"),
        ("chronotap check x \u{2014}json", "begins with a typographic dash; write --json"),
        ("chronotap pack x -o y", "there is no option -o; did you mean --output?"),
        ("chronotap plan x -p 07", "there is no option -p; did you mean --participant?"),
        ("chronotap plan x 07", "'07' is one word too many; write --participant 07"),
        ("chronotap simulate x --for 5 s", "stands in quotes: write --for \"5 s\""),
        ("chronotap timing wakeup --duration 5 min", "write --duration \"5 min\""),
        ("chronotap render x rate=48000", "lacks the dashes of an option; write --rate=48000"),
        ("chronotap simulate x y.toml", "'y.toml' is one word too many: simulate takes <FILE>"),
        ("chronotap level 70", "'70' is one word too many: level takes options alone"),
        ("chronotap chronotap check x", "'chronotap' stands twice; write it once"),
        ("chronotap render x -o y --rate 48kHz", "for '--rate <HZ>': write 48000"),
        ("chronotap render x -o y --rate 44.1", "for '--rate <HZ>': write 44100"),
        (
            "chronotap run x --participant 1 --from main",
            "--from needs --pilot beside it; add --pilot, or leave --from out",
        ),
    ] {
        let answer = refusal(line);
        assert!(answer.contains(said), "{line}: {answer}");
    }
    assert!(parsed("chronotap check \u{2013}notes.toml".split(' ')).is_ok(), "a name of a file");
}

/// The unit of a number without one stands in the help of its option.
#[test]
fn the_help_of_an_option_says_what_a_number_alone_counts() {
    let (mut bare, mut said) = (Vec::new(), Vec::new());
    for (command, called) in all(&whole_command(), "chronotap") {
        for option in command.get_arguments().filter(|arg| arg.get_action().takes_values()) {
            let names: Vec<String> =
                option.get_value_names().into_iter().flatten().map(ToString::to_string).collect();
            let Some(long) = option.get_long().filter(|_| names == ["TIME"]) else { continue };
            let reads = ["200", "5"].iter().any(|number| {
                let line = format!("{called} --{long} {number}");
                let refused = parsed(line.split(' ')).err().map(|error| error.to_string());
                refused.is_none_or(|why| !why.contains(&format!("invalid value '{number}'")))
            });
            let help = option.get_help().map(ToString::to_string).unwrap_or_default();
            let name = format!("{called} --{long}");
            if help.contains("a number alone counts") {
                said.push(name.clone())
            }
            if reads {
                bare.push(name)
            }
        }
    }
    assert_eq!(bare, said);
    assert!(bare.len() > 15, "{bare:?}");
}

/// Every command that does something, as it is called.
fn all(command: &Command, called: &str) -> Vec<(Command, String)> {
    let of = |one: &Command| all(one, &format!("{called} {}", one.get_name()));
    let below: Vec<_> = command.get_subcommands().flat_map(of).collect();
    if below.is_empty() { vec![(command.clone(), called.to_owned())] } else { below }
}

#[test]
fn every_command_that_lacks_something_says_what_and_gives_an_example_that_is_understood() {
    let mut lacking = 0;
    for (_, called) in all(&whole_command(), "chronotap") {
        if parsed(called.split(' ')).is_ok() {
            continue;
        }
        lacking += 1;
        let said = refusal(&called);
        let (lacks, rest) = said.split_once("; for example: ").expect(&said);
        let name = called.strip_prefix("chronotap ").unwrap();
        assert!(lacks.starts_with(&format!("{name} lacks ")), "{said}");
        assert!(lacks.ends_with(')') && !said.contains("provided"), "{said}");
        let (example, help) = rest.split_once("; see `").expect(&said);
        assert_eq!(help, format!("{called} --help`"));
        assert!(example.starts_with(&called), "{said}");
        let quoted: Vec<&str> = example.split('"').collect();
        let words = quoted.iter().enumerate().flat_map(|(place, part)| match place % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![*part],
        });
        assert!(parsed(words).is_ok(), "{example}");
    }
    assert_eq!(lacking, EXAMPLES.len() - if cfg!(feature = "lsl") { 0 } else { 2 });
}

#[test]
fn of_several_things_only_those_that_lack_are_told() {
    let said = refusal("chronotap gather study");
    assert!(said.starts_with("gather lacks <OUT> (the folder to create); "), "{said}");
    let said = refusal("chronotap export study");
    assert!(said.starts_with("export lacks --to <DIR> (the folder for"), "{said}");
    let said = refusal("chronotap export");
    assert!(said.contains("lacks <DATASET|TABLE> (a dataset, or tables) and --to"), "{said}");
}

#[test]
fn every_command_that_is_named_for_a_file_can_be_typed() {
    for (what, command) in commands_of_files() {
        let line = format!("chronotap {command}");
        let parsed = parsed(line.split(' '));
        assert!(parsed.is_ok(), "{what}: {line}: {}", parsed.unwrap_err());
    }
}
