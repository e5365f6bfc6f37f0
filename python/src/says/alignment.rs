//! What is said of recordings that are to be put on one clock.

use super::{Says, with};
use chronotap_analysis::alignment::AlignmentError;
use chronotap_data::alignment::RecorderTableError;

impl Says for AlignmentError {
    fn says(&self) -> String {
        let cure = match self {
            AlignmentError::TooFew { .. } => {
                "name more kinds of events as events, or give the whole recording"
            }
            AlignmentError::NoCommonCode { .. } => {
                "read the codes from another column, channel or stream, or align by times alone with codes=False"
            }
            AlignmentError::Unlike { .. } => {
                "give what was recorded with this trial; where it was, allow more as tolerance_ms or most_drift_ppm"
            }
            AlignmentError::Ambiguous { .. } => {
                "give the first or the last event a code of its own, or align all trials of the session together"
            }
        };
        with(self, cure)
    }
}

impl Says for RecorderTableError {
    fn says(&self) -> String {
        match self {
            RecorderTableError::Read { .. } => with(self, "name a table that is there, in UTF-8"),
            RecorderTableError::NoSuchColumn { nearest: Some(near), .. } => {
                with(self, format!("did you mean \"{near}\"?"))
            }
            RecorderTableError::NoSuchColumn { nearest: None, .. } => {
                with(self, "let the first line name the columns")
            }
            RecorderTableError::NoOnsets { .. } => {
                with(self, "name the column of the onsets as onset")
            }
            RecorderTableError::NoRate { .. } => with(self, "give it as rate_hz"),
            RecorderTableError::Cells { .. } => with(self, "restore the line as it was written"),
            RecorderTableError::Onset { .. } => {
                with(self, "write a number there, or n/a, or name another column as onset")
            }
            RecorderTableError::NoCodes { .. } => {
                with(self, "name another column as code, or read times alone with codes=False")
            }
        }
    }
}
