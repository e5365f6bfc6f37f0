//! `chronotap import-ftap`: a configuration file of FTAP as a trial file, a data file as a
//! recorded trial, a folder as all that its files become.

mod folder;

use crate::args::ImportFtap;
use crate::says::ftap::note as said;
use crate::screen::{complain, say, say_raw};
use crate::{CommandVerdict, data};
use anyhow::{Context, Result, bail};
use chronotap_config::ftap::{Readings, import, text_of_ftap};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::files::any_text;
use chronotap_data::exchange::abs::{
    AbsColumns, AbsError, ImportedTrial, inferred, read_abs, recorded,
};
use chronotap_data::record::{Saved, free_name, write_events};
use std::io::{ErrorKind, Write};
use std::path::Path;

pub fn import_ftap(args: &ImportFtap) -> Result<CommandVerdict> {
    if args.file.is_dir() {
        return folder::import_folder(args);
    }
    let is_data = args.file.extension().is_some_and(|ending| ending == "abs");
    if is_data { import_data(args) } else { import_configuration(args) }
}

/// The events of a data file as those of a recorded trial.
fn import_data(args: &ImportFtap) -> Result<CommandVerdict> {
    let name = args.file.display().to_string();
    if args.output.is_some() {
        bail!("--output: {name} is a data file, which becomes events files; name --data DIR");
    }
    let (made, inferred) = read_data(&args.file, columns(args)?.as_ref())?;
    let folder = args.data.as_deref().unwrap_or(Path::new("data"));
    data::prepare(folder)?;
    let stem = args.file.file_stem().unwrap_or_default().to_string_lossy();
    let saved = save_data(folder, &stem, &made)?;
    inferred.iter().for_each(|said| complain(&format!("{name}: {said}")));
    for line in &made.stray {
        complain(&format!("{name}:{line}: {STRAY}"));
    }
    data::say_saved(&saved);
    Ok(CommandVerdict::Passed)
}

const STRAY: &str = "an end of what did not begin; left out";

/// The columns that the user declares.
fn columns(args: &ImportFtap) -> Result<Option<AbsColumns>> {
    if args.columns.is_empty() {
        return Ok(None);
    }
    let columns = AbsColumns::parse(&args.columns)?;
    Ok(Some(match args.trigger_columns.is_empty() {
        true => columns,
        false => columns.with_triggers(AbsColumns::parse(&args.trigger_columns)?),
    }))
}

/// The recorded trial of a data file, and what was inferred of its columns.
fn read_data(path: &Path, columns: Option<&AbsColumns>) -> Result<(ImportedTrial, Option<String>)> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).with_context(|| format!("{name}: cannot read it"))?;
    let text = any_text(bytes);
    let (file, said) = match read_abs(&text, &name, columns) {
        Err(AbsError::NoColumns { .. }) => {
            let columns = inferred(&text, &name)?;
            (read_abs(&text, &name, Some(&columns))?, Some(only_order(&columns)))
        }
        read => (read?, None),
    };
    let short = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok((recorded(&file, &short)?, said))
}

fn only_order(columns: &AbsColumns) -> String {
    format!("columns read as {columns}, the only order that fits; --columns says another")
}

fn save_data(folder: &Path, stem: &str, made: &ImportedTrial) -> Result<Saved> {
    let run = free_name(folder, stem.strip_suffix("_events").unwrap_or(stem))?;
    Ok(write_events(folder, &run, &made.header, &made.entries, &made.footer, true)?)
}

fn import_configuration(args: &ImportFtap) -> Result<CommandVerdict> {
    let name = args.file.display().to_string();
    if !args.columns.is_empty() {
        bail!("--columns: {name} is no data file of FTAP, whose name ends in .abs; leave it out");
    }
    let readings = Readings::parse(&args.ftap.readings)?.without(&args.ftap.without)?;
    let bytes = TrialFile::bytes(&args.file)?;
    let Some(text) = text_of_ftap(&bytes) else {
        bail!(
            "{name}: no line of it begins with a keyword of FTAP, such as FEED_ON; check the path"
        );
    };
    let imported = import(&text, &name, &readings)?;
    imported.notes.iter().for_each(|note| complain(&format!("{name}: {}", said(note))));
    match &args.output {
        None => say_raw(&imported.toml),
        Some(output) => {
            write(output, &imported.toml, args.force)?;
            say(format!("Trial: {}", output.display()));
        }
    }
    Ok(CommandVerdict::Passed)
}

fn write(output: &Path, text: &str, over: bool) -> Result<()> {
    let shown = output.display();
    let write = |file: &mut std::fs::File| file.write_all(text.as_bytes());
    let written = match over {
        true => chronotap_core::files::replace(output, write),
        false => chronotap_core::files::create_new(output).and_then(|mut file| write(&mut file)),
    };
    match written {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("--output {shown}: it exists; name another file, or write over it with --force")
        }
        Err(error) => bail!("--output {shown}: cannot be written: {error}"),
        Ok(()) => Ok(()),
    }
}
