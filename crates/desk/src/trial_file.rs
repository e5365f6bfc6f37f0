//! The trial that a command was given: a trial file, or a configuration file of FTAP, which
//! is known by its content.

use crate::args::OfFtap;
use crate::says::ftap::{note, problems as said_of};
use crate::screen::complain;

use anyhow::{Result, bail};
use chronotap_config::ftap::{Readings, import, text_of_ftap};
use chronotap_config::trial_files::reading::{Node, TomlTable, Value, tree};
use chronotap_config::trial_files::{Problems, TrialFile};
use chronotap_design::Experiment;
use std::path::Path;

/// Reads the trial, and says what an import leaves out or assumes, unless `quiet`.
pub fn read_told(path: &Path, of: &OfFtap, quiet: bool) -> Result<TrialFile> {
    let bytes = TrialFile::bytes(path)?;
    refuse_study(path, &bytes)?;
    let (of_ftap, file) = parse(path, &bytes, of)?;
    let file = file?;
    if of_ftap && !quiet {
        file.warnings.iter().for_each(|doubt| complain(&format!("{}: {doubt}", file.name)));
    }
    Ok(file)
}

/// Where one trial is asked for and a study is named, its trial files are what can be named.
fn refuse_study(path: &Path, bytes: &[u8]) -> Result<()> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Ok(()) };
    if !Experiment::is_one(text) {
        return Ok(());
    }
    let mut trials = Vec::new();
    if let Ok(top) = tree(text) {
        trials_in(&top, &mut trials);
    }
    let beside = |name: &String| path.with_file_name(name).display().to_string();
    let trials: Vec<String> = trials.iter().map(beside).collect();
    let cure = match trials.as_slice() {
        [] => "name a trial file".to_owned(),
        all => format!("name one of its trial files: {}", all.join(", ")),
    };
    bail!(
        "{}: this is the experiment file of a study, and one trial is needed; {cure}",
        path.display()
    )
}

/// The trial files that a study names, each once.
fn trials_in(table: &TomlTable, found: &mut Vec<String>) {
    for entry in &table.entries {
        match (entry.key.as_str(), &entry.node.value) {
            ("trial", Value::Text(name)) if !found.contains(name) => found.push(name.clone()),
            ("step", Value::List(steps)) => {
                steps.iter().filter_map(Node::table).for_each(|step| trials_in(step, found));
            }
            _ => {}
        }
    }
}

/// The trial of a configuration file of FTAP. Its doubts are those of the import, each with the
/// line of FTAP's file, then those of the trial file.
fn of_ftap(text: &str, name: &str, readings: &Readings) -> Result<TrialFile, Problems> {
    let imported = import(text, name, readings).map_err(|mistakes| said_of(&mistakes))?;
    let mut file = TrialFile::parse(&imported.toml, name)?;
    let of_the_trial = file.warnings.iter().map(|doubt| format!("in the trial it became, {doubt}"));
    file.warnings = imported.notes.iter().map(note).chain(of_the_trial).collect();
    Ok(file)
}

/// The trial of these bytes, and whether they are a file of FTAP.
pub fn parse(
    path: &Path,
    bytes: &[u8],
    of: &OfFtap,
) -> Result<(bool, Result<TrialFile, Problems>)> {
    let name = path.display().to_string();
    if let Some(text) = text_of_ftap(bytes) {
        let readings = Readings::parse(&of.readings)?.without(&of.without)?;
        return Ok((true, of_ftap(&text, &name, &readings)));
    }
    let file = TrialFile::beside(bytes, path);
    if let (Ok(_), [reading, ..]) = (&file, &of.readings[..]) {
        bail!(
            "--reading {reading}: {name} is a trial file, which leaves nothing open; leave it out"
        );
    }
    if let (Ok(_), [part, ..]) = (&file, &of.without[..]) {
        bail!(
            "--without {part}: {name} is a trial file, of which nothing is dropped; leave it out"
        );
    }
    Ok((false, file))
}
