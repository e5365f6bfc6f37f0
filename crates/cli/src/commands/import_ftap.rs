//! `chronotap import-ftap`: a configuration file of FTAP as a trial file, a data file as a
//! recorded trial.

use crate::args::ImportFtap;
use crate::says::ftap::note as said;
use crate::screen::{complain, say, say_raw};
use crate::trial_file::ftap_text;
use crate::{Verdict, data};
use anyhow::{Context, Result, bail};
use chronotap_config::ftap::{Readings, import};
use chronotap_config::trial_files::TrialFile;
use chronotap_data::exchange::abs::{Columns, read_abs, recorded};
use chronotap_data::record::{free_name, write_events};
use std::io::{ErrorKind, Write};
use std::path::Path;

pub fn import_ftap(args: &ImportFtap) -> Result<Verdict> {
    let is_data = args.file.extension().is_some_and(|ending| ending == "abs");
    if is_data { import_data(args) } else { import_configuration(args) }
}

/// The events of a data file as those of a recorded trial.
fn import_data(args: &ImportFtap) -> Result<Verdict> {
    let name = args.file.display().to_string();
    if args.output.is_some() {
        bail!("--output: {name} is a data file, which becomes events files; name --data DIR");
    }
    let columns = (!args.columns.is_empty()).then(|| Columns::parse(&args.columns)).transpose()?;
    let text = std::fs::read(&args.file).with_context(|| format!("{name}: cannot read it"))?;
    let file = read_abs(&String::from_utf8_lossy(&text), &name, columns.as_ref())?;
    let short = args.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let made = recorded(&file, &short)?;
    data::prepare(&args.data)?;
    let stem = args.file.file_stem().unwrap_or_default().to_string_lossy();
    let stem = stem.strip_suffix("_events").unwrap_or(&stem);
    let (folder, run) = (&args.data, free_name(&args.data, stem)?);
    let saved = write_events(folder, &run, &made.header, &made.entries, &made.footer, true)?;
    for line in &made.stray {
        complain(&format!("{name}:{line}: an end of what did not begin; left out"));
    }
    data::say_saved(&saved);
    Ok(Verdict::Passed)
}

fn import_configuration(args: &ImportFtap) -> Result<Verdict> {
    let name = args.file.display().to_string();
    if !args.columns.is_empty() {
        bail!("--columns: {name} is no data file of FTAP, whose name ends in .abs; leave it out");
    }
    let readings = Readings::parse(&args.ftap.readings)?.without(&args.ftap.without)?;
    let bytes = TrialFile::bytes(&args.file)?;
    let Some(text) = ftap_text(&bytes) else {
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
    Ok(Verdict::Passed)
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
