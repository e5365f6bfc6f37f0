//! [`Table`]: a table of a dataset, read whole.

use crate::record::text::{MISSING, parse_text};
use crate::tables::{TablesError, Wrong};
use chronotap_core::files::NotUtf8;
use std::path::{Path, PathBuf};

/// Columns and rows of text; a cell that holds nothing is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its file, or a name, for messages.
    pub path: PathBuf,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, each as long as there are columns.
    pub rows: Vec<Vec<Option<String>>>,
}

impl Table {
    pub(crate) fn read(path: &Path) -> Result<Table, TablesError> {
        Table::read_cells(path, cell)
    }

    /// The same of the table of a plan, which has levels as they are, without a backslash before any letter.
    pub(crate) fn read_plan(path: &Path) -> Result<Table, TablesError> {
        Table::read_cells(path, |text| Some(text.to_owned()).filter(|text| text != MISSING))
    }

    fn read_cells(
        path: &Path,
        cell: impl Fn(&str) -> Option<String>,
    ) -> Result<Table, TablesError> {
        let text = chronotap_core::files::read_to_string(path);
        let text = text.map_err(|source| match NotUtf8::of(&source) {
            Some(found) => {
                let (path, line) = (path.to_owned(), found.line);
                TablesError::Table { path, line, wrong: Wrong::NotUtf8(found) }
            }
            None => TablesError::Read { path: path.to_owned(), source },
        })?;
        let mut lines = text.lines();
        let columns: Vec<String> =
            lines.next().unwrap_or_default().split('\t').map(str::to_owned).collect();
        let mut table = Table { path: path.to_owned(), columns, rows: Vec::new() };
        for (line, text) in (2..).zip(lines) {
            let row: Vec<Option<String>> = text.split('\t').map(&cell).collect();
            let (found, needed) = (row.len(), table.columns.len());
            if found != needed {
                return Err(table.wrong(line, Wrong::Cells { found, needed }));
            }
            table.rows.push(row);
        }
        Ok(table)
    }

    /// The place of a column.
    pub(crate) fn column(&self, name: &str) -> Result<usize, TablesError> {
        let found = self.columns.iter().position(|column| column == name);
        found.ok_or_else(|| self.wrong(1, Wrong::NoColumn(name.to_owned())))
    }

    pub(crate) fn wrong(&self, line: usize, wrong: Wrong) -> TablesError {
        TablesError::Table { path: self.path.clone(), line, wrong }
    }
}

fn cell(text: &str) -> Option<String> {
    if text == MISSING { None } else { parse_text(text) }
}

/// The label in a cell of `participant_id`.
pub(crate) fn label_of(cell: &str) -> &str {
    cell.strip_prefix("sub-").unwrap_or(cell)
}

/// The label of whose trial a row of a table of trials is.
pub(crate) fn label_in(table: &Table, row: &[Option<String>]) -> Option<String> {
    let events = table.column("events_file").ok()?;
    entity(Path::new(row[events].as_deref()?), "sub-")
}

/// A part of a file's name, as BIDS has it: `sub-07_task-delay_…`.
pub(crate) fn entity(path: &Path, key: &str) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    name.split('_').find_map(|part| part.strip_prefix(key)).map(str::to_owned)
}
