//! `chronotap import-ftap`: a configuration file of FTAP as a trial file.

use crate::Verdict;
use crate::args::ImportFtap;
use crate::screen::{complain, say, say_raw};
use crate::trial_file::ftap_text;
use anyhow::{Result, bail};
use chronotap_experiment::TrialFile;
use chronotap_ftap::{Readings, import};
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Runs the command.
pub fn import_ftap(args: &ImportFtap) -> Result<Verdict> {
    let name = args.file.display().to_string();
    let readings = Readings::parse(&args.ftap.readings)?;
    let bytes = TrialFile::bytes(&args.file)?;
    let Some(text) = ftap_text(&bytes) else {
        bail!(
            "{name}: no line of it begins with a keyword of FTAP, such as FEED_ON; check the path"
        );
    };
    let imported = import(&text, &name, &readings)?;
    imported.notes.iter().for_each(|note| complain(&format!("{name}: {note}")));
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
        true => chronotap_files::replace(output, write),
        false => chronotap_files::create_new(output).and_then(|mut file| write(&mut file)),
    };
    match written {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("--output {shown}: it exists; name another file, or write over it with --force")
        }
        Err(error) => bail!("--output {shown}: cannot be written: {error}"),
        Ok(()) => Ok(()),
    }
}
