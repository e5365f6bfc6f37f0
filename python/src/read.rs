//! `read_events`: recorded trials as columns, with what their descriptions say as JSON.

use crate::batches::in_batches;
use crate::columns::Columns;
use crate::tables::unread;
use chronotap_data::record::{Checksum, ReadError, Recording, read_events as read, text};
use chronotap_words::{Says, Surface};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use serde_json::json;
use std::path::PathBuf;

/// Reads events files, each with the .json beside it. Gives the columns of all their events,
/// in which `trial` is the place of the file, and of each file its header, footer and
/// checksum as JSON.
#[pyfunction]
pub fn read_events(
    py: Python<'_>,
    paths: Vec<PathBuf>,
) -> PyResult<(Bound<'_, PyList>, Vec<String>)> {
    let parts = in_batches(py, paths.len(), 1, |range| {
        let (place, path) = (range.start, &paths[range.start]);
        let recording = read(path)?;
        let mut columns = Columns::default();
        columns.push(place as i64, &recording.rows);
        Ok((columns, description(&recording)))
    })?;
    let parts = parts.map_err(raised)?;
    let (columns, descriptions) = py.detach(|| {
        let (mut all, mut descriptions) = (Columns::default(), Vec::with_capacity(paths.len()));
        for (columns, description) in parts {
            all.append(columns);
            descriptions.push(description);
        }
        (all, descriptions)
    });
    Ok((columns.into_python(py)?, descriptions))
}

/// A table with names of columns above texts, missing cells and characters written otherwise
/// as in events files. Tables of datasets are such.
type Table = Vec<(String, Vec<Option<String>>)>;

/// Reads any table of a dataset: of each column its name and cells; None is missing.
#[pyfunction]
pub fn read_table(py: Python<'_>, path: PathBuf) -> PyResult<Table> {
    py.detach(|| {
        let text =
            chronotap_core::files::read_to_string(&path).map_err(|error| unread(&path, &error))?;
        table(&text).map_err(|(line, what)| {
            PyValueError::new_err(format!("{}:{line}: {what}", path.display()))
        })
    })
}

fn table(table: &str) -> Result<Table, (usize, String)> {
    let mut lines = table.lines();
    let names = lines.next().unwrap_or_default().split('\t');
    let mut columns: Table = names.map(|name| (name.to_owned(), Vec::new())).collect();
    for (line, cells) in (2..).zip(lines) {
        let cells: Vec<&str> = cells.split('\t').collect();
        if cells.len() != columns.len() {
            let (found, needed) = (cells.len(), columns.len());
            return Err((
                line,
                format!("{found} cells, but the first line names {needed} columns"),
            ));
        }
        for ((name, column), cell) in columns.iter_mut().zip(cells) {
            let wrong = || (line, format!("column {name}: a backslash stands wrongly in `{cell}`"));
            let missing = cell == text::MISSING;
            column.push(if missing {
                None
            } else {
                Some(text::parse_text(cell).ok_or_else(wrong)?)
            });
        }
    }
    Ok(columns)
}

fn description(recording: &Recording) -> String {
    let checksum = match recording.checksum {
        Checksum::Absent => "absent",
        Checksum::Agrees => "agrees",
        Checksum::Differs => "differs",
    };
    let Recording { header, footer, .. } = recording;
    json!({ "header": header, "footer": footer, "checksum": checksum }).to_string()
}

/// A file that cannot be opened is an `OSError` of its kind, one that is not what the
/// program writes a `ValueError`.
pub fn raised(error: ReadError) -> PyErr {
    match &error {
        ReadError::File { source, .. } => {
            std::io::Error::new(source.kind(), error.says(Surface::Python)).into()
        }
        _ => PyValueError::new_err(error.says(Surface::Python)),
    }
}
