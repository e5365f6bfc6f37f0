//! What is said of the tables of an analysis.

use super::{Row, Says, row, with};
use chronotap_data::tables::{TablesError, UnreadError, Wrong};

pub(super) const ROWS: &[Row] = &[row::<TablesError>(), row::<UnreadError>(), row::<Wrong>()];

impl Says for TablesError {
    fn says(&self) -> String {
        let cure = match self {
            TablesError::Read { .. } => "name a dataset, or events files (…_events.tsv)",
            TablesError::Nothing { .. } => "name the folder of the dataset, above sub-…",
            TablesError::AllWithdrew { .. } => "name other trials",
            TablesError::Mixed { .. } => "name one dataset, or only events files",
            TablesError::Table { .. } => "bring back the table that `chronotap run` wrote",
            TablesError::NoPlace => "say where, with --to DIR",
            TablesError::Exists { .. } => "choose another folder with --to DIR",
            TablesError::Contrast { source, .. } => return source.says(),
            TablesError::Write { .. } => "name a writable folder with --to DIR",
        };
        with(self, cure)
    }
}

impl Says for UnreadError {
    fn says(&self) -> String {
        match self {
            UnreadError::File(error) => error.says(),
            UnreadError::Recorded { path, source } => {
                format!("{}: {}", path.display(), source.says())
            }
        }
    }
}

impl Says for Wrong {
    fn says(&self) -> String {
        match self {
            Wrong::NotUtf8(_) | Wrong::Cells { .. } | Wrong::NoColumn(_) | Wrong::Outside(_) => {
                self.to_string()
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    use chronotap_core::files::NotUtf8;
    use chronotap_data::tables::ContrastError;
    let path = || std::path::PathBuf::from("data/sub-01_beh.tsv");
    let source = || std::io::Error::from_raw_os_error(2);
    let table = |wrong| TablesError::Table { path: path(), line: 3, wrong };
    let all = [
        TablesError::Read { path: path(), source: source() },
        TablesError::Nothing { path: path() },
        TablesError::AllWithdrew { path: path() },
        TablesError::Mixed { path: path() },
        table(Wrong::NotUtf8(NotUtf8 { line: 3, offset: 40, byte: 0xff })),
        table(Wrong::Cells { found: 3, needed: 4 }),
        table(Wrong::NoColumn("events".into())),
        table(Wrong::Outside("../a_events.tsv".into())),
        TablesError::NoPlace,
        TablesError::Exists { path: path() },
        TablesError::Contrast {
            words: "taps: delay 0 ms - 0 ms".into(),
            source: ContrastError::Same("0 ms".into()),
        },
        TablesError::Write { path: path(), source: source() },
    ];
    let (path, source) = (path(), source());
    let unread = UnreadError::File(chronotap_data::record::ReadError::File { path, source });
    let all = all.into_iter().map(|error| Box::new(error) as _);
    all.chain([Box::new(unread) as _]).collect()
}
