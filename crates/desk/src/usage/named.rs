//! A file or folder in the place of a command: what it is, and what can be done with it. Only what its name and its
//! first look say; whether it is as it should be, the commands say.

use chronotap_config::trial_files::TrialFile;
use chronotap_design::Experiment;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::path::Path;

/// What is told: a line that names it, then a line for each command.
pub(super) struct Told {
    pub(super) first: String,
    pub(super) lines: Vec<String>,
}

/// A kind of file, by what it is known, and what can be done with it: `FILE` stands for its name.
struct Kind {
    name: &'static str,
    is: fn(&Path) -> bool,
    can: &'static [(&'static str, &'static str)],
}

/// The first kind that fits is it.
const KINDS: &[Kind] = &[
    Kind {
        name: "the experiment file of a study",
        is: |path| text(path).is_some_and(|text| Experiment::is_one(&text)),
        can: &[
            ("explain it, or find its mistakes", "check FILE"),
            ("list a participant's trials", "plan FILE --participant 01"),
            ("rehearse it with simulated people", "simulate FILE --data rehearsal"),
            ("say how many people it needs", "power FILE"),
            ("run a participant", "run FILE --participant 01 --data data"),
            ("hand it over as one file", "pack FILE --output study.zip"),
        ],
    },
    Kind {
        name: "a trial file",
        is: |path| text(path).is_some_and(|text| is_trial(&text)),
        can: &[
            ("explain it, or find its mistakes", "check FILE"),
            ("rehearse it with a simulated person", "simulate FILE"),
            ("run it; `chronotap ports` lists ports", "run FILE --in PORT --out PORT"),
            ("hear it", "render FILE --output trial.wav"),
        ],
    },
    Kind {
        name: "a configuration file of FTAP",
        is: |path| ends(path, ".ftap"),
        can: &[
            ("explain it, or find its mistakes", "check FILE"),
            ("make a trial file of it", "import-ftap FILE --output trial.toml"),
        ],
    },
    Kind {
        name: "the events file of a trial",
        is: |path| ends(path, "_events.tsv"),
        can: &[
            ("summarize it", "summary FILE"),
            ("draw it on a page", "report FILE"),
            ("check what was decided", "replay FILE"),
            ("hear it again", "play FILE"),
        ],
    },
    Kind {
        name: "the journal of a trial",
        is: |path| ends(path, ".journal"),
        can: &[("make data files of it", "recover FILE")],
    },
    Kind {
        name: "a pack, if `chronotap pack` made it",
        is: |path| ends(path, ".zip"),
        can: &[("open it, and check it", "open FILE")],
    },
    Kind {
        name: "the folder of a dataset",
        is: |path| path.join("dataset_description.json").is_file(),
        can: &[
            ("see who did what", "status FILE"),
            ("check that all is there, unchanged", "verify FILE"),
            ("see figures and doubts on a page", "report FILE"),
            ("make tables for statistics", "analyze FILE"),
            ("take tables to other programs", "export FILE --to tables"),
            ("copy it, and check the copy", "backup FILE COPY"),
        ],
    },
    Kind {
        name: "a folder",
        is: Path::is_dir,
        can: &[("show its studies and data on pages", "console FILE")],
    },
];

/// What can be done with files and folders of every kind, and by which command.
pub fn commands_of_files() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    KINDS.iter().flat_map(|kind| kind.can)
}

/// What can be done with what was named, where a file or folder of this name stands in the place of a command.
pub(super) fn what_can_be_done(error: &clap::Error, given: &[String]) -> Option<Told> {
    let no_command = error.get(ContextKind::InvalidSubcommand);
    let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(name))) =
        (error.kind(), no_command)
    else {
        return None;
    };
    let path = Path::new(given.first().filter(|first| *first == name)?);
    of_kind(path, KINDS.iter().find(|kind| path.exists() && (kind.is)(path))?)
}

fn of_kind(path: &Path, kind: &Kind) -> Option<Told> {
    let name = path.to_str().filter(|name| !name.contains(char::is_control))?;
    let first = format!("{name} is {}, not a command; what can be done with it:", kind.name);
    let widest = kind.can.iter().map(|(what, _)| what.chars().count()).max()?;
    let line = |(what, command): &(&str, &str)| {
        format!("  {what:<widest$}  chronotap {}", command.replace("FILE", &quoted(name)))
    };
    Some(Told { first, lines: kind.can.iter().map(line).collect() })
}

/// A name as a shell takes it for one word.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,@%+".contains(c);
    if name.chars().all(plain) {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\'', r"'\''"))
    }
}

fn text(path: &Path) -> Option<String> {
    let bytes = ends(path, ".toml").then(|| TrialFile::bytes(path).ok())?;
    String::from_utf8(bytes?).ok()
}

/// Whether it has a part that only trial files have.
fn is_trial(text: &str) -> bool {
    let parts = ["[pacing", "[feedback", "[masking", "[[when]]"];
    text.lines().any(|line| parts.iter().any(|part| line.trim_start().starts_with(part)))
}

fn ends(path: &Path, with: &str) -> bool {
    path.is_file() && path.to_str().is_some_and(|name| name.ends_with(with))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_blanks_is_one_word_of_the_commands() {
        let told = of_kind(Path::new("my study's.zip"), &KINDS[5]).unwrap();
        assert!(told.first.starts_with("my study's.zip is a pack"), "{}", told.first);
        assert_eq!(told.lines, [r"  open it, and check it  chronotap open 'my study'\''s.zip'"]);
    }
}
