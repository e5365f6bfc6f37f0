//! `[ftap]`: how the trial files are read that are configuration files of FTAP. Each is the trial
//! file that it becomes, from the first line on; what was read how is kept for the overview.

use crate::study::sections::FTAP;
use chronotap_config::ftap::{ReadingError, Readings};
use chronotap_config::trial_files::reading::{Field, Part};

/// The readings of a study, and what may be dropped of its files.
pub(super) fn readings(top: &Part<'_>) -> Readings {
    top.read("ftap", |field| {
        let part = Part::of(field, FTAP)?;
        let readings = part.read("reading", |f| each(f, Readings::parse));
        let readings = readings.unwrap_or_default();
        part.read("without", |f| each(f, |given| readings.clone().without(given)))
            .or(Some(readings))
    })
    .unwrap_or_default()
}

/// What a list of texts says, or which of them says nothing.
fn each(
    field: &Field<'_>,
    read: impl Fn(&[String]) -> Result<Readings, ReadingError>,
) -> Option<Readings> {
    let given: Vec<String> = field.some("texts")?.iter().filter_map(Field::text).collect();
    match read(&given) {
        Ok(readings) => Some(readings),
        Err(wrong) => {
            let cure = "`chronotap import-ftap --help` lists the readings and what can be dropped";
            field.problem(&format!("has a text that is not known: {wrong}"), cure)
        }
    }
}
