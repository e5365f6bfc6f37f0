//! The trial that a command was given: a trial file, or a configuration file of FTAP, which
//! is known by its content.

use crate::args::OfFtap;
use crate::screen::complain;
use anyhow::{Result, bail};
use chronotap_experiment::{Problems, TrialFile};
use chronotap_ftap::Readings;
use std::path::Path;

/// Reads the trial, and says what an import leaves out or assumes, unless `quiet`.
pub fn read_told(path: &Path, of: &OfFtap, quiet: bool) -> Result<TrialFile> {
    let bytes = TrialFile::bytes(path)?;
    let (of_ftap, file) = parse(path, &bytes, of)?;
    let file = file?;
    if of_ftap && !quiet {
        file.warnings.iter().for_each(|doubt| complain(&format!("{}: {doubt}", file.name)));
    }
    Ok(file)
}

/// The text of a file of FTAP; what is no UTF-8 in it stands in remarks alone, if at all.
pub fn ftap_text(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    chronotap_ftap::is_ftap(&text).then(|| text.into_owned())
}

/// The trial of these bytes, and whether they are a file of FTAP.
pub fn parse(
    path: &Path,
    bytes: &[u8],
    of: &OfFtap,
) -> Result<(bool, Result<TrialFile, Problems>)> {
    let name = path.display().to_string();
    if let Some(text) = ftap_text(bytes) {
        let readings = Readings::parse(&of.readings)?;
        return Ok((true, chronotap_ftap::read(&text, &name, &readings)));
    }
    let file = TrialFile::beside(bytes, path);
    if let (Ok(_), [reading, ..]) = (&file, &of.readings[..]) {
        bail!(
            "--reading {reading}: {name} is a trial file, which leaves nothing open; leave it out"
        );
    }
    Ok((false, file))
}
