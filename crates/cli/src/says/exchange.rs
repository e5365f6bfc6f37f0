//! What is said of tables that go to other programs.

use super::{Row, Says, row, with};
use chronotap_data::exchange::ExchangeError;
use chronotap_data::exchange::abs::{AbsError, Column};

pub(super) const ROWS: &[Row] = &[row::<AbsError>(), row::<ExchangeError>()];

impl Says for AbsError {
    fn says(&self) -> String {
        let columns = || Column::names().collect::<Vec<_>>().join(", ");
        match self {
            AbsError::NoColumns { .. } => {
                with(self, "say it with --columns, such as --columns time,kind,press,channel,note")
            }
            AbsError::Unknown { near, .. } => {
                let meant = near.map(|near| format!("did you mean {near}? "));
                with(self, format!("{}the columns are {}", meant.unwrap_or_default(), columns()))
            }
            AbsError::Twice(_) => with(self, "write - for a column that is not to be read"),
            AbsError::Lacks(_) => with(self, "name it in --columns"),
            AbsError::Cells { .. } => {
                with(self, "name each column of the file in --columns, - where it is not read")
            }
            AbsError::Cell { .. } => with(self, "correct the line or --columns"),
            AbsError::Nothing { .. } => with(self, "name a data file of FTAP"),
            AbsError::Refused { .. } => with(self, "give its triggers fewer or shorter ids"),
        }
    }
}

impl Says for ExchangeError {
    fn says(&self) -> String {
        match self {
            ExchangeError::Read { .. } => {
                with(self, "name a tab-separated table, or the folder of a dataset")
            }
            ExchangeError::NotUtf8 { .. } => {
                with(self, "restore the table as it was written, or save it as UTF-8")
            }
            ExchangeError::Cells { .. } => with(self, "restore the table as it was written"),
            ExchangeError::Backslash { .. } => {
                with(self, "restore the table as it was written; in a cell a backslash is `\\\\`")
            }
            ExchangeError::TwoColumns { .. } => with(
                self,
                "make the tables again with `chronotap analyze`, rename one, or export as CSV",
            ),
            ExchangeError::TooLarge { .. } => with(self, "export it as CSV or Parquet"),
            ExchangeError::Write { .. } => with(self, "name a writable place"),
            ExchangeError::Exists(_) => with(self, "name a place where nothing is"),
            ExchangeError::SameName(_) => with(self, "rename the folder of one"),
            ExchangeError::Tables(error) => error.says(),
            ExchangeError::Interrupted => format!("{self}: run it again for new ones"),
            ExchangeError::Incomplete(_) => with(self, "remove it, and run it again"),
            ExchangeError::NoParquet => {
                with(self, "build it with `cargo build --release -p chronotap-cli`, or take CSV")
            }
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    let path = || std::path::PathBuf::from("tables/taps.tsv");
    let source = || std::io::Error::from_raw_os_error(2);
    let found = chronotap_core::files::NotUtf8 { line: 3, offset: 40, byte: 0xff };
    let all = [
        ExchangeError::Read { path: path(), source: source() },
        ExchangeError::NotUtf8 { path: path(), found },
        ExchangeError::Cells { path: path(), line: 3, found: 3, needed: 4 },
        ExchangeError::Backslash {
            path: path(),
            line: 3,
            column: "note".into(),
            cell: "C:\\temp".into(),
        },
        ExchangeError::TwoColumns { path: path(), name: "delay".into() },
        ExchangeError::TooLarge {
            path: path(),
            sheet: "trials".into(),
            rows: 2_000_000,
            columns: 200,
        },
        ExchangeError::Write { path: path(), source: source() },
        ExchangeError::Exists(path()),
        ExchangeError::SameName("pilot".into()),
        ExchangeError::Tables(chronotap_data::tables::TablesError::NoPlace),
        ExchangeError::Interrupted,
        ExchangeError::Incomplete(path()),
        ExchangeError::NoParquet,
    ];
    let name = || "t.abs".to_owned();
    let of_abs = [
        AbsError::NoColumns { name: name() },
        AbsError::Unknown { column: "tiem".into(), near: Some("time") },
        AbsError::Unknown { column: "xyz".into(), near: None },
        AbsError::Twice(Column::Time),
        AbsError::Lacks(Column::Kind),
        AbsError::Cells { name: name(), line: 3, found: 3, needed: 4 },
        AbsError::Cell { name: name(), line: 3, column: Column::Note, word: "128".into() },
        AbsError::Nothing { name: name() },
        AbsError::Refused { name: name(), why: "too many rules".into() },
    ];
    let of_abs = of_abs.into_iter().map(|error| Box::new(error) as _);
    all.into_iter().map(|error| Box::new(error) as _).chain(of_abs).collect()
}
