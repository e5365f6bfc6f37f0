//! `read_tables`: tables of a dataset under each other, with the types that its exports have; and
//! `typed_table`: one in memory.

use crate::columns::column;
use chronotap_core::files::NotUtf8;
use chronotap_data::exchange::{Column, ExchangeError, Frame, Values};
use chronotap_data::tables::{
    How, Outcome, Sources, TablesError, analyze, check_asked, outcomes, table_of_tests,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::path::{Path, PathBuf};

/// Columns, how many rows each table has, and which columns are moments, in microseconds since 1970.
type Tables<'py> = (Bound<'py, PyList>, Vec<usize>, Vec<String>);

/// Reads these tables, of which `columns` are wanted, or all.
#[pyfunction]
#[pyo3(signature = (paths, columns = None))]
pub fn read_tables(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    columns: Option<Vec<String>>,
) -> PyResult<Tables<'_>> {
    let wanted = |name: &str| columns.as_ref().is_none_or(|all| all.iter().any(|one| one == name));
    let (frame, rows) = py.detach(|| read(&paths, &wanted))?;
    let moments = moments_of(&frame);
    Ok((listed(py, frame)?, rows, moments))
}

/// The same of a table in memory: of each column its name and cells, None is missing.
#[pyfunction]
pub fn typed_table(
    py: Python<'_>,
    columns: Vec<(String, Vec<Option<String>>)>,
) -> PyResult<(Bound<'_, PyList>, Vec<String>)> {
    let frame = py.detach(|| Frame::of_cells(&columns));
    let moments = moments_of(&frame);
    Ok((listed(py, frame)?, moments))
}

/// The outcome and the contrasts of a dataset and those that are asked, as the table of their tests.
#[pyfunction]
pub fn contrasts(
    py: Python<'_>,
    folder: PathBuf,
    asked: Vec<String>,
) -> PyResult<(Bound<'_, PyList>, Vec<String>)> {
    let frame = py.detach(|| tested(folder, &asked)).map_err(PyValueError::new_err)?;
    let moments = moments_of(&frame);
    Ok((listed(py, frame)?, moments))
}

fn tested(folder: PathBuf, asked: &[String]) -> Result<Frame, String> {
    let read = |words: &String| words.parse::<Outcome>().map_err(|error| error.to_string());
    let asked = asked.iter().map(read).collect::<Result<Vec<Outcome>, String>>()?;
    let how = How { asked, ..How::default() };
    let of_dataset = || -> Result<Vec<u8>, TablesError> {
        let sources = Sources::find(std::slice::from_ref(&folder))?;
        check_asked(&sources, &how.asked)?;
        Ok(table_of_tests(&outcomes(&sources, &analyze(&sources, &how), &how.asked)?))
    };
    let table = of_dataset().map_err(|error| error.to_string())?;
    Frame::parse(&folder, &String::from_utf8_lossy(&table)).map_err(|error| said(&error))
}

fn moments_of(frame: &Frame) -> Vec<String> {
    let moments = frame.columns.iter().filter(|one| matches!(one.values, Values::Moment(_)));
    moments.map(|column| column.name.clone()).collect()
}

fn listed(py: Python<'_>, frame: Frame) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    frame.columns.into_iter().try_for_each(|one| list.append(into_python(py, one)?))?;
    Ok(list)
}

fn read(paths: &[PathBuf], wanted: &dyn Fn(&str) -> bool) -> PyResult<(Frame, Vec<usize>)> {
    let text = |path: &PathBuf| {
        chronotap_core::files::read_to_string(path).map_err(|error| unread(path, &error))
    };
    let texts: Vec<String> = paths.iter().map(text).collect::<PyResult<_>>()?;
    let tables: Vec<(&Path, &str)> =
        paths.iter().zip(&texts).map(|(path, text)| (path.as_path(), text.as_str())).collect();
    let frame = Frame::parse_all(&tables, wanted);
    let frame = frame.map_err(|error| PyValueError::new_err(said(&error)))?;
    Ok((frame, texts.iter().map(|text| text.lines().count().saturating_sub(1)).collect()))
}

fn said(error: &ExchangeError) -> String {
    match error {
        ExchangeError::Cells { path, line, found, needed } => {
            format!(
                "{}:{line}: {found} cells, but the first line names {needed} columns",
                path.display()
            )
        }
        error => error.to_string(),
    }
}

/// A table that is no text is a `ValueError`, one that cannot be opened an `OSError` of its kind.
pub fn unread(path: &Path, error: &std::io::Error) -> PyErr {
    let path = path.display();
    match NotUtf8::of(error) {
        Some(NotUtf8 { line, .. }) => {
            let cure = "restore the table as it was written, or save it as UTF-8";
            PyValueError::new_err(format!("{path}:{line}: {error}; {cure}"))
        }
        None => std::io::Error::new(error.kind(), format!("{path}: {error}")).into(),
    }
}

fn into_python(py: Python<'_>, Column { name, values }: Column) -> PyResult<Bound<'_, PyTuple>> {
    match values {
        Values::Text(words) => {
            let code = |cell: Option<u32>| cell.map_or(-1, |place| place as i32);
            let codes: Vec<i32> = words.cells.iter().copied().map(code).collect();
            column(py, &name, codes, None, Some(words.words))
        }
        Values::Integer(cells) | Values::Moment(cells) => {
            let missing = cells.iter().map(Option::is_none).collect();
            let values = cells.into_iter().map(Option::unwrap_or_default).collect();
            column::<i64>(py, &name, values, Some(missing), None)
        }
        Values::Number(cells) => {
            let values = cells.into_iter().map(|cell| cell.unwrap_or(f64::NAN)).collect();
            column::<f64>(py, &name, values, None, None)
        }
        Values::Truth(cells) => {
            let missing = cells.iter().map(Option::is_none).collect();
            let values = cells.into_iter().map(Option::unwrap_or_default).collect();
            column::<bool>(py, &name, values, Some(missing), None)
        }
    }
}
