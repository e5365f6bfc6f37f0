//! What commands ask of the file of a study and of what is given for one of its sessions.

use crate::says::command::Given;
use anyhow::{Result, anyhow, bail};
use chronotap_session::{Dataset, Study};
use std::collections::BTreeMap;
use std::path::Path;

/// Whether a file is an experiment file: it has steps. A file that cannot be read is told of
/// by whoever reads it as a trial file.
pub fn is_study(path: &Path) -> bool {
    let text = chronotap_core::files::read_to_string(path).unwrap_or_default();
    Study::is_one(&text)
}

/// The study of a session in this dataset, where there is one.
pub fn read(path: &Path, data: &Path) -> Result<Study> {
    Ok(Study::read_for(path, Dataset::open(data).ok().as_ref())?)
}

/// `NAME=VALUE` in two.
pub fn pairs(option: &str, given: &[String]) -> Result<BTreeMap<String, String>> {
    let pair = |text: &String| {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| anyhow!("{option} {text}: write {option} NAME=VALUE"))?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    given.iter().map(pair).collect()
}

/// A label as it stands in the dataset: numbers are padded.
pub fn label(study: &Study, given: Option<&str>) -> Result<String> {
    let Some(given) = given else {
        bail!("which participant? an experiment file is run for one: add --participant 01");
    };
    let refused = |problem| Given::Participant { given: given.to_owned(), problem };
    Ok(study.label(given).map_err(refused)?)
}
