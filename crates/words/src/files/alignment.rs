//! What is said of recordings that are to be put on one clock.

use crate::{Says, Sentences, Surface, row, with};
use chronotap_analysis::alignment::AlignmentError;
use chronotap_core::files::NotUtf8;
use chronotap_data::alignment::RecorderTableError;

pub(super) const ROWS: &[Sentences] = &[row::<AlignmentError>(), row::<RecorderTableError>()];

impl Says for AlignmentError {
    fn says(&self, surface: Surface) -> String {
        let cure = match self {
            AlignmentError::TooFew { .. } => surface.in_python(
                "name more kinds of events as events, or give the whole recording",
                "name more kinds of events with --events, or the table of the whole recording",
            ),
            AlignmentError::NoCommonCode { .. } => surface.in_python(
                "read the codes from another column, channel or stream, or align by times alone \
                 with codes=False",
                "name the column of the codes with --code, or align by times alone with --no-codes",
            ),
            AlignmentError::Unlike { .. } => surface.in_python(
                "give what was recorded with this trial; where it was, allow more as tolerance_ms \
                 or most_drift_ppm",
                "name the table that was recorded with this trial; where it was, allow more with \
                 --tolerance or --most-drift",
            ),
            AlignmentError::Ambiguous { .. } => {
                "give the first or the last event a code of its own, or align all trials of the session together"
            }
        };
        with(self, cure)
    }
}

impl Says for RecorderTableError {
    fn says(&self, surface: Surface) -> String {
        match self {
            RecorderTableError::Read { .. } if surface == Surface::Python => {
                with(self, "name a table that is there, in UTF-8")
            }
            RecorderTableError::Read { source, .. } => match NotUtf8::of(source) {
                Some(found) => with(self, super::exchange::as_text(&found)),
                None => with(self, "name a table that is there"),
            },
            RecorderTableError::NoSuchColumn { nearest: Some(near), .. } => {
                with(self, format!("did you mean \"{near}\"?"))
            }
            RecorderTableError::NoSuchColumn { nearest: None, .. } => {
                with(self, "let the first line name the columns")
            }
            RecorderTableError::NoOnsets { .. } => {
                let onset = surface.in_python("as onset", "with --onset");
                with(self, format!("name the column of the onsets {onset}"))
            }
            RecorderTableError::NoRate { .. } => {
                with(self, surface.in_python("give it as rate_hz", "give it with --rate HZ"))
            }
            RecorderTableError::Cells { .. } => with(self, "restore the line as it was written"),
            RecorderTableError::Onset { .. } => {
                let onset = surface.in_python("as onset", "with --onset");
                with(self, format!("write a number there, or n/a, or name another column {onset}"))
            }
            RecorderTableError::NoCodes { .. } => with(
                self,
                surface.in_python(
                    "name another column as code, or read times alone with codes=False",
                    "name another column with --code, or align by times alone with --no-codes",
                ),
            ),
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    use chronotap_config::trial_files::performers::DecimalError;
    use chronotap_core::time::Nanos;
    let path = || std::path::PathBuf::from("eeg.tsv");
    let columns = || vec!["begin".to_owned(), "codes".to_owned()];
    let of_both = [
        AlignmentError::TooFew { ours: 2, theirs: 40 },
        AlignmentError::NoCommonCode { ours: vec![1, 2, 10], theirs: vec![255] },
        AlignmentError::Unlike { matched: 4, within: 40 },
        AlignmentError::Ambiguous { matched: 20, also: 19, apart: Nanos::from_millis(500) },
    ];
    let column = || "sample".to_owned();
    let book = chronotap_core::files::table_text(b"PK\x03\x04".to_vec()).unwrap_err();
    let named = |nearest: Option<String>| RecorderTableError::NoSuchColumn {
        path: path(),
        named: "code".into(),
        columns: columns(),
        nearest,
    };
    let of_table = [
        RecorderTableError::Read { path: path(), source: std::io::Error::from_raw_os_error(2) },
        RecorderTableError::Read { path: path(), source: book },
        named(Some("codes".into())),
        named(None),
        RecorderTableError::NoOnsets { path: path(), columns: columns() },
        RecorderTableError::NoRate { path: path(), column: column() },
        RecorderTableError::Cells { path: path(), line: 3, found: 1, needed: 2 },
        RecorderTableError::Onset {
            path: path(),
            line: 3,
            column: column(),
            cell: "soon".into(),
            wrong: DecimalError::NotANumber,
        },
        RecorderTableError::NoCodes { path: path(), column: "codes".into() },
    ];
    let of_both = of_both.into_iter().map(|error| Box::new(error) as _);
    of_both.chain(of_table.into_iter().map(|error| Box::new(error) as _)).collect()
}
