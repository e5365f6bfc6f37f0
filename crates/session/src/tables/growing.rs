//! [`Growing`]: a table of a session on the disk. New rows are appended; it is replaced whole only
//! where a row changes that was written before.

use crate::dataset::{Dataset, DatasetError};
use crate::table::{TsvTable, line};
use chronotap_core::files::Disk as AnyDisk;
use std::path::{Path, PathBuf};

/// A table, and how much of it stands in its file.
#[derive(Debug)]
pub(super) struct Growing {
    pub(super) path: PathBuf,
    pub(super) table: TsvTable,
    written: usize,
    changed: bool,
    bytes: usize, // of the file
}

impl Growing {
    pub(super) fn new(path: PathBuf, columns: Vec<String>) -> Growing {
        Growing { path, table: TsvTable::new(columns), written: 0, changed: true, bytes: 0 }
    }

    pub(super) fn set(&mut self, row: usize, column: usize, cell: Option<String>) {
        let place = &mut self.table.rows[row][column];
        self.changed |= *place != cell && row < self.written;
        *place = cell;
    }

    pub(super) fn write<D: AnyDisk>(&mut self, dataset: &Dataset<D>) -> Result<(), DatasetError> {
        if self.table.rows.is_empty() {
            return Ok(()); // BIDS has no tables without rows
        }
        if self.changed {
            return self.replace(dataset);
        }
        let new: Vec<u8> = self.table.rows[self.written..].iter().flat_map(line).collect();
        append(dataset, &self.path, &new)?;
        self.written = self.table.rows.len();
        self.bytes += new.len();
        Ok(())
    }

    /// Writes it again where its file is not as it was written; tells whether it was not.
    pub(super) fn keep<D: AnyDisk>(&mut self, dataset: &Dataset<D>) -> Result<bool, DatasetError> {
        let as_written = self.bytes == 0 || dataset.has_length(&self.path, self.bytes);
        if !as_written {
            self.replace(dataset)?;
        }
        Ok(!as_written)
    }

    pub(super) fn replace<D: AnyDisk>(&mut self, dataset: &Dataset<D>) -> Result<(), DatasetError> {
        if !self.table.rows.is_empty() {
            let bytes = self.table.bytes();
            dataset.replace(&self.path, &bytes)?;
            self.bytes = bytes.len();
        }
        self.written = self.table.rows.len();
        self.changed = self.table.rows.is_empty();
        Ok(())
    }
}

/// Appends to a file of the dataset, where there is anything to append.
pub(super) fn append<D: AnyDisk>(
    dataset: &Dataset<D>,
    path: &Path,
    bytes: &[u8],
) -> Result<(), DatasetError> {
    if bytes.is_empty() {
        return Ok(());
    }
    let whole = dataset.root().join(path);
    let mut file = dataset.told(path, dataset.disk.open_to_append(&whole))?;
    dataset.told(path, dataset.disk.append(&mut file, bytes))
}
