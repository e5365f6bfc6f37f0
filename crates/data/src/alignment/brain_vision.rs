//! The markers of a BrainVision recording (`.vmrk`), as a table with the columns `position` and `description`.
//!
//! A line reads `Mk2=Stimulus,S 10,1235,1,0`: the position counts samples from 1. How long a sample
//! is, the header beside it (`.vhdr`) says in microseconds.

use super::table::{OnsetColumns, OnsetUnit, RecorderTable, RecorderTableError, parse_table};
use std::fmt::Write;
use std::path::Path;

pub(super) fn parse(
    path: &Path,
    text: &str,
    columns: &OnsetColumns,
) -> Result<RecorderTable, RecorderTableError> {
    let told = OnsetColumns {
        onset: Some(columns.onset.clone().unwrap_or_else(|| "position".into())),
        code: Some(columns.code.clone().unwrap_or_else(|| "description".into())),
        unit: Some(columns.unit.unwrap_or(OnsetUnit::Samples)),
        rate_mhz: columns.rate_mhz.or_else(|| rate_mhz(path)),
        ..columns.clone()
    };
    parse_table(path, &tabbed(text), &told)
}

/// The markers as a table. Positions count from 0 here, so that the first sample is at zero; other lines stay, empty,
/// so that messages name the line of the file.
fn tabbed(text: &str) -> String {
    let mut table = "position\tdescription\ttype\n".to_owned();
    for line in text.lines().skip(1) {
        if let Some([kind, description, position]) = marker(line) {
            let _ = write!(table, "{position}\t{description}\t{kind}");
        }
        table.push('\n');
    }
    table
}

/// Type, description and position of a marker.
fn marker(line: &str) -> Option<[String; 3]> {
    let (number, rest) = line.strip_prefix("Mk")?.split_once('=')?;
    number.parse::<u32>().ok()?;
    let mut parts = rest.split(',').map(|part| part.replace("\\1", ",")); // how a comma is written there
    let [kind, description, position] = [parts.next()?, parts.next()?, parts.next()?];
    let from_zero = position.trim().parse::<i64>().map(|position| (position - 1).to_string());
    Some([kind, description, from_zero.unwrap_or(position)])
}

/// Samples in a thousand seconds, as the header beside the markers has it.
fn rate_mhz(path: &Path) -> Option<u32> {
    let header = chronotap_core::files::read_to_string(&path.with_extension("vhdr")).ok()?;
    let interval = header.lines().find_map(|line| line.strip_prefix("SamplingInterval="))?;
    let us: f64 = interval.trim().parse().ok().filter(|us| *us > 0.0)?;
    Some((1e9 / us).round() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chronotap_analysis::alignment::ClockMark;
    use chronotap_core::time::Nanos;

    #[test]
    fn markers_count_samples_from_1_and_the_header_beside_them_says_how_long_one_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("eeg.vmrk");
        let text = "Brain Vision Data Exchange Marker File, Version 1.0\n\n[Marker Infos]\n; comment\n\
                    Mk1=New Segment,,1,1,0,20261128103000000000\nMk2=Stimulus,S  1,501,1,0\n\
                    Mk3=Stimulus,S 10,1001,1,0\n";
        let refused = parse(&path, text, &OnsetColumns::default()).unwrap_err();
        assert!(matches!(refused, RecorderTableError::NoRate { .. }), "{refused}");
        std::fs::write(path.with_extension("vhdr"), "[Common Infos]\nSamplingInterval=2000\n")
            .unwrap();
        let table = parse(&path, text, &OnsetColumns::default()).unwrap();
        let mark = |s, code| ClockMark { at: Nanos::from_secs(s), code: Some(code) };
        assert_eq!((table.marks, table.left_out), (vec![mark(1, 1), mark(2, 10)], 1));
        assert_eq!(table.step_s, 0.002);
    }
}
